"""MLIR that no frontend of this project writes: each program gives what its ops say, on both
routes."""

import itertools
import platform
import threading

import bquant
import numpy as np
import pytest

ROUTES = ["reference", "auto"]

MATRICES = """
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, k) -> (m, k)>
"""
SUM = 'iterator_types = ["parallel", "parallel", "reduction"]'
BY_SIGNS = """
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %w = arith.constant dense<[[1., 1., -1., 1., 1., -1., 1., 1.],
      [1., -1., -1., 1., 1., -1., 1., 1.], [-1., 1., -1., 1., 1., -1., -1., 1.],
      [1., 1., 1., 1., 1., -1., 1., -1.]]> : tensor<4x8xf32>
"""
SIGNS = np.array(
    [
        [1, 1, -1, 1, 1, -1, 1, 1],
        [1, -1, -1, 1, 1, -1, 1, 1],
        [-1, 1, -1, 1, 1, -1, -1, 1],
        [1, 1, 1, 1, 1, -1, 1, -1],
    ],
    np.float32,
)


def drawn(*shape, dtype=np.float32):
    rng = np.random.default_rng(0)
    return rng.integers(-8, 9, shape).astype(dtype)


def check(text, inputs, expected):
    for route in ROUTES:
        got = bquant.compile(text, strategy=route)(*inputs)
        np.testing.assert_array_equal(got, expected, err_msg=route)


@pytest.mark.parametrize("row", [0, 1, 4])
def test_a_row_that_every_column_reads(row):
    """A loop of size 1 stands for the only index of a dimension, not for one of several."""
    text = f"""
    func.func @f(%x: tensor<2x5x4xf32>) -> tensor<2x1x4xf32> {{
      %e = tensor.empty() : tensor<2x1x4xf32>
      %y = linalg.generic {{indexing_maps = [affine_map<(b, r, c) -> (b, {row}, c)>,
                                            affine_map<(b, r, c) -> (b, r, c)>],
                           iterator_types = ["parallel", "parallel", "parallel"]}}
          ins(%x : tensor<2x5x4xf32>) outs(%e : tensor<2x1x4xf32>) {{
      ^bb0(%a: f32, %o: f32):
        %n = arith.negf %a : f32
        linalg.yield %n : f32
      }} -> tensor<2x1x4xf32>
      return %y : tensor<2x1x4xf32>
    }}"""
    x = drawn(2, 5, 4)
    check(text, [x], -x[:, row : row + 1])


def test_a_product_of_magnitudes():
    """The body of a contraction may have more than a product and a sum."""
    text = f"""{MATRICES}
    func.func @f(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {{ {BY_SIGNS}
      %y = linalg.generic {{indexing_maps = [#mk, #nk, #mn], {SUM}}}
          ins(%x, %w : tensor<2x8xf32>, tensor<4x8xf32>) outs(%i : tensor<2x4xf32>) {{
      ^bb0(%a: f32, %b: f32, %c: f32):
        %n = math.absf %a : f32
        %p = arith.mulf %n, %b : f32
        %s = arith.addf %c, %p : f32
        linalg.yield %s : f32
      }} -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }}"""
    x = drawn(2, 8)
    check(text, [x], np.abs(x) @ SIGNS.T)


def test_magnitudes_of_a_sum_from_a_bias():
    text = f"""{MATRICES}
    func.func @f(%x: tensor<2x8xf32>, %w: tensor<4x8xf32>) -> tensor<2x4xf32> {{
      %b = arith.constant dense<[1., 2., 3., 4.]> : tensor<4xf32>
      %e = tensor.empty() : tensor<2x4xf32>
      %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x4xf32>) dimensions = [0]
      %y = linalg.generic {{indexing_maps = [#mk, #nk, #mn], {SUM}}}
          ins(%x, %w : tensor<2x8xf32>, tensor<4x8xf32>) outs(%i : tensor<2x4xf32>) {{
      ^bb0(%a: f32, %v: f32, %c: f32):
        %p = arith.mulf %a, %v : f32
        %s = arith.addf %c, %p : f32
        %m = math.absf %s : f32
        linalg.yield %m : f32
      }} -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }}"""
    x, w = drawn(2, 8), SIGNS
    expected = np.tile(np.array([1, 2, 3, 4], np.float32), (2, 1))
    for k in range(8):
        expected = np.abs(expected + x[:, k : k + 1] * w[:, k])
    check(text, [x, w], expected)


def test_bits_that_are_or_ed_to_a_start():
    text = f"""{MATRICES}
    func.func @f(%x: tensor<2x4xi32>, %w: tensor<3x4xi32>, %b: tensor<3xi32>) -> tensor<2x3xi32> {{
      %e = tensor.empty() : tensor<2x3xi32>
      %i = linalg.broadcast ins(%b : tensor<3xi32>) outs(%e : tensor<2x3xi32>) dimensions = [0]
      %y = linalg.generic {{indexing_maps = [#mk, #nk, #mn], {SUM}}}
          ins(%x, %w : tensor<2x4xi32>, tensor<3x4xi32>) outs(%i : tensor<2x3xi32>) {{
      ^bb0(%a: i32, %v: i32, %c: i32):
        %p = arith.andi %a, %v : i32
        %s = arith.ori %c, %p : i32
        linalg.yield %s : i32
      }} -> tensor<2x3xi32>
      return %y : tensor<2x3xi32>
    }}"""
    x, w, b = drawn(2, 4, dtype=np.int32), drawn(3, 4, dtype=np.int32), np.array([1, 2, 0], "i4")
    expected = b | np.bitwise_or.reduce(x[:, None] & w[None], axis=-1)
    check(text, [x, w, b], expected)


