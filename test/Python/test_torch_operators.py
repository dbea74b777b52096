"""Operators of PyTorch, each alone in a module, against PyTorch."""

import bquant
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from functions import Function
from torch import nn

torch.manual_seed(20261123)
IMAGE, ROWS, SEQUENCE = torch.randn(2, 8, 6, 6), torch.randn(3, 16), torch.randn(1, 5, 16)
ORDER = torch.tensor([2, 0, 1, 1])
SCALES, ZEROS = torch.full((8,), 0.1), torch.arange(8, dtype=torch.int32) - 4


def assign(x):
    y = x.clone()
    y[:, 1:3] = 0.5
    y[:, :, ::2] = x[:, :, 1::2]
    y[:, 0] = x[:, 1]
    return y


def assign_places(x):
    y = torch.zeros(2, 10, 6, 6)
    y[:, 1:9] = x
    y[:, [0, -1]] = x[:, :2]
    y[:, :, ORDER] = 0.5
    return y


ELEMENTWISE = {
    **{name: getattr(torch, name) for name in (
        "erf", "expm1", "sin", "cos", "tan", "atan", "trunc", "frac", "floor", "ceil", "square",
        "sign", "tanh", "exp", "exp2", "isnan", "isinf", "isfinite",
    )},
    **{name: getattr(F, name) for name in (
        "gelu", "elu", "celu", "selu", "softplus", "silu", "mish", "hardswish", "hardsigmoid",
        "softsign", "logsigmoid", "relu6", "leaky_relu", "hardshrink", "softshrink", "tanhshrink",
    )},
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "elu_alpha": lambda x: F.elu(x, 0.5),
    "celu_negative": lambda x: F.celu(x, -0.5),
    "softplus_beta": lambda x: F.softplus(x, 2.0),
    "softplus_small_beta": lambda x: F.softplus(x, 0.1),
    "log1p": lambda x: x.abs().log1p(),
    "log2": lambda x: x.abs().log2(),
    "pow_2": lambda x: x.pow(2),
    "pow_3": lambda x: x.pow(3),
    "pow_half": lambda x: x.abs().pow(0.5),
    "pow_number": lambda x: x.abs().pow(1.7),
    "pow_tensor": lambda x: x.abs().pow(x),
    "number_pow": lambda x: 2**x,
    "fmod": lambda x: torch.fmod(x, 0.7),
    "remainder": lambda x: torch.remainder(x, 0.7),
    "remainder_negative": lambda x: torch.remainder(x, -0.7),
    "floor_divide": lambda x: x // 0.3,
    "divide_trunc": lambda x: torch.div(x, 0.3, rounding_mode="trunc"),
    "and": lambda x: ((x > 0) & (x < 1)).float(),
    "linear_vector": lambda x: F.linear(x, ROWS[0, :6]),
    "linear_vectors": lambda x: F.linear(x[0, 0, 0], ROWS[0, :6]),
    "dropout_of_nothing": lambda x: F.dropout(x, 0.0) + F.dropout2d(x, training=False),
    "or": lambda x: ((x > 0) | ~(x < -1)).float(),
    "xor": lambda x: torch.logical_xor(x > 0, x > 1).float(),
    "logical_not": lambda x: torch.logical_not(x.relu()).float(),
    "to_bool": lambda x: x.relu().bool().float(),
    "fake_quantize": lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -8, 7),
    "fake_quantize_channels": lambda x: torch.fake_quantize_per_channel_affine(
        x, SCALES, ZEROS, 1, -8, 7
    ),
}  # fmt: skip

