"""Operands of any framework, constants and values, and the operation that they are written into."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import mlir
from ..shapes import INTEGERS, Batch, TensorType, UnsupportedOp, element_type

# NumPy's types of integers.
DTYPES = {"i32": np.int32, "i64": np.int64}


@dataclass
class Operand:
    """A tensor of the graph: a value of the program, a constant, or (quantized filters, with
    `signs`) a constant that is written out as operations all the same."""

    shape: tuple[int | Batch, ...]
    element: str
    value: mlir.Value | None = None
    constant: np.ndarray | None = None
    hint: str = ""  # the parameter a constant comes from
    signs: bool = False
    unsigned: bool = False  # bytes without a sign, which are floats in the program
    write: Callable[[], mlir.Value | Operand] | None = None  # writes the value where it is wanted
    # Of codes of 8 bits, any of which may occur: bytes with a sign, of those without one less 128.
    bytes: Operand | None = None
    coded: Coded | None = None  # what it stands for, where it is codes that are decoded
    waiting: int = 0  # of codes: how many in a row are written where this one is

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def varies(self) -> bool:
        """Whether a constant depends on the size of the batch."""
        return False

    @property
    def number(self) -> np.ndarray | None:
        """The elements, where they are known and stand in the program as they are."""
        return None if self.signs else self.constant


@dataclass
class Coded:
    """Codes that stand for (code - zero) * scale, by constants: one number each, or one for each
    index of an axis. `bounds`: the least and the largest code."""

    codes: Operand
    scales: np.ndarray  # f32
    zeros: np.ndarray  # i32
    axis: int
    bounds: tuple[int, int]

    @property
    def is_uniform(self) -> bool:
        return self.scales.size == self.zeros.size == 1

    @property
    def falls(self) -> bool:
        """Whether some number is smaller the larger its code is."""
        return bool((self.scales < 0).any())

    def means_as(self, other: Coded) -> bool:
        """Whether equal codes of both stand for the same; of one scale each."""
        return (
            self.is_uniform
            and other.is_uniform
            and self.codes.unsigned == other.codes.unsigned
            and self.scales[0] == other.scales[0]
            and self.zeros[0] == other.zeros[0]
        )


class Context:
    """One operation: its result type, and how to write it."""

    def __init__(self, writer: mlir.Writer, type_: TensorType):
        self.writer = writer
        self.type = type_

    @property
    def shape(self) -> tuple[int | Batch, ...]:
        return self.type.shape

    def context(self, shape, element: str = "f32") -> Context:
        """What writes a value on the way to the result."""
        return Context(self.writer, TensorType(tuple(shape), element))

    def value(self, operand: Operand | mlir.Value) -> mlir.Value:
        """The operand as a tensor of the program."""
        if isinstance(operand, mlir.Value):
            return operand
        if operand.value is None:
            if operand.write is not None:
                operand.value = self.value(operand.write())
            else:
                operand.value = self._constant(operand.constant, operand.hint)
        return operand.value

    def factor(self, operand: Operand | mlir.Value) -> mlir.Value:
        """The operand of a product: filters are numbers. What is quantized is looked at there."""
        if isinstance(operand, Operand) and operand.constant is not None and not operand.signs:
            array = operand.constant
            if array.dtype.kind == "f" and np.isnan(array).any():
                at = np.argwhere(np.isnan(array))[0].tolist()
                raise ValueError(f"'{operand.hint}': expected numbers, but got nan at {at}")
        return self.value(operand)

    def _constant(self, array: np.ndarray, hint: str) -> mlir.Value:
        if array.dtype == np.float64 or is_code(array.dtype):
            array = _to_float32(array)
        # A copy: what `Network.save` writes later is what was compiled, whatever
        # happens to the model in between.
        return self.writer.constant(array.copy(order="C"), hint)

    def elementwise(
        self, build, *operands, type_: TensorType | None = None, element: str | None = None
    ) -> mlir.Value:
        """One linalg.generic over the broadcast operands: Operands, values or numbers. Integers
        beside floats, or for a result of floats, become floats, codes for a result of integers
        become integers, and so does all of it where `element` says what it is computed in. Bits
        are numbers where they are computed with, and a number is a bit where the result is one."""
        type_ = type_ or self.type
        has_codes = element is None and type_.element in INTEGERS
        element = element or _common(operands, type_)

        def as_common(b, x):
            if has_codes and b.elements[x] == "f32":
                return b.to_code(x, element)
            return b.to_number(x) if b.elements[x] in INTEGERS else x

        def typed(b, *names):
            result = build(b, *(as_common(b, name) for name in names))
            return b.as_bit(result) if type_.element == "i1" else b.as_number(result)

        values = [self._broadcast(o, type_, element) for o in operands]
        return self.writer.elementwise(typed, values, type_, element)

    def _broadcast(self, operand, type_: TensorType, element: str):
        """A number, or a value and the dimensions of `type_` that it has."""
        if isinstance(operand, Batch):
            operand._unknown()
        if isinstance(operand, (int, float)):
            return operand if element in INTEGERS else float(operand)
        rank = len(type_.shape)
        if isinstance(operand, Operand) and operand.number is not None:
            array = operand.constant
            if array.dtype != np.bool_:
                array = array.astype(DTYPES[element]) if element in DTYPES else _to_float32(array)
                if array.size == 1:
                    return array.item()
            if array.shape == type_.shape and array.dtype == operand.constant.dtype:
                return self.value(operand), list(range(rank))
            # A parameter of channels is a vector, however the framework has shaped it.
            first = rank - array.ndim
            dims = [first + i for i, size in enumerate(array.shape) if size != 1]
            vector = array.reshape([size for size in array.shape if size != 1])
            return self._constant(vector, operand.hint), dims
        value = self.value(operand)
        first = rank - len(value.shape)
        dims = [first + i for i, size in enumerate(value.shape) if size == type_.shape[first + i]]
        return self.writer.reshape(value, [type_.shape[d] for d in dims]), dims

    def channels(self, vector: np.ndarray | Operand | mlir.Value, dim: int):
        """A vector along one dimension of the result, as an operand of `elementwise`."""
        shape = [1] * len(self.shape)
        if isinstance(vector, mlir.Value):
            shape[dim] = math.prod(vector.shape)
            return self.writer.reshape(vector, shape)
        operand = vector if isinstance(vector, Operand) else constant(vector)
        shape[dim] = operand.size
        if operand.number is not None:
            array = operand.constant
            # Codes, zero points among them, are whole floats.
            array = _to_float32(array) if is_code(array.dtype) else array
            return constant(array.reshape(shape), operand.hint)
        return self.writer.reshape(self.value(operand), shape)


class Node(Context):
    """An operation of a graph: the types of its results (None for one left out), of which the first
    is the context's, and its options."""

    # Whether a reduction over an empty list of axes leaves all as it is, where no option says so.
    keeps_without_axes = False

    def __init__(self, writer: mlir.Writer, types, name: str = "", options: dict | None = None):
        super().__init__(writer, types[0])
        self.types, self.name, self.options = types, name, options or {}

    def get(self, name: str, default=None):
        """An option; PyTorch's are arguments."""
        return self.options.get(name, default)

    def typed(self, element: str) -> Node:
        """The same with a result of another type."""
        result = copy.copy(self)
        result.type = TensorType(self.shape, element)
        result.types = [result.type, *self.types[1:]]
        return result

    def contexts(self) -> list[Context]:
        return [Context(self.writer, type_) for type_ in self.types]