@pytest.mark.parametrize("batch", [False, True])
def test_products_of_unsigned_bytes(batch):
    unit = "1x" if batch else ""
    left, right, result = (f"tensor<{unit}{t}>" for t in ("2x4xi8", "4x3xi8", "2x3xi32"))
    matrix = "[[200, 1, 2], [3, 255, 5], [6, 7, 128], [9, 10, 11]]"
    text = f"""
    func.func @f(%x: {left}) -> {result} {{
      %w = arith.constant dense<{f"[{matrix}]" if batch else matrix}> : {right}
      %z = arith.constant 0 : i32
      %e = tensor.empty() : {result}
      %i = linalg.fill ins(%z : i32) outs(%e : {result}) -> {result}
      %y = linalg.{"batch_" * batch}matmul {{cast = #linalg.type_fn<cast_unsigned>}}
          ins(%x, %w : {left}, {right}) outs(%i : {result}) -> {result}
      return %y : {result}
    }}"""
    x = np.array([[1, 2, 3, 4], [255, 128, 0, 7]], np.uint8)
    w = np.array([[200, 1, 2], [3, 255, 5], [6, 7, 128], [9, 10, 11]], np.int32)
    expected = x.astype(np.int32) @ w
    shape = (1,) if batch else ()
    check(text, [x.view(np.int8).reshape(*shape, 2, 4)], expected.reshape(*shape, 2, 3))


@pytest.mark.parametrize("offset", ["0.0", "0.25"])
def test_moved_planes_with_an_offset(offset):
    text = f"""{MATRICES}
    func.func @f(%x: tensor<2x2x4xf32>) -> tensor<2x4xf32> {{ {BY_SIGNS}
      %v = arith.constant dense<0.5> : tensor<1xf32>
      %c = arith.constant dense<{offset}> : tensor<f32>
      %q = bquant.quantize %x scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>)
          : tensor<2x2x4xf32> -> !bquant.tensor<2x2x4, 1, offset>
      %d = bquant.dequantize %q : !bquant.tensor<2x2x4, 1, offset> -> tensor<2x2x4xf32>
      %m = tensor.collapse_shape %d [[0], [1, 2]] : tensor<2x2x4xf32> into tensor<2x8xf32>
      %y = linalg.matmul indexing_maps = [#mk, #nk, #mn]
          ins(%m, %w : tensor<2x8xf32>, tensor<4x8xf32>) outs(%i : tensor<2x4xf32>)
          -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }}"""
    x, c = drawn(2, 2, 4), np.float32(offset)
    codes = np.where(x >= 0, c + np.float32(0.5), c - np.float32(0.5)).reshape(2, 8)
    check(text, [x], codes @ SIGNS.T)


def test_a_filter_of_levels_far_apart():
    """The smaller one is nothing beside the other, and all of a sum that has no other."""
    text = f"""{MATRICES}
    func.func @f(%x: tensor<1x8xf32>) -> tensor<1x2xf32> {{
      %w = arith.constant dense<[[1000., 1000., 1000., 1000., 2.0e-5, 2.0e-5, 2.0e-5, 2.0e-5],
          [2.0e-5, 2.0e-5, 1000., 1000., 1000., 1000., 2.0e-5, 2.0e-5]]> : tensor<2x8xf32>
      %zero = arith.constant 0.0 : f32
      %low = arith.constant -0.5 : f32
      %high = arith.constant 0.5 : f32
      %one = arith.constant 1.0 : f32
      %less = arith.constant -1.0 : f32
      %e = tensor.empty() : tensor<1x8xf32>
      %t = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
          ins(%x : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {{
      ^bb0(%a: f32, %o: f32):
        %p = arith.cmpf ogt, %a, %high : f32
        %q = arith.cmpf olt, %a, %low : f32
        %r = arith.select %q, %less, %zero : f32
        %s = arith.select %p, %one, %r : f32
        linalg.yield %s : f32
      }} -> tensor<1x8xf32>
      %i0 = tensor.empty() : tensor<1x2xf32>
      %i = linalg.fill ins(%zero : f32) outs(%i0 : tensor<1x2xf32>) -> tensor<1x2xf32>
      %y = linalg.matmul indexing_maps = [#mk, #nk, #mn]
          ins(%t, %w : tensor<1x8xf32>, tensor<2x8xf32>) outs(%i : tensor<1x2xf32>)
          -> tensor<1x2xf32>
      return %y : tensor<1x2xf32>
    }}"""
    x = np.array([[0, 0, 0, 0, 1, 1, 1, 1]], np.float32)
    small, sums = np.float32(2e-5), np.float32(2000)
    expected = np.array([[4 * small, sums + 2 * small]], np.float32)
    check(text, [x], expected)


def test_rounding_by_a_large_number():
    """What a number is added to and taken from is rounded: no straight-through residue."""
    text = """
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
      %eight = arith.constant 8.0 : f32
      %large = arith.constant 12582912.0 : f32
      %e = tensor.empty() : tensor<2x8xf32>
      %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) {
      ^bb0(%a: f32, %o: f32):
        %p = arith.mulf %a, %eight : f32
        %q = math.roundeven %p : f32
        %r = arith.divf %q, %eight : f32
        %s = arith.subf %r, %large : f32
        %t = arith.addf %s, %large : f32
        linalg.yield %t : f32
      } -> tensor<2x8xf32>
      return %y : tensor<2x8xf32>
    }"""
    x = np.arange(16, dtype=np.float32).reshape(2, 8) / 16
    check(text, [x], np.round(np.round(x * 8) / 8))


