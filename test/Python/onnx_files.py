"""Models of ONNX made here: a few nodes and constants."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT


def value(name, given, type_=FLOAT):
    """Of a shape, or of the shape and the type of an array."""
    if isinstance(given, np.ndarray):
        given, type_ = given.shape, helper.np_dtype_to_tensor_dtype(given.dtype)
    return helper.make_tensor_value_info(name, type_, given)


def model(
    nodes, inputs, constants=None, opset=13, *,
    outputs=("y",), type_=FLOAT, result=FLOAT, domains=(), name="graph",
):  # fmt: skip
    """`inputs`: shapes of the element `type_`, or arrays like them; `outputs`: of the element
    `result`, with the shapes that ONNX infers."""
    graph = helper.make_graph(
        nodes,
        name,
        [value(x, given, type_) for x, given in inputs.items()],
        [value(y, None, result) for y in outputs],
        [numpy_helper.from_array(np.asarray(a), c) for c, a in (constants or {}).items()],
    )
    imports = [helper.make_opsetid("", opset)] if opset else []
    imports += [helper.make_opsetid(domain, 1) for domain in domains]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)
