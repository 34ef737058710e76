"""Making generated code what a careful person would have written: ir to ir.

Each module is one optimization, of a block, in the order of `pipeline.py`:

    g * (1 / b)                            g / b                       constant_folding
    t = e; y_bar = t                       y_bar = e                   coalesce
    t_bar = y_bar; s = t_bar * a           s = y_bar * a               copy_propagation
    -(g * (-p / q) * t)                    g * (p / q) * t             algebraic
    x_bar[i] = 0; x_bar[i] += v            x_bar[i] = v                store_forwarding
    t = a * b (and nobody reads t)                                     dead_code
    h * rt.expand(out_bar, np.shape(h))    h * out_bar                 broadcasts
    t = x_bar[i].copy(); x_bar[i] = 0      s = x_bar[i] / 3            view_elision
    s = t / 3                              x_bar[i] = 0

and of whole functions, the last five when nothing more is to be done with them:

    x_bar = rt.copy(x_bar); return x_bar   return x_bar                copy_elision
    def f_forward(x, *, g): …              def f_forward(x): …         unused_captures
    W_bar = W_bar + v                      W_bar += v                  in_place_sums
    for …: W_bar += np.outer(a, b)         W_bar += A.T @ B            deferred_products
    x_bar = rt.copy(parts[0])              x_bar = parts[0]            part_elision
    xs_bar = rt.zeros(xs)                  xs_bar = [None] * len(xs)   filled_lists
    for …: xs_bar[i] += v                  for …: xs_bar[i] = v
    xs.append(x); ys.append(y)             saved.append((x, y))        tape_merging
"""
