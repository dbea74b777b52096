"""Writes MLIR of the form "linalg on tensors" as text, without any framework and without MLIR.

Large constants are not part of the text: `Program.resources` holds them, and the compiler takes
them by pointer. `Program.text(resources=True)` writes them out, for files.
"""

from __future__ import annotations

import contextlib
import math
import re
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .shapes import (
    INTEGERS,
    Batch,
    TensorType,
    UnsupportedOp,
    check_sizes,
    element_type,
    reassociation,
)

if TYPE_CHECKING:
    from ..torch.structure import Structure

# Constants up to this many bytes stand in the text, where MLIR's own folders see them.
INLINE_BYTES = 4096


@dataclass(frozen=True)
class Value:
    """An SSA value: `%name`, a tensor or (shape None) a scalar."""

    name: str
    type: TensorType | str

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape


@dataclass(frozen=True)
class State:
    """What a function keeps from one call to the next: one more argument, which is `initial` at the
    first call, and one more result, which is the argument of the next."""

    name: str
    initial: np.ndarray


@dataclass
class Program:
    """One function of a module, and the constants its text refers to. `structure` makes a list
    of inputs of what the model takes, and what it returns of the list of results; None where these
    are tensors one by one."""

    name: str
    inputs: list[TensorType]
    outputs: list[TensorType]
    module: str
    resources: dict[str, NDArray[Any]] = field(default_factory=dict)
    structure: Structure | None = None

    def text(self, resources: bool = False) -> str:
        """The module; with `resources` it is complete, as a file has to be."""
        if not resources or not self.resources:
            return self.module
        alignment = struct.pack("<I", 64).hex()
        blobs = ",\n".join(
            f'      {key}: "0x{alignment}{array.tobytes().hex()}"'
            for key, array in self.resources.items()
        )
        return (
            f"{self.module}\n{{-#\n  dialect_resources: {{\n    builtin: {{\n{blobs}\n"
            "    }\n  }\n#-}\n"
        )


def float_literal(value: float) -> str:
    """An f32 in decimal, exactly, or in hexadecimal where decimal has no word for it."""
    value = np.float32(value)
    if not np.isfinite(value):
        return f"0x{struct.unpack('<I', struct.pack('<f', value))[0]:08X}"
    text = repr(float(value))
    return text if "." in text else text.replace("e", ".0e")


def literal(array: np.ndarray) -> str:
    """The `dense<...>` of an array."""
    if array.size == 0:
        raise ValueError(f"expected a constant with elements, but got the shape {array.shape}")
    if array.dtype == np.bool_:
        body = str(array.tolist()).lower()
    elif array.dtype != np.float32:
        body = str(array.flat[0] if (array == array.flat[0]).all() else array.tolist())
    elif array.size == 1 or (array.view(np.int32) == array.view(np.int32).flat[0]).all():
        body = float_literal(array.flat[0])
    else:
        body = f'"0x{array.tobytes().hex().upper()}"'
    return f"dense<{body}>"


# What operations are called whose operands may be floats or integers.
_OPERATIONS = {
    "abs": ("math.absf", "math.absi"),
    "add": ("arith.addf", "arith.addi"),
    "max": ("arith.maximumf", "arith.maxsi"),
    "min": ("arith.minimumf", "arith.minsi"),
    "mul": ("arith.mulf", "arith.muli"),
    "neg": ("arith.negf", "arith.subi"),
    "sub": ("arith.subf", "arith.subi"),
}
_LOGIC = ("arith.andi", "arith.ori", "arith.xori")
_PREDICATES_OF_INTEGERS = {
    "oeq": "eq", "une": "ne", "ogt": "sgt", "oge": "sge", "olt": "slt", "ole": "sle",
}  # fmt: skip