def test_limits_that_are_one_float():
    """As doubles they are two."""
    text = f"""{MATRICES}
    func.func @f(%x: tensor<2x8xf64>) -> tensor<2x4xf32> {{ {BY_SIGNS}
      %low = arith.constant 0.1 : f64
      %high = arith.constant 0.100000000001 : f64
      %one = arith.constant 1.0 : f32
      %three = arith.constant 3.0 : f32
      %e8 = tensor.empty() : tensor<2x8xf32>
      %c = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
          ins(%x : tensor<2x8xf64>) outs(%e8 : tensor<2x8xf32>) {{
      ^bb0(%a: f64, %o: f32):
        %q = arith.cmpf ogt, %a, %high : f64
        %p = arith.cmpf ogt, %a, %low : f64
        %r = arith.select %p, %one, %zero : f32
        %s = arith.select %q, %three, %r : f32
        linalg.yield %s : f32
      }} -> tensor<2x8xf32>
      %y = linalg.matmul indexing_maps = [#mk, #nk, #mn]
          ins(%c, %w : tensor<2x8xf32>, tensor<4x8xf32>) outs(%i : tensor<2x4xf32>)
          -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }}"""
    x = 0.1 + np.arange(-8, 8).reshape(2, 8) * 2.5e-13
    codes = np.where(x > 0.100000000001, 3, np.where(x > 0.1, 1, 0)).astype(np.float32)
    check(text, [x], codes @ SIGNS.T)


def test_a_sign_from_outside_of_a_body():
    text = f"""{MATRICES}
    func.func @f(%x: tensor<2x8xf32>, %t: tensor<1xf32>) -> tensor<2x4xf32> {{ {BY_SIGNS}
      %one = arith.constant 1.0 : f32
      %less = arith.constant -1.0 : f32
      %c0 = arith.constant 0 : index
      %s0 = tensor.extract %t[%c0] : tensor<1xf32>
      %positive = arith.cmpf oge, %s0, %zero : f32
      %sign = arith.select %positive, %one, %less : f32
      %e8 = tensor.empty() : tensor<2x8xf32>
      %s = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
          ins(%x : tensor<2x8xf32>) outs(%e8 : tensor<2x8xf32>) {{
      ^bb0(%a: f32, %o: f32):
        %p = arith.mulf %sign, %one : f32
        linalg.yield %p : f32
      }} -> tensor<2x8xf32>
      %y = linalg.matmul indexing_maps = [#mk, #nk, #mn]
          ins(%s, %w : tensor<2x8xf32>, tensor<4x8xf32>) outs(%i : tensor<2x4xf32>)
          -> tensor<2x4xf32>
      return %y : tensor<2x4xf32>
    }}"""
    x = drawn(2, 8)
    for number in (-2.0, 3.0):
        expected = np.full((2, 8), np.sign(number), np.float32) @ SIGNS.T
        check(text, [x, np.array([number], np.float32)], expected)


def test_a_contraction_by_a_scalar():
    """The report describes operands that are tensors."""
    text = """
    func.func @f(%x: tensor<2x8xf32>, %t: tensor<1xf32>) -> tensor<2xf32> {
      %c0 = arith.constant 0 : index
      %s = tensor.extract %t[%c0] : tensor<1xf32>
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2xf32>
      %i = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %y = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> ()>,
                                            affine_map<(m, k) -> (m)>],
                           iterator_types = ["parallel", "reduction"]}
          ins(%x, %s : tensor<2x8xf32>, f32) outs(%i : tensor<2xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %p = arith.mulf %a, %b : f32
        %q = arith.addf %c, %p : f32
        linalg.yield %q : f32
      } -> tensor<2xf32>
      return %y : tensor<2xf32>
    }"""
    x = drawn(2, 8)
    check(text, [x, np.array([2], np.float32)], 2 * x.sum(1))


def test_one_code_without_thresholds():
    text = """
    func.func @f() -> tensor<2x8xf32> {
      %x = arith.constant dense<1.0> : tensor<2x8xf32>
      %v = arith.constant dense<0.5> : tensor<1xf32>
      %t = arith.constant dense<> : tensor<0xf32>
      %q = bquant.quantize %x thresholds(%t : tensor<0xf32>) codes [1] scalars(%v : tensor<1xf32>)
          : tensor<2x8xf32> -> !bquant.tensor<2x8, 1>
      %d = bquant.dequantize %q : !bquant.tensor<2x8, 1> -> tensor<2x8xf32>
      return %d : tensor<2x8xf32>
    }"""
    check(text, [], np.full((2, 8), 0.5, np.float32))


TARGETS = ["x86-64-v2", "haswell", "host"] if platform.machine() == "x86_64" else ["host"]


def narrow(x, element):
    """To the nearest number of f16 or bf16, and to even between two."""
    with np.errstate(over="ignore", invalid="ignore"):
        if element == "f16":
            return x.astype(np.float16).astype(np.float32)
        _, exponent = np.frexp(x)
        step = np.ldexp(1.0, np.maximum(exponent, -125) - 8)
        return np.where(np.isfinite(x), np.rint(x / step) * step, x).astype(np.float32)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_floats_of_16_bits(element, target):
    """All of them, what lies half way between two, and what lies beside that as f32 and as f64."""
    bits = np.arange(0x7C00 if element == "f16" else 0x7F80, dtype=np.uint16)
    if element == "f16":
        numbers = bits.view(np.float16).astype(float)
    else:
        numbers = (bits.astype(np.uint32) << 16).view(np.float32).astype(float)
        numbers = numbers[numbers >= 2.0**-126]  # AVX-512 takes less for 0
    between = (numbers[1:] + numbers[:-1]) / 2
    great = [65519.0, 65520.0, 3.3895314e38, 3.4e38, np.inf, np.nan]
    x = np.concatenate([numbers, between, np.nextafter(np.float32(between), np.float32(0)), great])
    x = np.concatenate([x, -x]).astype(np.float32)
    little = np.where(np.isfinite(x), x, 0) * np.resize([0, 2.0**-30, -(2.0**-30)], x.size)
    little = little.astype(np.float32)
    floats, halves = f"tensor<{x.size}xf32>", f"tensor<{x.size}x{element}>"
    doubles = f"tensor<{x.size}xf64>"
    text = f"""
    func.func @f(%x: {floats}, %e: {floats}) -> ({floats}, {floats}) {{
      %h = arith.truncf %x : {floats} to {halves}
      %of_float = arith.extf %h : {halves} to {floats}
      %d = arith.extf %x : {floats} to {doubles}
      %f = arith.extf %e : {floats} to {doubles}
      %s = arith.addf %d, %f : {doubles}
      %g = arith.truncf %s : {doubles} to {halves}
      %of_double = arith.extf %g : {halves} to {floats}
      return %of_float, %of_double : {floats}, {floats}
    }}"""
    of_float, of_double = bquant.compile(text, target=target)(x, little)
    np.testing.assert_array_equal(of_float, narrow(x.astype(float), element))
    np.testing.assert_array_equal(of_double, narrow(x.astype(float) + little, element))


