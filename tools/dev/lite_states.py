"""Networks that keep something from one call to the next, for larq_fixtures.py: variables by name,
as TensorFlow's converter writes them, and SVDF, which only other writers' files have and the
schema's own classes make here. Weights are random or, in those called `trained`, learned."""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from larq_operators import Graph, schema

CALLS = 20
F = tf.float32


def eighths(generator, *shape) -> np.ndarray:
    return (generator.integers(-8, 9, shape) / 8).astype(np.float32)


# Variables by name.


class Stream(tf.Module):
    """`step(self, x)` reads and assigns the variables `states`, NAME: what it starts with."""

    def __init__(self, step, shape, states, dtype=F):
        super().__init__()
        self.states = [tf.Variable(value, name=name) for name, value in states.items()]
        self.run = tf.function(
            lambda x: step(self.states, x), [tf.TensorSpec(shape, dtype)], autograph=False
        )

    def convert(self) -> bytes:
        function = self.run.get_concrete_function()
        converter = tf.lite.TFLiteConverter.from_concrete_functions([function], self)
        converter.experimental_enable_resource_variables = True
        return converter.convert()


def total(states, x):
    (sums,) = states
    sums.assign(sums + x)
    return sums * 0.5


def fading(states, x):
    """Read before and after it is assigned, and one that is only read."""
    mean, share = states
    before = tf.identity(mean)
    mean.assign(before * share + x * (1 - share))
    return tf.concat((before, mean), -1)


def counter(states, x):
    """Integers, and a result that nothing else reads."""
    count, last = states
    y = x - last
    count.assign(count + 1)
    last.assign(x)
    return tf.where(count > 3, y, tf.zeros_like(y))


def streaming_convolution(filters, bias):
    """A convolution over the last three frames."""

    def step(states, x):
        (frames,) = states
        frames.assign(tf.concat((frames[:, 1:], x), 1))
        y = tf.nn.conv2d(frames[:, :, None], filters, 1, "VALID") + bias
        return tf.reshape(tf.nn.relu(y), (1, -1))

    return step


def recurrent(weights, x, h):
    """A gated unit: its result by a dense layer, and its next state."""
    update, reset, fresh, last = weights
    both = tf.concat((x, h), 1)
    z, r = tf.sigmoid(tf.matmul(both, update)), tf.sigmoid(tf.matmul(both, reset))
    new = tf.tanh(tf.matmul(tf.concat((x, r * h), 1), fresh))
    h = (1 - z) * h + z * new
    return tf.matmul(h, last), h


def recurrent_step(weights):
    def step(states, x):
        (h,) = states
        y, state = recurrent(weights, x, tf.identity(h))
        h.assign(state)
        return y

    return step


def train_recurrent(generator, inputs=4, units=8):
    """Learned: whether the sum of what has come is positive."""
    shapes = [(inputs + units, units)] * 3 + [(units, 1)]
    weights = [tf.Variable(generator.normal(0, 0.4, s), dtype=F) for s in shapes]
    x = generator.normal(0, 1, (256, 10, inputs)).astype(np.float32)
    goal = (np.cumsum(x.sum(2), 1) > 0).astype(np.float32)[..., None]
    adam = tf.keras.optimizers.Adam(0.02)
    for _ in range(40):
        with tf.GradientTape() as tape:
            h, loss = tf.zeros((256, units)), 0.0
            for t in range(10):
                y, h = recurrent(weights, x[:, t], h)
                loss += tf.reduce_mean(
                    tf.nn.sigmoid_cross_entropy_with_logits(labels=goal[:, t], logits=y)
                )
        adam.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
    return [tf.constant(np.round(w.numpy() * 256) / 256, F) for w in weights]


# SVDF.


class States(Graph):
    """With variables."""

    def variable(self, shape, dtype, **options) -> int:
        made = self.tensor(shape, dtype, **options)
        self.tensors[made].isVariable = True
        return made

    def svdf(self, x, operands, state, y, rank, activation) -> None:
        options = schema.SVDFOptionsT()
        options.rank, options.fusedActivationFunction = rank, activation
        self.builtin("SVDF", [x, *operands, state], [y], options, version=3)


def svdf(generator, layers, activation=1, bias=True, weights=None) -> bytes:
    """Layers behind one another, each (inputs, units, rank, steps), of floats."""
    graph = States()
    x = given = graph.tensor((1, layers[0][0]))
    for i, (inputs, units, rank, steps) in enumerate(layers):
        filters = units * rank
        feature, time, moved = (
            weights[i]
            if weights
            else [eighths(generator, *s) for s in ((filters, inputs), (filters, steps), (units,))]
        )
        operands = [graph.constant(feature), graph.constant(time)]
        operands.append(graph.constant(moved) if bias else -1)
        state, y = graph.variable((1, filters * steps), "float32"), graph.tensor((1, units))
        graph.svdf(x, operands, state, y, rank, activation)
        x = y
    return graph.finish(given, x)


