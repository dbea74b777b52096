"""In Larq's or TensorFlow's environment: a .tflite file, an input, and what is expected of it. The
file is a user's, or case.tflite, QuickNet as larq-zoo publishes it, of signs or of floats alone;
its weights are random, and the averages of its batch norms those of random inputs.
"""

from __future__ import annotations

import os
from pathlib import Path

import measuring

os.environ.update(TF_USE_LEGACY_KERAS="1", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

_SIZE, _CLASSES = 224, 1000
_SECTIONS = ((64, 4), (128, 4), (256, 4), (512, 4))  # filters, blocks
_BATCH = 4  # of what the batch norms average
# The seed of an input that leaves no value of the network on a threshold, where the order of a sum
# would decide on which side it falls, and change all that is behind it.
_INPUT = 6


def make(job: dict, directory: Path) -> dict:
    import numpy as np
    import tensorflow as tf

    arguments = job["arguments"]
    file = Path(arguments.get("path", directory / "case.tflite"))
    if "path" not in arguments:
        file.write_bytes(_convert(_quicknet(arguments), arguments["activations"] == "fp"))
    interpreter = tf.lite.Interpreter(str(file))
    (given,), (result,) = interpreter.get_input_details(), interpreter.get_output_details()
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


def _convert(model, is_float: bool) -> bytes:
    import larq_compute_engine
    import tensorflow as tf

    if is_float:
        return tf.lite.TFLiteConverter.from_keras_model(model).convert()
    return larq_compute_engine.convert_keras_model(model)


def _quicknet(arguments: dict):
    import tensorflow as tf

    layers = tf.keras.layers
    # The same bits on any number of cores.
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.keras.utils.set_random_seed(0)
    is_float = arguments["activations"] == "fp"

    def norm(x, **options):
        return layers.BatchNormalization(momentum=0.0, **options)(x)

    image = x = layers.Input((_SIZE, _SIZE, 3), 1)
    x = layers.Conv2D(_SECTIONS[0][0] // 4, 3, 2, "same", use_bias=False)(x)
    x = layers.Activation("relu")(norm(x))
    x = layers.DepthwiseConv2D(3, 2, "same", use_bias=False)(x)
    x = norm(x, scale=False, center=False)
    x = norm(layers.Conv2D(_SECTIONS[0][0], 1, use_bias=False)(x))
    for filters, blocks in _SECTIONS:
        if filters != x.shape[-1]:
            x = layers.Activation("relu")(x)
            x = _blur(layers.MaxPool2D(2, 1)(x))
            x = norm(layers.Conv2D(filters, 1, use_bias=False)(x))
        for _ in range(blocks):
            x = layers.Add()([norm(_inner(filters, is_float)(x)), x])
    x = layers.GlobalAveragePooling2D()(layers.Activation("relu")(x))
    x = layers.Softmax()(layers.Dense(_CLASSES)(x))
    model = tf.keras.Model(image, x)
    # With a momentum of 0 a call in training takes the averages over.
    calibrated = tf.keras.models.clone_model(model, layers.Input((_SIZE, _SIZE, 3), _BATCH))
    calibrated(tf.random.normal((_BATCH, _SIZE, _SIZE, 3)), training=True)
    model.set_weights(calibrated.get_weights())
    return model


def _inner(filters: int, is_float: bool):
    """The convolution of a block: of signs by signs, or one of floats of its shape."""
    import larq
    import tensorflow as tf

    options = {"padding": "same", "activation": "relu", "use_bias": False}
    if is_float:
        return tf.keras.layers.Conv2D(filters, 3, **options)
    signs = larq.quantizers.SteSign(clip_value=1.25)
    return larq.layers.QuantConv2D(
        filters, 3, pad_values=1.0, input_quantizer=signs, kernel_quantizer=signs, **options
    )


def _blur(x):
    """Every second place of what a filter of 1 2 1 by 1 2 1 makes of each channel."""
    import numpy as np
    import tensorflow as tf

    taps = np.repeat(np.outer([1, 2, 1], [1, 2, 1])[..., None, None] / 16, x.shape[-1], axis=2)
    return tf.keras.layers.DepthwiseConv2D(
        3, 2, "same", use_bias=False, depthwise_initializer=tf.keras.initializers.Constant(taps)
    )(x)


if __name__ == "__main__":
    measuring.main(make=make)
