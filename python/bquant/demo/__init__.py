"""`python -m bquant.demo`: real images, several bit widths, PyTorch beside compiled code."""
