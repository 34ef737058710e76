"""What values are: the lattice of an abstract interpretation, and what functions do to it."""
