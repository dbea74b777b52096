"""ONNX Runtime's process: from the case's ONNX file to times."""

from __future__ import annotations

from pathlib import Path

import measuring


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
        directory / "onnxruntime.int8.onnx",
        Reader(),
        quant_format=QuantFormat.QDQ,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        per_channel=True,
        # Weights of seven bits: see run_openvino.py.
        reduce_range=not job["has_dot_products"],
    )


_PREPARE = {"int8": _int8}


def prepare(job: dict, directory: Path) -> dict:
    _PREPARE[job["precision"]](job, directory)
    return {}


def run(job: dict, directory: Path) -> dict:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = job["threads"]
    options.inter_op_num_threads = 1
    file = "case.onnx" if job["precision"] == "fp32" else "onnxruntime.int8.onnx"
    session = onnxruntime.InferenceSession(
        directory / file, options, providers=["CPUExecutionProvider"]
    )
    inputs = {session.get_inputs()[0].name: measuring.load(directory, "x")}
    return measuring.measure(lambda: session.run(None, inputs)[0], job, directory)


if __name__ == "__main__":
    measuring.main(prepare=prepare, run=run)