ALONG_DIMENSIONS = {
    "max": lambda x: x.max(1).values,
    "min_kept": lambda x: x.min(-1, keepdim=True)[0],
    "max_of_all": lambda x: x.max().reshape(1),
    "amax": lambda x: x.amax((2, 3)),
    "amin": lambda x: x.amin(-3),
    "prod": lambda x: x.prod(1),
    "any": lambda x: (x > 1).any(1).float(),
    "all": lambda x: (x > -1).all(1, keepdim=True).float(),
    "var": lambda x: x.var(1),
    "var_biased": lambda x: x.var((2, 3), unbiased=False),
    "std_kept": lambda x: x.std(-1, keepdim=True),
    "var_mean": lambda x: torch.cat(torch.var_mean(x, 1), 1),
    "std_mean": lambda x: torch.stack(torch.std_mean(x, (1, 3), keepdim=True)),
    "mean_dtype": lambda x: x.mean(1, dtype=torch.float32),
    "prod_of_all": lambda x: x[0, 0].prod(),
    "norm": lambda x: x.norm(dim=1),
    "norm_1": lambda x: torch.linalg.vector_norm(x, 1, dim=(1, 2)),
    "norm_inf": lambda x: torch.linalg.vector_norm(x, float("inf"), dim=-1),
    "normalize": lambda x: F.normalize(x, dim=1),
    "cosine_similarity": lambda x: F.cosine_similarity(x, x + 1, dim=1),
    "logsumexp": lambda x: torch.logsumexp(x, 1),
    "adaptive_max": lambda x: F.adaptive_max_pool2d(x, 3),
}

MOVES = {
    "repeat": lambda x: x.repeat(2, 1, 2, 1, 1),
    "tile": lambda x: x.tile(1, 1, 2, 1),
    "repeat_interleave": lambda x: x.repeat_interleave(2, 1),
    "flip": lambda x: x.flip(-1, 1),
    "roll": lambda x: x.roll((2, -1), (3, 1)),
    "index_select": lambda x: x.index_select(1, ORDER),
    "index": lambda x: x[:, :, ORDER],
    "index_both": lambda x: x[:, [1, -2, 0], [0, 3, 3]],
    "index_columns": lambda x: x[:, :, [[0], [2]], [[1, -1]]],
    "index_one_by_one": lambda x: x[:, :, torch.arange(600) ** 2 % 6],
    "unfold": lambda x: F.unfold(x, 3, padding=1),
    "assign": assign,
    "assign_places": assign_places,
    "cut": lambda x: F.pad(x, (-1, 2, 1, -2), value=0.5),
    "roll_all": lambda x: x.roll(7),
    "movedim": lambda x: x.movedim(1, -1).swapaxes(0, 1).mT,
    "from_far": lambda x: x[:, -100:3],
    "reflect": lambda x: F.pad(x, (1, 2, 2, 1), mode="reflect"),
    "replicate": lambda x: F.pad(x, (1, 2, 2, 1), mode="replicate"),
    "circular": lambda x: F.pad(x, (1, 2, 2, 1), mode="circular"),
    "pixel_shuffle": lambda x: F.pixel_shuffle(x, 2),
    "pixel_unshuffle": lambda x: F.pixel_unshuffle(x, 2),
    "nearest": lambda x: F.interpolate(x, scale_factor=2),
    "nearest_size": lambda x: F.interpolate(x, size=(9, 13)),
    "nearest_smaller": lambda x: F.interpolate(x, size=(4, 5)),
    "nearest_exact": lambda x: F.interpolate(x, size=(9, 13), mode="nearest-exact"),
    "bilinear": lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
    "bilinear_uneven": lambda x: F.interpolate(x, scale_factor=1.7, mode="bilinear"),
    "bilinear_corners": lambda x: F.interpolate(
        x, size=(11, 1), mode="bilinear", align_corners=True
    ),
}

MODULES = {
    "layer_norm": (nn.LayerNorm(16), ROWS),
    "layer_norm_plain": (nn.LayerNorm([6, 6], elementwise_affine=False), IMAGE),
    "group_norm": (nn.GroupNorm(4, 8), IMAGE),
    "instance_norm": (nn.InstanceNorm2d(8, affine=True), IMAGE),
    "rms_norm": (nn.RMSNorm(16), ROWS),
    "transposed": (nn.ConvTranspose2d(8, 4, 3, 2, padding=1, output_padding=1), IMAGE),
    "transposed_groups": (nn.ConvTranspose2d(8, 4, 2, stride=2, groups=2), IMAGE),
    "transposed_tiles": (nn.ConvTranspose2d(8, 4, (2, 3), stride=(2, 3), bias=False), IMAGE),
    "transposed_tiles_1d": (nn.ConvTranspose1d(6, 4, 3, stride=3), IMAGE[0]),
    "transposed_tiles_moved": (nn.ConvTranspose2d(8, 4, 3, 3, padding=1, output_padding=2), IMAGE),
    "transposed_dilated": (nn.ConvTranspose2d(8, 4, 3, dilation=2, bias=False), IMAGE),
    "transposed_1d": (nn.ConvTranspose1d(6, 4, 3, stride=2), IMAGE[0]),
    "reflecting": (nn.Conv2d(8, 4, 3, padding=1, padding_mode="reflect"), IMAGE),
    "channel_shuffle": (nn.ChannelShuffle(2), IMAGE),
    "attention": (Function(lambda x: F.scaled_dot_product_attention(x, x, x)), IMAGE),
    "causal": (
        Function(lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True)), IMAGE,
    ),
    "transformer": (nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), SEQUENCE),
}  # fmt: skip
with torch.no_grad():
    for module, _ in MODULES.values():
        for parameter in module.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))


