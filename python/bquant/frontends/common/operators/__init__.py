"""What all frontends write with: linalg, tensor and arith operations on values, of no framework.

Importing it fills the tables (`common.table`) with the operators that frameworks share.

context.py      an operand, a constant or a value; the operation that is written
elementwise.py  one linalg.generic over all elements
integers.py     products of bytes less their zero points
places.py       the places of extremes, orders, what is read at computed places
pooling.py      windows
products.py     convolutions and matrix products
quantize.py     bquant's own operations
reductions.py   sums, means and maxima along dimensions, softmax
resize.py       images of another size
shapes.py       what moves elements and computes none
"""

from . import elementwise, places, products, reductions, shapes  # noqa: F401
