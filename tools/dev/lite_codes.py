"""Networks of int8 and uint8 for larq_fixtures.py, whose results are many codes: sums near the
middle of two of them, where one rounding more is another code."""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from tensorflow.lite.tools import flatbuffer_utils

layers = tf.keras.layers
SAMPLES = 4
INT8, UINT8 = 9, 3  # of the schema's element types


def _conv(x, filters, kernel=3, strides=1, activation="relu6"):
    initial = tf.keras.initializers.RandomNormal(0, 0.1)
    x = layers.Conv2D(filters, kernel, strides, "same", bias_initializer=initial)(x)
    return layers.Activation(getattr(tf.nn, activation))(x) if activation else x


def _depthwise(x, strides=1):
    initial = tf.keras.initializers.RandomNormal(0, 0.1)
    return layers.ReLU(6.0)(layers.DepthwiseConv2D(3, strides, "same", bias_initializer=initial)(x))


def separable():
    """Ten convolutions, every other one depthwise."""
    image = x = layers.Input((16, 16, 3))
    x = _conv(x, 8, strides=2)
    for filters, strides in ((16, 1), (16, 1), (24, 2), (24, 1)):
        x = _conv(_depthwise(x, strides), filters, 1)
    return tf.keras.Model(image, x)


def residual():
    """Sums and differences of two branches, a constant, and what is padded before a convolution."""
    image = x = layers.Input((10, 10, 3))
    x = _conv(x, 16, activation="relu")
    for _ in range(2):
        y = _conv(_conv(x, 16, activation="relu"), 16, 1, activation=None)
        x = layers.ReLU()(x + y)
    x = layers.Conv2D(12, 3, 2)(layers.ZeroPadding2D(1)(x))
    return tf.keras.Model(image, x - 0.5 * _conv(x, 12, 1, activation=None))


def gated():
    """Products of two branches, means of images and slopes below 0."""
    image = x = layers.Input((8, 8, 4))
    for _ in range(2):
        x = layers.LeakyReLU(0.3)(_conv(x, 8, activation=None))
        y = layers.GlobalAveragePooling2D(keepdims=True)(x)
        x = x * _conv(_conv(y, 4, 1, activation="relu"), 8, 1, activation=None)
        x = layers.Concatenate()([x, layers.MaxPool2D(3, 1, "same")(x)])
    return tf.keras.Model(image, x)


def _learned(model, images, labels, loss):
    model.compile(tf.keras.optimizers.Adam(0.01), loss)
    model.fit(images, labels, epochs=12, batch_size=64, verbose=0)
    return model


def spots():
    """Learned: in which quarter of an image the brightest spot is."""
    image = x = layers.Input((8, 8, 1))
    x = _conv(_conv(x, 16), 12, strides=2)
    x = layers.Dense(24, "relu")(layers.Flatten()(x))
    model = tf.keras.Model(image, layers.Dense(4)(x))
    images = _uniform(1024, (8, 8, 1), 1)
    at = images.reshape(1024, 64).argmax(1)
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return _learned(model, images, at // 32 * 2 + at % 8 // 4, loss)


def waves():
    """Learned: sums of waves, again, through a few numbers."""
    signal = x = layers.Input((64,))
    for width in (40, 12, 40):
        x = layers.Dense(width, "relu")(x)
    model = tf.keras.Model(signal, layers.Dense(64)(x))
    generator = np.random.default_rng(2)
    place, rate = np.arange(64), generator.uniform(0.05, 0.4, (1024, 2, 1))
    signals = np.sin(rate * place + 6 * generator.random((1024, 2, 1))).mean(1)
    return _learned(model, signals.astype(np.float32), signals, "mse")


def networks() -> dict:
    return {f.__name__: f for f in (separable, residual, gated, spots, waves)}


def _uniform(count: int, shape, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, (count, *shape)).astype(np.float32)


def convert(model, per_channel=True) -> bytes:
    """With codes alone inside and outside."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    samples = _uniform(64, (1, *model.input_shape[1:]), 3)
    converter.representative_dataset = lambda: ([sample] for sample in samples)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    converter._experimental_disable_per_channel = not per_channel
    return converter.convert()


def unsigned(content: bytes) -> bytes:
    """A file of int8, of one scale each, as one of uint8 whose filters have zero points that are
    not their middle."""
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(content))
    filters = {op.inputs[1] for op in model.subgraphs[0].operators if len(op.inputs) > 2}
    for i, tensor in enumerate(model.subgraphs[0].tensors):
        if tensor.type != INT8:
            continue
        tensor.type = UINT8
        tensor.quantization.zeroPoint = np.asarray(tensor.quantization.zeroPoint) + 128
        data = model.buffers[tensor.buffer].data
        if data is not None:
            codes = np.asarray(data, np.uint8).view(np.int8).astype(np.int32) + 128
            model.buffers[tensor.buffer].data = codes.astype(np.uint8)
        if i in filters:
            tensor.quantization.zeroPoint -= 11
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def inputs(content: bytes, seed: int) -> np.ndarray:
    """Codes of all sizes."""
    (given,) = tf.lite.Interpreter(model_content=content).get_input_details()
    info = np.iinfo(given["dtype"])
    shape = (SAMPLES, *given["shape"][1:])
    return np.random.default_rng(seed).integers(info.min, info.max, shape, info.dtype, True)
