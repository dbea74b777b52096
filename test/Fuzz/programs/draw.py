"""Draws programs: rows of the grammar, one after another, whose constraints hold."""

import contextlib
import dataclasses
import zlib

import numpy as np

from . import idioms, values
from .exact import Exact
from .grammar import Reject

CHANNELS = [1, 2, 3, 4, 5, 8, 16, 31, 32, 33, 40, 64, 65]
FEATURES = [1, 3, 7, 16, 32, 33, 64, 65, 100, 130]
# The share of programs whose sums have no roundings.
EXACT = 0.6
# Their arguments.
ARGUMENT = Exact(bound=16, step=2)
# Of one value: more takes long and shows no more.
MOST_ELEMENTS = 2**14
ATTEMPTS = 30
# How much more often what takes values of which there are few is drawn.
OFTEN = 12
# Of constants; others are f32.
KINDS = {"int32": "i32", "uint8": "u8", "int8": "i8"}
# The share of filters and vectors that are arguments, whose numbers no pass sees.
HIDDEN = 0.1
# Of the steps of a program: a block of products, each beside what it is of.
DENSE = 0.04
PRODUCTS = ("conv_2d", "conv_2d_padded", "matmul")
CONCATENATIONS = ("concatenate", "concatenate_channels")


@dataclasses.dataclass
class Planes:
    """How a scaled-binary value is made of signs (`!bquant.tensor`)."""

    count: int
    ratios: tuple[int, ...] = ()
    axes: tuple[int, ...] = ()
    offset: bool = False

    @property
    def rows(self):
        """Scalars of a group."""
        return 1 if self.ratios else self.count


@dataclasses.dataclass(eq=False)
class Value:
    """What a step or an argument gives; `array` of a constant."""

    name: str
    kind: str
    shape: tuple[int, ...]
    exact: Exact | None = None
    batched: bool = False
    planes: Planes | None = None
    array: np.ndarray | None = None
    hidden: bool = False  # a constant that is an argument: no pass sees its numbers
    readers: int = 0


@dataclasses.dataclass
class Step:
    """A row, or an expression of each element, with what was drawn for it."""

    name: str
    result: Value
    operands: dict[str, Value]
    letters: dict = dataclasses.field(default_factory=dict)
    template: str = ""
    expression: idioms.Node | None = None
    form: str = ""


class Draw:
    """Random choices, and the letters of the row in hand as attributes."""

    def __init__(self, rng, program, letters=None):
        self.rng, self.program = rng, program
        self.exact, self.channels_last = program.exact, program.level.channels_last
        self.__dict__.update(letters or {})

    def pick(self, low, high):
        """Both included."""
        if low > high:
            raise Reject
        return int(self.rng.integers(low, high + 1))

    def one_of(self, *choices):
        if not choices:
            raise Reject
        return choices[self.rng.integers(len(choices))]

    def chance(self, probability):
        return self.rng.random() < probability


