"""From the intermediate form to text, and to the map of its lines."""
