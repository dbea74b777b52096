"""Products of bytes by linalg: rows that are no whole steps of a kernel, images of few channels, a
filter for each channel; against sums by NumPy."""

import itertools

import bquant
import numpy as np
import pytest
from reports import layers

# Height, width and channels of the image; filters, 0 where each channel has its own, -N where N;
# height and width of a window; strides; dilations; what is padded on each side.
CONVOLUTIONS = {
    "gray": ((9, 7, 1), 5, (3, 3), (1, 1), (1, 1), (1, 1)),
    "gray_strided": ((20, 10, 1), 64, (10, 4), (2, 2), (1, 1), (4, 1)),
    "two": ((6, 5, 2), 33, (3, 3), (2, 1), (1, 1), (0, 0)),
    "rgb": ((11, 11, 3), 8, (3, 3), (2, 2), (1, 1), (1, 1)),
    "rgb_wide": ((14, 14, 3), 16, (7, 7), (2, 2), (1, 1), (3, 3)),
    "rgb_point": ((4, 5, 3), 20, (1, 1), (1, 1), (1, 1), (0, 0)),
    "rgb_dilated": ((9, 9, 3), 8, (3, 3), (1, 1), (1, 2), (0, 0)),
    "rgba": ((6, 6, 4), 12, (3, 3), (1, 1), (1, 1), (1, 1)),
    "six": ((5, 5, 6), 9, (1, 3), (1, 1), (1, 1), (0, 0)),
    "depthwise": ((6, 9, 32), 0, (3, 3), (1, 1), (1, 1), (1, 1)),
    "depthwise_strided": ((9, 11, 64), 0, (3, 3), (2, 2), (1, 1), (1, 1)),
    "depthwise_few": ((6, 8, 5), 0, (3, 3), (1, 1), (1, 1), (1, 1)),
    "depthwise_eight": ((6, 8, 8), 0, (3, 3), (2, 1), (1, 1), (1, 0)),
    "depthwise_part": ((7, 7, 40), 0, (5, 5), (1, 1), (1, 1), (2, 2)),
    "depthwise_many": ((5, 8, 136), 0, (3, 3), (1, 1), (1, 1), (1, 1)),
    "depthwise_seven": ((9, 9, 16), 0, (7, 7), (1, 2), (1, 1), (3, 3)),
    "depthwise_row": ((4, 20, 24), 0, (1, 3), (1, 1), (1, 1), (0, 1)),
    "depthwise_column": ((20, 4, 24), 0, (9, 1), (1, 1), (1, 1), (4, 0)),
    "depthwise_point": ((4, 4, 24), 0, (1, 1), (1, 1), (1, 1), (0, 0)),
    "depthwise_dilated": ((11, 9, 24), 0, (5, 3), (1, 1), (2, 2), (1, 1)),
    "depthwise_twice": ((6, 9, 16), -2, (3, 3), (1, 1), (1, 1), (1, 1)),
    "depthwise_thrice": ((9, 8, 5), -3, (3, 3), (2, 2), (1, 1), (1, 1)),
    "seven": ((3, 3, 7), 40, (3, 3), (1, 1), (1, 1), (0, 0)),
}
TARGETS = ("host", "haswell", "x86-64-v2", "x86-64")


