"""Expressions of each element, as networks in the wild write quantizers and what lies around them.

`x` and `y` are values of one shape, `a` and `b` have a number for each channel, `A` a positive one;
P and Q are numbers. Each level writes the nodes of an expression by its own operations; every
fourth time one node is another one: the idiom with one thing changed, which no matcher may take for
it.
"""

import ast
import copy
import dataclasses

from .exact import Exact
from .grammar import Reject

QUANTIZERS = {
    # Signs.
    "sign": (4, "where(x >= 0.0, 1.0, -1.0)"),
    "sign_of_less": (1, "where(x < 0.0, -1.0, 1.0)"),
    "sign_of_positive": (1, "where(x > 0.0, 1.0, -1.0)"),
    "sign_of_bits": (2, "2.0 * cast(x >= 0.0) - 1.0"),
    "sign_of_three": (2, "where(x > 0.0, 1.0, where(x < 0.0, -1.0, 0.0))"),
    "sign_of_difference": (2, "cast(x > 0.0) - cast(x < 0.0)"),
    "sign_with_threshold": (2, "where(x >= a, 1.0, -1.0)"),
    "sign_scaled": (2, "where(x >= 0.0, 1.0, -1.0) * A"),
    "sign_of_levels": (1, "where(x >= P, A, b)"),
    "sign_straight_through": (2, "(where(x >= 0.0, 1.0, -1.0) - x) + x"),
    "sign_clipped": (1, "(where(x >= 0.0, 1.0, -1.0) - clip(x, -1.0, 1.0)) + clip(x, -1.0, 1.0)"),
    # More planes.
    "ternary": (2, "where(x > P, Q, where(x < -P, -Q, 0.0))"),
    "ternary_of_bits": (1, "(cast(x > P) - cast(x < -P)) * A"),
    "cascade": (3, "cascade(x, P, Q)"),
    "levels": (1, "where(x < -P, -Q, where(x < P, 0.5, 2.0))"),
    "uniform_signed": (2, "clip(round(x * 4.0), -8.0, 7.0) * 0.25"),
    "uniform": (2, "clip(round(x * 2.0), 0.0, 3.0) * 0.5"),
    "uniform_clipped": (2, "round(clip(x, 0.0, 1.0) * 4.0) * 0.25"),
    "uniform_odd": (1, "(round(clip(x, 0.0, 1.0) * 3.0) * 2.0 - 3.0) * P"),
    "uniform_third": (1, "round(clip(x, 0.0, 1.0) * 3.0) / 3.0"),
    "half_up": (1, "floor(x * 4.0 + 0.5) * 0.25"),
}
AROUND = {
    "relu": (2, "maximum(x, 0.0)"),
    "relu6": (1, "clip(x, 0.0, 6.0)"),
    "hardtanh": (2, "clip(x, -1.0, 1.0)"),
    "leaky": (1, "where(x >= 0.0, x, x * 0.25)"),
    "prelu": (2, "where(x > 0.0, x, x * a)"),
    "prelu_of_parts": (1, "maximum(x, 0.0) + minimum(x, 0.0) * a"),
    "rprelu": (1, "where(x > a, x - a, (x - a) * 0.25) + b"),
    "scale": (2, "x * a"),
    "bias": (2, "x + b"),
    "affine": (3, "x * a + b"),
    "norm": (2, "(x - b) * a"),
    "norm_of_variance": (1, "(x - b) / sqrt(A + 0.001) * a + b"),
    "abs": (1, "abs(x)"),
    "negate": (1, "-x"),
    "halve": (1, "x / 2.0"),
    "square": (1, "x * x"),
    "hardswish": (1, "x * clip(x + 3.0, 0.0, 6.0) / 6.0"),
    "hardsigmoid": (1, "clip(x * 0.25 + 0.5, 0.0, 1.0)"),
    "polynomial": (
        1,
        "where(x < 0.0, where(x < -1.0, -1.0, x * x + 2.0 * x),"
        " where(x > 1.0, 1.0, 2.0 * x - x * x))",
    ),
    "sigmoid": (0.5, "1.0 / (1.0 + exp(-x))"),
    "tanh": (0.5, "tanh(x)"),
    # Of two values.
    "add": (4, "x + y"),
    "subtract": (1, "x - y"),
    "multiply": (1, "x * y"),
    "largest": (1, "maximum(x, y)"),
    "average": (1, "(x + y) * 0.5"),
    "straight_through": (1, "(y - x) + x"),
    "gate": (1, "where(x > 0.0, y, 0.0)"),
    "sum_of_signs": (1, "where(x >= 0.0, 1.0, -1.0) + where(y >= 0.0, 1.0, -1.0) * 0.5"),
}
IDIOMS = QUANTIZERS | AROUND

