"""What prevents a derivative: legality checks of a root and of what it calls.

Only statements that take part count: those that read something varied to make something useful.
Everything else in a function is inactive, and tolerated.
"""