def convolution(shape, filters, window, strides, dilations, pads):
    height, width, channels = shape
    low = [height + 2 * pads[0], width + 2 * pads[1]]
    sizes = [
        (n - d * (k - 1) - 1) // s + 1
        for n, k, s, d in zip(low, window, strides, dilations, strict=True)
    ]
    image = f"tensor<1x{height}x{width}x{channels}xi8>"
    padded = f"tensor<1x{low[0]}x{low[1]}x{channels}xi8>"
    name, of_filter = "conv_2d_nhwc_fhwc", (filters, *window, channels)
    of_result = (*sizes, filters)
    if filters <= 0:
        name, of_filter = "depthwise_conv_2d_nhwc_hwc", (*window, channels)
        of_result = (*sizes, channels)
    if filters < 0:
        name, of_filter = f"{name}m", (*of_filter, -filters)
        of_result = (*of_result, -filters)
    weight = f"tensor<{'x'.join(map(str, of_filter))}xi8>"
    result = f"tensor<1x{'x'.join(map(str, of_result))}xi32>"
    rng = np.random.default_rng(7)
    bytes_of_filter = rng.integers(-128, 128, of_filter, np.int8)
    text = f"""func.func @f(%x: {image}, %start: {result}) -> {result} {{
  %w = arith.constant dense<"0x{bytes_of_filter.tobytes().hex()}"> : {weight}
  %fill = arith.constant -5 : i8
  %p = tensor.pad %x low[0, {pads[0]}, {pads[1]}, 0] high[0, {pads[0]}, {pads[1]}, 0] {{
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %fill : i8
  }} : {image} to {padded}
  %y = linalg.{name} {{strides = dense<{list(strides)}> : tensor<2xi64>,
      dilations = dense<{list(dilations)}> : tensor<2xi64>}}
      ins(%p, %w : {padded}, {weight}) outs(%start : {result}) -> {result}
  return %y : {result}
}}"""
    x = rng.integers(-128, 128, (1, *shape), np.int8)
    start = rng.integers(-1000, 1000, (1, *of_result), np.int32)
    wide = np.pad(
        x.astype(np.int32), ((0, 0), (pads[0],) * 2, (pads[1],) * 2, (0, 0)), constant_values=-5
    )
    expected = start.copy()
    for i, j in itertools.product(*map(range, window)):
        rows, columns = (
            slice(k * d, k * d + s * (n - 1) + 1, s)
            for k, d, s, n in zip((i, j), dilations, strides, sizes, strict=True)
        )
        tap = wide[:, rows, columns]
        if filters > 0:
            expected += tap @ bytes_of_filter[:, i, j].astype(np.int32).T
        else:
            taps = tap if filters == 0 else tap[..., np.newaxis]
            expected += taps * bytes_of_filter[i, j].astype(np.int32)
    return text, (x, start), expected


def _check(case, target):
    text, inputs, expected = convolution(*case)
    network = bquant.compile(text, target=target)
    np.testing.assert_array_equal(network.flat(*inputs)[0], expected)
    return [layer.get("kernel", "").split("<")[0] for layer in layers(network)]


@pytest.mark.parametrize(("name", "target"), [*itertools.product(CONVOLUTIONS, TARGETS)])
def test_convolutions(name, target):
    kernels = _check(CONVOLUTIONS[name], target)
    if target in ("haswell", "x86-64-v2"):
        assert "bytes" in kernels


@pytest.mark.parametrize("size", [1, 3, 6, 31])
def test_matrices(size):
    rng = np.random.default_rng(size)
    weight = rng.integers(-128, 128, (size, 18), np.int8)
    text = f"""func.func @f(%x: tensor<5x{size}xi8>) -> tensor<5x18xi32> {{
  %w = arith.constant dense<"0x{weight.tobytes().hex()}"> : tensor<{size}x18xi8>
  %zero = arith.constant dense<0> : tensor<5x18xi32>
  %y = linalg.matmul ins(%x, %w : tensor<5x{size}xi8>, tensor<{size}x18xi8>)
      outs(%zero : tensor<5x18xi32>) -> tensor<5x18xi32>
  return %y : tensor<5x18xi32>
}}"""
    x = rng.integers(-128, 128, (5, size), np.int8)
    np.testing.assert_array_equal(
        bquant.compile(text).flat(x)[0], x.astype(np.int32) @ weight.astype(np.int32)
    )


# What weights sums of 16 bits can be made of, and the words whose products AVX2 sums there: none
# where a pair may already pass them.
WEIGHTS = {
    "seven_bits": (lambda rng, shape: rng.integers(-64, 65, shape), "group = 2, biased"),
    "ends": (lambda rng, shape: rng.choice([-64, 64], shape), "group = 2, biased"),
    "least": (lambda rng, shape: np.full(shape, -64), "group = 2, biased"),
    "most": (lambda rng, shape: np.full(shape, 64), "group = 2, biased"),
    "pairs": (lambda rng, shape: np.resize([127, 1], shape[::-1]).T, "group = 2, biased"),
    "pairs_apart": (lambda rng, shape: np.resize([127, -127], shape[::-1]).T, "summed = 2>"),
    "pairs_beyond": (lambda rng, shape: np.resize([127, 2], shape[::-1]).T, "summed = 1>"),
    "trained": (lambda rng, shape: rng.normal(0, 24, shape).clip(-64, 64), "group = 4, biased"),
    "five_bits": (lambda rng, shape: rng.integers(-16, 17, shape), "held = 4>"),
}


