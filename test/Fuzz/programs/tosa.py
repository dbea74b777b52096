"""Writes programs as TOSA, as the versions of its specification from 1.0 on have it."""

import numpy as np

from . import mlir
from .grammar import Reject

UNARY = {
    "abs": "abs", "floor": "floor", "ceil": "ceil", "exp": "exp", "tanh": "tanh",
}  # fmt: skip
BINARY = {"add": "add", "sub": "sub", "minimum": "minimum", "maximum": "maximum"}
# The operation, and whether its operands are swapped.
COMPARISONS = {
    "oge": ("greater_equal", False), "ogt": ("greater", False), "oeq": ("equal", False),
    "ole": ("greater_equal", True), "olt": ("greater", True),
}  # fmt: skip
OPERATIONS = {
    *UNARY, *BINARY, *COMPARISONS, "mul", "neg", "where", "cast", "number", "operand",
}  # fmt: skip


class Writer(mlir.Writer):
    def constant(self, array):
        array = np.array(array, order="C")
        element = mlir.DTYPES[str(array.dtype)]
        type_ = self.tensor(array.shape, element)
        name = self.new("c")
        self.put(
            f'{name} = "tosa.const"() <{{values = {mlir.dense(array)} : {type_}}}> : () -> {type_}'
        )
        return name

    def numbers(self, sizes):
        """A shape, or what else is a list of sizes."""
        name, type_ = self.new("s"), f"!tosa.shape<{len(sizes)}>"
        text = f"dense<{list(sizes)}> : tensor<{len(sizes)}xindex>"
        self.put(f"{name} = tosa.const_shape {{values = {text}}} : () -> {type_}")
        return f"{name}"

    def sizes(self, operand):
        return self.numbers(operand.shape)

    def full(self, value, dtype="float32"):
        return self.constant(np.full(1, value, dtype))

    def zeros(self, size, dtype="float32"):
        return self.constant(np.zeros(size, dtype))

    def transpose(self, operand, order):
        result = mlir.Operand(self, operand.value, self.new("t"), [operand.shape[i] for i in order])
        self.put(
            f"{result} = tosa.transpose {operand} {{perms = array<i32: "
            f"{', '.join(map(str, order))}>}} : ({operand.type}) -> {result.type}"
        )
        return result

    def reshape(self, operand, shape):
        """As a value of another shape."""
        if (str(operand), shape) in self.made:
            return self.made[str(operand), shape]
        result = self.made[str(operand), shape] = mlir.Operand(
            self, operand.value, self.new("r"), shape
        )
        self.put(
            f"{result} = tosa.reshape {operand}, {self.sizes(result)} : "
            f"({operand.type}, !tosa.shape<{len(shape)}>) -> {result.type}"
        )
        return result

    def write_expression(self, step):
        expression = Expression(self, step)
        final = expression.emit(step.expression)
        if final in expression.given or expression.shapes[final] != step.result.shape:
            raise Reject
        self.name_result(final, step.result)


class Expression:
    """Operands have one rank; sizes of 1 stand for any."""

    def __init__(self, writer, step):
        self.writer, self.step = writer, step
        self.shapes, self.given, self.bits = {}, set(), set()

    def remember(self, name, shape):
        self.shapes[name] = tuple(shape)
        return name

    def type(self, name):
        shape = self.shapes[name]
        return self.writer.tensor(shape, "i1" if name in self.bits else "f32")

    def number(self, value):
        shape = (1,) * len(self.step.result.shape)
        name = self.writer.constant(np.full(shape, value, np.float32))
        self.given.add(name)
        return self.remember(name, shape)

    def operand(self, name):
        value = self.step.operands[name]
        operand = self.writer.operand(value)
        shape = self.step.result.shape
        if operand.shape != shape:
            around = [1] * len(shape)
            around[self.writer.program.channel_dim(self.step.result)] = value.shape[0]
            if tuple(around) != operand.shape:
                operand = self.writer.reshape(operand, tuple(around))
        self.given.add(str(operand))
        return self.remember(str(operand), operand.shape)

    def make(self, op, args, extra=(), is_bit=False):
        """`extra`: (name, type) of what else it takes."""
        name = self.writer.new("t")
        if is_bit:
            self.bits.add(name)
        self.remember(name, np.broadcast_shapes(*(self.shapes[arg] for arg in args)))
        names = ", ".join([*args, *(n for n, _ in extra)])
        types = ", ".join([*map(self.type, args), *(t for _, t in extra)])
        self.writer.put(f"{name} = tosa.{op} {names} : ({types}) -> {self.type(name)}")
        return name

    def emit(self, node):
        if node.op == "number":
            return self.number(node.value)
        if node.op == "operand":
            return self.operand(node.value)
        args = [self.emit(arg) for arg in node.args]
        if node.op in UNARY or node.op in BINARY:
            return self.make({**UNARY, **BINARY}[node.op], args)
        if node.op in COMPARISONS:
            op, swapped = COMPARISONS[node.op]
            return self.make(op, args[::-1] if swapped else args, is_bit=True)
        match node.op:
            case "where":
                return self.make("select", args)
            case "cast":
                return self.make("cast", args)
            case "neg":
                zero = self.writer.zeros(1)
                return self.make("negate", args, [(zero, "tensor<1xf32>")] * 2)
            case "mul":
                shift = self.writer.constant(np.zeros(1, np.int8))
                return self.make("mul", args, [(shift, "tensor<1xi8>")])
        raise Reject
