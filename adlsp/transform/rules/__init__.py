"""How each function is differentiated: declarations that are read, never run."""