@pytest.mark.parametrize(("name", "target"), [*itertools.product(WEIGHTS, TARGETS)])
def test_sums_of_words(name, target):
    """Rows by which each filter's sums are what they are at most and at least."""
    make, kernel = WEIGHTS[name]
    weight = make(np.random.default_rng(3), (48, 24)).astype(np.int8)
    x = np.concatenate([np.where(weight.T > 0, 127, -128), np.where(weight.T > 0, -128, 127)])
    x = np.concatenate([x, np.full((1, 48), -128), np.full((1, 48), 127)]).astype(np.int8, "C")
    shape = f"{len(x)}x24xi32"
    text = f"""func.func @f(%x: tensor<{len(x)}x48xi8>) -> tensor<{shape}> {{
  %w = arith.constant dense<"0x{weight.tobytes().hex()}"> : tensor<48x24xi8>
  %zero = arith.constant dense<0> : tensor<{shape}>
  %y = linalg.matmul ins(%x, %w : tensor<{len(x)}x48xi8>, tensor<48x24xi8>)
      outs(%zero : tensor<{shape}>) -> tensor<{shape}>
  return %y : tensor<{shape}>
}}"""
    network = bquant.compile(text, target=target)
    np.testing.assert_array_equal(network.flat(x)[0], x.astype(np.int32) @ weight.astype(np.int32))
    if target == "haswell":
        assert [kernel in layer["kernel"] for layer in layers(network)] == [True]


@pytest.mark.parametrize("wraps", [True, False], ids=["wraps", "does not overflow"])
@pytest.mark.parametrize("added", [0, 7, -100])
@pytest.mark.parametrize("bounds", [(-128, 127), (-5, 90), (3, 3)])
@pytest.mark.parametrize("target", TARGETS)
def test_narrowing(bounds, added, wraps, target):
    """Sums within bounds that a byte holds, around all numbers where something saturates."""
    most = np.iinfo(np.int32).max
    edges = np.array([0, -128, 127, *bounds, -(1 << 15), (1 << 15) - 1, 1 << 16, -most - 1, most])
    x = (edges[:, np.newaxis] + np.arange(-120, 121)).reshape(-1)
    room = 0 if wraps else abs(added)
    x = x.clip(-most - 1 + room, most - room).astype(np.int32)
    x = np.resize(x, (1, 9, 9, 32))
    flag = "" if wraps else "overflow<nsw>"
    text = f"""
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @f(%x: tensor<1x9x9x32xi32>) -> tensor<1x9x9x32xi8> {{
  %added = arith.constant {added} : i32
  %least = arith.constant {bounds[0]} : i32
  %most = arith.constant {bounds[1]} : i32
  %e = tensor.empty() : tensor<1x9x9x32xi8>
  %y = linalg.generic {{indexing_maps = [#m, #m],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%x : tensor<1x9x9x32xi32>) outs(%e : tensor<1x9x9x32xi8>) {{
  ^bb0(%in: i32, %out: i8):
    %a = arith.addi %in, %added {flag} : i32
    %b = arith.maxsi %a, %least : i32
    %c = arith.minsi %b, %most : i32
    %d = arith.trunci %c : i32 to i8
    linalg.yield %d : i8
  }} -> tensor<1x9x9x32xi8>
  return %y : tensor<1x9x9x32xi8>
}}"""
    with np.errstate(over="ignore"):
        expected = (x + np.int32(added)).clip(*bounds).astype(np.int8)
    np.testing.assert_array_equal(bquant.compile(text, target=target).flat(x)[0], expected)
