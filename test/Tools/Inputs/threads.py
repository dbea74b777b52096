"""Writes a network with tiles for threads, and online scalars, which one of them solves: `net` on
one sample, `many` on a batch.

    threads.py > net.mlir
"""

import random


def filter_of(*shape):
    count = 1
    for size in shape:
        count *= size
    words = (random.choice(("3F800000", "BF800000", "3F000000")) for _ in range(count))
    # Little-endian.
    text = "".join("".join(w[i : i + 2] for i in (6, 4, 2, 0)) for w in words)
    return f'dense<"0x{text}"> : tensor<{"x".join(map(str, shape))}xf32>'


def write(name, n):
    print(f"""
func.func @{name}(%x: tensor<{n}x6x6x32xf32>) -> tensor<{n}x6x6x128xf32> {{
  %s = arith.constant dense<0.5> : tensor<1xf32>
  %w = arith.constant {first}
  %v = arith.constant {second}
  %xq = bquant.quantize %x scalars(%s : tensor<1xf32>)
      : tensor<{n}x6x6x32xf32> -> !bquant.tensor<{n}x6x6x32, 1>
  %wq = bquant.quantize %w scheme(<ls, 1>)
      : tensor<128x3x3x32xf32> -> !bquant.tensor<128x3x3x32, 1, axes = [0]>
  %y = bquant.conv_2d %xq, %wq pads = [1, 1, 1, 1]
      : (!bquant.tensor<{n}x6x6x32, 1>, !bquant.tensor<128x3x3x32, 1, axes = [0]>)
      -> tensor<{n}x6x6x128xf32>
  %yq = bquant.quantize %y scheme(<ls, 2>)
      : tensor<{n}x6x6x128xf32> -> !bquant.tensor<{n}x6x6x128, 2, axes = [0]>
  %vq = bquant.quantize %v scheme(<ls, 1>)
      : tensor<128x3x3x128xf32> -> !bquant.tensor<128x3x3x128, 1, axes = [0]>
  %z = bquant.conv_2d %yq, %vq pads = [1, 1, 1, 1]
      : (!bquant.tensor<{n}x6x6x128, 2, axes = [0]>, !bquant.tensor<128x3x3x128, 1, axes = [0]>)
      -> tensor<{n}x6x6x128xf32>
  return %z : tensor<{n}x6x6x128xf32>
}}""")


random.seed(0)
first, second = filter_of(128, 3, 3, 32), filter_of(128, 3, 3, 128)
write("net", 1)
write("many", "?")