def test_floats_of_16_bits_in_code_of_several_parts():
    """A large network is compiled in parts, each of which calls the same conversion."""
    lines, sizes = [], [8 + i for i in range(17)]
    for i, (k, n) in enumerate(itertools.pairwise(sizes)):
        lines += [
            f"%w{i} = arith.constant dense<0.5> : tensor<{k}x{n}xf32>",
            f"%z{i} = arith.constant dense<0.0> : tensor<3x{n}xf32>",
            f"%p{i} = linalg.matmul ins(%x{i}, %w{i} : tensor<3x{k}xf32>, tensor<{k}x{n}xf32>)"
            f" outs(%z{i} : tensor<3x{n}xf32>) -> tensor<3x{n}xf32>",
            f"%t{i} = math.tanh %p{i} : tensor<3x{n}xf32>",
            f"%h{i} = arith.truncf %t{i} : tensor<3x{n}xf32> to tensor<3x{n}xbf16>",
            f"%x{i + 1} = arith.extf %h{i} : tensor<3x{n}xbf16> to tensor<3x{n}xf32>",
        ]
    text = f"""
    func.func @f(%x0: tensor<3x8xf32>) -> tensor<3x24xf32> {{
      {chr(10).join(lines)}
      return %x16 : tensor<3x24xf32>
    }}"""
    network = bquant.compile(text, target=TARGETS[0])
    got = network(np.zeros((3, 8), np.float32))
    np.testing.assert_array_equal(got, np.zeros((3, 24), np.float32))


COUNTED = """
  %low = arith.constant 0 : index
  %high = arith.constant 5 : index
  %step = arith.constant 1 : index
"""
MATRIX = "tensor<2x4xf32>"


def test_a_loop_that_carries_what_it_makes():
    text = f"""
    func.func @f(%x: {MATRIX}, %z: {MATRIX}) -> ({MATRIX}, {MATRIX}) {{ {COUNTED}
      %y:2 = scf.for %k = %low to %high step %step iter_args(%a = %x, %b = %z)
          -> ({MATRIX}, {MATRIX}) {{
        %n = arith.addf %a, %b : {MATRIX}
        scf.yield %b, %n : {MATRIX}, {MATRIX}
      }}
      return %y#0, %y#1 : {MATRIX}, {MATRIX}
    }}"""
    x, z = drawn(2, 4), drawn(4, 2).reshape(2, 4) + 1
    a, b = x, z
    for _ in range(5):
        a, b = b, a + b
    for route in ROUTES:
        for got, expected in zip(bquant.compile(text, strategy=route)(x, z), (a, b), strict=True):
            np.testing.assert_array_equal(got, expected, err_msg=route)


def test_a_loop_until_a_number_is_reached():
    text = f"""
    func.func @f(%x: {MATRIX}, %z: {MATRIX}) -> {MATRIX} {{
      %c0 = arith.constant 0 : index
      %most = arith.constant 100.0 : f32
      %y = scf.while (%a = %x) : ({MATRIX}) -> {MATRIX} {{
        %n = arith.addf %a, %a : {MATRIX}
        %first = tensor.extract %n[%c0, %c0] : {MATRIX}
        %goes_on = arith.cmpf olt, %first, %most : f32
        scf.condition(%goes_on) %n : {MATRIX}
      }} do {{
      ^bb0(%a: {MATRIX}):
        %n = arith.addf %z, %a : {MATRIX}
        scf.yield %n : {MATRIX}
      }}
      return %y : {MATRIX}
    }}"""
    x, z = np.abs(drawn(2, 4)) + 1, np.abs(drawn(2, 4))
    a = x + x
    while a[0, 0] < 100:
        a = 2 * (a + z)
    check(text, [x, z], a)


