"""In Larq's or TensorFlow's environment: a .tflite file, an input, and what is expected of it. The
file is a user's, or case.tflite, a network of lite_networks.py."""

from __future__ import annotations

import os
from pathlib import Path

import measuring

os.environ.update(TF_USE_LEGACY_KERAS="1", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

_CALIBRATION = 8
# The seed of an input that leaves no value of QuickNet on a threshold, where the order of a sum
# would decide on which side it falls, and change all that is behind it.
_INPUT = 6


def make(job: dict, directory: Path) -> dict:
    import numpy as np
    import tensorflow as tf

    file = Path(job["arguments"].get("path", directory / "case.tflite"))
    if "path" not in job["arguments"]:
        file.write_bytes(_CONVERT[job["kind"]](**job["arguments"]))
    interpreter = tf.lite.Interpreter(str(file))
    inputs, outputs = interpreter.get_input_details(), interpreter.get_output_details()
    measuring.check_counts(len(inputs), len(outputs))
    (given,), (result,) = inputs, outputs
    x = measuring.draw(given["shape"], given["dtype"], _INPUT)
    np.save(directory / "x.npy", x)
    try:
        interpreter.allocate_tensors()
    except RuntimeError:
        expected = _by_larq(file, x)
    else:
        interpreter.set_tensor(given["index"], x)
        interpreter.invoke()
        expected = interpreter.get_tensor(result["index"])
    np.save(directory / "expected.npy", expected)
    return {}


def _by_larq(file: Path, x):
    """Of operators that TensorFlow Lite lacks: by the reference kernels of Larq's engine."""
    from larq_compute_engine.tflite.python.interpreter import Interpreter

    return Interpreter(file.read_bytes(), use_reference_bconv=True).predict(x)


def _quicknet(activations: str, weights: str) -> bytes:
    import lite_networks
    import tensorflow as tf

    model = lite_networks.build("quicknet", is_float=activations == "fp")
    if activations == "fp":
        return tf.lite.TFLiteConverter.from_keras_model(model).convert()
    import larq_compute_engine

    return larq_compute_engine.convert_keras_model(model)


def _tiny(network: str) -> bytes:
    """Of int8 from the input to the output, by ranges that random inputs have."""
    import lite_networks
    import numpy as np
    import tensorflow as tf

    model = lite_networks.build(network)
    shape = (_CALIBRATION, *model.input_shape)
    samples = np.random.default_rng(0).uniform(-1, 1, shape).astype(np.float32)
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([x] for x in samples)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return converter.convert()


_CONVERT = {"quicknet-lite": _quicknet, "tiny": _tiny}


if __name__ == "__main__":
    measuring.main(make=make)
