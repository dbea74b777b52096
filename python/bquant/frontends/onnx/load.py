"""An .onnx file, or a model in memory, checked as far as the reader takes for granted.

Data that lies in files beside the model is mapped, so that a model may be larger than the 2 GB of a
protobuf, and what is not used is not read; a path that leaves the model's folder, through links
too, is refused.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import external_data_helper, helper, numpy_helper

from ..common.shapes import UnsupportedOp

# Older models are brought to a newer form by `opsets`.
OLDEST_OPSET = 6

# Of Einsum: terms between commas, and one behind an arrow.
TERM = rb"[A-Za-z]*(?:\.\.\.)?[A-Za-z]*"
EQUATION = re.compile(TERM + rb"(?:," + TERM + rb")*(?:->" + TERM + rb")?")


@dataclass
class Loaded:
    """`external`: the bytes of initializers that lie in files beside the model, by name."""

    model: onnx.ModelProto
    external: dict[str, np.ndarray] = field(default_factory=dict)

    def array(self, name: str, tensor) -> np.ndarray:
        """A constant's; ValueError where it is not of the size that its shape says."""
        content = self.external.get(name)
        if content is None:
            return numpy_helper.to_array(tensor)
        dtype = helper.tensor_dtype_to_np_dtype(tensor.data_type)
        if tensor.data_type in PACKED:
            whole = onnx.TensorProto(
                data_type=tensor.data_type, dims=tensor.dims, raw_data=content.tobytes()
            )
            return numpy_helper.to_array(whole)
        return content.view(dtype).reshape(tuple(tensor.dims))


# Types of which several elements share a byte.
PACKED = {
    number
    for name, number in onnx.TensorProto.DataType.items()
    if name in ("INT4", "UINT4", "INT2", "UINT2", "FLOAT4E2M1")
}


def load(path: str) -> Loaded:
    with open(path, "rb") as file:
        content = file.read()
    return prepare(_parse(content, f"'{path}'"), f"'{path}'", os.path.dirname(path) or ".")


def parse(content: bytes) -> Loaded:
    return prepare(_parse(content, "bytes"), "bytes", None)


def _parse(content: bytes, what: str) -> onnx.ModelProto:
    model = onnx.ModelProto()
    try:
        model.ParseFromString(content)
    except DecodeError as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"expected an ONNX model, but got {what}: {reason}") from None
    return model


def prepare(model: onnx.ModelProto, what: str, folder: str | None) -> Loaded:
    """`what` is the model's name in messages."""
    if not model.HasField("graph") or not model.graph.output:
        raise ValueError(f"expected an ONNX model, but got {what}: it has no graph with outputs")
    model = _in_short(model)
    _check_opset(model, what)
    for name in _names(model):
        # What is not UTF-8, protobuf gives as bytes.
        if not isinstance(name, str) or not name.isprintable():
            raise ValueError(f"expected printable names in {what}, but got {name!a}")
    for imported in model.opset_import:  # onnx takes no others
        if not 0 <= imported.version < 1 << 31:
            raise ValueError(
                f"expected versions from 0 to 2^31 - 1, but {what} has {imported.version} of "
                f"'{imported.domain}'"
            )
    for node in _nodes(model):
        if node.op_type == "Einsum" and not node.domain:
            _check_equation(node)
    loaded = Loaded(model)
    for tensor in filter(external_data_helper.uses_external_data, model.graph.initializer):
        loaded.external[tensor.name] = _map(tensor, what, folder)
    if any(map(external_data_helper.uses_external_data, _attributes(model))):
        loaded.model = copy(model)
        for tensor in filter(external_data_helper.uses_external_data, _attributes(loaded.model)):
            tensor.raw_data = _map(tensor, what, folder).tobytes()
            tensor.data_location = onnx.TensorProto.DEFAULT
            del tensor.external_data[:]
    return loaded


def copy(model: onnx.ModelProto) -> onnx.ModelProto:
    result = onnx.ModelProto()
    result.CopyFrom(model)
    return result


def name_of(node: onnx.NodeProto) -> str:
    """Its own, or that of its first result."""
    return node.name or next(iter(node.output), "")


def _nodes(model):
    """Those of the graph and of the model's functions."""
    for part in (model.graph, *model.functions):
        yield from part.node


def _in_short(model: onnx.ModelProto) -> onnx.ModelProto:
    """With "" for ONNX' own domain, which has two names."""

    def parts(model):
        yield from _nodes(model)
        yield from (o for part in (model, *model.functions) for o in part.opset_import)

    if all(part.domain != "ai.onnx" for part in parts(model)):
        return model
    model = copy(model)
    for part in parts(model):
        part.domain = "" if part.domain == "ai.onnx" else part.domain
    return model


def _names(model):
    graph = model.graph
    yield from (imported.domain for imported in model.opset_import)
    for node in _nodes(model):
        yield from (node.op_type, node.domain, node.name, *node.input, *node.output)
    for values in (graph.input, graph.output, graph.initializer):
        yield from (value.name for value in values)
    for value in graph.input:
        yield from (dim.dim_param for dim in value.type.tensor_type.shape.dim)


def _attributes(model):
    for node in _nodes(model):
        yield from (attribute.t for attribute in node.attribute if attribute.HasField("t"))


def opset(model) -> int:
    """The version of ONNX' own operators; 0 where the model, or a function, says none."""
    return max((o.version for o in model.opset_import if not o.domain), default=0)


def _check_opset(model, what: str) -> None:
    version, newest = opset(model), onnx.defs.onnx_opset_version()
    if not OLDEST_OPSET <= version <= newest:
        raise UnsupportedOp(
            f"expected a model of opset {OLDEST_OPSET} to {newest}, but {what} has "
            f"{version or 'none'}"
        )


def _check_equation(node) -> None:
    """Refuses one that is none: at some of them onnx' inference of shapes does not end."""
    for attribute in node.attribute:
        if attribute.name == "equation" and not EQUATION.fullmatch(attribute.s.replace(b" ", b"")):
            raise ValueError(
                f"expected terms of letters and '...' as equation of Einsum "
                f"'{name_of(node)}', but got {attribute.s.decode(errors='replace')!a}"
            )


def _map(tensor, what: str, folder: str | None) -> np.ndarray:
    """The bytes that a tensor has in a file."""
    name = f"external data of '{tensor.name}'"
    if folder is None:
        raise ValueError(f"expected a model's path, since {name} lies beside it, but got {what}")
    try:
        info = external_data_helper.ExternalDataInfo(tensor)
    except ValueError as error:
        raise ValueError(f"expected {name} in a file, but got {what}: {error}") from None
    base = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(base, info.location))
    if os.path.isabs(info.location) or os.path.commonpath([base, path]) != base:
        raise ValueError(f"expected {name} in the folder of {what}, but got '{info.location}'")
    if not os.path.isfile(path):
        raise FileNotFoundError(
            f"expected {name}, but there is no file '{info.location}' beside {what}"
        )
    start, size = info.offset or 0, os.path.getsize(path)
    length = size - start if info.length is None else info.length
    if min(start, length) < 0 or start + length > size:
        raise ValueError(
            f"expected {name} in the {size} bytes of '{info.location}', but got {length} bytes "
            f"from {start} on"
        )
    if length == 0:
        return np.empty(0, np.uint8)
    return np.asarray(np.memmap(path, np.uint8, "r", offset=start, shape=(length,)))
