"""Rules for NumPy, one file per subject."""
