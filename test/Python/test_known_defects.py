"""What other compilers of low-bit networks got wrong at some time does not occur here.

The numbers are small integers and powers of two, so that f32 is exact in any order and PyTorch's
result is the only right one: equality in every bit, on all strategies.
"""

import platform

import bquant
import bquant.nn
import numpy as np
import pytest
import torch
from functions import Function, sign
from torch import nn
from torch.nn import functional as F

STRATEGIES = ["reference", "auto", "scalar"]
# Kernels, and the flag of a CPU that has them.
KERNELS = {"popcount": "avx512_vpopcntdq", "table": "ssse3"}
if platform.machine() == "x86_64":
    flags = open("/proc/cpuinfo").read()
    STRATEGIES += [s for s, flag in KERNELS.items() if flag in flags]


def integers(*shape, low=-3, high=3, seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(low, high + 1, shape, generator=generator).float()


class Sign(nn.Module):
    """A binary layer by hand: conv2d(sign x, sign w) and what `after` does to it."""

    def __init__(self, weight, after=None, **options):
        super().__init__()
        self.weight, self.after, self.options = nn.Parameter(weight), after, options

    def forward(self, x):
        y = F.conv2d(sign(x), sign(self.weight), **self.options)
        return y if self.after is None else self.after(y)


def check(model, *inputs, binary=1, unserved=()):
    """`binary`: how many of the products are of packed words; `unserved`: strategies that can
    compute none of them."""
    expected = model.eval()(*inputs)
    for strategy in STRATEGIES:
        if strategy in unserved:
            with pytest.raises(ValueError, match=f"'{strategy}' serves none"):
                bquant.compile(model, inputs, strategy=strategy)
            continue
        network = bquant.compile(model, inputs, strategy=strategy)
        if strategy != "reference" and binary is not None:
            report = network.report()
            assert report.count("conv_2d, binary") + report.count("matmul, binary") == binary
        got = network(*inputs)
        np.testing.assert_array_equal(got.numpy(), expected.detach().numpy(), err_msg=strategy)
    return network


@pytest.mark.parametrize("size", [7, 8, 56])
@pytest.mark.parametrize("channels", [5, 64])
def test_stride_2_with_symmetric_pads(size, channels):
    """A 3x3 stride-2 convolution with one pad on each side is not TensorFlow's SAME, which pads an
    even image on the far side alone."""
    model = Sign(integers(16, channels, 3, 3, seed=2), stride=2, padding=1)
    check(model, integers(1, channels, size, size))


@pytest.mark.parametrize("image, kernel, pad", [((2, 3), 5, 2), ((1, 1), 3, 1), ((3, 2), 5, 3)])
def test_filter_larger_than_the_image(image, kernel, pad):
    model = Sign(integers(8, 33, kernel, kernel, seed=3), padding=pad)
    check(model, integers(2, 33, *image))


@pytest.mark.parametrize("activations", ["fp", "ls-1", "ls-2", "ls-T"])
def test_every_output_sees_other_taps(activations):
    """A 19x19 filter on a 10x10 image: 100 windows, none like another. Code for each would take
    minutes to compile."""
    layer = bquant.nn.BinaryConv2d(
        35, 40, 19, padding=9, bias=False, weights="ls-1", activations=activations, clamp=3.0
    )
    with torch.no_grad():
        layer.weight.copy_(0.5 * sign(integers(40, 35, 19, 19, seed=2)))
    if activations != "fp":
        layer.quantizer.set_scalars([1.0, 0.5] if activations == "ls-2" else [1.0])
    x = integers(2, 35, 10, 10)
    check(layer, x, binary=0 if activations == "fp" else 1)


def test_negative_zero_is_positive():
    x = integers(1, 40, 4, 4)
    x[x == 0] = -0.0
    assert torch.signbit(x).logical_and(x == 0).any()
    weight = integers(8, 40, 3, 3, seed=4)
    weight[weight == 0] = -0.0
    check(Sign(weight, padding=1), x)
    # x - x is +0, -x + x too, 0 * -1 is -0.
    check(Function(lambda x: sign(x * -1.0) + 2 * sign(x - x)), x, binary=0)


def dot(signs, length):
    weight = torch.ones(3, length)
    weight[1] = -1
    weight[2, 0] = -1
    return Function(lambda x, weight: F.linear(signs(x), sign(weight)), weight=weight)


@pytest.mark.parametrize("length", [255, 256, 32767, 32768, 65537])
def test_counter_is_wide_enough(length):
    """All signs alike, and all unlike: the count is 0 or the length, over 8 and 16 bits."""
    x = torch.stack([torch.ones(length), -torch.ones(length)])
    check(dot(sign, length), x, unserved=("table",) if length > 0xFFFF else ())


@pytest.mark.parametrize("length", [124, 252, 1024, 32769])
def test_counter_of_ternary_dots(length):
    """The same where the input may be 0, too: dots, which have signs of their own."""
    x = torch.stack([torch.ones(length), -torch.ones(length), torch.ones(length)])
    x[2, ::3] = 0
    check(dot(torch.sign, length), x, unserved=("table",) if length > 0x7FFF else ())


@pytest.mark.parametrize("size", [15, 16, 17])
def test_counter_of_depthwise_windows(size):
    """The same over the taps of a window that sees one channel: 225, 256 and 289 of them."""
    weight = torch.ones(40, 1, size, size)
    weight[::3] = -1
    weight[1, 0, 0, 0] = -1
    image = torch.ones(1, 40, size, size)
    for x in (image, -image):
        check(Sign(weight, groups=40), x, unserved=("table",))


@pytest.mark.parametrize("shape", [(1, 8, 1, 1), (1, 1, 6, 1), (1, 1, 1, 6), (1, 1, 6, 6), (6,)])
def test_multiplication_that_broadcasts(shape):
    """A factor for each row, column or position is not one for each channel, even where the sizes
    are equal: nothing of it may go into scalars or thresholds of channels."""
    factor = 2 ** integers(*shape, low=-2, high=2, seed=5) * sign(integers(*shape, seed=6))
    weight, second = integers(8, 40, 3, 3, seed=7), integers(8, 8, 3, 3, seed=8)
    x = integers(1, 40, 6, 6)
    check(Sign(weight, lambda y: y * factor, padding=1), x)
    check(Sign(weight, Sign(second, lambda y: y * factor, padding=1), padding=1), x, binary=2)

    between = Function(
        lambda x, first, second: second(first(x) * factor - 1),
        first=Sign(weight, padding=1),
        second=Sign(second, padding=1),
    )
    check(between, x, binary=2)


def test_nearly_equal_weights_are_not_equal():
    """Magnitudes within .5 % are two magnitudes: the products keep their difference."""
    weight = sign(integers(8, 32, seed=9))
    weight[:, ::2] *= 1 + 2.0**-8
    model = Function(lambda x, weight: F.linear(sign(x), weight), weight=weight)
    x = integers(4, 32)
    exact = sign(x).double() @ weight.double().T
    network = check(model, x, binary=None)
    assert (exact != (sign(x) @ sign(weight).T)).any()
    np.testing.assert_array_equal(network(x).double().numpy(), exact.numpy())


@pytest.mark.parametrize("scale", [-1.0, 0.0, -0.0, 0.5])
@pytest.mark.parametrize("bias", [0.0, -2.0, 1.0])
def test_batch_norm_scale(scale, bias):
    """A negative scale turns the comparison round, and one of zero leaves the sign of the bias."""
    norm = nn.BatchNorm2d(16, eps=0.0)
    with torch.no_grad():
        norm.weight.copy_(torch.tensor([scale, 1.0, -2.0, 0.0]).repeat(4))
        norm.bias.fill_(bias)
        norm.running_mean.copy_(integers(16, low=-4, high=4, seed=10))
        norm.running_var.fill_(4.0)
    first = Sign(integers(16, 40, 3, 3, seed=11), norm, padding=1)
    model = nn.Sequential(first, Sign(integers(8, 16, 3, 3, seed=12), padding=1))
    check(model, integers(1, 40, 5, 5), binary=2)


@pytest.mark.parametrize("scalars", [[1.0, 0.0], [1.0, 1.0, 0.0]])
def test_thresholds_that_tie(scalars):
    """Scalars of zero, and equal ones, give thresholds that fall together."""
    weight = integers(8, 40, seed=13)

    def cascade(x):
        total, residual = 0, x
        for v in scalars:
            s = sign(residual)
            total, residual = total + v * s, residual - v * s
        return F.linear(total, sign(weight))

    check(Function(cascade), integers(6, 40, low=-8, high=8) / 4)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="expected an x86-64 CPU")
