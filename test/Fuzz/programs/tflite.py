"""Writes programs as TensorFlow Lite files. Columns are Python calls of operators by their names,

    CONV_2D(x, f, b, Padding=VALID, StrideH=s, StrideW=t)

where lists and numbers are constants of int32 and float32, and options are those of the schema. The
result has the shape and the type of the row's, but for what `shape` and `kind` say.
"""

import sys
from pathlib import Path

import numpy as np

from .grammar import Reject

sys.path.append(str(Path(__file__).resolve().parents[2] / "Python"))
import lite_files  # noqa: E402

SAME, VALID = 0, 1
NONE, RELU, RELU_N1_TO_1, RELU6 = range(4)
TYPES = {
    "f32": "FLOAT32", "i32": "INT32", "i64": "INT64", "i1": "BOOL", "i8": "INT8", "packed": "INT32",
}  # fmt: skip
WORD = 32
# The tables of options that are not called after the operator.
OPTIONS = {
    "CONV_2D": "Conv2DOptions", "DEPTHWISE_CONV_2D": "DepthwiseConv2DOptions",
    "MAX_POOL_2D": "Pool2DOptions", "AVERAGE_POOL_2D": "Pool2DOptions", "PADV2": "PadV2Options",
    "MEAN": "ReducerOptions", "SUM": "ReducerOptions", "REDUCE_MAX": "ReducerOptions",
    "REDUCE_MIN": "ReducerOptions", "REDUCE_PROD": "ReducerOptions", "PRELU": None, "RELU": None,
    "RELU6": None, "RELU_N1_TO_1": None, "RELU_0_TO_1": None, "LOGISTIC": None, "TANH": None,
    "FLOOR": None, "CEIL": None, "ROUND": None, "SQRT": None, "RSQRT": None, "LOG": None,
    "SIN": None, "ELU": None, "MAXIMUM": "MaximumMinimumOptions", "REVERSE_V2": "ReverseV2Options",
    "MINIMUM": "MaximumMinimumOptions", "SELECT_V2": "SelectV2Options", "SPLIT_V": "SplitVOptions",
    "ADD_N": "AddNOptions", "BATCH_MATMUL": "BatchMatMulOptions",
}  # fmt: skip
UNARY = {
    "abs": "ABS", "neg": "NEG", "round": "ROUND", "floor": "FLOOR", "ceil": "CEIL", "sqrt": "SQRT",
    "exp": "EXP", "tanh": "TANH",
}  # fmt: skip
BINARY = {
    "add": "ADD", "sub": "SUB", "mul": "MUL", "div": "DIV", "minimum": "MINIMUM",
    "maximum": "MAXIMUM",
}  # fmt: skip
COMPARISONS = {
    "oge": "GREATER_EQUAL", "ogt": "GREATER", "ole": "LESS_EQUAL", "olt": "LESS", "oeq": "EQUAL",
    "une": "NOT_EQUAL",
}  # fmt: skip
OPERATIONS = {*UNARY, *BINARY, *COMPARISONS, "where", "cast", "number", "operand"}


def table_of(op):
    return OPTIONS.get(op, op.title().replace("_", "") + "Options")


def pack(signs):
    """Of +1 and -1 along the last dimension, words of a bit each, which is 1 for -1."""
    rest = -signs.shape[-1] % WORD
    bits = np.pad(signs < 0, [(0, 0)] * (signs.ndim - 1) + [(0, rest)])
    return np.packbits(bits, axis=-1, bitorder="little").view("<i4")


class Operand:
    """A tensor as a column sees it. `scale` and `zero` are those of codes."""

    def __init__(self, index, shape, kind="f32", value=None, scale=None, zero=0):
        self.index, self.shape, self.kind, self.value = index, tuple(shape), kind, value
        self.scale, self.zero = scale, zero
        self.dims = None


