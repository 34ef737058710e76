"""Random programs of the differentiated language, as text, with arguments at which to run them.

An `Author` writes one function, statement by statement, and knows in its scope which variables are
surely bound at the place of writing and of which kind they are, so that the programs run. Values
stay bounded: what is bound in a loop goes through `sin` or `tanh`. The same seed gives the same
program.

Programs come in two sorts. In *separate* ones no array is written while another name shares its
memory, so the engine must differentiate them. *Sharing* ones do as they like, and the engine may
refuse them with AD302 or AD303. Both may be *idiomatic*: made of more that people write, such as
comprehensions, masks, helpers that change their arguments, containers as arguments and results,
names that are also ours. *Holding* ones change what lists and dictionaries of the caller's hold.

The rooms, each a layer upon the one before: `scope`, `expressions`, `vocabulary`, `assignments`,
`places`, `gatherings`, `habits`, `hidden`, `flow`; then `callees`, `collisions`, and `program`.
Beside them, `holding` writes its own.
"""
