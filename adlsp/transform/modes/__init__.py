"""What both modes stand on: how a primal is prepared, what is known of it, and a builder."""
