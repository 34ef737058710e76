"""Small kernels in the manner of scientific suites, written as their users write them."""
