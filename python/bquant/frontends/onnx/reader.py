"""Reads an ONNX model and writes MLIR on tensors, in ONNX' own layout (NCHW).

Node by node: onnx' own inference says the types of the outputs. What depends on constants alone is
computed by onnx' reference evaluator, except quantized filters: from the first sign of an
initializer on, nodes are written out, so that `--bquant-raise` recognises the quantization. All
else is written by the operator's function, in `common.operators`, or here in `elementwise`,
`products`, `pooling`, `quantize`, `resize` and `shapes`; QONNX' quantizers and operators on codes
become other nodes of ONNX first (`qonnx`, `qlinear`).

A leading dimension of an input that has no size is the batch. Types, and the constants that are
made of them (`Shape`), are then found for several sizes of it, two of them primes that nothing else
has: what grows with all of them is a multiple of the batch. The small ones tell what is cut off at
a size, or chosen by it.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

from ..common import mlir, names
from ..common.importer import INVALID as WRONG
from ..common.importer import GraphImporter, live, mark_signs
from ..common.messages import because, listed
from ..common.operators import codes
from ..common.operators.context import Context
from ..common.shapes import Batch, TensorType, UnsupportedOp
from ..common.table import ONNX
from . import (  # noqa: F401  (they fill ONNX)
    channels_last,
    einsum,
    elementwise,
    opsets,
    places,
    pooling,
    products,
    qlinear,
    qonnx,
    quantize,
    resize,
    scales,
    shapes,
    thresholds,
)
from .context import ALIASES, SIGNS, Node, Tensor
from .functions import INVALID, inline, inline_own
from .load import Loaded, load, name_of, opset, parse, prepare
from .quantize import CODES
from .rewriting import check_operands

# Sizes of the batch that are tried.
PROBES = 7919, 7907, 3, 2, 1

ELEMENTS = {
    TensorProto.FLOAT: "f32",
    TensorProto.BOOL: "i1",
    TensorProto.INT32: "i32",
    TensorProto.INT64: "i64",
    TensorProto.DOUBLE: "f64",
}


class GatherElements(OpRun):
    """The evaluator's own takes no more elements along the axis than np.choose."""

    op_domain = ""

    def _run(self, data, indices, axis=0):
        part = [slice(size) for size in indices.shape]
        part[axis] = slice(None)
        return (np.take_along_axis(data[tuple(part)], indices, axis),)


INTEGERS = (TensorProto.INT32, TensorProto.INT64)

# What goes in and out; between, codes are whole floats.
CODED = {
    TensorProto.UINT8: "ui8",
    TensorProto.INT8: "i8",
    TensorProto.UINT16: "ui16",
    TensorProto.INT16: "i16",
}
RESULTS = (TensorProto.FLOAT, TensorProto.BOOL, *INTEGERS, *CODED)
TYPES = "float32, uint8, int8, uint16, int16, int32, int64 or bool"

# Operators of whose constants alone it is known how many elements they give.
COUNTED = {"Compress", "NonZero", "Unique"}

# What is known of a tensor's type alone.
SIZES = {"Shape", "Size"}

# Operators that constants alone do not decide: with graphs of their own, or of random numbers.
OPEN = {
    "Bernoulli", "If", "Loop", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
    "RandomUniformLike", "Scan",
}  # fmt: skip

# Operators whose older schemas, of the same meaning, do not infer a shape.
INFERRED_SINCE = {"GreaterOrEqual": 16, "LessOrEqual": 16}

# Operators whose result is like the first operand, which no schema infers.
LIKE_FIRST = {"GroupNormalization"}

# Operators whose operands, but for the first, say a shape and are used in no other way.
SHAPED = {"Expand", "Reshape", "Resize", "Slice", "Split"}


# What exporters call each graph: torch by its two ways, and tf2onnx.
EXPORTERS = {"main_graph", "torch_jit", "torch-jit-export", "tf2onnx"}


def import_file(path: str) -> mlir.Program:
    return _import(load(path), names.of_file(path))


def import_bytes(content: bytes) -> mlir.Program:
    return _import(parse(content))


def import_model(model: onnx.ModelProto) -> mlir.Program:
    return _import(prepare(model, "the model", None))


