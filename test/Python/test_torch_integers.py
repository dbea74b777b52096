"""Integers and bits in networks of PyTorch: what goes in and out, arithmetic, places and orders."""

import ctypes
import re

import bquant
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from bquant.frontends import UnsupportedOp
from functions import Function, sign
from torch import nn

GENERATOR = torch.Generator().manual_seed(3)


def integers(low, high, shape, dtype=torch.int64):
    return torch.randint(low, high, shape, generator=GENERATOR, dtype=dtype)


IDS, SMALL = integers(0, 10, (2, 5)), integers(-9, 9, (2, 5), torch.int32)
FLOATS = torch.randn(2, 5, 6, generator=GENERATOR)
MASK = torch.rand(2, 5, generator=GENERATOR) > 0.4
TABLE = torch.randn(10, 8, generator=GENERATOR)
LIMITS = torch.tensor([-(2**63), -1, 0, 2**63 - 1])
WRAPPED = torch.tensor([-1000, -129, -128, -1, 0, 127, 128, 197, 255, 256, 70000])
OPERATIONS = {
    "embed": (lambda i: F.embedding(i, TABLE), (IDS,)),
    "embed32": (lambda i: F.embedding(i, TABLE), (SMALL.abs(),)),
    "embed_mean": (lambda i: F.embedding(i, TABLE).mean(1), (IDS,)),
    "embed_masked": (
        lambda i, m: (
            (F.embedding(i, TABLE) * m.unsqueeze(-1)).sum(1) / m.sum(1, keepdim=True).clamp(min=1)
        ),
        (IDS, MASK),
    ),
    "argmax": (lambda x: x.argmax(-1), (FLOATS,)),
    "argmax_k": (lambda x: x.argmax(1, keepdim=True), (FLOATS,)),
    "argmax_all": (lambda x: x.argmax(), (FLOATS,)),
    "argmin": (lambda x: x.argmin(1), (FLOATS,)),
    "argmax_int": (lambda x: x.argmax(1), (IDS,)),
    "max_both": (lambda x: x.max(1), (FLOATS,)),
    "max_idx": (lambda x: x.max(1)[1], (FLOATS,)),
    "min_both": (lambda x: x.min(-1, keepdim=True), (FLOATS,)),
    "topk": (lambda x: x.topk(3, -1), (FLOATS,)),
    "topk_small": (lambda x: x.topk(2, 1, largest=False), (FLOATS,)),
    "sort": (lambda x: x.sort(-1), (FLOATS,)),
    "sort_desc": (lambda x: torch.sort(x, 1, descending=True), (FLOATS,)),
    "argsort": (lambda x: x.argsort(-1), (FLOATS,)),
    "to_long": (lambda x: (x * 3).long(), (FLOATS,)),
    "to_int": (lambda x: (x * 3).int(), (FLOATS,)),
    "to_float": (lambda x: x.float() * 0.5, (IDS,)),
    "to_bool": (lambda x: x.bool(), (IDS,)),
    "bool_to_long": (lambda m: m.long(), (MASK,)),
    "int_add": (lambda x: x + 3, (IDS,)),
    "int_arith": (lambda x, y: x * 2 - y + (x - 1) * y, (IDS, IDS.flip(0))),
    "int_mixed": (lambda x, y: x + y, (IDS, SMALL)),
    "int_float": (lambda x, y: x.unsqueeze(-1) * y + 1.5, (IDS, FLOATS)),
    "int_half": (lambda x: x * 0.5, (IDS,)),
    "int_div": (lambda x: x / 4, (IDS,)),
    "int_floordiv": (lambda x: (x - 5) // 3, (IDS,)),
    "int_mod": (lambda x: (x - 5) % 3, (IDS,)),
    "int_trunc": (lambda x: torch.div(x - 5, 3, rounding_mode="trunc"), (IDS,)),
    "int_cmp": (lambda x: x > 4, (IDS,)),
    "int_cmp_f": (lambda x: x > 4.5, (IDS,)),
    "int_eq": (lambda x, y: x == y, (IDS, IDS.flip(1))),
    "int_neg": (lambda x: -x, (SMALL,)),
    "int_abs": (lambda x: x.abs(), (SMALL,)),
    "int_clamp": (lambda x: x.clamp(2, 7), (IDS,)),
    "int_relu": (lambda x: x.relu(), (SMALL,)),
    "int_min": (lambda x, y: torch.minimum(x, y), (IDS, IDS.flip(1))),
    "int_where": (lambda x, m: torch.where(m, x, 0), (IDS, MASK)),
    "int_sum": (lambda x: x.sum(1), (IDS,)),
    "int_amax": (lambda x: x.amax(1), (SMALL,)),
    "bool_sum": (lambda m: m.sum(), (MASK,)),
    "bool_not": (lambda m: ~m, (MASK,)),
    "bool_add": (lambda m: m + m.flip(1), (MASK,)),
    "bool_mul": (lambda m: m * m.flip(1), (MASK,)),
    "bool_maximum": (lambda m: torch.maximum(m, m.flip(1)), (MASK,)),
    "bool_max": (lambda m: m.max(1), (MASK,)),
    "bool_min": (lambda m: m.amin(0), (MASK,)),
    "bool_pad": (lambda m: F.pad(m, (1, 2), value=True), (MASK,)),
    "bool_fill": (lambda m: m.masked_fill(m.flip(1), True), (MASK,)),
    "bool_ones": (lambda m: torch.ones_like(m) ^ m, (MASK,)),
    "bool_where": (lambda m: torch.where(m, m.flip(1), False), (MASK,)),
    "bool_exp": (lambda m: m.exp(), (MASK,)),
    "bool_sigmoid": (lambda m: m.sigmoid(), (MASK,)),
    "bool_reciprocal": (lambda m: m.reciprocal(), (MASK,)),
    "bool_sign": (lambda m: m.sign(), (MASK,)),
    "bool_softmax": (lambda m: m.softmax(1, dtype=torch.float32), (MASK,)),
    "bool_square": (lambda m: m**2, (MASK,)),
    "bool_modulo": (lambda m: m % 2, (MASK,)),
    "bool_isinf": (lambda m: m.isinf(), (MASK,)),
    "bool_where_float": (lambda m: torch.where(m, m.flip(1), 0.5), (MASK,)),
    "int_isinf": (lambda x: x.isinf(), (LIMITS,)),
    "int_isnan": (lambda x: x.isnan(), (LIMITS,)),
    "int_isfinite": (lambda x: x.isfinite(), (LIMITS,)),
    "int_below_infinity": (lambda x: (x < torch.inf, x > -torch.inf, x != torch.nan), (LIMITS,)),
    "to_uint8": (lambda x: x.to(torch.uint8).float(), (WRAPPED,)),
    "to_int8": (lambda x: x.to(torch.int8).sum(), (WRAPPED,)),
    "to_uint8_compared": (lambda x: x.to(torch.uint8) > 250, (WRAPPED,)),
    "float_to_bytes": (
        lambda x: (x.to(torch.uint8).float(), x.to(torch.int8).float()),
        (WRAPPED * 1.25,),
    ),
    "float_to_bytes_clamped": (lambda x: x.clamp(-9, 300).to(torch.uint8) / 255, (WRAPPED * 1.25,)),
    "uint8_to_int8": (lambda x: x.to(torch.int8).float(), (WRAPPED.to(torch.uint8),)),
    "int8_to_uint8": (lambda x: x.to(torch.uint8).float(), (WRAPPED.to(torch.int8),)),
    "bytes_sum": (lambda x: x.sum(1), (IDS.to(torch.uint8),)),
    "assign_int": (lambda x: x.index_fill(1, torch.tensor([1, 3]), 7), (IDS,)),
    "bool_and": (lambda m: m & m.flip(0), (MASK,)),
    "bit_and": (lambda x: x & 3, (IDS,)),
    "bit_or": (lambda x, y: x | y, (IDS, IDS.flip(1))),
    "bit_not": (lambda x: ~x, (SMALL,)),
    "masked_fill": (
        lambda x, m: x.masked_fill(m.unsqueeze(-1), float("-inf")).softmax(1),
        (FLOATS, MASK),
    ),
    "gather": (
        lambda x, i: x.gather(1, i.unsqueeze(-1).expand(2, 5, 6)),
        (FLOATS, torch.randint(0, 5, (2, 5))),
    ),
    "index": (lambda x, i: x[:, :, i], (FLOATS, torch.randint(0, 6, (4,)))),
    "index_rows": (lambda x, i: x[i], (TABLE, torch.randint(0, 10, (3, 4)))),
    "index_select": (lambda x, i: x.index_select(1, i), (FLOATS, torch.randint(0, 5, (7,)))),
    "cumsum": (lambda x: x.cumsum(1), (FLOATS,)),
    "cumsum_int": (lambda x: x.cumsum(-1), (IDS,)),
    "cumsum_mask": (lambda m: m.cumsum(1), (MASK,)),
    "cumprod": (lambda x: x.cumprod(-1), (FLOATS,)),
    "one_hot": (lambda x: F.one_hot(x, 10), (IDS,)),
    "one_hot_f": (lambda x: F.one_hot(x, 10).float(), (IDS,)),
    "positions": (lambda i: F.embedding(i, TABLE) + F.embedding(torch.arange(5), TABLE), (IDS,)),
    "causal": (
        lambda x: x.masked_fill(
            torch.ones(5, 5).triu(1).bool()[:, :5].unsqueeze(0)[:, :, :1].expand(2, 5, 6), -1e9
        ),
        (FLOATS,),
    ),
    "ids_out": (lambda i: (i, F.embedding(i, TABLE)), (IDS,)),
    "cat_int": (lambda i: torch.cat([i, i + 1], 1), (IDS,)),
    "pad_int": (lambda i: F.pad(i, (1, 2), value=7), (IDS,)),
    "nll": (
        lambda x, i: -x.log_softmax(-1).gather(-1, i.unsqueeze(-1)).squeeze(-1),
        (torch.randn(2, 5, 10), IDS),
    ),
    "sign_int": (lambda x: torch.sign(x), (SMALL,)),
    "pow_int": (lambda x: x**2, (IDS,)),
    "heaviside": (lambda x: torch.heaviside(x, torch.tensor(1.0)), (FLOATS,)),
    "bucketize": (lambda x: torch.bucketize(x, torch.tensor([0.2, 0.65, 1.1])), (FLOATS,)),
    "isin": (lambda x: (x == 3) | (x == 4), (IDS,)),
    "arange_mask": (lambda x: torch.arange(5).unsqueeze(0) < x[:, :1], (IDS,)),
    "int_prod": (lambda x: x.prod(1), (IDS,)),
    "where_idx": (
        lambda x: torch.where(x > 0, x, torch.zeros_like(x)).argmax(-1).float(),
        (FLOATS,),
    ),
    "all_int": (lambda x: x.all(1), (IDS,)),
    "unique_max": (lambda x: x.max(), (IDS,)),
    "stack": (lambda x: torch.stack([x, x * 2]), (IDS,)),
}


def check(results, expected):
    results = results if isinstance(results, (tuple, list)) else (results,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    assert len(results) == len(expected)
    for result, other in zip(results, expected, strict=True):
        assert result.dtype == other.dtype and result.shape == other.shape
        torch.testing.assert_close(result, other, rtol=1e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("name", OPERATIONS)
def test_operation(name):
    function, inputs = OPERATIONS[name]
    model = Function(function).eval()
    check(bquant.compile(model, inputs)(*inputs), model(*inputs))


@pytest.mark.parametrize(
    "name", ["embed", "embed_masked", "argmax", "max_both", "topk", "to_long", "int_arith", "nll"]
)
def test_any_batch(name):
    function, inputs = OPERATIONS[name]
    model = Function(function).eval()
    network = bquant.compile(model, inputs, dynamic_batch=True)
    reference = bquant.compile(model, inputs, dynamic_batch=True, strategy="reference")
    for batch in (0, 1, 2, 5):
        more = tuple(x.repeat(3, *[1] * (x.dim() - 1))[:batch] for x in inputs)
        results = network(*more)
        check(results, model(*more))
        check(reference(*more), tuple(results) if isinstance(results, (tuple, list)) else results)


def test_the_size_of_a_batch_is_no_number():
    with pytest.raises(UnsupportedOp, match="expected arithmetic that does not depend on the size"):
        bquant.compile(Function(lambda x: x + x.shape[0]), (IDS,), dynamic_batch=True)


def test_nan_and_infinity():
    x = torch.tensor([[1.0, np.nan, 3.0, np.inf], [-np.inf, 0.0, -0.0, np.nan]])
    for function in (
        lambda x: x.argmax(1),
        lambda x: x.max(1),
        lambda x: x.min(1),
        lambda x: x.sort(dim=1, descending=True, stable=True),
        lambda x: x.sort(dim=1, stable=True),
        lambda x: torch.bucketize(x, torch.tensor([0.0, 1.0])),
        lambda x: torch.bucketize(x, torch.tensor([0.0, 1.0]), right=True, out_int32=True),
        lambda x: x.bool(),
    ):
        model = Function(function)
        check(bquant.compile(model, (x,))(x), model(x))


def test_signs_of_a_constant_in_order():
    """They are written out, of an operation that has two results."""
    x = torch.randn(2, TABLE.shape[1])
    for of in (lambda w: w.sort(dim=0), lambda w: w.topk(len(w), dim=0)):
        model = Function(lambda x, of=of: F.linear(x, of(torch.sign(TABLE))[0]))
        check(bquant.compile(model, (x,))(x), model(x))


def test_a_float_that_is_no_integer():
    """NaN and what does not fit becomes the least integer; casts to 8 bits wrap."""
    x = torch.tensor([np.nan, np.inf, -np.inf, 3e9, -3e9, 1e19, -1e19, 2.9, -2.9])
    wide, narrow = bquant.compile(Function(lambda x: (x.long(), x.int())), (x,))(x)
    least = -(2**63)
    assert wide.tolist() == [least] * 3 + [3000000000, -3000000000, least, least, 2, -2]
    assert narrow.tolist() == [-(2**31)] * 7 + [2, -2]
    x = torch.cat([x, torch.tensor([2.0**33, 70000.9, -129.0, -0.5])])
    model = Function(lambda x: (x.to(torch.uint8).float(), x.to(torch.int8).float()))
    unsigned, signed = bquant.compile(model, (x,))(x)
    assert unsigned.tolist() == [0] * 7 + [2, 254, 0, 112, 127, 0]
    assert signed.tolist() == [0] * 7 + [2, -2, 0, 112, 127, 0]


def test_places_beyond_the_ends():
    """The nearest place is read, nothing outside of the table."""
    network = bquant.compile(Function(lambda i: F.embedding(i, TABLE)), (IDS,))
    far = torch.tensor([[-1, -(2**63), 10, 2**63 - 1, 4]]).repeat(2, 1)
    assert torch.equal(network(far)[0], TABLE[[0, 0, 9, 9, 4]])


@pytest.mark.parametrize("value", [2**31 - 1, -(2**31)])
def test_overflow_wraps(value):
    x = torch.tensor([value], dtype=torch.int32)
    model = Function(lambda x: (x + 1, x - 1, x * 3, -x, x.abs()))
    check(bquant.compile(model, (x,))(x), model(x))


def test_network_of_tokens(tmp_path):
    """A small language model: tokens in, the next ones out; of binary layers between."""

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.wide, self.back = nn.LayerNorm(32), nn.Linear(32, 64), nn.Linear(64, 32)

        def forward(self, x):
            y = F.linear(sign(self.norm(x)), sign(self.wide.weight), self.wide.bias)
            return x + F.linear(sign(y), sign(self.back.weight), self.back.bias)

    class Tokens(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.places = nn.Embedding(50, 32), nn.Embedding(7, 32)
            self.blocks = nn.Sequential(Block(), Block())
            self.head = nn.Linear(32, 50)

        def forward(self, tokens, mask):
            x = self.tokens(tokens) + self.places(torch.arange(7))
            logits = self.head(self.blocks(x)).masked_fill(mask.unsqueeze(-1), 0.0)
            return {"next": logits.argmax(-1), "logits": logits}

    torch.manual_seed(5)
    model = Tokens().eval()
    inputs = integers(0, 50, (3, 7)), torch.rand(3, 7) > 0.8
    network = bquant.compile(model, inputs)
    results, expected = network(*inputs), model(*inputs)
    torch.testing.assert_close(results["logits"], expected["logits"], rtol=1e-4, atol=1e-4)
    assert torch.equal(results["next"], expected["next"])
    assert network.report().count("matmul, binary") == 4
    assert bquant.verify(network, model, inputs).ok
    network.save(tmp_path / "tokens.so")
    loaded = bquant.load(tmp_path / "tokens.so")
    assert [x["dtype"] for x in (*loaded.inputs, *loaded.outputs)] == [
        "int64", "bool", "int64", "float32"
    ]  # fmt: skip
    assert torch.equal(loaded(*inputs)[0], expected["next"])
    assert re.search(r"int64\[3, ?7\]|int64_t", (tmp_path / "tokens.h").read_text())
    with pytest.raises(TypeError, match="int64"):
        loaded(inputs[0].int(), inputs[1])
    assert ctypes.sizeof(ctypes.c_bool) == inputs[1].element_size()


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda i: IDS // i.clamp(min=1), "expected integers to be divided by a positive constant"),
        (lambda i: i % 0, "expected integers to be divided by a positive constant"),
        (lambda i: i @ i.t(), "expected float32 or bool, but aten.m.* gives i64"),
        (lambda i: TABLE[i, i], "expected constant integers as indices of one dimension"),
    ],
)
def test_refuses(function, message):
    with pytest.raises(UnsupportedOp, match=message) as info:
        bquant.compile(Function(function), (IDS,))
    assert "\n" not in str(info.value)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8])
def test_bytes_in_and_out(dtype):
    """They are moved, floats are made of them, and codes of these."""
    limits = torch.iinfo(dtype)

    def forward(x):
        half = x.to(torch.float32) / 2
        codes = torch.clamp(torch.round(half * 3), limits.min, limits.max).to(dtype)
        return x.transpose(0, 1), half, codes

    x = integers(limits.min, limits.max + 1, (3, 4)).to(dtype)
    model = Function(forward)
    for result, expected in zip(bquant.compile(model, (x,))(x), model(x), strict=True):
        assert result.dtype == expected.dtype and torch.equal(result, expected)


def test_products_of_bytes_beyond_floats():
    """Sums above 2^24 are those of integers."""
    x, y = (integers(100, 128, shape).to(torch.int8) for shape in ((32, 2000), (2000, 8)))
    model = Function(lambda x: torch._int_mm(x, y))
    expected = model(x)
    assert (expected > 1 << 24).all() and (expected % 2).any()
    for strategy in ("auto", "reference"):
        network = bquant.compile(model, (x,), strategy=strategy)
        assert torch.equal(network(x), expected)
