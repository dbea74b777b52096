"""Networks of Larq for larq_fixtures.py, a function each, and plain ones of Keras: shapes that
people train, cut small, with weights of a seed."""

from __future__ import annotations

import larq as lq
import numpy as np
import tensorflow as tf

layers = tf.keras.layers
BLUR = {
    2: [[1, 1], [1, 1]],
    3: [[1, 2, 1], [2, 4, 2], [1, 2, 1]],
}


def sign_conv(filters, kernel=3, **options):
    """A convolution of signs by signs."""
    return lq.layers.QuantConv2D(
        filters,
        kernel,
        **{
            "input_quantizer": "ste_sign",
            "kernel_quantizer": "ste_sign",
            "padding": "same",
            "pad_values": 1,
            "use_bias": False,
            **options,
        },
    )


def norm(x, scale=True):
    return layers.BatchNormalization(momentum=0.9, scale=scale)(x)


def blur(x, size):
    """A depthwise convolution by a filter that is the same for all channels, every other place."""
    channels, taps = x.shape[-1], np.array(BLUR[size], np.float32)
    taps = np.repeat((taps / taps.sum())[..., None, None], channels, axis=2)
    return layers.DepthwiseConv2D(
        size, 2, "same", use_bias=False, name=f"blur_{size}_{channels}_{x.shape[1]}",
        depthwise_initializer=tf.keras.initializers.Constant(taps),
    )(x)  # fmt: skip


def quicknet(size=24, widths=(32, 64), blocks=(2, 2), classes=10):
    """A stem of few products, blocks of one convolution each, and between them a max-pool, a blur
    and a convolution of floats that widens."""
    image = x = layers.Input((size, size, 3))
    x = layers.Conv2D(widths[0] // 4, 3, 2, "same", use_bias=False)(x)
    x = layers.Activation("relu")(norm(x))
    x = layers.DepthwiseConv2D(3, 2, "same", use_bias=False)(x)
    x = norm(x, scale=False)
    x = norm(layers.Conv2D(widths[0], 1, use_bias=False)(x))
    for i, (width, count) in enumerate(zip(widths, blocks, strict=True)):
        if i:
            x = layers.Activation("relu")(x)
            x = layers.MaxPool2D(2, 1)(x)
            x = blur(x, 3)
            x = norm(layers.Conv2D(width, 1, use_bias=False)(x))
        for _ in range(count):
            y = sign_conv(width, activation="relu")(x)
            x = layers.Add()([x, norm(y)])
    x = layers.Activation("relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Softmax()(layers.Dense(classes)(x)))


def quicknet_large():
    """QuickNet at 224 x 224 as it is published."""
    return quicknet(224, (64, 128, 256, 512), (4, 4, 4, 4), 1000)


def bireal(quantizer="magnitude_aware_sign", activation="approx_sign"):
    """An addition around every convolution; an average and a convolution of floats where it
    narrows."""
    image = x = layers.Input((16, 16, 3))
    x = norm(layers.Conv2D(32, 3, 2, "same", use_bias=False)(x))
    x = layers.MaxPool2D(3, 2, "same")(x)
    for width, stride in ((32, 1), (64, 2), (64, 1)):
        y = sign_conv(
            width, strides=stride, input_quantizer=activation, kernel_quantizer=quantizer,
            pad_values=0,
        )(x)  # fmt: skip
        if stride == 2:
            x = layers.AveragePooling2D(2, 2)(x)
            x = norm(layers.Conv2D(width, 1, use_bias=False)(x))
        x = layers.Add()([x, norm(y)])
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Dense(10)(x))


def xnor(pad_values):
    """Convolutions behind one another, with pools of signs' products."""
    image = x = layers.Input((16, 16, 3))
    x = norm(layers.Conv2D(32, 5, 2, "same")(x))
    x = sign_conv(48, 5, pad_values=pad_values, activation="relu", use_bias=True)(x)
    x = norm(layers.MaxPool2D(3, 2)(x))
    x = norm(sign_conv(64, 3, pad_values=pad_values, activation="relu")(x))
    x = sign_conv(64, 3, strides=2, pad_values=pad_values)(x)
    x = layers.Flatten()(norm(x))
    x = lq.layers.QuantDense(32, input_quantizer="ste_sign", kernel_quantizer="ste_sign")(x)
    return tf.keras.Model(image, layers.Dense(10)(norm(x)))


def dense_net(dilation=1):
    """What each block makes is put behind what it was given."""
    image = x = layers.Input((16, 16, 3))
    x = norm(layers.Conv2D(32, 3, 2, "same", use_bias=False)(x))
    for block in range(2):
        for _ in range(3):
            y = sign_conv(16, activation="relu", dilation_rate=dilation)(norm(x))
            x = layers.Concatenate()([x, y])
        if block == 0:
            x = layers.MaxPool2D(2, 2)(norm(x))
            x = layers.Conv2D(48, 1, use_bias=False)(layers.Activation("relu")(x))
    x = layers.Activation("relu")(norm(x))
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Dense(10)(x))


