"""Makes test/Python/golden/larq_networks.npz and tflite_networks.npz: networks of Larq as its
compute engine converts them, and of Keras as TensorFlow Lite converts them (floats, int8), inputs,
and what their own interpreters give. `./dev fixtures` runs it in .venv-outside-larq.

The archives are laid out as those of fixtures.py. It says where two kernels of one interpreter
differ, and by how much. The files have what Larq's reference kernels give, since the optimized ones
are wrong for some paddings; and of TensorFlow Lite what it runs by default, XNNPACK's.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

os.environ.update(TF_USE_LEGACY_KERAS="1", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

import larq_compute_engine as lce  # noqa: E402
import larq_networks  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from larq_compute_engine.tflite.python.interpreter import Interpreter  # noqa: E402

SEED = 20261124
SAMPLES = 2
logging.disable(logging.WARNING)


def differ(name: str, got, expected, what: str) -> None:
    """A line about results that are not those that the archive has."""
    difference = np.abs(np.float64(got) - np.float64(expected))
    if difference.any():
        largest = np.abs(np.float64(expected)).max()
        print(
            f"{name}: {what} differ in {np.count_nonzero(difference)} of {difference.size} by up "
            f"to {difference.max():.3g}; the largest output is {largest:.3g}"
        )


def run_engine(name: str, content: bytes, x) -> np.ndarray:
    y = Interpreter(content, use_reference_bconv=True).predict(x)
    for what, options in {
        "optimized kernels": {},
        "indirect kernels": {"use_indirect_bgemm": True},
    }.items():
        try:
            differ(name, Interpreter(content, **options).predict(x), y, what)
        except RuntimeError as error:
            print(f"{name}: {what} do not take it: {str(error).splitlines()[0]}")
    return y


def run_lite(name: str, content: bytes, x) -> np.ndarray:
    kinds = tf.lite.experimental.OpResolverType

    def run(kind):
        interpreter = tf.lite.Interpreter(model_content=content, experimental_op_resolver_type=kind)
        (given,), (result,) = interpreter.get_input_details(), interpreter.get_output_details()
        results = []
        interpreter.allocate_tensors()
        for sample in x:
            interpreter.set_tensor(given["index"], sample[None])
            interpreter.invoke()
            results.append(interpreter.get_tensor(result["index"]))
        return np.concatenate(results)

    y = run(kinds.AUTO)
    differ(name, run(kinds.BUILTIN_WITHOUT_DEFAULT_DELEGATES), y, "kernels without XNNPACK")
    try:
        differ(name, run(kinds.BUILTIN_REF), y, "reference kernels")
    except ValueError as error:
        print(f"{name}: no reference kernels: {str(error).splitlines()[0]}")
    return y


def image(model, seed: int) -> np.ndarray:
    shape = (SAMPLES, *model.input_shape[1:])
    x = np.random.default_rng(seed).uniform(-1, 1, shape)
    return (np.round(x * 64) / 64).astype(np.float32)


def integers(model, x, io=tf.float32, per_channel=True) -> bytes:
    """With codes of int8 alone inside, by ranges of 64 samples."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    generator = np.random.default_rng(SEED)
    samples = generator.uniform(-1, 1, (64, 1, *x.shape[1:])).astype(np.float32)
    converter.representative_dataset = lambda: ([sample] for sample in samples)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = io
    converter._experimental_disable_per_channel = not per_channel
    return converter.convert()


def codes(content: bytes, x) -> np.ndarray:
    """Inputs as the codes that the file says."""
    (given,) = tf.lite.Interpreter(model_content=content).get_input_details()
    scale, zero = given["quantization"]
    info = np.iinfo(given["dtype"])
    return np.clip(np.round(x / scale + zero), info.min, info.max).astype(given["dtype"])


class Archive:
    def __init__(self, name: str):
        self.name, self.arrays = name, {}

    def add(self, name: str, content: bytes, x, y) -> None:
        self.arrays |= {
            f"{name}/model": np.frombuffer(content, np.uint8), f"{name}/x0": x, f"{name}/y0": y,
        }  # fmt: skip

    def write(self) -> None:
        folder = Path(__file__).resolve().parents[2] / "test/Python/golden"
        np.savez_compressed(folder / self.name, **self.arrays)


def make(name: str, build, seed: int):
    tf.keras.backend.clear_session()
    tf.keras.utils.set_random_seed(seed)
    model = build()
    larq_networks.randomize(model, seed)
    return model, image(model, seed)


def main() -> None:
    larq = Archive("larq_networks.npz")
    for seed, (name, build) in enumerate(larq_networks.networks().items(), SEED):
        try:
            model, x = make(name, build, seed)
            content = lce.convert_keras_model(model)
            y = run_engine(name, content, x)
        except Exception as error:
            sys.exit(f"larq_fixtures: {name}: {error}")
        differ(name, model.predict(x, 1, verbose=0), y, "Keras' own results")
        larq.add(name, content, x, y)
    larq.write()

    lite = Archive("tflite_networks.npz")
    for seed, (name, build) in enumerate(larq_networks.plain_networks().items(), SEED):
        model, x = make(name, build, seed)
        content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
        lite.add(f"{name}_float", content, x, run_lite(f"{name}_float", content, x))
        kinds = {"int8": tf.int8, "int8_inside": tf.float32}
        for kind, io in kinds.items():
            content = integers(model, x, io)
            given = x if io == tf.float32 else codes(content, x)
            result = run_lite(f"{name}_{kind}", content, given)
            lite.add(f"{name}_{kind}", content, given, result)
    lite.write()


if __name__ == "__main__":
    main()
