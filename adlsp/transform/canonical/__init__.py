"""Functions in a form without exceptions: what people write in many ways is written in one.

This is canonicalization; what only matters where derivatives flow is desugaring (`desugar.py`,
`overloads.py`). Each module here rewrites one idea, and gives a function that does the same.
`pipeline.py` has their order, which is that of this table:

    np.dot(b=y, a=x, out=None)       np.dot(x, y)                          operands
    push(xs, v)                      xs.append(v)                          inline
    f(*values)                       f(values[0], values[1])               argument_unpacking
    xs.insert(0, v)                  xs = rt.inserted(xs, 0, v)            container_lowering
    d[k].append(v)                   d[k] = d[k] + [v]                     container_lowering
    b = a; b[0] = v                  b = a; a[0] = v                       alias_names
    for r in a: r *= 2               for i in range(len(a)): r = a[i]; …   loop_indexing
    u = U[1:-1]; U += 1; f(u)        U += 1; f(U[1:-1])                    view_places
    r = A[i]; r += v                 r = A[i].copy(); r += v; A[i] = r     view_write_back
    step(u)                          u = step(u)                           copy_out
    h = x; h += v                    h = x; h = rt.fixed(h) + v            rebinding

A callee leaves to its callers what it changes of its arguments. A root is not called: what is not
known of its arguments is made sure of while it runs (`modes/guards.py`).
"""