def test_a_recurrent_network():
    """Signs of a state and of a row of the input, by filters of signs."""
    text = f"""
    func.func @f(%x: tensor<5x8xf32>, %z: tensor<1x4xf32>) -> tensor<5x4xf32> {{ {COUNTED}
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %minus = arith.constant -1.0 : f32
      %w = arith.constant dense<{SIGNS.T.tolist()}> : tensor<8x4xf32>
      %u = arith.constant dense<{SIGNS[:, :4].tolist()}> : tensor<4x4xf32>
      %e = tensor.empty() : tensor<1x4xf32>
      %all = tensor.empty() : tensor<5x4xf32>
      %y:2 = scf.for %k = %low to %high step %step iter_args(%a = %z, %o = %all)
          -> (tensor<1x4xf32>, tensor<5x4xf32>) {{
        %r = tensor.extract_slice %x[%k, 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<1x8xf32>
        %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
        %p = linalg.matmul ins(%r, %w : tensor<1x8xf32>, tensor<8x4xf32>)
            outs(%f : tensor<1x4xf32>) -> tensor<1x4xf32>
        %q = linalg.matmul ins(%a, %u : tensor<1x4xf32>, tensor<4x4xf32>)
            outs(%p : tensor<1x4xf32>) -> tensor<1x4xf32>
        %n = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                              affine_map<(i, j) -> (i, j)>],
                             iterator_types = ["parallel", "parallel"]}}
            ins(%q : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {{
        ^bb0(%i: f32, %out: f32):
          %c = arith.cmpf oge, %i, %zero : f32
          %s = arith.select %c, %one, %minus : f32
          linalg.yield %s : f32
        }} -> tensor<1x4xf32>
        %next = tensor.insert_slice %n into %o[%k, 0] [1, 4] [1, 1]
            : tensor<1x4xf32> into tensor<5x4xf32>
        scf.yield %n, %next : tensor<1x4xf32>, tensor<5x4xf32>
      }}
      return %y#1 : tensor<5x4xf32>
    }}"""
    x, z = drawn(5, 8), drawn(1, 4)
    states, state = [], z
    for row in x:
        state = np.where(row @ SIGNS.T + state @ SIGNS[:, :4] >= 0, 1, -1).astype(np.float32)
        states.append(state[0])
    check(text, [x, z], np.stack(states))


def test_a_choice_in_a_body_before_a_quantize():
    """What is folded takes along what its regions read."""
    text = f"""
    func.func @f(%x: {MATRIX}) -> {MATRIX} {{
      %zero = arith.constant 0.0 : f32
      %two = arith.constant 2.0 : f32
      %three = arith.constant 3.0 : f32
      %v = arith.constant dense<1.0> : tensor<1xf32>
      %e = tensor.empty() : {MATRIX}
      %g = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                            affine_map<(i, j) -> (i, j)>],
                           iterator_types = ["parallel", "parallel"]}}
          ins(%x : {MATRIX}) outs(%e : {MATRIX}) {{
      ^bb0(%a: f32, %o: f32):
        %c = arith.cmpf ogt, %a, %zero : f32
        %t = arith.mulf %a, %two : f32
        %r = scf.if %c -> f32 {{
          scf.yield %t : f32
        }} else {{
          %u = math.absf %a : f32
          scf.yield %u : f32
        }}
        %s = arith.subf %r, %three : f32
        linalg.yield %s : f32
      }} -> {MATRIX}
      %q = bquant.quantize %g scalars(%v : tensor<1xf32>) : {MATRIX} -> !bquant.tensor<2x4, 1>
      %y = bquant.dequantize %q : !bquant.tensor<2x4, 1> -> {MATRIX}
      return %y : {MATRIX}
    }}"""
    x = drawn(2, 4)
    check(text, [x], np.where(np.where(x > 0, 2 * x, -x) - 3 >= 0, 1, -1))


def test_an_offset_from_the_product_that_is_quantized():
    """Filters are not turned round for its thresholds where it has other readers."""
    text = """
    func.func @f(%x: tensor<1x64xf32>) -> tensor<1x4xf32> {
      %one = arith.constant dense<1.0> : tensor<1xf32>
      %k = arith.constant dense<1.0> : tensor<1x4xf32>
      %m = arith.constant dense<[[-0.5, 0.5, -0.5, 0.5]]> : tensor<1x4xf32>
      %f = arith.constant dense<1.0> : tensor<4x64xf32>
      %q = bquant.quantize %x scalars(%one : tensor<1xf32>)
          : tensor<1x64xf32> -> !bquant.tensor<1x64, 1>
      %w = bquant.quantize %f scheme(<ls, 1>)
          : tensor<4x64xf32> -> !bquant.tensor<4x64, 1, axes = [0]>
      %y = bquant.matmul %q, %w
          : (!bquant.tensor<1x64, 1>, !bquant.tensor<4x64, 1, axes = [0]>) -> tensor<1x4xf32>
      %t = arith.mulf %y, %m : tensor<1x4xf32>
      %s = tensor.collapse_shape %y [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
      %r = bquant.quantize %t scalars(%k : tensor<1x4xf32>) offset(%s : tensor<4xf32>)
          : tensor<1x4xf32> -> !bquant.tensor<1x4, 1, axes = [1], offset>
      %d = bquant.dequantize %r : !bquant.tensor<1x4, 1, axes = [1], offset> -> tensor<1x4xf32>
      return %d : tensor<1x4xf32>
    }"""
    x = np.where(np.arange(64) < 54, 1, -1).astype(np.float32)[None]
    check(text, [x], np.array([[43, 45, 43, 45]]))


def test_products_of_subnormal_scalars():
    """They round to a step, which is more than a part of them."""
    tiny = np.full(2, 1e-41, np.float32).tobytes().hex()
    text = f"""
    func.func @f(%x: tensor<1x4096xf32>) -> tensor<1x2xf32> {{
      %v = arith.constant dense<1.0e-23> : tensor<2xf32>
      %u = arith.constant dense<0.75e-22> : tensor<1xf32>
      %one = arith.constant dense<1.0> : tensor<1xf32>
      %f = arith.constant dense<1.0> : tensor<2x4096xf32>
      %t = arith.constant dense<"0x{tiny}"> : tensor<1x2xf32>
      %q = bquant.quantize %x scalars(%v : tensor<2xf32>)
          : tensor<1x4096xf32> -> !bquant.tensor<1x4096, 2>
      %w = bquant.quantize %f scalars(%u : tensor<1xf32>)
          : tensor<2x4096xf32> -> !bquant.tensor<2x4096, 1>
      %y = bquant.matmul %q, %w
          : (!bquant.tensor<1x4096, 2>, !bquant.tensor<2x4096, 1>) -> tensor<1x2xf32>
      %s = arith.subf %y, %t : tensor<1x2xf32>
      %r = bquant.quantize %s scalars(%one : tensor<1xf32>)
          : tensor<1x2xf32> -> !bquant.tensor<1x2, 1>
      %d = bquant.dequantize %r : !bquant.tensor<1x2, 1> -> tensor<1x2xf32>
      return %d : tensor<1x2xf32>
    }}"""
    check(text, [np.ones((1, 4096), np.float32)], np.ones((1, 2)))


