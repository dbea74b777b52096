"""Keras networks of .tflite files: QuickNet as larq-zoo publishes it, and those like MLPerf Tiny's.
Weights are random, and the averages of the batch norms those of random inputs."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

layers = tf.keras.layers


def build(name: str, **arguments):
    """A network of a batch of one, the same bits on any number of cores."""
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.keras.utils.set_random_seed(0)
    make, batch = _NETWORKS[name]
    x, y = make(**arguments)
    model = tf.keras.Model(x, y)
    # With a momentum of 0 a call in training takes the averages over.
    shape = x.shape[1:]
    calibrated = tf.keras.models.clone_model(model, layers.Input(shape, batch))
    calibrated(tf.random.normal((batch, *shape)), training=True)
    model.set_weights(calibrated.get_weights())
    return model


def _norm(x, **options):
    return layers.BatchNormalization(momentum=0.0, **options)(x)


def _relu(x):
    return layers.Activation("relu")(x)


_SECTIONS = ((64, 4), (128, 4), (256, 4), (512, 4))  # filters, blocks


def _quicknet(is_float: bool):
    """Of signs, or of floats alone. 224 x 224, 1000 classes."""
    image = layers.Input((224, 224, 3), 1)
    x = layers.Conv2D(_SECTIONS[0][0] // 4, 3, 2, "same", use_bias=False)(image)
    x = _relu(_norm(x))
    x = layers.DepthwiseConv2D(3, 2, "same", use_bias=False)(x)
    x = _norm(x, scale=False, center=False)
    x = _norm(layers.Conv2D(_SECTIONS[0][0], 1, use_bias=False)(x))
    for filters, blocks in _SECTIONS:
        if filters != x.shape[-1]:
            x = _blur(layers.MaxPool2D(2, 1)(_relu(x)))
            x = _norm(layers.Conv2D(filters, 1, use_bias=False)(x))
        for _ in range(blocks):
            x = layers.Add()([_norm(_inner(filters, is_float)(x)), x])
    x = layers.GlobalAveragePooling2D()(_relu(x))
    return image, layers.Softmax()(layers.Dense(1000)(x))


def _inner(filters: int, is_float: bool):
    """The convolution of a block: of signs by signs, or one of floats of its shape."""
    options = {"padding": "same", "activation": "relu", "use_bias": False}
    if is_float:
        return layers.Conv2D(filters, 3, **options)
    import larq

    signs = larq.quantizers.SteSign(clip_value=1.25)
    return larq.layers.QuantConv2D(
        filters, 3, pad_values=1.0, input_quantizer=signs, kernel_quantizer=signs, **options
    )


def _blur(x):
    """Every second place of what a filter of 1 2 1 by 1 2 1 makes of each channel."""
    taps = np.repeat(np.outer([1, 2, 1], [1, 2, 1])[..., None, None] / 16, x.shape[-1], axis=2)
    return layers.DepthwiseConv2D(
        3, 2, "same", use_bias=False, depthwise_initializer=tf.keras.initializers.Constant(taps)
    )(x)


# Networks like those of MLPerf Tiny.


def _separable(x, filters: int, stride: int = 1):
    x = _relu(_norm(layers.DepthwiseConv2D(3, stride, "same", use_bias=False)(x)))
    return _relu(_norm(layers.Conv2D(filters, 1, use_bias=False)(x)))


def _classify(x, classes: int):
    """By the average of all places."""
    x = layers.Flatten()(layers.AveragePooling2D(x.shape[1:3])(x))
    return layers.Softmax()(layers.Dense(classes)(x))


def _mobilenet():
    """MobileNetV1 with a quarter of its filters: whether somebody is in a picture."""
    image = layers.Input((96, 96, 3), 1)
    x = _relu(_norm(layers.Conv2D(8, 3, 2, "same", use_bias=False)(image)))
    for filters, stride in (
        (16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2),
        (128, 1), (128, 1), (128, 1), (128, 1), (128, 1), (256, 2), (256, 1),
    ):  # fmt: skip
        x = _separable(x, filters, stride)
    return image, _classify(x, 2)


def _resnet8():
    """Three residual blocks: what is in a small picture."""
    image = layers.Input((32, 32, 3), 1)
    x = _relu(_norm(layers.Conv2D(16, 3, 1, "same")(image)))
    for filters, stride in ((16, 1), (32, 2), (64, 2)):
        y = _relu(_norm(layers.Conv2D(filters, 3, stride, "same")(x)))
        y = _norm(layers.Conv2D(filters, 3, 1, "same")(y))
        if stride > 1:
            x = layers.Conv2D(filters, 1, stride)(x)
        x = _relu(layers.Add()([x, y]))
    return image, _classify(x, 10)


def _ds_cnn():
    """A large filter and four separable convolutions: a word in 49 slices of 10 frequencies."""
    sound = layers.Input((49, 10, 1), 1)
    x = _relu(_norm(layers.Conv2D(64, (10, 4), 2, "same")(sound)))
    for _ in range(4):
        x = _separable(x, 64)
    return sound, _classify(x, 12)


def _autoencoder():
    """Ten dense layers: whether a machine sounds as it should."""
    x = sound = layers.Input((640,), 1)
    for units in (128, 128, 128, 128, 8, 128, 128, 128, 128):
        x = _relu(_norm(layers.Dense(units)(x)))
    return sound, layers.Dense(640)(x)


# What makes each, and how many inputs its batch norms average.
_NETWORKS = {
    "quicknet": (_quicknet, 4),
    "mobilenet": (_mobilenet, 64),
    "resnet8": (_resnet8, 64),
    "ds-cnn": (_ds_cnn, 64),
    "autoencoder": (_autoencoder, 64),
}