def melius():
    """Blocks that add channels, and blocks that add to the last of them."""
    image = x = layers.Input((16, 16, 3))
    x = norm(layers.Conv2D(32, 3, 2, "same", use_bias=False)(x))
    for _ in range(3):
        x = layers.Concatenate()([x, norm(sign_conv(32)(x))])
        y = norm(sign_conv(32)(x))
        kept, last = x[..., :-32], x[..., -32:]
        x = layers.Concatenate()([kept, layers.Add()([last, y])])
    x = norm(layers.Conv2D(32, 1, groups=2, use_bias=False)(x))
    x = layers.Activation("relu")(layers.MaxPool2D(2, 2)(x))
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Dense(10)(x))


def perceptron():
    image = x = layers.Input((12, 12, 1))
    x = layers.Flatten()(x)
    x = lq.layers.QuantDense(128, kernel_quantizer="ste_sign", use_bias=False)(x)
    for _ in range(2):
        x = lq.layers.QuantDense(
            96, input_quantizer="ste_sign", kernel_quantizer="ste_sign", use_bias=False
        )(norm(x, scale=False))
    return tf.keras.Model(image, layers.Activation("softmax")(norm(x)))


def quantized(activations, weights="ste_sign", **options):
    """Convolutions by one input quantizer and one of filters."""
    image = x = layers.Input((12, 12, 3))
    x = norm(layers.Conv2D(32, 3, 2, "same", use_bias=False)(x))
    for _ in range(2):
        x = norm(
            lq.layers.QuantConv2D(
                32, 3, padding="same", input_quantizer=activations, kernel_quantizer=weights,
                use_bias=False, **options,
            )(x)
        )  # fmt: skip
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Dense(10)(x))


def prelu():
    image = x = layers.Input((12, 12, 3))
    x = norm(layers.Conv2D(32, 3, 2, "same", use_bias=False)(x))
    for _ in range(2):
        y = layers.PReLU(shared_axes=[1, 2])(norm(sign_conv(32)(x)))
        x = layers.Add()([x, y])
    x = layers.PReLU()(x)
    x = layers.GlobalMaxPooling2D()(x)
    return tf.keras.Model(image, layers.Dense(10)(x))


def groups():
    """Of 64 channels in two groups each filter has 32."""
    image = x = layers.Input((12, 12, 3))
    x = norm(layers.Conv2D(64, 3, 2, "same", use_bias=False)(x))
    for count in (2, 2):
        x = layers.Add()([x, norm(sign_conv(64, groups=count)(x))])
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Dense(10)(x))


def packed():
    """Between convolutions are batch norms and signs alone: bits by thresholds; and a max-pool of
    signs, of 40 channels."""
    image = x = layers.Input((16, 16, 3))
    x = norm(layers.Conv2D(40, 3, 2, "same", use_bias=False)(x))
    for padding in ("same", "valid", "same"):
        x = norm(sign_conv(40, padding=padding)(x))
    x = layers.MaxPool2D(2, 2)(x)
    x = norm(sign_conv(64)(x))
    x = layers.GlobalAveragePooling2D()(lq.quantizers.SteSign()(x))
    return tf.keras.Model(image, layers.Dense(10)(x))


