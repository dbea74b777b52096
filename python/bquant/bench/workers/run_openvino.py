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
    ov.save_model(quantized, _file(job, directory), compress_to_fp16=False)


def _bits(job: dict, directory: Path) -> None:
    """A chain by BinaryConvolution, which takes what a FakeQuantize of two levels gives. A factor
    and a summand for each filter are fused into it."""
    import numpy as np
    import openvino as ov
    from openvino import opset1
    from openvino import opset13 as op

    chain = np.load(directory / "chain.npz")
    x = y = op.parameter(list(measuring.load(directory, "x").shape), np.float32)
    zero, one = (op.constant(np.full((1, 1, 1, 1), v, np.float32)) for v in (0, 1))
    kept = []  # a constant does not hold on to its array
    for signs, scales, shifts in zip(chain["signs"], chain["scales"], chain["shifts"], strict=True):
        kept.append(np.packbits(signs.reshape(-1), bitorder="little"))
        filters = op.constant(ov.Tensor(kept[-1], ov.Shape(signs.shape), ov.Type.u1))
        y = op.fake_quantize(y, zero, zero, zero, one, 2)
        ones, mode = [1, 1], "xnor-popcount"
        y = opset1.binary_convolution(y, filters, ones, ones, ones, ones, mode, 0.0)
        y = op.multiply(y, op.constant(scales.reshape(1, -1, 1, 1)))
        y = op.add(y, op.constant(shifts.reshape(1, -1, 1, 1)))
    ov.save_model(ov.Model([y], [x]), _file(job, directory), compress_to_fp16=False)


def _low_bits(job: dict, directory: Path) -> None:
    """A product by weights of a few bits, which are converted where they are used."""
    import numpy as np
    import openvino as ov
    from openvino import opset13 as op

    weight = measuring.load(directory, "weight")
    bits = int(job["precision"][0])
    codes, scales, zero_point = measuring.encode_signs(weight, bits)
    x = op.parameter([-1, weight.shape[1]], np.float32)
    kind = getattr(ov.Type, f"u{bits}")
    packed = op.constant(ov.Tensor(codes, ov.Shape(weight.shape), kind))
    offset = op.convert(op.constant(np.uint8(zero_point)), "f32")
    decoded = op.multiply(op.subtract(op.convert(packed, "f32"), offset), op.constant(scales))
    product = op.matmul(x, decoded, False, True)
    ov.save_model(ov.Model([product], [x]), _file(job, directory), compress_to_fp16=False)


def _file(job: dict, directory: Path) -> Path:
    if job["precision"] in ("fp32", "bf16"):
        return directory / "case.onnx"
    return directory / f"openvino.{job['precision']}.xml"


_PREPARE = {"int8": _int8, "bits": _bits, "2 bits": _low_bits, "4 bits": _low_bits}


def prepare(job: dict, directory: Path) -> dict:
    _PREPARE[job["precision"]](job, directory)
    return {}


def run(job: dict, directory: Path) -> dict:
    import openvino as ov

    core = ov.Core()
    options = {
        "INFERENCE_NUM_THREADS": job["threads"],
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "bf16" if job["precision"] == "bf16" else "f32",
    }
    compiled = core.compile_model(core.read_model(_file(job, directory)), "CPU", options)
    request = compiled.create_infer_request()
    x = measuring.load(directory, "x")
    return measuring.measure(lambda: request.infer([x])[0], job, directory)


if __name__ == "__main__":
    measuring.main(prepare=prepare, run=run)
