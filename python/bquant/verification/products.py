"""How much rounding a product may have, by what compiled code computes it from.

The compiler says of each product what it made of it (`raise-product`): a product of floats, of
floats by planes, or of planes by planes. A value of planes is c + v_1 s_1 + v_2 s_2 + .., whatever
the code, so where a sum of such values is small or 0, it is what cancels of larger terms: a filter
{0, a} is a/2 s + a/2, and nine zeros of it are a sum of nine a/2 and nine -a/2. With

    K       the terms of a sum
    X       |c| + v_1 + v_2 + .. of the left operand, or the largest |x| if that is more
    W       the same of a filter
    n       the terms v_i w_j of a result: pairs of planes, 1 if both have one scalar each

the sums of planes are integers, and the terms that they are put together of round, so a product of
planes by planes may be off by u ((n + 8) sum X W + 24 sum X |w| + 8 |b|), the first not if there is
one term and no offset; of floats by k planes by u ((K + k + 8) sum |x| W + (K + 8) |b|); of floats
by u ((K + 2) sum |x| |w| + (K + 2) |b|). 24 is for levels: those of an expression are taken for
evenly spaced up to 1e-6 (17 u) of the largest, those of a filter up to 4 u.
"""

from __future__ import annotations

import dataclasses
import itertools
import operator
import re

import torch
from torch.utils import _pytree as pytree

from ..frontends.torch.sources import location
from ..nn.ranked import levels
from . import steps
from .rounding import LOG_SOFTMAX, NORMS, OWN_NORMS, PRODUCTS, SOFTMAX, SUMS, UNIT, VARIANCES

_OPERANDS = re.compile(r" of (\S*tensor<[^>]*>) by (\S*tensor<[^>]*>)$")
_PLANES = re.compile(r"!bquant\.tensor<[^,]*, (?:(\d+)|\[([\d, ]+)\])(.*)>")


@dataclasses.dataclass(frozen=True)
class Planes:
    """Of an operand. digits: planes whose scalars are multiples of one that binary digits have, so
    that a filter may use few of the codes; 0 where the largest code is used."""

    count: int
    single: bool  # one scalar for all planes
    digits: int
    offset: bool
    rows: bool  # scalars of its own for each row

    @property
    def spread(self) -> int:
        """|c| + v_1 + v_2 + .., in largest levels, of an expression's levels: digits are the next
        power of two, and each step of other planes is a distance of levels."""
        if not self.offset:
            return 1
        return 3 if self.single else 2 * self.count + 1


@dataclasses.dataclass(frozen=True)
class Arithmetic:
    """What a product was made; None for floats."""

    lhs: Planes | None = None
    rhs: Planes | None = None


FLOAT = Arithmetic()


def read_remarks(remarks: list[dict]) -> dict[str, set[Arithmetic]]:
    """What the products of each location became, from a report. A module that is called twice, or
    has several products, has several."""
    found: dict[str, set[Arithmetic]] = {}
    for remark in remarks:
        if remark["name"] != "raise-product":
            continue
        kinds = found.setdefault(remark["location"], set())
        if operands := _OPERANDS.search(remark["text"]):
            kinds.add(Arithmetic(*map(_planes, operands.groups())))
        elif remark["kind"] == "missed" and not remark["text"].startswith("the input "):
            kinds.add(FLOAT)
    return found


def _planes(text: str) -> Planes | None:
    found = _PLANES.fullmatch(text)
    if found is None:
        return None
    independent, ratios, rest = found.groups()
    count = int(independent) if independent else ratios.count(",") + 1
    single = count == 1 or independent is None
    ternary = ratios is not None and ratios.replace(" ", "") == "1,1"
    digits = count if ratios is not None and not ternary else 0
    return Planes(count, single, digits, "offset" in rest, "axes" in rest)


def arithmetic_of(node, found: dict[str, set[Arithmetic]]) -> set[Arithmetic]:
    """All that the product may be: of a location that has none it is one of floats."""
    return found.get(location(node)[0]) or {FLOAT}