def trained_words(seed: int):
    """Learned: in which quarter of an image the brightest spot is. Signs alone are between its
    convolutions."""
    image = x = layers.Input((8, 8, 1), batch_size=None)
    x = norm(layers.Conv2D(32, 3, 1, "same", use_bias=False)(x))
    x = norm(sign_conv(40)(x))
    x = norm(sign_conv(32, strides=2)(x))
    x = norm(sign_conv(32)(x))
    model = tf.keras.Model(image, layers.Dense(4)(layers.Flatten()(x)))
    generator = np.random.default_rng(seed)
    images = generator.uniform(-1, 1, (512, 8, 8, 1)).astype(np.float32)
    at = images.reshape(512, 64).argmax(1)
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(images, at // 32 * 2 + at % 8 // 4, epochs=4, verbose=0)
    return model


def dilation():
    image = x = layers.Input((14, 14, 3))
    x = norm(layers.Conv2D(32, 3, 1, "same", use_bias=False)(x))
    for rate, padding in ((2, "same"), (3, "same"), (2, "valid")):
        x = norm(sign_conv(32, dilation_rate=rate, padding=padding)(x))
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Dense(10)(x))


def depthwise_signs():
    """Products of signs that the converter keeps in floats: depthwise, separable, turned around."""
    image = x = layers.Input((12, 12, 3))
    x = norm(layers.Conv2D(32, 3, 2, "same", use_bias=False)(x))
    signs = {"input_quantizer": "ste_sign", "padding": "same", "use_bias": False}
    x = norm(lq.layers.QuantDepthwiseConv2D(3, depthwise_quantizer="ste_sign", **signs)(x))
    x = norm(lq.layers.QuantConv2DTranspose(16, 3, 2, kernel_quantizer="ste_sign", **signs)(x))
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Dense(10)(x))


def networks() -> dict:
    """NAME: what makes it."""
    quantizers = lq.quantizers
    return {
        "quicknet": quicknet,
        "bireal": bireal,
        "bireal_swish": lambda: bireal("ste_sign", "swish_sign"),
        "xnor_pad0": lambda: xnor(0),
        "xnor_pad1": lambda: xnor(1),
        "densenet": dense_net,
        "densenet_dilated": lambda: dense_net(2),
        "melius": melius,
        "perceptron": perceptron,
        "packed": packed,
        "dilation": dilation,
        "groups": groups,
        "prelu": prelu,
        "ternary": lambda: quantized(quantizers.SteTern(0.3), pad_values=0),
        "ternary_weights": lambda: quantized(
            "ste_sign", quantizers.SteTern(ternary_weight_networks=True), pad_values=0
        ),
        "heaviside": lambda: quantized("ste_heaviside", pad_values=0),
        "dorefa": lambda: quantized(quantizers.DoReFa(k_bit=2), pad_values=0),
        "no_op": lambda: quantized(quantizers.NoOp(precision=1), pad_values=0),
        "depthwise": depthwise_signs,
    }


# Of floats alone, for TensorFlow Lite's own converter.