def _import(loaded: Loaded, file: str = "") -> mlir.Program:
    """The function is called after the graph, unless an exporter calls all of its graphs so."""
    name = loaded.model.graph.name
    graph = name if isinstance(name, str) else ""  # what is not UTF-8, protobuf gives as bytes
    candidates = (file, graph) if graph in EXPORTERS else (graph, file)
    try:
        return _Importer(loaded).run(names.function_name(*candidates))
    except RecursionError:  # each is written where the next one is
        text = "expected fewer quantizations, or operators on signs of constants, in a row"
        raise UnsupportedOp(text) from None


def _dtype(number: int) -> str:
    return TensorProto.DataType.Name(number).lower()


class _Importer(GraphImporter):
    def __init__(self, loaded: Loaded):
        self.given = opset(loaded.model)
        loaded = inline_own(opsets.upgrade(loaded))
        model = channels_last.rewrite(loaded.model)
        model = inline(qlinear.rewrite(loaded, qonnx.rewrite(loaded, model)))
        self.loaded = loaded
        self.graph, self.opset = model.graph, opset(model)
        self.imports = list(model.opset_import)
        self.tensors: dict[str, Tensor | None] = {"": None}
        for initializer in self.graph.initializer:
            self.tensors[initializer.name] = self._initializer(initializer)
        super().__init__(sum(t.constant.nbytes for t in self.tensors.values() if t))
        self.unknown: list[str] = []
        self.read: set[str] = set()

    def run(self, name: str) -> mlir.Program:
        if self.graph.sparse_initializer:
            raise UnsupportedOp("expected dense initializers, but got a sparse one")
        for value in self.graph.input:
            if value.name not in self.tensors:  # old exporters list initializers, too
                self.tensors[value.name] = self._input(value)
        outputs = [value.name for value in self.graph.output]
        nodes = live(self.graph.node, outputs, lambda n: n.output, lambda n: n.input)
        self.read = {*outputs, *(name for node in nodes for name in node.input)}
        for node in nodes:
            self._node(node)
        if self.unknown:
            raise UnsupportedOp(listed("unsupported operators: ", self.unknown))
        return self.writer.finish(
            name, self.arguments, [self._output(v) for v in self.graph.output]
        )

    # What the graph begins and ends with.

    def _initializer(self, initializer) -> Tensor:
        if initializer.data_type not in TensorProto.DataType.values()[1:]:
            raise ValueError(
                f"expected a type of ONNX for '{initializer.name}', but got {initializer.data_type}"
            )
        try:
            array = self.loaded.array(initializer.name, initializer)
        except (ValueError, TypeError) as error:
            reason = str(error).splitlines()[0]
            raise ValueError(
                f"expected as many elements as the shape of '{initializer.name}' has: {reason}"
            ) from None
        return _constant((array,), initializer.data_type, initializer.name)

    def _input(self, value) -> Tensor:
        type_, what = value.type.tensor_type, f"input '{value.name}'"
        if not value.type.HasField("tensor_type"):
            raise UnsupportedOp(f"expected tensors as inputs, but {what} is none")
        if type_.elem_type not in RESULTS:
            raise UnsupportedOp(
                f"expected inputs of {TYPES}, but {what} is {_dtype(type_.elem_type)}"
            )
        if not type_.HasField("shape"):
            raise UnsupportedOp(f"expected a shape, but {what} has none")
        shape: list[int | Batch] = []
        for i, dim in enumerate(type_.shape.dim):
            if dim.HasField("dim_value") and dim.dim_value >= 0:
                shape.append(dim.dim_value)
            elif i == 0:
                shape.append(Batch())
            else:
                raise UnsupportedOp(
                    f"expected static sizes but for the leading dimension, but {what} has "
                    f"'{dim.dim_param or '?'}' as dimension {i}"
                )
        element = CODED.get(type_.elem_type) or ELEMENTS[type_.elem_type]
        argument = self.argument(TensorType(tuple(shape), element))
        if type_.elem_type not in CODED:
            return Tensor(tuple(shape), element, value=argument, dtype=type_.elem_type)
        with self.writer.at(value.name):
            context = Context(self.writer, TensorType(tuple(shape)))
            return quantize.of_argument(context, type_.elem_type, argument)

    def _output(self, value) -> mlir.Value:
        tensor = self.tensors.get(value.name)
        if tensor is None:
            raise ValueError(f"expected a node that computes the output '{value.name}'")
        if tensor.dtype not in RESULTS:
            raise UnsupportedOp(
                f"expected outputs of {TYPES}, but '{value.name}' is {_dtype(tensor.dtype)}"
            )
        if tensor.varies:
            raise UnsupportedOp(
                f"expected values that do not depend on the size of the batch in '{value.name}'"
            )
        c = Context(self.writer, TensorType(tensor.shape, tensor.element))
        with self.writer.at(value.name):
            if tensor.dtype not in CODED:
                return c.value(tensor)
            return codes.to_result(c, tensor, CODED[tensor.dtype])

    # Nodes.

    def _node(self, node) -> None:
        op = node.op_type
        place = f"{op} '{name_of(node)}'"
        for name in node.input:
            if name not in self.tensors:
                raise ValueError(f"expected a value '{name}' before {place} reads it")
        operands = [self.tensors[name] for name in node.input]
        constant = all(o is None or o.constant is not None for o in operands)
        ours = node.domain in qonnx.DOMAINS and op in qonnx.LOWERED
        if node.domain:
            place, known = f"{node.domain}.{place}", ours
        else:
            known = constant and op not in OPEN
            known |= op in ONNX or op in ALIASES or op in SIZES
        if not known:
            self.unknown.append(place)
        if not known or any(isinstance(o, _Unknown) for o in operands):
            # What is behind an unknown operator is looked at for further ones only.
            self.tensors.update((name, _Unknown((), "f32")) for name in node.output)
            return
        scales.check(node, operands, place)
        if ours:
            check_operands(node, place, qonnx.LOWERED[op])
            types = [(TensorProto.FLOAT, operands[0].shape)]
        else:
            types = self._types(node, operands, place)
        static = all(not any(isinstance(d, Batch) for d in shape) for _, shape in types if shape)
        if op in SIZES:
            self._shape(node, operands[0])
        elif op in ALIASES:
            self.tensors[node.output[0]] = operands[0]
            if op == "Dropout":
                self._dropout(node, operands, types, place)
        elif constant and static and not ours:
            self._fold(node, operands, types, place)
        else:
            self._take(node, self._write(node, operands, types, place), types)

    def _take(self, node, results, types) -> None:
        for name, result, (dtype, _) in zip(node.output, results, types, strict=False):
            self.tensors[name] = _result(result, dtype)

    def _types(self, node, operands, place: str) -> list[tuple[int, tuple | None]]:
        """Element types and shapes of the outputs."""
        if node.op_type in LIKE_FIRST:
            return [(operands[0].dtype, operands[0].shape)]
        try:
            version = max(self.opset, INFERRED_SINCE.get(node.op_type, 0))
            schema = onnx.defs.get_schema(node.op_type, version, "")
        except onnx.defs.SchemaError:
            raise UnsupportedOp(
                f"expected operators of opset {self.given}, but got {place}"
            ) from None
        found = []
        # Without axes every size of 1 is dropped, which a batch of 1 is not meant to be.
        squeezes = node.op_type == "Squeeze" and len(node.input) == 1
        for probe, batch in enumerate(PROBES[:-1] if squeezes else PROBES):
            inputs, data = {}, {}
            for name, o in zip(node.input, operands, strict=True):
                if o is None:
                    continue
                inputs[name] = onnx.helper.make_tensor_type_proto(
                    o.dtype, [d.rows * batch if isinstance(d, Batch) else d for d in o.shape]
                )
                if o.constant is not None and o.size < 1024:
                    data[name] = numpy_helper.from_array(o.probes[min(probe, len(o.probes) - 1)])
            try:
                types = onnx.shape_inference.infer_node_outputs(
                    schema, node, inputs, data, opset_imports=self.imports
                )
            except INVALID as error:
                start = f"expected a valid {place}, but got: "
                raise ValueError(because(start, error)) from None
            found.append([types.get(name) if name else None for name in node.output])
            if not any(
                o is not None and (o.varies or any(isinstance(d, Batch) for d in o.shape))
                for o in operands
            ):
                break
        return [self._type(pair, node.op_type, place) for pair in zip(*found, strict=True)]

    def _type(self, types, op: str, place: str) -> tuple[int, tuple | None]:
        """Of one output, for each probe."""
        if any(t is None or not t.HasField("tensor_type") for t in types):
            return 0, ()
        found = []
        for t in types:
            dims = t.tensor_type.shape.dim
            is_known = t.tensor_type.HasField("shape") and all(
                d.HasField("dim_value") for d in dims
            )
            found.append([d.dim_value for d in dims] if is_known else None)
            if is_known and any(d < 0 for d in found[-1]):
                raise ValueError(
                    f"expected sizes of at least 0 as the result of {place}, but got {found[-1]}"
                )
        unknown = UnsupportedOp(
            f"expected static sizes, or multiples of the batch, but {place} has others"
        )
        if None in found and op in COUNTED:
            return types[0].tensor_type.elem_type, None
        if None in found or len(set(map(len, found))) != 1:
            raise unknown
        shape: list[int | Batch] = []
        for sizes in zip(*found, strict=True):
            if len(set(sizes)) == 1:
                shape.append(sizes[0])
                continue
            rows = sizes[0] // PROBES[0]
            if any(rows * batch != size for batch, size in zip(PROBES, sizes, strict=False)):
                raise unknown
            shape.append(Batch(rows))
        return types[0].tensor_type.elem_type, tuple(shape)

    def _shape(self, node, x) -> None:
        """Shape, with `start` and `end`, or Size."""
        attributes = {a.name: a.i for a in node.attribute}
        dims = x.shape[attributes.get("start", 0) : attributes.get("end", len(x.shape))]
        probes = []
        for batch in PROBES:
            sizes = [d.rows * batch if isinstance(d, Batch) else d for d in dims]
            result = sizes if node.op_type == "Shape" else math.prod(sizes)
            probes.append(np.array(result, np.int64))
        self.tensors[node.output[0]] = _constant(tuple(probes), TensorProto.INT64, node.output[0])

    def _dropout(self, node, operands, types, place: str) -> None:
        """Nothing is dropped: the mask, if there is one, is of all elements."""
        _, ratio, training = (*operands, None, None)[:3]
        trains = training is not None and (training.constant is None or training.constant.any())
        if trains and (ratio is None or ratio.constant is None or ratio.constant.any()):
            raise UnsupportedOp(
                f"expected false as training_mode of {place}, but got one that drops elements"
            )
        for name, (dtype, shape) in zip(node.output[1:], types[1:], strict=True):
            if name:
                with self.writer.at(name):
                    mask = self.writer.fill(1.0, TensorType(shape, ELEMENTS[dtype]))
                    self.tensors[name] = _result(mask, dtype)

    def _fold(self, node, operands, types, place: str) -> None:
        known = [o for o in operands if o is not None]
        have = sum(o.constant.nbytes for o in known)
        for dtype, shape in types:
            if dtype and shape is not None:
                itemsize = onnx.helper.tensor_dtype_to_np_dtype(dtype).itemsize
                self.budget.take(math.prod(shape) * itemsize, have, f"{shape} of {place}")
        try:
            results = self._evaluate(node, operands, types[0][0])
        except Exception as error:  # whatever the evaluator's own code meets
            if node.op_type in ONNX:
                return self._take(node, self._write(node, operands, types, place), types)
            start = f"expected constants that {place} takes, but got: "
            raise UnsupportedOp(because(start, error)) from None
        hint = next((o.hint for o in known if o.hint), node.output[0])
        named = [(at, name) for at, name in enumerate(node.output) if name]
        for (at, name), *probes in zip(named, *results, strict=True):
            dtype = types[at][0]
            probes = tuple(_as_type(array, dtype) for array in probes)
            if len({array.shape for array in probes}) > 1:
                raise UnsupportedOp(f"expected sizes that do not depend on the batch in {place}")
            folded = _constant(probes, dtype, hint)
            if node.op_type == "DequantizeLinear":
                codes, scale, zero = (*operands, None)[:3]
                options = {a.name: a.i for a in node.attribute}
                folded.coded = quantize.coded(codes, scale, zero, options)
            if node.op_type in ONNX and dtype not in CODES:  # which are numbers, not signs
                write = lambda at=at: self._write(node, operands, types, place)[at]  # noqa: E731
                mark_signs(folded, known, node.op_type in SIGNS, write)
            self.tensors[name] = folded
        return None

    def _evaluate(self, node, operands, dtype: int) -> list[list[np.ndarray]]:
        """What a node gives of constants, for each probe."""
        options = {a.name: a.i for a in node.attribute}
        evaluator = ReferenceEvaluator(
            node,
            opsets={o.domain: o.version for o in self.imports},
            new_ops=[GatherElements],
        )
        known, results = [o for o in operands if o is not None], []
        for probe in range(max((len(o.probes) for o in known), default=1)):
            arrays = [o and o.probes[min(probe, len(o.probes) - 1)] for o in operands]
            feeds = {name: a for name, a in zip(node.input, arrays, strict=True) if a is not None}
            with np.errstate(all="ignore"):
                if quantize.is_linear(node.op_type, dtype, options):
                    result = [quantize.codes_of_constants(*arrays, options=options, dtype=dtype)]
                else:
                    result = evaluator.run(None, feeds)
            results.append(result)
        return results

    def _write(self, node, operands, types, place: str) -> list:
        op, operator = node.op_type, ONNX.get(node.op_type)
        if operator is None:  # of constants alone, but for the size of what it gives
            raise UnsupportedOp(f"expected sizes that do not depend on the batch in {place}")
        for dtype, _ in types:
            takes_codes = dtype in CODES and (operator.moves or operator.codes)
            whole = dtype in INTEGERS and (operator.moves or operator.integers)
            if dtype not in (0, TensorProto.FLOAT, TensorProto.BOOL) and not takes_codes | whole:
                raise UnsupportedOp(f"expected float32 or bool, but {place} gives {_dtype(dtype)}")
        for i, o in enumerate(operands):
            if o is None or o.constant is None:
                continue
            if o.varies and not (op == "ConstantOfShape" or (op in SHAPED and i)):
                raise UnsupportedOp(
                    f"expected values that do not depend on the size of the batch in {place}"
                )
            if op == "IsNaN":  # which asks for it
                continue
            if o.constant.dtype == np.float32 and np.isnan(o.constant).any():
                raise ValueError(f"expected numbers in '{o.hint}' of {place}, but got nan")
        named = zip(node.output, types, strict=True)
        results = [
            TensorType(shape, ELEMENTS.get(dtype, "f32")) if name else None
            for name, (dtype, shape) in named
        ]
        with self.node(place, node.name or node.output[0], invalid=WRONG):
            attributes = {a.name: _attribute(a) for a in node.attribute}
            written = Node(self.writer, results, op, attributes, types[0][0])
            written.others = any(name in self.read for name in node.output[1:] if name)
            if written.dtype in CODES and operator.wraps:
                result = elementwise.wrapped(written, operator.write, *operands)
            else:
                moved = quantize.move(written, operator.write, operands)
                result = moved or operator.write(written, *operands)
        return result if isinstance(result, list) else [result]


class _Unknown(Tensor):
    """What an unknown operator gives."""


def _result(result, dtype: int) -> Tensor:
    """What an operator's function gave: a value, or the operand where there was nothing to do."""
    if isinstance(result, Tensor):
        return result if result.dtype == dtype else dataclasses.replace(result, dtype=dtype)
    return Tensor(result.shape, result.type.element, value=result, dtype=dtype)


def _constant(probes: tuple[np.ndarray, ...], dtype: int, hint: str) -> Tensor:
    array = probes[0]
    element = ELEMENTS.get(dtype) or _dtype(dtype)
    return Tensor(
        tuple(array.shape), element, constant=array, hint=hint, dtype=dtype, probes=probes
    )


def _as_type(array, dtype: int) -> np.ndarray:
    """In the type that ONNX gives it, which the evaluator does not always have."""
    array = np.asarray(array)
    wanted = onnx.helper.tensor_dtype_to_np_dtype(dtype) if dtype else array.dtype
    return array.astype(wanted, copy=False)


def _attribute(attribute):
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, TensorProto):
        return numpy_helper.to_array(value)
    return value.decode(errors="replace") if isinstance(value, bytes) else value
