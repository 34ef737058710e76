"""Everything that can be said about a program, one class per finding."""