class Body:
    """The scalar operations inside one linalg.generic. `element` is what it computes in: f32 or
    integers."""

    def __init__(self, writer: Writer, element: str = "f32"):
        self._writer, self.element = writer, element
        self.lines: list[str] = []
        self.elements: dict[str, str] = {}

    def _add(self, text: str, element: str) -> str:
        name = self._writer.fresh()
        self.lines.append(f"    {name} = {text}{self._writer.location_suffix()}")
        self.elements[name] = element
        return name

    def __call__(self, op: str, *operands: str) -> str:
        """An operation whose operands and result have one type: `add`, `mul` and the like of floats
        or integers, any other by its name in MLIR. Bits are numbers, but for logic among them."""
        if op not in _LOGIC or any(self.elements[x] != "i1" for x in operands):
            operands = tuple(map(self.as_number, operands))
        element = self.elements[operands[0]]
        whole = element in INTEGERS
        if op == "neg" and whole:
            operands = (self.number(0), *operands)
        op = _OPERATIONS[op][whole] if op in _OPERATIONS else op
        if whole and (op.startswith("math.") and op != "math.absi" or op.endswith("f")):
            raise UnsupportedOp(f"expected floats, but got integers for {op}")
        return self._add(f"{op} {', '.join(operands)} : {element}", element)

    def compare(self, predicate: str, a: str, b: str) -> str:
        """Of numbers; a bit is one."""
        a, b = self.as_number(a), self.as_number(b)
        element = self.elements[a]
        if element not in INTEGERS:
            return self._add(f"arith.cmpf {predicate}, {a}, {b} : f32", "i1")
        if predicate == "uno":  # no integer is NaN
            return self._add("arith.constant false", "i1")
        predicate = _PREDICATES_OF_INTEGERS[predicate]
        return self._add(f"arith.cmpi {predicate}, {a}, {b} : {element}", "i1")

    def select(self, condition: str, a: str, b: str) -> str:
        if self.elements[a] != self.elements[b]:
            a, b = self.as_number(a), self.as_number(b)
        element = self.elements[a]
        return self._add(f"arith.select {condition}, {a}, {b} : {element}", element)

    def as_number(self, x: str) -> str:
        """A bit as 0 or 1."""
        return self.to_number(x) if self.elements[x] == "i1" else x

    def as_bit(self, x: str) -> str:
        """Whether a number is not 0."""
        return x if self.elements[x] == "i1" else self.compare("une", x, self.number(0.0))

    def to_number(self, x: str) -> str:
        """A bit (0 or 1), an unsigned byte or an integer as what the body computes in."""
        given, wanted = self.elements[x], self.element
        if given == wanted:
            return x
        if wanted == "f32":
            op = "arith.sitofp" if given in INTEGERS else "arith.uitofp"
        elif given in INTEGERS:
            op = "arith.extsi" if given < wanted else "arith.trunci"
        else:
            op = "arith.extui"
        return self._add(f"{op} {x} : {given} to {wanted}", wanted)

    def from_signed(self, x: str) -> str:
        """A signed code as what the body computes in."""
        op = "arith.sitofp" if self.element == "f32" else "arith.extsi"
        return self._add(f"{op} {x} : {self.elements[x]} to {self.element}", self.element)

    def to_code(self, x: str, element: str) -> str:
        """A whole float as a code, into which it fits; `i8`, `i16`, or the same without a sign."""
        if not element.startswith("u"):
            return self._add(f"arith.fptosi {x} : f32 to {element}", element)
        wide = self._add(f"arith.fptosi {x} : f32 to i32", "i32")
        return self._add(f"arith.trunci {wide} : i32 to {element[1:]}", element[1:])

    def truncate(self, x: str, element: str) -> str:
        """An integer as a shorter one, into which it fits."""
        return self._add(f"arith.trunci {x} : {self.elements[x]} to {element}", element)

    def to_integer(self, x: str, fits: str, element: str) -> str:
        """A float towards zero; the least integer where it does not fit."""
        least = self.number(float("-inf"), element)
        return self.select(fits, self._add(f"arith.fptosi {x} : f32 to {element}", element), least)

    def number(self, value: float, element: str = "") -> str:
        """A constant, defined outside of the body, by default of what that computes in."""
        scalar = self._writer.scalar(value, element or self.element)
        self.elements[scalar.name] = scalar.type
        return scalar.name

    def index(self, dim: int) -> str:
        """The place along a dimension of the loops."""
        at = self._add(f"linalg.index {dim} : index", "index")
        return self._add(f"arith.index_cast {at} : index to {self.element}", self.element)

    def is_ahead(self, loop: int, other: int) -> str:
        """Whether one loop has not come as far as the other."""
        places = [self._add(f"linalg.index {d} : index", "index") for d in (loop, other)]
        return self._add(f"arith.cmpi ult, {places[0]}, {places[1]} : index", "i1")

    def is_beyond(self, loop: int, other: int, shift: int) -> str:
        """Whether one loop has come at least `shift` farther than the other."""
        places = [self._add(f"linalg.index {d} : index", "index") for d in (loop, other)]
        distance = self._add(f"arith.subi {', '.join(places)} : index", "index")
        least = self._add(f"arith.constant {shift} : index", "index")
        return self._add(f"arith.cmpi sge, {distance}, {least} : index", "i1")

    def negate(self, bit: str) -> str:
        true = self._add("arith.constant true", "i1")
        return self("arith.xori", bit, true)

    def extract(self, value: Value, places) -> str:
        """An element of a whole tensor. Each place is the number of a loop, or a value and how many
        places there are: one beyond them reads the nearest."""
        indices = []
        for place in places:
            if isinstance(place, int):
                indices.append(self._add(f"linalg.index {place} : index", "index"))
                continue
            at, size = place
            low = self("max", at, self.number(0))
            at = self("min", low, self.number(size - 1))
            indices.append(self._add(f"arith.index_cast {at} : {self.element} to index", "index"))
        text = f"tensor.extract {value.name}[{', '.join(indices)}] : {value.type}"
        return self._add(text, value.type.element)