def assign_bits(x):
    y = x.clone()
    y[:, 0] = x[:, 1] > 0
    return y


SPECIAL = torch.tensor([0.0, -0.0, 1.0, -2.5, 5.0, torch.inf, -torch.inf, torch.nan, 0.1, -0.3])
SMALL = torch.arange(9.0).view(1, 1, 3, 3)
BYTES, WHOLE = torch.arange(250, 256, dtype=torch.uint8), torch.arange(6) + 2**60
# What rounds nowhere, or as torch does: every bit is the same.
EXACT = {
    **{f"nearest_{scale}": (lambda x, s=scale: F.interpolate(x, scale_factor=s), (IMAGE,))
       for scale in (1.1, 2.2, (1.01, 2.0))},
    "nearest_copied": (lambda x: F.interpolate(x, scale_factor=1.3), (SMALL,)),
    "nearest_74": (lambda x: F.interpolate(x, (74, 74)), (IMAGE,)),
    "nearest_row": (lambda x: F.interpolate(x, scale_factor=2.2), (SEQUENCE,)),
    "nearest_exact_3.7": (
        lambda x: F.interpolate(x, scale_factor=3.7, mode="nearest-exact"), (IMAGE,),
    ),
    "bilinear_copied": (
        lambda x: F.interpolate(x, scale_factor=1.3, mode="bilinear"), (SMALL,),
    ),
    "floor_divide_number": (lambda x: x // 0.1, (SPECIAL,)),
    "floor_divide": (lambda x, y: x // y, (SPECIAL[:, None], SPECIAL[None])),
    "all_nan": (lambda x: x.all(1), (torch.tensor([[torch.nan, 0.0], [torch.nan, 1.0]]),)),
    "cat_part_of_none": (lambda x: torch.cat([x[..., :6] * 2, x[..., 6:] * 2], -1), (IMAGE,)),
    "cat_constant_of_none": (lambda x: torch.cat([torch.zeros(3, 0), x], 1), (ROWS,)),
    "cat_types": (lambda x: torch.cat([x, x > 0, x.long()]), (ROWS,)),
    "stack_types": (lambda x: torch.stack([x > 0, x.int()]), (ROWS,)),
    "assign_types": (assign_bits, (ROWS,)),
    "zeros_like_integers": (lambda x: torch.zeros_like(x, dtype=torch.int64), (ROWS,)),
    "full_like_integers": (lambda x: torch.full_like(x, 2**53 + 1), (WHOLE,)),
    "pad_integers": (lambda x: torch.constant_pad_nd(x, (1, 2), 2**53 + 1), (WHOLE,)),
    "cumsum_of_floats": (lambda x: x.cumsum(1, dtype=torch.int64), (10 * ROWS,)),
    "bytes_and_integers": (lambda x, y: x + y * 2 - x, (BYTES, WHOLE)),
    "bytes_and_constants": (lambda x: x + torch.ones(6, dtype=torch.int64), (BYTES,)),
    "unfold": (lambda x: x.unfold(1, 3, 2), (IMAGE,)),
    "unfold_last": (lambda x: x.unfold(-1, 2, 3).unfold(0, 1, 1), (IMAGE,)),
    "any_of_none": (lambda x: torch.any(x > 0, dim=()), (ROWS,)),
    "all_of_none": (lambda x: torch.all(x > 0, dim=()), (ROWS,)),
    "var_of_one": (lambda x: x[:, :1].var(1, correction=2), (ROWS,)),
}  # fmt: skip

CASES = {
    **{f"elementwise-{name}": (Function(f), IMAGE) for name, f in ELEMENTWISE.items()},
    **{f"along-{name}": (Function(f), IMAGE) for name, f in ALONG_DIMENSIONS.items()},
    **{f"moves-{name}": (Function(f), IMAGE) for name, f in MOVES.items()},
    **MODULES,
}


@pytest.mark.parametrize("name", CASES)
def test_operator(name):
    """On the route that compiles sooner."""
    module, x = CASES[name]
    expected = module.eval()(x).detach()
    if expected.dtype == torch.bool:
        module, expected = Function(lambda x, f=module: f(x).float()), expected.float()
    result = bquant.compile(module, (x,), strategy="reference")(x)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.filterwarnings("ignore:var")
@pytest.mark.parametrize("name", EXACT)
def test_every_bit(name):
    function, inputs = EXACT[name]
    result = bquant.compile(Function(function), inputs, strategy="reference")(*inputs)
    expected = function(*inputs)
    np.testing.assert_array_equal(result, expected, strict=True)
    if expected.is_floating_point():
        zeros = expected == 0
        assert torch.equal(result[zeros].signbit(), expected[zeros].signbit())


def test_a_view_that_negates():
    x = torch.randn(4)
    network = bquant.compile(Function(lambda x: x * 2), (x,))
    assert torch.equal(network(torch._neg_view(x)), -2 * x)


@pytest.mark.parametrize(
    "function",
    [torch.expm1, torch.log1p, F.elu, F.selu, F.celu, lambda x: F.softplus(-40 - x)],
)
def test_small_numbers_keep_their_digits(function):
    x = torch.logspace(-30, -1, 59)
    x = torch.stack([-x, x])
    result = bquant.compile(Function(function), (x,))(x)
    np.testing.assert_allclose(result, function(x), rtol=2e-6, atol=0)


@pytest.mark.parametrize("name", ["reflect", "flip", "nearest", "bilinear", "assign"])
def test_batch_of_any_size(name):
    network = bquant.compile(Function(MOVES[name]), (IMAGE,), dynamic_batch=True)
    x = torch.cat([IMAGE, -IMAGE, IMAGE + 1])[:5]
    np.testing.assert_allclose(network(x), MOVES[name](x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["max", "layer", "remainder", "reflect"])
def test_nan(name):
    functions = {
        "max": lambda x: x.max(1).values,
        "layer": lambda x: F.layer_norm(x, (6,)),
        "remainder": lambda x: torch.remainder(x, 0.7),
        "reflect": MOVES["reflect"],
    }
    x = IMAGE.clone()
    x[0, 3, 2, 2] = torch.nan
    result = bquant.compile(Function(functions[name]), (x,), strategy="reference")(x)
    np.testing.assert_allclose(result, functions[name](x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: x[:, ORDER, :, ORDER], "indices of one dimension, or of some side by side"),
        (lambda x: x.index_add(1, ORDER, x[:, :4]), "expected one index to assign at"),
        (lambda x: F.pad(x, (-3, -3)), "expected a padding that leaves elements"),
        (lambda x: x.repeat_interleave(ORDER[:2], 0), "expected static sizes of constants"),
        (lambda x: F.softplus(x, threshold=1), "expected a threshold of at least 20, but got 1"),
        (lambda x: F.softplus(x, 10, 3), "expected a threshold of at least 20, but got 3"),
        (lambda x: F.adaptive_max_pool2d(x, 4), "expected a size that divides 6 x 6"),
        (lambda x: torch.linalg.vector_norm(x, 3, dim=1), "order 1, 2 or inf, but got 3"),
        (lambda x: x + torch.randn(6), "the same result of each call, but got aten.randn.default"),
        (lambda x: x * torch.bernoulli(torch.full((6,), 0.5)), "the same result of each call"),
        (lambda x: x[..., torch.randperm(6)], "each call, but got aten.randperm.default"),
        (lambda x: F.dropout(x), "each call, but got aten.dropout.default in the outermost"),
        (lambda x: F.dropout2d(x), "each call, but got aten.feature_dropout.default"),
        (lambda x: F.alpha_dropout(x, training=True), "the same result of each call"),
    ],
)
def test_what_is_not_taken(function, message):
    with pytest.raises(NotImplementedError, match=message):
        bquant.compile(Function(function), (IMAGE,))
