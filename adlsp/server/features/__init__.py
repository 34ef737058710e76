"""What the editor can ask for, one feature a file."""
