"""What a row of the grammar is: an operation, what it takes, and how each level writes it.

A row says its operands and its result in a signature,

    x: image[n,h,w,c], f: filter[o,p,q,k] -> image[n,i,j,o]

`image` is a value of rank 4 whose dimensions lie as the level has them (channels last or first),
`f32`, `i32`, `codes` (scaled-binary) and the others of VALUES are as written, `f32[*r]` of any
shape. A letter stands for one size wherever it occurs; `n` is the batch. Any other kind is a
constant, drawn by the function of that name in values.py. Letters that no operand has are drawn by
`draw`, which may raise Reject.
`exact` is what holds of the result, given what holds of the operands (exact.py); a row without one
rounds.

The columns, one for each level, are templates: ${..} is a Python expression over operands (their
name; .type, .shape), letters and what the level's writer offers. Several templates of a column are
forms of one operation.
"""

import dataclasses
import re
from collections.abc import Callable

FEW = ("i64", "i1", "u8", "i8", "packed")
VALUES = ("image", "f32", "i32", "codes", *FEW)


class Reject(Exception):
    """What was drawn is no program: the constraints of a row do not hold."""


def known(operand):
    """An operand of a template that has to be a constant."""
    if operand.value.hidden:
        raise Reject
    return operand


@dataclasses.dataclass(frozen=True)
class Operand:
    name: str
    kind: str
    dims: tuple[str, ...]

    @property
    def is_value(self):
        return self.kind in VALUES


def parse_operand(text):
    name, kind, dims = re.fullmatch(r"(\w+): (\w+)\[([^]]*)\]", text.strip()).groups()
    return Operand(name, kind, tuple(d.strip() for d in dims.split(",") if d.strip()))


@dataclasses.dataclass
class Row:
    name: str
    signature: str
    draw: Callable | None = None
    exact: str | None = None
    weight: float = 1
    columns: dict = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        operands, result = self.signature.split("->")
        self.operands = [parse_operand(o) for o in re.findall(r"\w+: \w+\[[^]]*\]", operands)]
        self.result = parse_operand("y: " + result.strip())
        kinds = {o.kind for o in self.operands if o.is_value}
        self.kinds = {"f32" if kind == "image" else kind for kind in kinds}
        self.takes_few = not kinds.isdisjoint(FEW)


def row(name, signature, draw=None, exact=None, weight=1, **columns):
    """A row, a keyword for each level that has it."""
    forms = {level: (t,) if isinstance(t, str) else tuple(t) for level, t in columns.items()}
    return Row(name, signature, draw, exact, weight, forms)