@pytest.mark.parametrize("target", TARGETS)
def test_a_vector_of_bytes_by_a_matrix(target):
    text = """
    func.func @f(%a: tensor<64xi8>, %i: tensor<32xi32>) -> tensor<32xi32> {
      %b = arith.constant dense<100> : tensor<64x32xi8>
      %y = linalg.vecmat ins(%a, %b : tensor<64xi8>, tensor<64x32xi8>)
          outs(%i : tensor<32xi32>) -> tensor<32xi32>
      return %y : tensor<32xi32>
    }"""
    a, i = np.arange(64, dtype=np.int8), np.arange(32, dtype=np.int32)
    got = bquant.compile(text, target=target)(a, i)
    np.testing.assert_array_equal(got, i + 100 * a.astype(np.int32).sum())


def test_calls_of_functions_with_quantizers():
    text = f"""
    func.func private @g(%x: {MATRIX}) -> {MATRIX} {{
      %v = arith.constant dense<0.5> : tensor<1xf32>
      %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : {MATRIX} -> !bquant.tensor<2x4, 1>
      %d = bquant.dequantize %q : !bquant.tensor<2x4, 1> -> {MATRIX}
      return %d : {MATRIX}
    }}
    func.func @f(%x: {MATRIX}, %z: {MATRIX}) -> {MATRIX} {{
      %a = call @g(%x) : ({MATRIX}) -> {MATRIX}
      %b = call @g(%z) : ({MATRIX}) -> {MATRIX}
      %c = arith.addf %a, %b : {MATRIX}
      return %c : {MATRIX}
    }}"""
    x, z = drawn(2, 4), drawn(4, 2).reshape(2, 4) - 1
    check(text, [x, z], np.where(x >= 0, 0.5, -0.5) + np.where(z >= 0, 0.5, -0.5))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_choice_between_a_slice_and_what_is_made(sign):
    text = f"""
    func.func @f(%x: tensor<4x4xf32>, %c: tensor<1xf32>) -> {MATRIX} {{
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %v = arith.constant dense<1.0> : tensor<1xf32>
      %first = tensor.extract %c[%c0] : tensor<1xf32>
      %which = arith.cmpf oge, %first, %zero : f32
      %s = tensor.extract_slice %x[0, 0] [2, 4] [2, 1] : tensor<4x4xf32> to {MATRIX}
      %y = scf.if %which -> {MATRIX} {{
        %q = bquant.quantize %s scalars(%v : tensor<1xf32>) : {MATRIX} -> !bquant.tensor<2x4, 1>
        %d = bquant.dequantize %q : !bquant.tensor<2x4, 1> -> {MATRIX}
        scf.yield %d : {MATRIX}
      }} else {{
        scf.yield %s : {MATRIX}
      }}
      return %y : {MATRIX}
    }}"""
    x = drawn(4, 4)
    expected = np.where(x >= 0, 1, -1) if sign > 0 else x
    check(text, [x, np.full(1, sign, np.float32)], expected[::2])


def test_a_filter_from_a_pool_of_codes_with_an_offset():
    text = """
    func.func @f(%x: tensor<1x2x2x32xf32>, %f: tensor<8x4x4x32xf32>, %c: tensor<f32>)
        -> tensor<1x1x1x8xf32> {
      %v = arith.constant dense<1.0> : tensor<1xf32>
      %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
          : tensor<1x2x2x32xf32> -> !bquant.tensor<1x2x2x32, 1>
      %g = bquant.quantize %f scalars(%v : tensor<1xf32>) offset(%c : tensor<f32>)
          : tensor<8x4x4x32xf32> -> !bquant.tensor<8x4x4x32, 1, offset>
      %h = bquant.max_pool_2d %g window = [2, 2] strides = [2, 2]
          : !bquant.tensor<8x4x4x32, 1, offset> -> !bquant.tensor<8x2x2x32, 1, offset>
      %y = bquant.conv_2d %q, %h
          : (!bquant.tensor<1x2x2x32, 1>, !bquant.tensor<8x2x2x32, 1, offset>)
          -> tensor<1x1x1x8xf32>
      return %y : tensor<1x1x1x8xf32>
    }"""
    x, f, c = drawn(1, 2, 2, 32), drawn(8, 4, 4, 32), np.float32(0.25)
    signs = [np.where(array >= 0, 1, -1) for array in (x, f)]
    filters = signs[1].reshape(8, 2, 2, 2, 2, 32).max((2, 4)) + c
    expected = np.einsum("nhwc,ohwc->no", signs[0], filters)
    check(text, [x, f, np.array(c)], expected[:, None, None])


