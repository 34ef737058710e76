"""What prevents a derivative: the restrictions, applied to a root and to what it calls.

Only statements that take part count: those that read something varied to make something useful.
Everything else in a function is left in peace.
"""