def mobile():
    """Depthwise blocks, an addition, and pools of both kinds."""
    image = x = layers.Input((16, 16, 3))
    x = layers.ReLU(6.0)(norm(layers.Conv2D(16, 3, 2, "same")(x)))
    y = layers.ReLU(6.0)(norm(layers.DepthwiseConv2D(3, 1, "same")(x)))
    x = layers.Add()([x, norm(layers.Conv2D(16, 1)(y))])
    x = layers.Concatenate()([layers.MaxPool2D(2)(x), layers.AveragePooling2D(2)(x)])
    x = layers.Conv2D(24, 3, padding="valid", activation="relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(image, layers.Softmax()(layers.Dense(10)(x)))


def plain():
    """Two convolutions and two matrix products."""
    image = x = layers.Input((12, 12, 1))
    x = layers.Conv2D(8, 3, activation="relu")(x)
    x = layers.Conv2D(12, 3, 2, "same", activation="relu")(x)
    x = layers.Dense(24, activation="relu")(layers.Flatten()(x))
    return tf.keras.Model(image, layers.Dense(10)(x))


def assorted():
    """Operators that networks have less often."""
    image = x = layers.Input((8, 8, 4))
    x = layers.ZeroPadding2D(((1, 0), (2, 1)))(x)
    x = layers.Conv2DTranspose(8, 3, 2, "same")(x)
    x = layers.UpSampling2D(2, interpolation="bilinear")(x)
    left, right = tf.split(x, 2, axis=-1)
    x = layers.Multiply()([tf.sigmoid(left), tf.tanh(right)]) - tf.square(left)
    x = tf.transpose(x, [0, 2, 1, 3])
    x = layers.UpSampling2D(2, interpolation="nearest")(x)
    x = layers.ELU()(layers.MaxPool2D(3, 2, "same")(x))
    x = layers.LeakyReLU(0.2)(tf.nn.space_to_depth(x, 2)[:, ::2, 1:, :])
    x = layers.Reshape((x.shape[1] * x.shape[2], x.shape[-1]))(x)
    x = tf.matmul(x, x, transpose_b=True)
    x = tf.nn.log_softmax(tf.reduce_max(x, axis=1))
    return tf.keras.Model(image, tf.maximum(x, -20.0))


def plain_networks() -> dict:
    return {"mobile": mobile, "plain": plain, "assorted": assorted}


def bytes_of_images():
    """Grey levels, scaled by the network itself."""
    image = layers.Input((12, 12, 3), dtype=tf.uint8)
    x = layers.Rescaling(1 / 128, offset=-1)(image)
    x = layers.Conv2D(8, 3, 2, activation="relu")(x)
    return tf.keras.Model(image, layers.Dense(10)(layers.Flatten()(x)))


def signs_in_floats() -> dict:
    """Quantizers of Larq by TensorFlow's own converter, which leaves them as they are computed."""
    quantizers = lq.quantizers
    return {
        "ste_sign": lambda: quantized("ste_sign", pad_values=0),
        "ste_tern": lambda: quantized(quantizers.SteTern(0.3), pad_values=0),
        "dorefa": lambda: quantized(quantizers.DoReFa(k_bit=2), pad_values=0),
    }


def randomize(model, seed: int) -> None:
    """Weights that take little room in a file: signs and eighths. The blurs stay."""
    generator = np.random.default_rng(seed)
    for layer in model.layers:
        if layer.name.startswith("blur"):
            continue
        weights = []
        for variable in layer.weights:
            name, shape = variable.name, tuple(variable.shape)
            if "variance" in name:
                value = generator.uniform(0.5, 2.0, shape)
            elif "gamma" in name:
                value = generator.uniform(0.5, 1.5, shape) * generator.choice([-1, 1], shape)
            elif "alpha" in name:
                value = generator.uniform(0.0, 0.5, shape)
            elif isinstance(layer, lq.layers.QuantizerBase) and "kernel" in name:
                value = generator.choice([-0.75, -0.5, -0.25, 0.25, 0.5, 0.75], shape)
            else:
                value = np.round(generator.uniform(-1, 1, shape) * 8) / 8
            weights.append(value.astype(np.float32))
        layer.set_weights(weights)
    _spread(model, generator)


def _spread(model, generator) -> None:
    """Means of batch norms near those of their inputs, so that signs are of both kinds."""
    shape = [16, *model.input_shape[1:]]
    x = generator.uniform(-1, 1, shape).astype(np.float32)
    if model.input_shape[0] is not None:
        return
    for layer in model.layers:
        if not isinstance(layer, layers.BatchNormalization):
            continue
        y = tf.keras.Model(model.input, layer.input)(x).numpy()
        axes = tuple(range(y.ndim - 1))
        moments = {"moving_mean": y.mean(axes), "moving_variance": y.var(axes) + 0.01}
        for variable in layer.weights:
            for name, value in moments.items():
                if name in variable.name:
                    variable.assign(value * generator.uniform(0.9, 1.1, value.shape))