class Names(dict):
    """What is no name is an operator."""

    def __init__(self, writer, names, result):
        super().__init__(names)
        self.writer, self.result = writer, result

    def __missing__(self, name):
        if not name[0].isupper():
            raise KeyError(name)

        def write(*operands, shape=None, kind=None, **options):
            shape = self.result.shape if shape is None else shape
            kind = kind or self.result.kind
            return self.writer.node(name, operands, shape, kind, **options)

        return write


class Writer:
    """One file. `dynamic`: the batch, 1 in all shapes, has no size."""

    def __init__(self, program, dynamic=False):
        self.program, self.dynamic = program, dynamic
        self.file, self.operands, self.operators = lite_files.File(), {}, set()

    # What columns use.

    def tensor(self, shape, kind, content=None, scale=None, zero=0, batched=True):
        """One that is computed, or a constant."""
        sizes = list(shape)
        if kind == "packed":
            sizes[-1] = -(-sizes[-1] // WORD)
        signature = None
        if self.dynamic and content is None and batched and sizes:
            signature = [-1, *sizes[1:]]
        codes = {} if scale is None else {"scale": np.atleast_1d(scale), "zero": [zero]}
        if codes and len(codes["scale"]) > 1:
            codes["zero"] = [zero] * len(codes["scale"])
        index = self.file.tensor(sizes, TYPES[kind], content, signature, **codes)
        return Operand(index, shape, kind, scale=scale, zero=zero)

    @property
    def rank(self):
        return max(len(shape) for shape, *_ in self.file.tensors)

    def constant(self, array, kind=None, scale=None, zero=0):
        array = np.array(array, order="C")
        kind = kind or {"float32": "f32", "int8": "i8", "bool": "i1"}.get(array.dtype.name, "i32")
        return self.tensor(array.shape, kind, array, scale, zero)

    def node(self, op, operands, shape, kind, outputs=1, scale=None, zero=0, **options):
        """`shape`: of each of several results, a list of them."""
        self.operators.add(op)
        given = [self._operand(operand) for operand in operands]
        shapes = [shape] if outputs == 1 else shape
        batched = any(self._is_batched(operand) for operand in given)
        results = [self.tensor(s, kind, None, scale, zero, batched) for s in shapes]
        for result in results:
            result.batched = batched
        custom, table = (options, None) if op.startswith("Lce") else (None, table_of(op))
        self.file.operator(
            op,
            [-1 if o is None else o.index for o in given],
            [r.index for r in results],
            custom,
            table,
            options if custom is None else None,
        )
        return results[0] if outputs == 1 else results

    @staticmethod
    def _is_batched(operand):
        return operand is not None and getattr(operand, "batched", False)

    def _operand(self, operand):
        if operand is None or isinstance(operand, Operand):
            return operand
        if isinstance(operand, float):
            return self.constant(np.float32(operand))
        if isinstance(operand, np.ndarray | np.generic):
            return self.constant(operand)
        return self.constant(np.asarray(operand, np.int32))

    def by(self, operand, letters):
        """Another order of the dimensions that the signature has."""
        order = [operand.dims.index(letter) for letter in letters]
        if order == sorted(order):
            return operand
        shape = [operand.shape[i] for i in order]
        if self._is_constant(operand):
            return self.constant(operand.value.array.transpose(order))
        return self.node("TRANSPOSE", [operand, order], shape, operand.kind)

    @staticmethod
    def _is_constant(operand):
        value = operand.value
        return value is not None and value.array is not None and not value.hidden

    def known(self, operand, *shape):
        """A constant, in another shape."""
        if not self._is_constant(operand):
            raise Reject
        return self.constant(operand.value.array.reshape(shape or operand.shape))

    def batched(self, y):
        """A shape whose first size is that of the batch."""
        shape = list(y.shape)
        if self.dynamic and y.value.batched:
            shape[0] = -1
        return shape

    def padded(self, x, pads, value=0.0):
        """An image with rows above and below, columns before and after."""
        if not any(pads):
            return x
        top, left, bottom, right = pads
        n, h, w, c = x.shape
        paddings = [[0, 0], [top, bottom], [left, right], [0, 0]]
        shape = (n, h + top + bottom, w + left + right, c)
        return self.node("PADV2", [x, paddings, value], shape, "f32")

    def codes(self, operand, scale):
        """A constant of bytes with a scale, or one for each output."""
        return self.constant(operand.value.array, "i8", scale)

    def bias(self, operand, scale):
        return self.constant(operand.value.array, "i32", scale)

    def words(self, operand):
        return self.constant(pack(operand.value.array), "i32")

    # Programs.

    def write(self):
        program = self.program
        for value in program.arguments:
            made = self.tensor(value.shape, value.kind, batched=value.batched)
            made.value, made.batched = value, value.batched
            self.operands[value] = made
        for step in program.steps:
            if step.expression is not None:
                made = self._write_expression(step)
            else:
                made = self._write_row(step)
            if made.value is not None or made.shape != tuple(step.result.shape):
                raise Reject  # the expression is one of its operands, or of constants
            made.value, made.batched = step.result, step.result.batched
            self.operands[step.result] = made
        given = [self.operands[value].index for value in program.arguments]
        results = [self.operands[v].index for v in program.results if v not in program.arguments]
        if not results:
            raise Reject
        return self.file.finish(given, results)

    def operand(self, value, dims=None):
        if value not in self.operands:
            made = self.constant(value.array)
            made.value = value
            self.operands[value] = made
        operand = self.operands[value]
        operand.dims = dims
        return operand

    def _write_row(self, step):
        row = self.program.level.row(step.name)
        names = dict(step.letters)
        for operand in row.operands:
            value = step.operands[operand.name]
            dims = self.program._dims(operand)
            if operand.kind in ("bytes", "integers", "signs"):  # written by `codes`, ..
                names[operand.name] = Operand(None, value.shape, value=value)
            else:
                names[operand.name] = self.operand(value, dims)
        result = Operand(None, step.result.shape, step.result.kind, step.result)
        names["y"] = result
        for name in ("by", "known", "batched", "padded", "codes", "bias", "words", "constant"):
            names[name] = getattr(self, name)
        names |= {"SAME": SAME, "VALID": VALID, "np": np}
        names |= {"RELU_": RELU, "RELU6_": RELU6, "RELU_N1_TO_1_": RELU_N1_TO_1}
        return eval(step.template.strip(), {}, Names(self, names, result))

    def _write_expression(self, step):
        operands = {name: self.operand(value) for name, value in step.operands.items()}
        return Elements(self, step, operands).emit(step.expression)


class Elements:
    """`form`: "whole" has numbers of no dimension, "apart" of one; "fused" takes an operator for
    several nodes where there is one."""

    def __init__(self, writer, step, operands):
        self.writer, self.form, self.operands = writer, step.form, operands

    def emit(self, node):
        if self.form == "fused" and (fused := self._fused(node)):
            return fused
        if node.op == "number":
            shape = (1,) if self.form == "apart" else ()
            return self.writer.constant(np.full(shape, node.value, np.float32))
        if node.op == "operand":
            return self.operands[node.value]
        args = [self.emit(arg) for arg in node.args]
        if node.op == "where":
            return self._node("SELECT_V2", args)
        if node.op == "cast":
            return self._node("CAST", args)
        if node.op in COMPARISONS:
            return self._node(COMPARISONS[node.op], args, "i1")
        return self._node((UNARY | BINARY)[node.op], args)

    def _node(self, op, args, kind="f32"):
        shape = np.broadcast_shapes(*(arg.shape for arg in args))
        return self.writer.node(op, args, shape, kind)

    def _fused(self, node):
        match node.op, [arg.op for arg in node.args]:
            case "minimum", ["maximum", "number"]:
                (x, low), high = node.args[0].args, node.args[1].value
                ops = {(0, 6): "RELU6", (-1, 1): "RELU_N1_TO_1", (0, 1): "RELU_0_TO_1"}
                if low.op == "number" and (op := ops.get((low.value, high))):
                    return self._node(op, [self.emit(x)])
            case "maximum", ["operand", "number"] if node.args[1].value == 0:
                return self._node("RELU", [self.emit(node.args[0])])
        return None
