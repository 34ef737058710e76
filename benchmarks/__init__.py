"""How fast derivatives are, in ratios: to gradients written by hand, to primals, to peers."""
