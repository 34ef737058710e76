"""What each function does, apart from its derivative: one record for each."""