class Writer:
    """Builds one function. Every operation takes the location that is current (`at`)."""

    def __init__(self):
        self.resources: dict[str, np.ndarray] = {}
        self._constants: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self._scalars: dict[bytes, Value] = {}
        self._locations: dict[str, str] = {}
        self._location = ""
        self._batch: Value | None = None  # whose leading dimension is the batch
        self._sizes: dict[int, str] = {}

    # Names and places.

    def fresh(self) -> str:
        self._count += 1
        return f"%{self._count - 1}"

    @contextlib.contextmanager
    def at(self, name: str, file: str = "", line: int = 0):
        """Operations inside carry the name of a layer and, where known, the line of its source."""
        quoted = _quote(name)
        text = f"{quoted}({_quote(file)}:{line}:0)" if file else quoted
        before = self._location
        self._location = self._locations.setdefault(text, f"#loc{len(self._locations)}")
        try:
            yield
        finally:
            self._location = before

    def later(self, write):
        """A function that writes what it does now at the place that is current."""
        location = self._location

        def written():
            before, self._location = self._location, location
            try:
                return write()
            finally:
                self._location = before

        return written

    def location_suffix(self) -> str:
        return f" loc({self._location})" if self._location else ""

    def op(self, text: str, result: TensorType) -> Value:
        name = self.fresh()
        self._lines.append(f"  {name} = {text}{self.location_suffix()}")
        return Value(name, result)

    # Sizes.

    def take_batch(self, argument: Value) -> None:
        """Says that the leading dimension of an argument is the batch."""
        self._batch = self._batch or argument

    def sizes(self, shape) -> str:
        """A list of static and dynamic sizes, `[%n, 4]`."""
        return f"[{', '.join(self._size(d) if isinstance(d, Batch) else str(d) for d in shape)}]"

    def _size(self, batch: Batch) -> str:
        """The index value `rows` times the size of the batch."""
        if batch.rows not in self._sizes:
            name, number = self.fresh(), self.fresh()
            value = 0 if batch.rows == 1 else batch.rows
            self._constants.append(f"  {number} = arith.constant {value} : index")
            source = self._batch
            text = f"tensor.dim {source.name}, {number} : {source.type}"
            if batch.rows != 1:
                text = f"arith.muli {self._size(Batch())}, {number} : index"
            self._constants.append(f"  {name} = {text}")
            self._sizes[batch.rows] = name
        return self._sizes[batch.rows]

    # Constants.

    def scalar(self, value: float, element: str = "f32") -> Value:
        """Of integers an infinite one is the least or the greatest."""
        if element in (*INTEGERS, "i8"):
            most = 2 ** (int(element[1:]) - 1)
            value = int(min(max(value, -most), most - 1))
            key, text = f"{element}{value}".encode(), str(value)
        elif element == "i1":
            key, text = f"{element}{bool(value)}".encode(), str(int(bool(value)))
        else:
            key, text = struct.pack("<f", value), float_literal(value)
        if key not in self._scalars:
            name = self.fresh()
            self._constants.append(f"  {name} = arith.constant {text} : {element}")
            self._scalars[key] = Value(name, element)
        return self._scalars[key]

    def constant(self, array: np.ndarray, hint: str = "constant") -> Value:
        """`hint` names the resource and the place of a large constant."""
        type_ = _type(array)
        if array.size == 0:
            return self.empty(type_)
        attribute = self.attribute(array, hint)
        name = self.fresh()
        with self.at(hint):
            suffix = self.location_suffix()
        self._constants.append(f"  {name} = arith.constant {attribute}{suffix}")
        return Value(name, type_)

    def attribute(self, array: np.ndarray, hint: str) -> str:
        """An array as an attribute with its type; large ones are resources, named after `hint`."""
        type_ = _type(array)
        array = np.ascontiguousarray(array).reshape(type_.shape)
        if array.nbytes <= INLINE_BYTES or array.dtype == np.bool_:
            return f"{literal(array)} : {type_}"
        key = self._resource_key(hint)
        self.resources[key] = array
        return f"dense_resource<{key}> : {type_}"

    def _resource_key(self, hint: str) -> str:
        """In ASCII, as MLIR has it."""
        base = re.sub(r"\W", "_", hint, flags=re.ASCII)
        base = key = base if base and not base[0].isdigit() else f"_{base}"
        n = 1
        while key in self.resources:
            key, n = f"{base}_{n}", n + 1
        return key

    # Operations that every importer wants.

    def empty(self, type_: TensorType) -> Value:
        sizes = self.sizes(d for d in type_.shape if isinstance(d, Batch))
        return self.op(f"tensor.empty({sizes[1:-1]}) : {type_}", type_)

    def fill(self, value: float, type_: TensorType) -> Value:
        return self.structured("fill", [self.scalar(value, type_.element)], self.empty(type_))

    def structured(self, op: str, operands, init: Value, attributes: str = "") -> Value:
        """An operation of linalg that has a name, into `init`."""
        return self.op(
            f"linalg.{op}{attributes} ins({_listed(operands)}) outs({_listed([init])}) "
            f"-> {init.type}",
            init.type,
        )

    def generic(self, build, operands, maps, init, init_map, element: str = "f32") -> Value:
        """A linalg.generic into `init`. The maps are lists of loops, one for each dimension; those
        that `init_map` has not are reductions. `build` gets a Body and the names of all block
        arguments."""
        maps = [list(dims) for dims in (*maps, init_map)]
        loops = range(1 + max((d for dims in maps for d in dims), default=-1))
        body = Body(self, element)
        names = [self.fresh() for _ in (*operands, init)]
        for name, value in zip(names, (*operands, init), strict=True):
            body.elements[name] = value.type.element
        result = build(body, *names)
        arguments = ", ".join(f"{name}: {body.elements[name]}" for name in names)
        affine = ", ".join(f"affine_map<({_loops(loops)}) -> ({_loops(dims)})>" for dims in maps)
        kinds = ", ".join('"parallel"' if d in maps[-1] else '"reduction"' for d in loops)
        lines = [
            f"linalg.generic {{indexing_maps = [{affine}], iterator_types = [{kinds}]}} "
            f"{f'ins({_listed(operands)}) ' if operands else ''}outs({_listed([init])}) {{",
            f"  ^bb0({arguments}):",
            *body.lines,
            f"    linalg.yield {result} : {body.elements[result]}{self.location_suffix()}",
            f"  }} -> {init.type}",
        ]
        return self.op("\n".join(lines), init.type)

    def elementwise(self, build, operands, result: TensorType, element: str = "f32") -> Value:
        """One linalg.generic over all elements of the result, computed in `element`. Each operand
        is a number, or a value and the dimensions of the result that its own dimensions are."""
        tensors = [o for o in operands if not isinstance(o, (int, float))]

        def with_numbers(body, *names):
            rest = iter(names)
            arguments = [
                body.number(o) if isinstance(o, (int, float)) else next(rest) for o in operands
            ]
            return build(body, *arguments)

        values, maps = [value for value, _ in tensors], [dims for _, dims in tensors]
        every = range(len(result.shape))
        return self.generic(with_numbers, values, maps, self.empty(result), every, element)

    def from_codes(self, value: Value) -> Value:
        """Floats of a tensor of codes, `i8`, `i16`, or the same without a sign; arithmetic knows
        integers without a sign only."""
        dims, result = range(len(value.shape)), TensorType(value.shape)
        if not value.type.element.startswith("u"):
            return self.elementwise(lambda body, x: body.from_signed(x), [(value, dims)], result)
        value = self.bitcast(value, value.type.element[1:])
        return self.elementwise(lambda body, x: body.to_number(x), [(value, dims)], result)

    def to_codes(self, value: Value, element: str = "i8") -> Value:
        """A tensor of codes, of whole floats that fit."""
        dims, bits = range(len(value.shape)), TensorType(value.shape, element.removeprefix("u"))
        codes = self.elementwise(lambda body, x: body.to_code(x, element), [(value, dims)], bits)
        return self.bitcast(codes, element)

    def bitcast(self, value: Value, element: str) -> Value:
        """Integers with a sign as those without one, or the other way around."""
        type_ = TensorType(value.shape, element)
        if value.type == type_:
            return value
        return self.op(f"tensor.bitcast {value.name} : {value.type} to {type_}", type_)

    def byte_of(self, value: Value) -> Value:
        """The only element of a tensor of i32 without dimensions, as a byte into which it fits."""
        number = Value(self.fresh(), "i32")
        self._lines.append(f"  {number.name} = tensor.extract {value.name}[] : {value.type}")
        byte = Value(self.fresh(), "i8")
        self._lines.append(f"  {byte.name} = arith.trunci {number.name} : i32 to i8")
        return byte

    def pad(self, value: Value, low, high, fill: float | Value) -> Value:
        """`value` itself where there is nothing to add."""
        if not any(low) and not any(high):
            return value
        number = fill if isinstance(fill, Value) else self.scalar(fill, value.type.element)
        shape = tuple(
            d + a + b if a or b else d for d, a, b in zip(value.shape, low, high, strict=True)
        )
        type_ = TensorType(shape, value.type.element)
        indices = ", ".join(f"{self.fresh()}: index" for _ in shape)
        return self.op(
            f"tensor.pad {value.name} low{list(low)} high{list(high)} {{\n  ^bb0({indices}):\n"
            f"    tensor.yield {number.name} : {number.type}\n  }} : {value.type} to {type_}",
            type_,
        )

    def transpose(self, value: Value, permutation) -> Value:
        type_ = TensorType(tuple(value.shape[p] for p in permutation), value.type.element)
        init = self.empty(type_)
        return self.op(
            f"linalg.transpose ins({value.name} : {value.type}) outs({init.name} : {type_}) "
            f"permutation = {list(permutation)}",
            type_,
        )

    def insert(self, part: Value, value: Value, offsets, steps) -> Value:
        """`value` with `part` in place of some of its elements."""
        return self.op(
            f"tensor.insert_slice {part.name} into {value.name}{list(offsets)} "
            f"{self.sizes(part.shape)} {list(steps)} : {part.type} into {value.type}",
            value.type,
        )

    def reshape(self, value: Value, shape) -> Value:
        """A collapse_shape, an expand_shape, both, or the value itself."""
        shape = tuple(shape)
        if value.shape == shape:
            return value
        if 0 in shape and 0 in value.shape:
            return self.empty(TensorType(shape, value.type.element))
        if not value.shape or not shape:
            check_sizes(value.shape, shape)
            op = "collapse_shape" if value.shape else "expand_shape"
            return self._reassociate(op, value, [], TensorType(shape))
        groups = reassociation(value.shape, shape)
        middle = tuple(math.prod(value.shape[i] for i in old) for old, _ in groups)
        if middle != value.shape:
            value = self._reassociate(
                "collapse_shape", value, [old for old, _ in groups], TensorType(middle)
            )
        if middle != shape:
            value = self._reassociate(
                "expand_shape", value, [new for _, new in groups], TensorType(shape)
            )
        return value

    def _reassociate(self, op: str, value: Value, groups, type_: TensorType) -> Value:
        type_ = TensorType(type_.shape, value.type.element)
        output = f" output_shape {self.sizes(type_.shape)}" if op == "expand_shape" else ""
        return self.op(
            f"tensor.{op} {value.name} {groups}{output} : {value.type} into {type_}", type_
        )

    def finish(
        self, name: str, arguments: list[Value], results: list[Value], states: list[State] = ()
    ) -> Program:
        """`states`: those that the last arguments and results are."""
        inputs, outputs = [v.type for v in arguments], [v.type for v in results]
        aliases = "".join(f"{alias} = loc({text})\n" for text, alias in self._locations.items())
        given = [f"{v.name}: {v.type}" for v in arguments]
        types = ", ".join(map(str, outputs))
        made, first = [str(type_) for type_ in outputs], len(arguments) - len(states)
        for i, state in enumerate(states):
            name_, at = f"bquant.name = {_quote(state.name)}", len(outputs) - len(states) + i
            initial = f"{literal(state.initial)} : {inputs[first + i]}"
            given[first + i] += f" {{{name_}, bquant.initial = {initial}}}"
            made[at] += f" {{{name_}, bquant.updates = {first + i} : i64}}"
        lines = [
            f"func.func @{name}({', '.join(given)}) -> ({', '.join(made)}) {{",
            *self._constants,
            *self._lines,
            f"  return {', '.join(v.name for v in results)} : {types}",
            "}",
        ]
        return Program(name, inputs, outputs, aliases + "\n".join(lines) + "\n", self.resources)


def _type(array: np.ndarray) -> TensorType:
    """Of a constant; bytes occur in programs, but in no network's parameters as they are."""
    element = "i8" if array.dtype == np.int8 else element_type(array.dtype)
    return TensorType(tuple(array.shape), element)


def windows(stride, dilation) -> str:
    """Attributes of a convolution or a pooling."""
    dilations, strides = (f"dense<{list(v)}> : tensor<2xi64>" for v in (dilation, stride))
    return f" {{dilations = {dilations}, strides = {strides}}}"


def _listed(values) -> str:
    """`%0, %1 : tensor<2xf32>, f32`"""
    return f"{', '.join(v.name for v in values)} : {', '.join(str(v.type) for v in values)}"


def _loops(dims) -> str:
    return ", ".join(f"d{d}" for d in dims)


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