@pytest.mark.parametrize("weights", ["ls-1", "ls-T", "gf-2", "fp"])
def test_a_cpu_without_fma(weights):
    """Sums of floats have the same bits on both routes, also where products are rounded."""
    torch.manual_seed(0)
    layer = bquant.nn.BinaryConv2d(9, 37, 3, padding=1, weights=weights, activations="fp").eval()
    x = torch.randn(1, 9, 6, 5) * torch.exp2(torch.randint(-30, 30, (1, 9, 6, 5)).float())
    for target in ("x86-64-v2", "host"):
        expected = bquant.compile(layer, (x,), target=target, strategy="reference")(x)
        np.testing.assert_array_equal(bquant.compile(layer, (x,), target=target)(x), expected)


def test_a_pad_before_a_transposed_convolution():
    """Zeros go between what is padded, and so also between the pad's: MLIR's own canonicalization
    moves what is inserted by the pad's width alone."""
    transposed = nn.ConvTranspose2d(3, 5, 3, stride=2, padding=1)
    with torch.no_grad():
        transposed.weight.copy_(integers(3, 5, 3, 3, seed=4))
        transposed.bias.copy_(integers(5, seed=5))
    model = nn.Sequential(nn.ZeroPad2d((2, 1, 1, 0)), transposed)
    check(model, integers(2, 3, 4, 5), binary=None)