# What some names above stand for.
MACROS = {
    "clip": ("v, low, high", "minimum(maximum(v, low), high)"),
    "cascade": (
        "v, p, q",
        "where(v >= 0.0, p, -p) + where(v - where(v >= 0.0, p, -p) >= 0.0, q, -q)",
    ),
}

COMPARISONS = {
    ast.GtE: "oge", ast.Gt: "ogt", ast.LtE: "ole", ast.Lt: "olt", ast.Eq: "oeq", ast.NotEq: "une",
}  # fmt: skip
ARITHMETIC = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
# Each is changed into another one of its set.
EXCHANGES = [
    {"oge", "ogt", "ole", "olt", "uge", "ugt", "ult", "ule", "une", "oeq"},
    {"minimum", "maximum"},
    {"floor", "ceil", "round"},
    {"add", "sub"},
]


@dataclasses.dataclass
class Node:
    """`op` of `args`; a "number" has a value, an "operand" a name."""

    op: str
    args: list = dataclasses.field(default_factory=list)
    value: object = None

    def walk(self):
        yield self
        for arg in self.args:
            yield from arg.walk()

    def names(self):
        return {node.value for node in self.walk() if node.op == "operand"}


def _read(node):
    match node:
        case ast.Constant(value=value):
            return Node("number", value=float(value))
        case ast.Name(id=name):
            return Node("operand", value=name)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return Node("number", value=-float(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Node("neg", [_read(operand)])
        case ast.BinOp(left=left, op=op, right=right):
            return Node(ARITHMETIC[type(op)], [_read(left), _read(right)])
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return Node(COMPARISONS[type(op)], [_read(left), _read(right)])
        case ast.Call(func=ast.Name(id=name), args=args):
            args = [_read(arg) for arg in args]
            if name not in MACROS:
                return Node(name, args)
            names, body = MACROS[name]
            return replace(
                _read(ast.parse(body, mode="eval").body),
                dict(zip(names.replace(" ", "").split(","), args, strict=True)),
            )
    raise TypeError(ast.dump(node))


def replace(node, values):
    """With other nodes for some operands."""
    if node.op == "operand" and node.value in values:
        return copy.deepcopy(values[node.value])
    return Node(node.op, [replace(arg, values) for arg in node.args], node.value)


def parse(text):
    return _read(ast.parse(text, mode="eval").body)


def change(node, draw):
    """The expression with one node changed."""
    node = copy.deepcopy(node)
    places = [n for n in node.walk() if n.op != "operand"]
    place = draw.one_of(*places)
    for exchange in EXCHANGES:
        if place.op in exchange:
            place.op = draw.one_of(*sorted(exchange - {place.op}))
            return node
    if place.op == "number":
        v = place.value
        place.value = draw.one_of(-v, v + 0.25, v * 2, v + 1.0, -0.0 if v == 0 else 0.0)
    elif place.op == "where":
        place.args[1:] = place.args[:0:-1]
    elif place.op == "mul":
        place.op = "add"
    return node


def exact(node, operands):
    """What holds of the result, given what holds of the operands. Reject where it is rounded."""
    if node.op == "number":
        result = Exact.of(node.value)
    elif node.op == "operand":
        result = operands[node.value]
    else:
        args = [exact(arg, operands) for arg in node.args]
        match node.op, args:
            case "add" | "sub", [x, y]:
                result = x + y
            case "mul", [x, y]:
                result = x * y
            case "div", [x, _] if node.args[1].op == "number" and node.args[1].value in (2.0, 4.0):
                result = x * Exact(1, 2)
            case "where", [_, x, y]:
                result = x | y
            case "minimum" | "maximum", [x, y]:
                result = x | y
            case "abs" | "neg", [x]:
                result = x
            case "round" | "floor" | "ceil", [x]:
                result = x.rounded()
            case "cast", _:
                result = Exact(1)
            case (
                ("oge" | "ogt" | "ole" | "olt" | "oeq" | "une" | "uge" | "ugt" | "ule" | "ult"),
                _,
            ):
                result = Exact(1)
            case _:
                raise Reject
    if result is None or not result.fits():
        raise Reject
    return result