class Product:
    """One operation: its operands, and the largest magnitudes that their codes stand for.

    Args:
        reaches: an interval of each operand, of its shape, or None for its own values.
    """

    def __init__(self, node, function, operands: list, reaches: list):
        self.name, self.function = str(node.target), function
        first = 1 if self.name == "aten.addmm.default" else 0
        self.places = first, first + 1
        self.bias = next((i for i in range(len(operands)) if i not in self.places), None)
        self.operands = operands
        self.x, self.w = (operands[i].double().abs() for i in self.places)
        self.reaches = [None if reaches[i] is None else reaches[i].magnitude for i in self.places]
        self.transposed = self.name == "aten.convolution.default" and node.args[6]
        self.groups = node.args[8] if self.transposed else 1

    def bound(self, arithmetics: set[Arithmetic]):
        return torch.stack([self._bound(each) for each in arithmetics]).amax(0)

    def _bound(self, arithmetic: Arithmetic):
        lhs, rhs = arithmetic.lhs, arithmetic.rhs
        if rhs is None and lhs is None:
            return UNIT * (self.terms + 2) * self._evaluate(self.x, self.w, bias=1)
        if lhs is None or rhs is None:  # a constant on the left is the filter
            planes = rhs or lhs
            count = self.terms + planes.count + 8
            if rhs is None:
                sums = self._evaluate(self._left(planes), self.w, bias=1)
            else:
                sums = self._evaluate(self.x, self._right(planes), bias=1)
            return UNIT * count * sums
        bound = 24 * self._evaluate(self._left(lhs), self.w, bias=8 / 24)
        single = lhs.single and rhs.single
        if not single or lhs.offset or rhs.offset:
            count = 1 if single else lhs.count * rhs.count
            bound = bound + (count + 8) * self._evaluate(self._left(lhs), self._right(rhs))
        return UNIT * bound

    @property
    def terms(self) -> int:
        if self.transposed:
            return self.w[:, 0].numel() // self.groups
        return self.w[0].numel() if "conv" in self.name else self.x.shape[-1]

    def _evaluate(self, x, w, bias: float = 0):
        values = list(self.operands)
        values[self.places[0]], values[self.places[1]] = x, w
        if self.bias is not None:
            values[self.bias] = bias * values[self.bias].double().abs()
        return self.function(*values)

    def _left(self, planes: Planes):
        """X: one number for each sample."""
        x, reach = self.x, self.reaches[0]
        if reach is None:  # a constant
            return _largest(x, planes, -1).expand(x.shape)
        x = torch.maximum(x, torch.where(reach.isfinite(), reach, x))
        most = x.flatten(1).amax(1).reshape(-1, *[1] * (x.dim() - 1)) if x.dim() > 1 else x.amax()
        return (planes.spread * most).expand(x.shape)

    def _right(self, planes: Planes):
        """W: one number for each filter or column."""
        w, reach = self.w, self.reaches[1]
        if reach is not None:
            w = torch.maximum(w, torch.where(reach.isfinite(), reach, w))
        if "conv" not in self.name:
            axis = -1 if self.name == "aten.linear.default" else -2
            if w.dim() == 1:
                axis = -1
            return _largest(w, planes, axis).expand(w.shape)
        if self.transposed:
            rows = w.unflatten(0, (self.groups, -1)).transpose(1, 2).flatten(2)
            most = _largest(rows, planes, -1).expand(*rows.shape[:2], 1)[..., None]
            most = most.expand(-1, -1, w.shape[0] // self.groups, 1).transpose(1, 2)
            return most.reshape(w.shape[0], w.shape[1], *[1] * (w.dim() - 2)).expand(w.shape)
        most = _largest(w.flatten(1), planes, -1)
        return most.reshape(-1, *[1] * (w.dim() - 1)).expand(w.shape)


def _largest(magnitudes, planes: Planes, axis: int):
    """|c| + v_1 + v_2 + .. of the rows of a constant, of which `axis` is the reduction. Digits are
    those of the widest row: the others use some of the codes, at least one step apart, which is at
    most the least distance of two magnitudes."""
    if not planes.rows:
        every = [1] * magnitudes.dim()
        one = dataclasses.replace(planes, rows=True)
        return _largest(magnitudes.flatten(), one, -1).reshape(every)
    most = magnitudes.amax(axis, keepdim=True)
    if not planes.digits:
        return most
    zero = torch.zeros_like(most)
    gaps = torch.cat((zero, magnitudes), axis).sort(axis).values.diff(dim=axis)
    step = zero
    for least in (2.0**-20 * most, 2.0**-20 * magnitudes.max()):
        gap = torch.where(gaps > least, gaps, torch.inf).amin(axis, keepdim=True)
        step = torch.maximum(step, torch.where(gap.isfinite(), gap, most))
    return most + 2.0 ** (planes.digits + 1) * step


_UNBOUNDED = PRODUCTS | NORMS | SUMS | SOFTMAX | LOG_SOFTMAX | OWN_NORMS | VARIANCES
_SAME = ("aten.detach.default", "aten.alias.default", "aten.clone.default")


@dataclasses.dataclass(frozen=True)
class Interval:
    """What each element of a value lies in."""

    low: torch.Tensor
    high: torch.Tensor

    @classmethod
    def around(cls, magnitude) -> Interval:
        return cls(-magnitude, magnitude)

    @classmethod
    def unbounded(cls, value) -> Interval:
        if value.dtype == torch.bool:
            return cls(torch.zeros_like(value), torch.ones_like(value))
        return cls.around(torch.full(value.shape, torch.inf, dtype=torch.float64))

    @classmethod
    def of(cls, value) -> Interval:
        """Of what is no number, as of infinities that meet, nothing is known."""
        if value.dtype == torch.bool:
            return cls(value, value)
        value, inf = value.double(), torch.inf
        return cls(value.nan_to_num(-inf, inf, -inf), value.nan_to_num(inf, inf, -inf))

    @property
    def magnitude(self):
        return self.high if self.low.dtype == torch.bool else self.low.abs().maximum(self.high)

    def hull(self, other: Interval) -> Interval:
        return Interval(self.low.minimum(other.low), self.high.maximum(other.high))

    def ends(self, dtype) -> list:
        """Both, and 0 or what is closest to it: in the type that operations on codes want."""
        if dtype == torch.bool:
            return [self.low, self.high]
        limits = torch.iinfo(dtype) if not dtype.is_floating_point else None
        ends = [self.low, self.high]
        if ((self.low < 0) & (self.high > 0)).any():
            ends.append(torch.zeros_like(self.low).clamp(self.low, self.high))
        return [(e.clamp(limits.min, limits.max) if limits else e).to(dtype) for e in ends]


class Reaches:
    """The interval of each element of a value, whatever the codes that it is made of are: 0 to 3 s
    of round(clamp(x / s, 0, 3)) s, and -v_1 - v_2 to v_1 + v_2 of a cascade. Infinite where nothing
    says so; None of constants that are no codes. Operations between codes and products are monotone
    in each operand on either side of 0, so that the ends and 0 say all.

    Args:
        value_of, function_of: a node's value; a function of the tensors that it takes, and these
            nodes.
    """

    def __init__(self, constants, value_of, function_of):
        self.constants, self.value_of, self.function_of = constants, value_of, function_of
        self.found = {}

    def __call__(self, node):
        if node not in self.found:
            self.found[node] = self._find(node)
        return self.found[node]

    def _find(self, node):
        value = self.value_of(node)
        if node in self.constants:
            return None
        if node.op == "placeholder":
            return Interval.unbounded(value)
        if node.target is operator.getitem:
            return None if (several := self(node.args[0])) is None else several[node.args[1]]
        name = str(node.target)
        if name == steps.ONLINE:
            scalars = sum(steps.online_scalars(self.value_of(node.args[0]), node.args[1]))
            return Interval.around(scalars.double().expand(value.shape))
        if name == steps.BY_RANK:
            scheme, _, scalars, offsets = node.args[1:5]
            of = [None if p is None else self.value_of(p) for p in (scalars, offsets)]
            every, rows = levels(scheme, *of).double(), (-1, *[1] * (value.dim() - 1))
            ends = [end.reshape(rows).expand(value.shape) for end in (every.amin(1), every.amax(1))]
            return Interval(*ends)
        if name in steps.STEPS and value.dtype == torch.bool:
            return Interval.unbounded(value)
        if (source := _residue_of(node)) is not None:
            return self(source)
        function, nodes = self.function_of(node)
        reaches = [self(n) for n in nodes]
        if name in _UNBOUNDED:
            fixed = all(r is None for r in reaches)
            return None if fixed else pytree.tree_map(Interval.unbounded, value)
        if name.startswith("aten.sign."):
            return Interval.around(torch.ones_like(value, dtype=torch.float64))
        if name.startswith("aten.copysign."):
            return Interval.around(value.double().abs())
        return self._ends(function, nodes, reaches, value)

    def _ends(self, function, nodes, reaches, value):
        free = [i for i, reach in enumerate(reaches) if reach is not None]
        if not free:
            return None
        if not all(isinstance(reaches[i], Interval) for i in free) or len(free) > 4:
            return pytree.tree_map(Interval.unbounded, value)
        operands, result = [self.value_of(n) for n in nodes], None
        for ends in itertools.product(*(reaches[i].ends(operands[i].dtype) for i in free)):
            moved = list(operands)
            for i, end in zip(free, ends, strict=True):
                moved[i] = end
            try:
                found = pytree.tree_map(Interval.of, function(*moved))
            except (IndexError, RuntimeError):  # of a place in a table
                return pytree.tree_map(Interval.unbounded, value)
            result = found if result is None else pytree.tree_map(Interval.hull, result, found)
        return result


def _residue_of(node):
    """q of (q - x) + x."""
    if str(node.target) != "aten.add.Tensor":
        return None
    terms = [_source(term) for term in node.args[:2]]
    for difference, other in (terms, terms[::-1]):
        if getattr(difference, "target", None) is not None and (
            str(difference.target) == "aten.sub.Tensor" and _source(difference.args[1]) is other
        ):
            return difference.args[0]
    return None


def _source(node):
    while isinstance(node, torch.fx.Node) and str(node.target) in _SAME:
        node = node.args[0]
    return node
