"""Random programs of the differentiated language, as text, with arguments at which to run them.

An `Author` writes one function, statement by statement, and knows in its scope which variables are
surely bound at the place of writing and of which kind they are, so that the programs run. Values
stay bounded: what is bound in a loop goes through `sin` or `tanh`. The same seed gives the same
program.

Programs come in two sorts. In *separate* ones no array is written while another name shares its
memory, so the engine must differentiate them. *Sharing* ones do as they like, and the engine may
refuse them with AD302 or AD303.
"""