def svdf_of_codes(generator, inputs, units, rank, steps, bias=True) -> bytes:
    """Of int8, with a memory of int16."""
    graph, filters = States(), units * rank
    x = graph.tensor((1, inputs), "int8", scale=0.031, zero=-3)
    feature = generator.integers(-127, 128, (filters, inputs), dtype=np.int8)
    time = generator.integers(-(2**15) + 1, 2**15, (filters, steps)).astype(np.int16)
    operands = [
        graph.tensor(feature.shape, "int8", feature, scale=0.007),
        graph.tensor(time.shape, "int16", time, scale=0.3 / 2**15),
    ]
    scale = 0.0004
    moved = generator.integers(-(2**20), 2**20, units).astype(np.int32)
    operands.append(
        graph.tensor((units,), "int32", moved, scale=scale * 0.3 / 2**15) if bias else -1
    )
    state = graph.variable((1, filters * steps), "int16", scale=scale)
    y = graph.tensor((1, units), "int8", scale=0.013 * rank, zero=7)
    graph.svdf(x, operands, state, y, rank, 1)
    return graph.finish(x, y)


def train_svdf(generator, inputs=6, units=8, steps=5):
    """Learned as a dense layer and a depthwise convolution over time: whether a frame is like one
    of three calls before."""
    layers = tf.keras.layers
    x = generator.normal(0, 1, (512, steps, inputs)).astype(np.float32)
    goal = ((x[:, -1] * x[:, -4]).sum(1) > 0).astype(np.float32)
    model = tf.keras.Sequential(
        [
            layers.Input((steps, inputs)),
            layers.Dense(units, use_bias=False),
            layers.DepthwiseConv1D(steps),
            layers.ReLU(),
            layers.Flatten(),
            layers.Dense(1),
        ]
    )
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(x, goal, epochs=5, verbose=0)
    dense, depthwise, last = (layer for layer in model.layers if layer.weights)
    feature = np.round(dense.get_weights()[0].T * 256) / 256
    kernel, moved = depthwise.get_weights()
    output, shift = last.get_weights()
    first = (feature, kernel[:, :, 0].T, moved)
    return [
        [np.ascontiguousarray(w, np.float32) for w in first],
        [np.ascontiguousarray(w, np.float32) for w in (output.T, np.ones((1, 1)), shift)],
    ]


def networks() -> dict:
    """NAME: what makes the file, of a generator, and a frame's shape and type."""
    return {
        "total": (lambda r: Stream(total, (1, 6), {"sums": tf.zeros((1, 6))}).convert(), (1, 6)),
        "fading": (
            lambda r: Stream(
                fading, (1, 4), {"mean": tf.constant(eighths(r, 1, 4)), "share": tf.constant(0.75)}
            ).convert(),
            (1, 4),
        ),
        "counter": (
            lambda r: Stream(
                counter,
                (1, 3),
                {"count": tf.constant([0]), "last": tf.constant([[7, 7, -7]])},
                tf.int32,
            ).convert(),
            (1, 3),
            np.int32,
        ),
        "convolution": (
            lambda r: Stream(
                streaming_convolution(
                    tf.constant(eighths(r, 3, 1, 8, 16)), tf.constant(eighths(r, 16))
                ),
                (1, 1, 8),
                {"frames": tf.zeros((1, 5, 8))},
            ).convert(),
            (1, 1, 8),
        ),
        "recurrent_trained": (
            lambda r: Stream(
                recurrent_step(train_recurrent(r)), (1, 4), {"h": tf.zeros((1, 8))}
            ).convert(),
            (1, 4),
        ),
        "svdf": (lambda r: svdf(r, [(6, 5, 1, 4)]), (1, 6)),
        "svdf_rank": (lambda r: svdf(r, [(6, 4, 2, 3), (4, 3, 1, 1)], 0), (1, 6)),
        "svdf_plain": (lambda r: svdf(r, [(5, 3, 1, 7)], 3, bias=False), (1, 5)),
        "svdf_trained": (
            lambda r: svdf(r, [(6, 8, 1, 5), (8, 1, 1, 1)], 0, weights=train_svdf(r)),
            (1, 6),
        ),
        "svdf_int8": (lambda r: svdf_of_codes(r, 40, 8, 1, 6), (1, 40), np.int8),
        "svdf_int8_rank": (lambda r: svdf_of_codes(r, 24, 6, 3, 4), (1, 24), np.int8),
        "svdf_int8_plain": (lambda r: svdf_of_codes(r, 7, 5, 1, 9, bias=False), (1, 7), np.int8),
    }


def frames(generator, shape, dtype=np.float32) -> np.ndarray:
    """What comes in, call by call."""
    shape = (CALLS, *shape)
    if dtype == np.int8:
        return generator.integers(-128, 128, shape, dtype=np.int8)
    if dtype == np.int32:
        return generator.integers(-5, 6, shape, dtype=np.int32)
    return (generator.integers(-24, 25, shape) / 8).astype(np.float32)


def run(content: bytes, x) -> np.ndarray:
    """The interpreter's results, call by call."""
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    (given,), (result,) = interpreter.get_input_details(), interpreter.get_output_details()
    results = []
    for frame in x:
        interpreter.set_tensor(given["index"], frame)
        interpreter.invoke()
        results.append(interpreter.get_tensor(result["index"]))
    return np.stack(results)