class Program:
    """Arguments, steps and results; everything follows from the seed."""

    def __init__(self, level, seed):
        self.level, self.seed = level, seed
        self.rng = np.random.default_rng([seed, zlib.crc32(level.name.encode())])
        self.exact = self.rng.random() < EXACT
        self.draw = Draw(self.rng, self)
        self.batch = self.draw.one_of(1, 1, 2, 3)
        self.may_be_dynamic = level.may_be_dynamic
        self.arguments, self.steps, self.pool, self.results = [], [], [], []
        self.next = 0
        for _ in range(self.draw.one_of(1, 1, 1, 2)):
            self.add_argument(self._draw_shape())
        # Most faults need few operations, and small programs compile fast.
        for _ in range(self.draw.one_of(1, 1, 1, 1, 2, 2, 2, 3, 4, 7)):
            self.extend()
        self._finish()

    # Values.

    def name(self):
        self.next += 1
        return f"v{self.next}"

    def _draw_shape(self):
        d, c = self.draw, self.draw.one_of(*CHANNELS)
        match d.pick(0, 9):
            case 0 | 1 | 2 | 3 | 4 | 5:
                h, w = d.pick(1, 7), d.pick(1, 7)
                return (self.batch, h, w, c) if d.channels_last else (self.batch, c, h, w)
            case 6 | 7:
                return (self.batch, d.one_of(*FEATURES))
            case 8:
                return (self.batch, d.pick(1, 5), d.one_of(*FEATURES))
            case _:
                return d.one_of((self.batch,), (self.batch, 2, 3, 4, d.pick(1, 5)))

    def add_argument(self, shape):
        value = Value(self.name(), "f32", shape, ARGUMENT if self.exact else None, batched=True)
        self.arguments.append(value)
        self.pool.append(value)
        return value

    def constant(self, array, may_hide=False):
        kind = KINDS.get(array.dtype.name, "f32")
        exact = Exact.of(array) if self.exact else None
        if self.exact and exact is None:
            raise Reject
        hidden = may_hide and self.draw.chance(HIDDEN)
        return Value(self.name(), kind, array.shape, exact, array=array, hidden=hidden)

    def channel_dim(self, value):
        rank = len(value.shape)
        return rank - 1 if self.draw.channels_last or rank == 1 else 1

    # Steps.

    def extend(self):
        """One more step or a few; nothing where no attempt holds."""
        if self.draw.chance(DENSE):
            with contextlib.suppress(Reject):
                self._extend_densely()
                return
        kinds = {v.kind for v in self.pool}
        rows = [row for row in self.level.rows if row.kinds <= kinds]
        weights = np.array([row.weight * (OFTEN if row.takes_few else 1) for row in rows])
        for _ in range(ATTEMPTS):
            try:
                if self.draw.chance(self.level.share_of_idioms):
                    steps = self._draw_idiom(idioms.IDIOMS)
                else:
                    row = rows[self.rng.choice(len(rows), p=weights / weights.sum())]
                    steps = self._draw_row(row)
            except Reject:
                continue
            for step in steps:
                self._append(step)
            return

    def _extend_densely(self):
        """Products of quantized channels, each concatenated with those, as a DenseNet has it."""
        x = self._choose([v for v in self.pool if v.kind == "f32" and len(v.shape) > 1])
        for _ in range(self.draw.pick(2, 4)):
            y = self._attempt(lambda x=x: self._draw_idiom(idioms.QUANTIZERS, x))
            y = self._attempt(lambda y=y: self._draw_row_of(PRODUCTS, x=y))
            x = self._attempt(lambda x=x, y=y: self._draw_row_of(CONCATENATIONS, x=x, z=y))

    def _attempt(self, draw):
        for _ in range(ATTEMPTS):
            with contextlib.suppress(Reject):
                for step in draw():
                    self._append(step)
                return self.pool[-1]
        raise Reject

    def _append(self, step):
        for operand in step.operands.values():
            operand.readers += 1
            if operand.hidden and operand not in self.arguments:
                self.arguments.append(operand)
        self.steps.append(step)
        self.pool.append(step.result)

    def _choose(self, values):
        """One of them, more often a late one, which nothing reads yet."""
        if not values:
            raise Reject
        weights = [(1 + i) * (3 if v.readers == 0 else 1) for i, v in enumerate(values)]
        weights = np.array(weights, float)
        return values[self.rng.choice(len(values), p=weights / weights.sum())]

    def _draw_idiom(self, kinds, x=None):
        names = list(kinds)
        weights = np.array([weight for weight, _ in kinds.values()], float)
        name = names[self.rng.choice(len(names), p=weights / weights.sum())]
        node = idioms.parse(kinds[name][1])
        d = self.draw
        low = [0.25, 0.5, 1.0] if self.exact else [0.25, 0.3, 1.0]
        high = [1.0, 2.0, 4.0] if self.exact else [0.7, 1.0, 1.9]
        numbers = {"P": d.one_of(*low), "Q": d.one_of(*high)}
        node = idioms.replace(node, {k: idioms.Node("number", value=v) for k, v in numbers.items()})
        if d.chance(0.25):
            node = idioms.change(node, d)
        return self._apply_idiom(name, node, x)

    def _apply_idiom(self, name, node, x=None):
        x = x or self._choose([v for v in self.pool if v.kind == "f32" and v.shape])
        operands = {}
        for operand in sorted(node.names()):
            if operand == "x":
                operands[operand] = x
            elif operand == "y":
                alike = [v for v in self.pool if v.kind == "f32" and v.shape == x.shape]
                operands[operand] = self._choose(alike)
            else:
                draw = values.positive if operand == "A" else values.vector
                channels = x.shape[self.channel_dim(x)]
                array = draw(self.rng, self.exact, (channels,))
                operands[operand] = self.constant(array, may_hide=operand != "A")
        self._fix_batch_where_mixed([v for v in operands.values() if v.shape == x.shape])
        result = Value(self.name(), "f32", x.shape)
        result.batched = any(v.batched for v in operands.values())
        if self.exact:
            result.exact = idioms.exact(node, {k: v.exact for k, v in operands.items()})
        self._check_level(node)
        form = self.draw.one_of("whole", "whole", "fused", "apart")
        return [Step(name, result, operands, expression=node, form=form)]

    def _fix_batch_where_mixed(self, alike):
        """A batch of one sample may have the size of what is no batch; one of any size not."""
        self.may_be_dynamic &= len({v.batched for v in alike}) < 2

    def _check_level(self, node):
        if not {n.op for n in node.walk()} <= self.level.operations:
            raise Reject

    def _match(self, operand, value, letters):
        """Whether a value can be this operand; binds its letters."""
        kind = "f32" if operand.kind == "image" else operand.kind
        if value.kind != kind:
            return False
        dims = self._dims(operand)
        shape = list(value.shape)
        star, count = next((i for i, dim in enumerate(dims) if dim.startswith("*")), None), 0
        if star is not None:
            count = len(shape) - len(dims) + 1
            if count < 0:
                return False
            shape[star : star + count] = [tuple(shape[star : star + count])]
            dims = [dim.lstrip("*") for dim in dims]
        elif len(dims) != len(shape):
            return False
        bound = zip(dims, shape, strict=True)
        for letter, size in bound:
            if letters.setdefault(letter, size) != size:
                return False
        return not value.batched or dims[0] == "n" or (star == 0 and count > 0)

    def _dims(self, operand):
        """The letters as they lie: images are written channels last."""
        dims = operand.dims
        if operand.kind == "image" and not self.draw.channels_last:
            dims = (dims[0], dims[3], dims[1], dims[2])
        return dims

    def _shape(self, operand, letters):
        shape = []
        for dim in self._dims(operand):
            if dim.startswith("*"):
                shape += letters[dim[1:]]
            else:
                shape.append(int(dim) if dim.isdigit() else letters[dim])
        if any(size < 1 for size in shape) or np.prod(shape, dtype=int) > MOST_ELEMENTS:
            raise Reject
        return tuple(shape)

    def _draw_row_of(self, names, **given):
        return self._draw_row(
            self.draw.one_of(*(row for row in self.level.rows if row.name in names)), **given
        )

    def _draw_row(self, row, **given):
        letters, operands, steps = {}, {}, []
        for operand in row.operands:
            if not operand.is_value:
                continue
            pool = [given[operand.name]] if given else self.pool
            fitting = [v for v in pool if self._match(operand, v, dict(letters))]
            operands[operand.name] = self._choose(fitting)
            self._match(operand, operands[operand.name], letters)
        draw = Draw(self.rng, self, letters | operands)
        if row.draw:
            row.draw(draw)
        step = self._make_step(row, draw, operands, steps)
        return [*steps, step]

    def _make_step(self, row, draw, operands, steps):
        """`steps`: what makes constants for it comes before it."""
        firsts = {}
        for operand in row.operands:
            if operand.is_value and (dims := self._dims(operand)):
                firsts.setdefault(dims[0], []).append(operands[operand.name])
        for alike in firsts.values():
            self._fix_batch_where_mixed(alike)
        known = {k: v for k, v in vars(draw).items() if k not in ("rng", "program")}
        for operand in row.operands:
            if not operand.is_value:
                shape = self._shape(operand, known)
                made = getattr(self, f"_make_{operand.kind}", self._make_constant)
                operands[operand.name] = made(operand, shape, steps, known)
        result = row.result
        kind = "f32" if result.kind == "image" else result.kind
        value = Value(self.name(), kind, self._shape(result, known))
        value.batched = any(v.batched for v in operands.values())
        if kind == "codes":
            value.planes = known["planes"]
        if self.exact:
            if row.exact is None:
                raise Reject
            names = known | {k: v.exact for k, v in operands.items()} | {"Exact": Exact}
            value.exact = eval(row.exact, {}, names)
            if value.exact is None or not value.exact.fits():
                raise Reject
        letters = {k: v for k, v in known.items() if not isinstance(v, Value)}
        template = self.draw.one_of(*row.columns[self.level.column(row)])
        return Step(row.name, value, operands, letters, template)

    def _make_constant(self, operand, shape, steps, known):
        array = getattr(values, operand.kind)(self.rng, self.exact, shape)
        if operand.kind == "filter" and self.draw.chance(0.2):
            return self._compute_filter(array, steps)
        return self.constant(array, may_hide=operand.kind == "filter")

    def _compute_filter(self, array, steps):
        """Signs of the weights by a factor, as training code has them."""
        d = self.draw
        text = d.one_of(
            "where(x >= 0.0, 1.0, -1.0)",
            "where(x >= 0.0, 1.0, -1.0) * 0.5",
            "where(x > 0.0, 1.0, where(x < 0.0, -1.0, 0.0)) * 0.25",
            "where(x >= 0.0, 1.0, -1.0) - minimum(maximum(x, -1.0), 1.0)"
            " + minimum(maximum(x, -1.0), 1.0)",
        )
        (step,) = self._apply_idiom("filter", idioms.parse(text), self.constant(array))
        steps.append(step)
        return step.result

    def _make_words(self, operand, shape, steps, known):
        """Bits after the last channel are 0."""
        array = values.words(self.rng, self.exact, shape)
        if known["last"]:
            array[..., -1] &= 2 ** known["last"] - 1
        return self.constant(array)

    def _make_even_planes(self, operand, shape, steps, known):
        value = self._make_planes(operand, shape, steps, known)
        if value.planes.count > 1 and not value.planes.ratios or value.planes.offset:
            raise Reject
        return value

    def _make_planes(self, operand, shape, steps, known):
        """Scaled-binary filters: a quantize of a constant, or words."""
        x = self.constant(values.filter(self.rng, self.exact, shape))
        row = self.draw.one_of(*(r for r in self.level.rows if r.name in self.level.quantizers))
        draw = Draw(self.rng, self, {"r": shape, "x": x, "is_filter": True})
        row.draw(draw)
        step = self._make_step(row, draw, {"x": x} if row.operands[0].is_value else {}, steps)
        steps.append(step)
        return step.result

    def _finish(self):
        """The last value and some others that nothing reads; codes as numbers."""
        for value in [v for v in self.pool if v.kind == "codes" and v.readers == 0]:
            result = Value(self.name(), "f32", value.shape, value.exact, value.batched)
            (row,) = (r for r in self.level.rows if r.name == "dequantize")
            (template,) = row.columns[self.level.column(row)]
            self._append(Step("dequantize", result, {"x": value}, {}, template))
        ends = [v for v in self.pool if v.readers == 0 and v.kind != "codes"]
        others = [v for v in self.pool[:-1] if v.kind != "codes" and v not in ends]
        if others and self.draw.chance(0.15):
            ends.append(self.draw.one_of(*others))
        self.results = ends
        # A batch is the first of several dimensions of all that goes in and out.
        self.may_be_dynamic &= all(v.batched for v in ends)
        self.may_be_dynamic &= all(len(v.shape) > 1 for v in [*self.arguments, *ends] if v.batched)
