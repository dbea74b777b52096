"""What else runs the float network, where it is installed."""

from __future__ import annotations

import numpy as np
import torch

CALIBRATION = 300  # images


def openvino_int8(model: torch.nn.Module, study):
    """(a function of one image, test accuracy) of OpenVINO with NNCF's post-training quantization,
    one thread, lowest latency; None where the two are not installed."""
    try:
        import nncf
        import openvino as ov
    except ImportError:
        return None
    data = study.data
    converted = ov.convert_model(model, example_input=study.images(1))
    images = data.prepare(data.train.images[:CALIBRATION])
    quantized = nncf.quantize(
        converted,
        nncf.Dataset([x[None].numpy() for x in images]),
        preset=nncf.QuantizationPreset.MIXED,
    )
    options = {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"}
    compiled = ov.Core().compile_model(quantized, "CPU", options)
    correct = 0
    for images, labels in zip(
        data.test.images.split(256), data.test.labels.split(256), strict=True
    ):
        logits = compiled(data.prepare(images).numpy())[0]
        correct += int(np.sum(logits.argmax(1) == labels.numpy()))
    request = compiled.create_infer_request()
    return (lambda x: request.infer({0: x.numpy()})), correct / len(data.test)
