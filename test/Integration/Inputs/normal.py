"""normal.py FILE DIM...: writes normally distributed f32 values, without NumPy."""

import random
import struct
import sys

path, dims = sys.argv[1], [int(d) for d in sys.argv[2:]]
count = 1
for dim in dims:
    count *= dim
generator = random.Random(0)
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(dims)!r}, }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(path, "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    out.write(struct.pack(f"<{count}f", *(generator.gauss(0, 1) for _ in range(count))))
