"""What is shown for a file, and how: findings, less what settings and comments take away.

The command line, the server and the magics all ask here, so they agree. Nothing is imported or run.
"""
