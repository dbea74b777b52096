"""OpenVINO's process: from the case's ONNX file to times."""

from __future__ import annotations

from pathlib import Path

import measuring


def _int8(job: dict, directory: Path) -> None:
    """Post-training quantization by NNCF, on the inputs that the case has for it."""
    import nncf
    import openvino as ov
    from nncf.quantization.advanced_parameters import AdvancedQuantizationParameters, OverflowFix

    # Without dot products of bytes the sums of two products are of 16 bits and saturate: the
    # weights get seven bits there.
    fix = OverflowFix.FIRST_LAYER if job["has_dot_products"] else OverflowFix.ENABLE
    quantized = nncf.quantize(
        ov.Core().read_model(directory / "case.onnx"),
        nncf.Dataset(list(measuring.load(directory, "calibration"))),
        preset=nncf.QuantizationPreset.MIXED,
        advanced_parameters=AdvancedQuantizationParameters(overflow_fix=fix),
    )
    ov.save_model(quantized, directory / "openvino.int8.xml", compress_to_fp16=False)


_PREPARE = {"int8": _int8}


def prepare(job: dict, directory: Path) -> dict:
    _PREPARE[job["precision"]](job, directory)
    return {}


def run(job: dict, directory: Path) -> dict:
    import openvino as ov

    core = ov.Core()
    precision = job["precision"]
    file = "case.onnx" if precision in ("fp32", "bf16") else "openvino.int8.xml"
    options = {
        "INFERENCE_NUM_THREADS": job["threads"],
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "bf16" if precision == "bf16" else "f32",
    }
    request = core.compile_model(core.read_model(directory / file), "CPU", options)
    request = request.create_infer_request()
    x = measuring.load(directory, "x")
    return measuring.measure(lambda: request.infer([x])[0], job, directory)


if __name__ == "__main__":
    measuring.main(prepare=prepare, run=run)
