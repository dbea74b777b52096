"""beside.py ORDER local|global: the wheel in one process with other libraries that hold an LLVM, an
OpenMP runtime or a C++ library of their own.

ORDER names them, with commas: bquant, torch, triton, onnxruntime, openvino. They are imported in
it, with RTLD_LOCAL or RTLD_GLOBAL, then each is used, from the first to the last and back. Run by
test_wheel.py.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

LAYER = Path(__file__).resolve().parents[2] / "examples" / "layer.mlir"


def use_bquant(folder):
    import bquant

    def use():
        net = bquant.compile(LAYER, threads=2)
        reference = bquant.compile(LAYER, strategy="reference")
        shape = net.inputs[0]["shape"]
        x = np.random.default_rng(0).standard_normal(shape, np.float32)
        y = reference(x)
        assert np.array_equal(net(x), y)
        net.save(folder / "net.so")
        assert np.array_equal(bquant.load(folder / "net.so")(x, threads=1), y)

    return use


def use_torch(folder):
    import torch

    return lambda: torch.nn.Conv2d(3, 8, 3)(torch.randn(1, 3, 8, 8)).sum().backward()


def use_triton(folder):
    os.environ["TRITON_CACHE_DIR"] = str(folder / "triton")
    import triton
    from triton.backends.compiler import GPUTarget

    kernel = folder / "kernel.py"  # whose source triton reads
    kernel.write_text(
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
        "def add(x, y, n, size: tl.constexpr):\n"
        "    i = tl.program_id(0) * size + tl.arange(0, size)\n"
        "    tl.store(y + i, tl.load(x + i, mask=i < n) + 1.0, mask=i < n)\n"
    )
    sys.path.insert(0, str(folder))
    from kernel import add

    types = {"x": "*fp32", "y": "*fp32", "n": "i32", "size": "constexpr"}

    def use():  # for a GPU that need not be here
        source = triton.compiler.ASTSource(fn=add, signature=types, constexprs={"size": 128})
        assert "ptx" in triton.compile(source, target=GPUTarget("cuda", 80, 32)).asm

    return use


def write_onnx(folder):
    from onnx import TensorProto, helper, numpy_helper, save

    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in "xy")
    filters = numpy_helper.from_array(np.eye(4, dtype=np.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])], "g", [x], [y], [filters]
    )
    opset = [helper.make_opsetid("", 13)]
    save(helper.make_model(graph, opset_imports=opset, ir_version=8), folder / "net.onnx")
    return str(folder / "net.onnx")


def use_onnxruntime(folder):
    import onnxruntime

    def use():
        session = onnxruntime.InferenceSession(write_onnx(folder))
        assert session.run(None, {"x": np.ones((1, 4), np.float32)})[0].sum() == 4

    return use


def use_openvino(folder):
    import openvino

    def use():
        net = openvino.Core().compile_model(write_onnx(folder), "CPU")
        assert net(np.ones((1, 4), np.float32))[0].sum() == 4

    return use


def main(order, scope):
    if scope == "global":
        sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    with tempfile.TemporaryDirectory() as name:
        uses = [globals()[f"use_{library}"](Path(name)) for library in order.split(",")]
        for use in uses + uses[::-1]:
            use()
    print("ok", order, scope)


if __name__ == "__main__":
    main(*sys.argv[1:])
