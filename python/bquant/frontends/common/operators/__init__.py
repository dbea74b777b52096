"""What all frontends write with: linalg, tensor and arith operations on values, of no framework.

context.py      an operand, a constant or a value; the operation that is written
elementwise.py  one linalg.generic over all elements
products.py     convolutions and matrix products
pooling.py      windows
reductions.py   sums, means and maxima along dimensions, softmax
shapes.py       what moves elements and computes none
"""