def test_a_pool_of_zeros_that_starts_from_zero():
    """The larger of both zeros is the positive one."""
    text = """
    func.func @f(%x: tensor<1x2x2x8xf32>) -> tensor<1x1x1x8xf32> {
      %v = arith.constant dense<0.0> : tensor<1xf32>
      %i = arith.constant dense<0.0> : tensor<1x1x1x8xf32>
      %w = tensor.empty() : tensor<2x2xf32>
      %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
          : tensor<1x2x2x8xf32> -> !bquant.tensor<1x2x2x8, 1>
      %d = bquant.dequantize %q : !bquant.tensor<1x2x2x8, 1> -> tensor<1x2x2x8xf32>
      %y = linalg.pooling_nhwc_max ins(%d, %w : tensor<1x2x2x8xf32>, tensor<2x2xf32>)
          outs(%i : tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
      return %y : tensor<1x1x1x8xf32>
    }"""
    for route in ROUTES:
        got = bquant.compile(text, strategy=route)(-np.ones((1, 2, 2, 8), np.float32))
        assert not np.signbit(got).any()


@pytest.mark.parametrize("op", ["maxnumf", "minnumf", "maximumf", "minimumf"])
@pytest.mark.parametrize("target", TARGETS)
def test_the_largest_product(op, target):
    """Of ten, by one loop for several results."""
    most = op.startswith("max")
    text = f"""{MATRICES}
    func.func @f(%x: tensor<3x10xf32>, %w: tensor<64x10xf32>) -> tensor<3x64xf32> {{
      %start = arith.constant {"0xFF800000" if most else "0x7F800000"} : f32
      %e = tensor.empty() : tensor<3x64xf32>
      %i = linalg.fill ins(%start : f32) outs(%e : tensor<3x64xf32>) -> tensor<3x64xf32>
      %y = linalg.generic {{indexing_maps = [#mk, #nk, #mn], {SUM}}}
          ins(%x, %w : tensor<3x10xf32>, tensor<64x10xf32>) outs(%i : tensor<3x64xf32>) {{
      ^bb0(%a: f32, %b: f32, %c: f32):
        %p = arith.mulf %a, %b : f32
        %r = arith.{op} %c, %p : f32
        linalg.yield %r : f32
      }} -> tensor<3x64xf32>
      return %y : tensor<3x64xf32>
    }}"""
    x, w = drawn(3, 10), drawn(64, 10)
    products = x[:, None] * w
    got = bquant.compile(text, target=target)(x, w)
    np.testing.assert_array_equal(got, products.max(-1) if most else products.min(-1))


