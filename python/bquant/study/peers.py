"""What else runs the float network, where it is installed."""

from __future__ import annotations

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
    data, example = study.data, study.images(1)
    # Of any batch it has no kernels for such a network.
    converted = ov.convert_model(model, example_input=example, input=list(example.shape))
    images = data.prepare(data.train.images[:CALIBRATION])
    quantized = nncf.quantize(
        converted,
        nncf.Dataset([x.numpy() for x in images.split(1)]),
        preset=nncf.QuantizationPreset.MIXED,
    )
    run = _openvino_call(quantized)
    correct = 0
    for image, label in zip(data.test.images.split(1), data.test.labels.tolist(), strict=True):
        correct += int(run(data.prepare(image)).argmax()) == label
    return run, correct / len(data.test)


def openvino_identity(example: torch.Tensor):
    """A function that returns its input by OpenVINO, called as the network above; None where it is
    not installed."""
    try:
        import openvino as ov
    except ImportError:
        return None
    shape = list(example.shape)
    return _openvino_call(ov.convert_model(torch.nn.Identity(), example_input=example, input=shape))


def _openvino_call(model):
    import openvino as ov

    options = {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"}
    request = ov.Core().compile_model(model, "CPU", options).create_infer_request()
    return lambda x: request.infer({0: x.numpy()})[0]
