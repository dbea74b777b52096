"""Files of one operator of TensorFlow Lite each, for larq_fixtures.py, as its converter writes
functions; in floats and, for those that integer networks have, in int8."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

F = tf.float32
IMAGE, ROWS = (1, 6, 5, 4), (3, 7)


def weights(*shape) -> tf.Tensor:
    """Eighths, the same for each shape."""
    values = np.random.default_rng(sum(shape)).integers(-8, 9, shape) / 8
    return tf.constant(values, F)


def conv(filters, **options):
    options = {"strides": 1, "padding": "SAME", **options}
    return lambda x: tf.nn.conv2d(x, weights(*filters), **options) + weights(filters[-1])


def depthwise(filters, strides=(1, 1), padding="SAME", dilations=(1, 1)):
    return lambda x: tf.nn.depthwise_conv2d(
        x, weights(*filters), [1, *strides, 1], padding, dilations=dilations
    )


def transposed(filters, out, strides, padding):
    return lambda x: tf.nn.conv2d_transpose(x, weights(*filters), out, strides, padding)


def resize(size, method, **options):
    function = {
        "bilinear": tf.compat.v1.image.resize_bilinear,
        "nearest": tf.compat.v1.image.resize_nearest_neighbor,
    }[method]
    return lambda x: function(x, size, **options)


# NAME: a function and the shapes of its operands, float32 but where a type is beside them.
PAIR = [ROWS, ROWS]
ELEMENTWISE = {
    **{
        name: (function, [ROWS])
        for name, function in {
            "abs": tf.abs, "neg": tf.negative, "exp": tf.exp, "sin": tf.sin, "cos": tf.cos,
            "floor": tf.floor, "ceil": tf.math.ceil, "round": tf.round, "sign": tf.sign,
            "square": tf.square, "sigmoid": tf.sigmoid, "tanh": tf.tanh, "relu": tf.nn.relu,
            "relu6": tf.nn.relu6, "elu": tf.nn.elu, "softmax": tf.nn.softmax,
            "log_softmax": tf.nn.log_softmax,
            "gelu": lambda x: tf.nn.gelu(x), "gelu_tanh": lambda x: tf.nn.gelu(x, True),
            "sqrt": lambda x: tf.sqrt(tf.abs(x) + 0.5),
            "rsqrt": lambda x: tf.math.rsqrt(tf.abs(x) + 0.5),
            "log": lambda x: tf.math.log(tf.abs(x) + 0.5),
            "relu_n1_to_1": lambda x: tf.minimum(tf.maximum(x, -1.0), 1.0),
            "leaky_relu": lambda x: tf.nn.leaky_relu(x, 0.3),
            "hard_swish": lambda x: x * tf.nn.relu6(x + 3.0) * (1 / 6),
            "prelu": lambda x: tf.nn.relu(x) - weights(7) * tf.nn.relu(-x),
            "pow": lambda x: tf.pow(tf.abs(x) + 0.5, 1.7),
            "logical": lambda x: tf.logical_or(
                tf.logical_and(x > 0.0, x < 1.0), tf.logical_not(x > -1.0)
            ),
            "to_int": lambda x: tf.cast(x * 3.0, tf.int32),
        }.items()
    },
    **{
        name: (function, PAIR)
        for name, function in {
            "sub": tf.subtract, "div": lambda x, y: x / (tf.abs(y) + 0.5),
            "maximum": tf.maximum, "minimum": tf.minimum,
            "squared_difference": tf.math.squared_difference,
            "equal": lambda x, y: tf.equal(tf.round(x), tf.round(y)),
            "not_equal": lambda x, y: tf.not_equal(tf.round(x), tf.round(y)),
            "greater": tf.greater, "greater_equal": tf.greater_equal, "less": tf.less,
            "less_equal": tf.less_equal,
            "select": lambda x, y: tf.where(x > y, x, 2.0 * y),
            "add_n": lambda x, y: tf.add_n([x, y, x * 2.0]),
        }.items()
    },
    "add_broadcast": (tf.add, [IMAGE, (4,)]),
    "mul_broadcast": (tf.multiply, [IMAGE, (1, 6, 1, 4)]),
    "to_float": (lambda x: tf.cast(x, F) / 2.0, [(ROWS, tf.int32)]),
    "integers": (lambda x, y: tf.maximum(x * y - 3, x), [(ROWS, tf.int32)] * 2),
}  # fmt: skip
PRODUCTS = {
    "conv_same": (conv((3, 3, 4, 6)), [IMAGE]),
    "conv_valid": (conv((3, 2, 4, 6), padding="VALID"), [IMAGE]),
    "conv_stride": (conv((3, 3, 4, 6), strides=2), [IMAGE]),
    "conv_dilation": (conv((3, 3, 4, 6), dilations=2), [IMAGE]),
    "conv_groups": (conv((3, 3, 2, 6)), [IMAGE]),
    "conv_relu": (lambda x: tf.nn.relu(conv((3, 3, 4, 6))(x)), [IMAGE]),
    "depthwise_same": (depthwise((3, 3, 4, 1)), [IMAGE]),
    "depthwise_many": (depthwise((3, 3, 4, 2), (2, 2), "VALID"), [IMAGE]),
    "depthwise_dilation": (depthwise((3, 3, 4, 1), dilations=(2, 2)), [IMAGE]),
    "transposed_same": (transposed((3, 3, 5, 4), (1, 12, 10, 5), 2, "SAME"), [IMAGE]),
    "transposed_valid": (transposed((3, 3, 5, 4), (1, 13, 11, 5), 2, "VALID"), [IMAGE]),
    "dense": (lambda x: tf.matmul(x, weights(7, 5)) + weights(5), [ROWS]),
    "dense_relu6": (lambda x: tf.nn.relu6(tf.matmul(x, weights(7, 5))), [ROWS]),
    "matmul": (lambda x, y: tf.matmul(x, y, transpose_b=True), [(2, 3, 4), (2, 5, 4)]),
}
WINDOWS = {
    "max_pool_same": (lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME"), [IMAGE]),
    "max_pool_valid": (lambda x: tf.nn.max_pool2d(x, (2, 3), (1, 2), "VALID"), [IMAGE]),
    "average_pool_same": (lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), [IMAGE]),
    "average_pool_valid": (lambda x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), [IMAGE]),
    "mean": (lambda x: tf.reduce_mean(x, (1, 2)), [IMAGE]),
    "mean_kept": (lambda x: tf.reduce_mean(x, -1, keepdims=True), [IMAGE]),
    "sum": (lambda x: tf.reduce_sum(x, (1, 3)), [IMAGE]),
    "reduce_max": (lambda x: tf.reduce_max(x, (1, 2)), [IMAGE]),
    "reduce_min": (lambda x: tf.reduce_min(x, 3), [IMAGE]),
    "reduce_prod": (lambda x: tf.reduce_prod(x, 3), [IMAGE]),
    "arg_max": (lambda x: tf.argmax(x, -1), [ROWS]),
    "arg_min": (lambda x: tf.argmin(x, 0, tf.int32), [ROWS]),
}
SHAPES = {
    "reshape": (lambda x: tf.reshape(x, (6, 20)), [IMAGE]),
    "transpose": (lambda x: tf.transpose(x, (0, 3, 1, 2)), [IMAGE]),
    "concat": (lambda x, y: tf.concat((x, y, x), 0), PAIR),
    "pack": (lambda x, y: tf.stack((x, y), 1), PAIR),
    "unpack": (lambda x: tf.add(*tf.unstack(x, axis=1)[1:3]), [ROWS]),
    "split": (lambda x: tf.multiply(*tf.split(x, 2, 3)), [IMAGE]),
    "split_sizes": (lambda x: tf.split(x, (3, 1, 3), 1)[2] * 2.0, [ROWS]),
    "slice": (lambda x: tf.slice(x, (0, 1, 2, 0), (1, 4, -1, 3)), [IMAGE]),
    "strided_slice": (lambda x: x[:, 1:-1:2, ::-1, 1], [IMAGE]),
    "strided_slice_ellipsis": (lambda x: x[0, ..., 1:, tf.newaxis], [IMAGE]),
    "pad": (lambda x: tf.pad(x, ((0, 0), (1, 2), (0, 1), (0, 0))), [IMAGE]),
    "pad_by": (lambda x: tf.pad(x, ((1, 0), (0, 2)), constant_values=1.5), [ROWS]),
    "mirror_pad": (lambda x: tf.pad(x, ((0, 0), (2, 1)), "REFLECT"), [ROWS]),
    "tile": (lambda x: tf.tile(x, (2, 3)), [ROWS]),
    "broadcast": (lambda x: tf.broadcast_to(x, (2, 3, 7)), [ROWS]),
    "gather": (lambda x: tf.gather(x, (4, 0, 6, 6), axis=1), [ROWS]),
    "gather_computed": (
        lambda x, i: tf.gather(x, tf.abs(i) % 2, axis=0), [ROWS, ((4,), tf.int32)]
    ),
    "reverse": (lambda x: tf.reverse(x, (1,)), [ROWS]),
    "depth_to_space": (lambda x: tf.nn.depth_to_space(x, 2), [IMAGE]),
    "space_to_depth": (lambda x: tf.nn.space_to_depth(x, 2), [(1, 4, 6, 3)]),
    "bilinear": (resize((13, 9), "bilinear"), [IMAGE]),
    "bilinear_corners": (resize((13, 9), "bilinear", align_corners=True), [IMAGE]),
    "bilinear_half": (resize((13, 9), "bilinear", half_pixel_centers=True), [IMAGE]),
    "nearest": (resize((13, 9), "nearest"), [IMAGE]),
    "nearest_corners": (resize((13, 9), "nearest", align_corners=True), [IMAGE]),
    "nearest_half": (resize((13, 9), "nearest", half_pixel_centers=True), [IMAGE]),
}  # fmt: skip
# A leading dimension of any size, which is then computed with.
BATCH = {
    "batch_flatten": (
        lambda x: tf.reshape(x, (tf.shape(x)[0], x.shape[1] * 5, 4)), [(None, 6, 5, 4)]
    ),
    "batch_rows": (
        lambda x: tf.reshape(tf.matmul(tf.reshape(x, (-1, 4)), weights(4, 5)), (-1, 6, 5)),
        [(None, 6, 4)],
    ),
    "batch_broadcast": (
        lambda x: x + tf.broadcast_to(weights(1, 4), (tf.shape(x)[0], 4)), [(None, 4)]
    ),
    "batch_tokens": (
        lambda x: tf.concat((tf.zeros((tf.shape(x)[0], 1, 4)) + weights(4), x), 1),
        [(None, 3, 4)],
    ),
}  # fmt: skip
# What networks of integers have.
INTEGERS = {
    name: cases[name]
    for cases, names in (
        (ELEMENTWISE, ("sigmoid", "tanh", "relu", "relu6", "leaky_relu", "hard_swish", "softmax",
                       "log_softmax", "sub", "maximum", "add_broadcast", "mul_broadcast")),
        (PRODUCTS, ("conv_same", "conv_stride", "conv_relu", "depthwise_same", "depthwise_many",
                    "transposed_same", "dense", "dense_relu6")),
        (WINDOWS, ("max_pool_same", "average_pool_same", "average_pool_valid", "mean")),
        (SHAPES, ("concat", "pad", "bilinear_half", "nearest", "strided_slice", "transpose")),
    )
    for name in names
}  # fmt: skip


def _signature(operand):
    shape, dtype = operand if isinstance(operand[-1], tf.DType) else (operand, F)
    return tf.TensorSpec(shape, dtype)


def _draw(generator, spec) -> np.ndarray:
    shape = [2 if size is None else size for size in spec.shape]
    if spec.dtype == tf.int32:
        return generator.integers(-5, 6, shape, dtype=np.int32)
    return (generator.integers(-24, 25, shape) / 8).astype(np.float32)


def _converter(function, operands):
    signatures = [_signature(operand) for operand in operands]
    concrete = tf.function(function, autograph=False).get_concrete_function(*signatures)
    converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete])
    return converter, signatures


def build(case, generator, in_int8=False) -> tuple[bytes, list[np.ndarray]]:
    """The file, and inputs."""
    converter, signatures = _converter(*case)
    if in_int8:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        samples = [[_draw(generator, s) for s in signatures] for _ in range(64)]
        converter.representative_dataset = lambda: iter(samples)
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    return converter.convert(), [_draw(generator, s) for s in signatures]


def operators() -> dict:
    """NAME: a case, and whether it is one of int8."""
    floats = {**ELEMENTWISE, **PRODUCTS, **WINDOWS, **SHAPES, **BATCH}
    return {
        **{name: (case, False) for name, case in floats.items()},
        **{f"int8_{name}": (case, True) for name, case in INTEGERS.items()},
    }
