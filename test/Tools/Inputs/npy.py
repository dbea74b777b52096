"""npy.py write FILE DTYPE SHAPE [fortran]: numbers -3, -2, ... as an array; npy.py claim FILE DTYPE
SHAPE: the same without the numbers; npy.py header FILE TEXT: 16 numbers after any header; npy.py
show FILE.

Without NumPy: the tests of the tools need none."""

import struct
import sys

FORMATS = {"<f4": "f", "<f8": "d", "<i4": "i"}


def write(path, dtype, shape, fortran=False, data=True):
    shape = tuple(int(size) for size in shape.split("x"))
    count = 1
    for size in shape:
        count *= size
    header = f"{{'descr': '{dtype}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    write_file(path, header, FORMATS[dtype], count if data else 0)


def write_file(path, header, form, count):
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{count}{form}", *range(-3, count - 3)))


def show(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack_from("<H", data, 8)[0]
    assert (10 + length) % 64 == 0
    header = eval(data[10 : 10 + length])
    form = FORMATS[header["descr"]]
    print(
        header["shape"],
        *struct.unpack(
            f"<{len(data[10 + length :]) // struct.calcsize(form)}{form}", data[10 + length :]
        ),
    )


if sys.argv[1] in ("write", "claim"):
    fortran, data = "fortran" in sys.argv[5:], sys.argv[1] == "write"
    write(sys.argv[2], sys.argv[3], sys.argv[4], fortran, data)
elif sys.argv[1] == "header":
    write_file(sys.argv[2], sys.argv[3], "f", 16)
else:
    show(sys.argv[2])