def test_many_operations_before_a_quantize():
    """More than a stack of 1 MB holds of what the fold would nest."""
    steps = [
        f"%{n + 1} = arith.{'addf' if n % 2 else 'mulf'} %{n}, %c : tensor<4x8xf32>"
        for n in range(2000)
    ]
    text = f"""func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
      %c = arith.constant dense<-1.0> : tensor<4x8xf32>
      %s = arith.constant dense<1.0> : tensor<1xf32>
      %0 = arith.addf %x, %c : tensor<4x8xf32>
      {chr(10).join(steps)}
      %q = bquant.quantize %2000 scalars(%s : tensor<1xf32>)
          : tensor<4x8xf32> -> !bquant.tensor<4x8, [1, 1]>
      %y = bquant.dequantize %q : !bquant.tensor<4x8, [1, 1]> -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }}"""
    x = drawn(4, 8)
    results = []
    size = threading.stack_size(2**20)
    try:
        for strategy in ("auto", "reference"):
            thread = threading.Thread(
                target=lambda s=strategy: results.append(bquant.compile(text, strategy=s)(x))
            )
            thread.start()
            thread.join()
    finally:
        threading.stack_size(size)
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize(
    ("index", "size", "count"),
    [("mod 3", 3, 40), ("floordiv 3", 14, 40), ("ceildiv 5", 9, 40), ("* -1 + 39", 40, 40)],
)
@pytest.mark.parametrize("target", TARGETS)
def test_an_index_that_does_not_rise_evenly(index, size, count, target):
    """Of what an op computes, and of its tiles."""
    text = f"""
    #at = affine_map<(d0, d1) -> (d0 {index}, d1)>
    #to = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%x: tensor<{size}x33xf32>) -> (tensor<{count}x33xf32>, tensor<{size}x33xf32>) {{
      %a = math.absf %x : tensor<{size}x33xf32>
      %e = tensor.empty() : tensor<{count}x33xf32>
      %y = linalg.generic {{indexing_maps = [#at, #to], iterator_types = ["parallel", "parallel"]}}
          ins(%a : tensor<{size}x33xf32>) outs(%e : tensor<{count}x33xf32>) {{
      ^bb0(%v: f32, %o: f32):
        %r = arith.addf %v, %v : f32
        linalg.yield %r : f32
      }} -> tensor<{count}x33xf32>
      return %y, %a : tensor<{count}x33xf32>, tensor<{size}x33xf32>
    }}"""
    d = np.arange(count)
    number = int(index.split()[1])
    places = {"mod": d % number, "floordiv": d // number, "ceildiv": -(-d // number)}
    x = drawn(size, 33)
    got, a = bquant.compile(text, target=target)(x)
    np.testing.assert_array_equal(a, abs(x))
    np.testing.assert_array_equal(got, 2 * abs(x[places.get(index.split()[0], 39 - d)]))


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("branch", [False, True])
def test_an_update_that_more_loops_read(route, branch):
    """The update is one, not one for each of the loops."""
    update = """
        %y = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
            ins(%x : tensor<5xf32>) outs(%i : tensor<5xf32>) {
        ^bb0(%a: f32, %o: f32):
          %r = arith.addf %o, %a : f32
          linalg.yield %r : f32
        } -> tensor<5xf32>
        %e2 = tensor.empty() : tensor<4x5xf64>
        %z = linalg.generic {indexing_maps = [#row, #id2],
            iterator_types = ["parallel", "parallel"]}
            ins(%y : tensor<5xf32>) outs(%e2 : tensor<4x5xf64>) {
        ^bb0(%a: f32, %o: f64):
          %q = arith.extf %a : f32 to f64
          linalg.yield %q : f64
        } -> tensor<4x5xf64>"""
    if branch:
        update = f"""
        %z = scf.if %c -> tensor<4x5xf64> {{
          {update.replace("%z", "%u")}
          scf.yield %u : tensor<4x5xf64>
        }} else {{
          %n = tensor.generate {{
          ^bb0(%k: index, %l: index):
            %zero = arith.constant 0.0 : f64
            tensor.yield %zero : f64
          }} : tensor<4x5xf64>
          scf.yield %n : tensor<4x5xf64>
        }}"""
    text = f"""
    #id1 = affine_map<(d0) -> (d0)>
    #row = affine_map<(d0, d1) -> (d1)>
    #id2 = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%x: tensor<5xf32>, %s: tensor<i1>) -> tensor<4x5xf64> {{
      %c = tensor.extract %s[] : tensor<i1>
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<5xf32>
      %i = linalg.fill ins(%one : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
      {update}
      return %z : tensor<4x5xf64>
    }}"""
    x = drawn(5)
    got = bquant.compile(text, strategy=route)(x, np.array(True))
    np.testing.assert_array_equal(got, np.tile((x + 1).astype(np.float64), (4, 1)))


@pytest.mark.parametrize("width", [2, 4, 7, 12, 24, 33, 48])
@pytest.mark.parametrize("route", ROUTES)
def test_integers_of_any_width(width, route):
    """In memory each has whole bytes, in a vector none between them."""
    text = f"""
    #rows = affine_map<(a, b) -> (a)>
    #columns = affine_map<(a, b) -> (b)>
    #all = affine_map<(a, b) -> (a, b)>
    func.func @f(%x: tensor<64xi64>) -> tensor<64x64xi64> {{
      %i = arith.trunci %x : tensor<64xi64> to tensor<64xi{width}>
      %e = tensor.empty() : tensor<64x64xi64>
      %y = linalg.generic {{indexing_maps = [#rows, #columns, #all],
          iterator_types = ["parallel", "parallel"]}}
          ins(%i, %i : tensor<64xi{width}>, tensor<64xi{width}>) outs(%e : tensor<64x64xi64>) {{
      ^bb0(%p: i{width}, %q: i{width}, %o: i64):
        %s = arith.addi %p, %q : i{width}
        %r = arith.extui %s : i{width} to i64
        linalg.yield %r : i64
      }} -> tensor<64x64xi64>
      return %y : tensor<64x64xi64>
    }}"""
    x = np.arange(64) * 0x1234567
    got = bquant.compile(text, strategy=route)(x)
    np.testing.assert_array_equal(got, np.add.outer(x, x) % 2**width)


@pytest.mark.parametrize("route", ROUTES)
def test_floats_of_80_bits(route):
    text = """
    #rows = affine_map<(a, b) -> (a)>
    #columns = affine_map<(a, b) -> (b)>
    #all = affine_map<(a, b) -> (a, b)>
    func.func @f(%x: tensor<16xf32>) -> tensor<16x16xf32> {
      %i = arith.extf %x : tensor<16xf32> to tensor<16xf80>
      %e = tensor.empty() : tensor<16x16xf32>
      %y = linalg.generic {indexing_maps = [#rows, #columns, #all],
          iterator_types = ["parallel", "parallel"]}
          ins(%i, %i : tensor<16xf80>, tensor<16xf80>) outs(%e : tensor<16x16xf32>) {
      ^bb0(%p: f80, %q: f80, %o: f32):
        %s = arith.mulf %p, %q : f80
        %r = arith.truncf %s : f80 to f32
        linalg.yield %r : f32
      } -> tensor<16x16xf32>
      return %y : tensor<16x16xf32>
    }"""
    x = drawn(16)
    got = bquant.compile(text, strategy=route)(x)
    np.testing.assert_array_equal(got, np.multiply.outer(x, x))


@pytest.mark.parametrize("route", ROUTES)
def test_rounding_of_matrices(route):
    """By vectors of rank 2, which are no type of LLVM's."""
    text = """
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xi32> {
      %zero = arith.constant 0 : index
      %pad = arith.constant 0.0 : f32
      %v = vector.transfer_read %x[%zero, %zero], %pad {in_bounds = [true, true]}
          : tensor<4x8xf32>, vector<4x8xf32>
      %r = math.roundeven %v : vector<4x8xf32>
      %i = arith.fptosi %r : vector<4x8xf32> to vector<4x8xi32>
      %e = tensor.empty() : tensor<4x8xi32>
      %y = vector.transfer_write %i, %e[%zero, %zero] {in_bounds = [true, true]}
          : vector<4x8xi32>, tensor<4x8xi32>
      return %y : tensor<4x8xi32>
    }"""
    x = 8 * drawn(4, 8)
    np.testing.assert_array_equal(bquant.compile(text, strategy=route)(x), np.rint(x))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("target", TARGETS)
def test_an_update_of_what_is_returned(target, threads):
    """What it begins with keeps its place."""
    text = """
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%x: tensor<12x33xf32>) -> (tensor<12x33xf32>, tensor<12x33xf32>) {
      %v = math.absf %x : tensor<12x33xf32>
      %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%v : tensor<12x33xf32>) outs(%v : tensor<12x33xf32>) {
      ^bb0(%a: f32, %s: f32):
        %p = arith.mulf %a, %a : f32
        %r = arith.subf %s, %p : f32
        linalg.yield %r : f32
      } -> tensor<12x33xf32>
      return %v, %y : tensor<12x33xf32>, tensor<12x33xf32>
    }"""
    x = drawn(12, 33)
    v, y = bquant.compile(text, target=target, threads=threads)(x)
    np.testing.assert_array_equal(v, abs(x))
    np.testing.assert_array_equal(y, v - v * v)
