"""Rules for SciPy, one file per subject."""