def _common(operands, type_: TensorType) -> str:
    """What operands are computed in: the result's integers; else f32 if any is a float, or the
    result is. Floats beside integers as result are codes."""
    if type_.element in INTEGERS:
        return type_.element
    numbers = [o for o in operands if isinstance(o, float)]
    elements = {
        o.type.element if isinstance(o, mlir.Value) else o.element
        for o in operands
        if isinstance(o, (Operand, mlir.Value))
    }
    whole = elements & set(INTEGERS)
    if "f32" in (*elements, type_.element):
        return "f32"
    fractions = not all(number.is_integer() for number in numbers)
    return max(whole) if whole and not fractions else "f32"


def constant(array: np.ndarray, hint: str = "constant") -> Operand:
    """TypeError for elements that do not occur in networks."""
    element = "f64" if array.dtype == np.float64 else element_type(array.dtype)
    return Operand(tuple(array.shape), element, constant=array, hint=hint)


def array(operand: Operand | None, what: str) -> np.ndarray:
    """A constant operand."""
    if operand is None or operand.constant is None:
        raise UnsupportedOp(f"expected constant {what}, but they are computed at run time")
    if operand.varies:
        raise UnsupportedOp(f"expected {what} that do not depend on the size of the batch")
    return operand.constant


def numbers(given, what: str) -> list | None:
    """A constant operand, or an argument of torch's, as a list of numbers."""
    if isinstance(given, Operand):
        return array(given, what).reshape(-1).tolist()
    return [given] if isinstance(given, int) else given and list(given)


def is_code(dtype: np.dtype) -> bool:
    """Whether a type is one of codes, which are whole floats in the program."""
    return dtype in (np.int8, np.uint8, np.int16, np.uint16)


def positive(dim: int, rank: int) -> int:
    return dim + rank if dim < 0 else dim


def _to_float32(array: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return array.astype(np.float32)
