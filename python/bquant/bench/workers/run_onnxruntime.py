"""ONNX Runtime's process: from the case's ONNX file to times."""

from __future__ import annotations

from pathlib import Path

import measuring

_BLOCK = 128  # weights that share a scale: those of a filter all have one


def _int8(job: dict, directory: Path) -> None:
    """Static quantization: unsigned activations, signed weights with a scale for each filter."""
    import onnxruntime
    from onnxruntime.quantization import (
        CalibrationDataReader,
        QuantFormat,
        QuantType,
        quantize_static,
    )
    from onnxruntime.quantization.shape_inference import quant_pre_process

    source, inferred = directory / "case.onnx", directory / "inferred.onnx"
    name = onnxruntime.InferenceSession(source).get_inputs()[0].name

    class Reader(CalibrationDataReader):
        def __init__(self):
            self.inputs = iter(measuring.load(directory, "calibration"))

        def get_next(self):
            x = next(self.inputs, None)
            return None if x is None else {name: x}

    quant_pre_process(source, inferred)
    quantize_static(
        inferred,
        _file(job, directory),
        Reader(),
        quant_format=QuantFormat.QDQ,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        per_channel=True,
        # Weights of seven bits: see run_openvino.py.
        reduce_range=not job["has_dot_products"],
    )


def _low_bits(job: dict, directory: Path) -> None:
    """A product by weights of a few bits, of activations that become bytes on the way."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weight = measuring.load(directory, "weight")
    (n, k), bits = weight.shape, int(job["precision"][0])
    codes, scales, _ = measuring.encode_signs(weight, bits)  # the zero point that has no input
    blocks = k // _BLOCK
    constants = {
        "codes": codes.reshape(n, blocks, _BLOCK * bits // 8),
        "scales": scales.repeat(blocks, axis=1).reshape(-1),
    }
    node = helper.make_node(
        "MatMulNBits",
        ["x", *constants],
        ["y"],
        domain="com.microsoft",
        K=k,
        N=n,
        bits=bits,
        block_size=_BLOCK,
        accuracy_level=4,
    )
    graph = helper.make_graph(
        [node],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["m", k])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["m", n])],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), _file(job, directory))


def _file(job: dict, directory: Path) -> Path:
    if job["precision"] == "fp32":
        return directory / "case.onnx"
    return directory / f"onnxruntime.{job['precision']}.onnx"


_PREPARE = {"int8": _int8, "2 bits": _low_bits, "4 bits": _low_bits}


def prepare(job: dict, directory: Path) -> dict:
    _PREPARE[job["precision"]](job, directory)
    return {}


def run(job: dict, directory: Path) -> dict:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = job["threads"]
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        _file(job, directory), options, providers=["CPUExecutionProvider"]
    )
    inputs = {session.get_inputs()[0].name: measuring.load(directory, "x")}
    return measuring.measure(lambda: session.run(None, inputs)[0], job, directory)


if __name__ == "__main__":
    measuring.main(prepare=prepare, run=run)
