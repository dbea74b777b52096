"""The experiments of "Least squares binary quantization of neural networks" on real images.

python -m bquant.study [NAME ...] [--fast]
"""