def test_many_tensors_together():
    """As many slices of one tensor that are written to take bufferization minutes."""
    model = Function(lambda x: torch.cat([x[:, i : i + 1] * i for i in range(96)], 1))
    x = integers(1, 96, 2, 2)
    got = bquant.compile(model, (x,))(x)
    np.testing.assert_array_equal(got.numpy(), model(x).numpy())


# What a function of MLIR says is right, on each of these.
ROUTES = ["reference", "auto"]


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_reductions_that_are_no_tile(rows):
    """A sum over as many rows as a run says, and a reduction that does not read its output."""
    text = """
    #column = affine_map<(m, k) -> (k, m)>
    #row = affine_map<(m, k) -> (m)>
    func.func @f(%x: tensor<4x8xf32>, %n: tensor<1xi32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      %n0 = tensor.extract %n[%c0] : tensor<1xi32>
      %rows = arith.index_cast %n0 : i32 to index
      %part = tensor.extract_slice %x[0, 0] [%rows, 8] [1, 1]
          : tensor<4x8xf32> to tensor<?x8xf32>
      %e = tensor.empty() : tensor<8xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %sum = linalg.generic {indexing_maps = [#column, #row],
                             iterator_types = ["parallel", "reduction"]}
          ins(%part : tensor<?x8xf32>) outs(%z : tensor<8xf32>) {
      ^bb0(%a: f32, %s: f32):
        %0 = arith.addf %s, %a : f32
        linalg.yield %0 : f32
      } -> tensor<8xf32>
      %last = linalg.generic {indexing_maps = [#column, #row],
                              iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<4x8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%a: f32, %s: f32):
        linalg.yield %a : f32
      } -> tensor<8xf32>
      return %sum, %last : tensor<8xf32>, tensor<8xf32>
    }"""
    x = integers(4, 8).numpy()
    for route in ROUTES:
        sums, last = bquant.compile(text, strategy=route)(x, np.array([rows], np.int32))
        np.testing.assert_array_equal(sums, x[:rows].sum(0), err_msg=route)
        np.testing.assert_array_equal(last, x[-1], err_msg=route)


@pytest.mark.parametrize("swaps", [0, 1])
def test_a_layer_that_may_exchange_its_results(swaps):
    """What is read of one result is read before the other one is written there."""
    text = """
    func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %k: tensor<1xi32>)
        -> (tensor<4xf32>, tensor<4xf32>) {
      %e = tensor.empty() : tensor<4xf32>
      %x1 = linalg.negf ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %y1 = linalg.negf ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %a, %b = bquant_packed.layer "swap" ins(%i = %k : tensor<1xi32>)
          outs(%o = %x1 : tensor<4xf32>, %p = %y1 : tensor<4xf32>) {
        %c0 = arith.constant 0 : index
        %s = tensor.extract %i[%c0] : tensor<1xi32>
        %c = arith.index_cast %s : i32 to index
        %q = scf.index_switch %c -> tensor<4xf32>
        case 1 { scf.yield %p : tensor<4xf32> }
        default { scf.yield %o : tensor<4xf32> }
        %r = scf.index_switch %c -> tensor<4xf32>
        case 1 { scf.yield %o : tensor<4xf32> }
        default { scf.yield %p : tensor<4xf32> }
        bquant_packed.yield %q, %r : tensor<4xf32>, tensor<4xf32>
      }
      return %a, %b : tensor<4xf32>, tensor<4xf32>
    }"""
    x, y = integers(4, seed=1).numpy(), integers(4, seed=2).numpy()
    expected = (-y, -x) if swaps else (-x, -y)
    for route in ROUTES:
        got = bquant.compile(text, strategy=route)(x, y, np.array([swaps], np.int32))
        np.testing.assert_array_equal(got, expected, err_msg=route)


def test_a_constant_of_indices():
    """The report counts the bytes of constants that are neither of integers nor of floats."""
    text = """
    #id = affine_map<(m) -> (m)>
    func.func @f(%x: tensor<8xf32>) -> tensor<4xf32> {
      %places = arith.constant dense<[3, 1, 2, 7]> : tensor<4xindex>
      %e = tensor.empty() : tensor<4xf32>
      %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%places : tensor<4xindex>) outs(%e : tensor<4xf32>) {
      ^bb0(%place: index, %o: f32):
        %0 = tensor.extract %x[%place] : tensor<8xf32>
        linalg.yield %0 : f32
      } -> tensor<4xf32>
      return %y : tensor<4xf32>
    }"""
    x = integers(8).numpy()
    for route in ROUTES:
        network = bquant.compile(text, strategy=route)
        np.testing.assert_array_equal(network(x), x[[3, 1, 2, 7]], err_msg=route)
    assert "constants: 32 bytes" in network.report()
