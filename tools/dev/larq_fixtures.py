"""Makes larq_*.npz and tflite_*.npz in test/Python/golden: networks of Larq as its compute engine
converts them, of Keras as TensorFlow Lite converts them (floats, int8), operators of both one by
one, inputs, and what their own interpreters give. `./dev fixtures` runs it in .venv-outside-larq;
names of archives (`larq_words lite_states`) make these alone.

The archives are laid out as those of fixtures.py. It says where two kernels of one interpreter
differ, and by how much. The files have what the engine's reference kernels give, since the
optimized ones are wrong for zeros around an image that is smaller than the filter. Of TensorFlow
Lite they have what it runs by default, XNNPACK's.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

os.environ.update(TF_USE_LEGACY_KERAS="1", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")

import larq_compute_engine as lce  # noqa: E402
import larq_networks  # noqa: E402
import larq_operators  # noqa: E402
import lite_axes  # noqa: E402
import lite_codes  # noqa: E402
import lite_operators  # noqa: E402
import lite_states  # noqa: E402
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


def run_engine(name: str, content: bytes, x, **options) -> np.ndarray:
    y = Interpreter(content, use_reference_bconv=True, **options).predict(x)
    for what, kernels in {
        "optimized kernels": {},
        "indirect kernels": {"use_indirect_bgemm": True},
    }.items():
        try:
            differ(name, Interpreter(content, **kernels, **options).predict(x), y, what)
        except RuntimeError as error:
            print(f"{name}: {what} do not take it: {str(error).splitlines()[0]}")
    return y


GOLDEN = Path(__file__).resolve().parents[2] / "test/Python/golden"
KINDS = tf.lite.experimental.OpResolverType


def interpret(content: bytes, inputs, kind) -> np.ndarray:
    interpreter = tf.lite.Interpreter(model_content=content, experimental_op_resolver_type=kind)
    given, (result,) = interpreter.get_input_details(), interpreter.get_output_details()
    for detail, x in zip(given, inputs, strict=True):
        interpreter.resize_tensor_input(detail["index"], x.shape)
    interpreter.allocate_tensors()
    for detail, x in zip(given, inputs, strict=True):
        interpreter.set_tensor(detail["index"], x)
    interpreter.invoke()
    return interpreter.get_tensor(result["index"])


def run_lite(name: str, content: bytes, x) -> np.ndarray:
    def run(kind):
        return np.concatenate([interpret(content, [sample[None]], kind) for sample in x])

    y = run(KINDS.AUTO)
    differ(name, run(KINDS.BUILTIN_WITHOUT_DEFAULT_DELEGATES), y, "kernels without XNNPACK")
    try:
        differ(name, run(KINDS.BUILTIN_REF), y, "reference kernels")
    except ValueError as error:
        print(f"{name}: no reference kernels: {str(error).splitlines()[0]}")
    return y


def image(model, seed: int) -> np.ndarray:
    shape = (SAMPLES, *model.input_shape[1:])
    x = np.random.default_rng(seed).uniform(-1, 1, shape)
    return (np.round(x * 64) / 64).astype(np.float32)


def integers(model, x, io, per_channel, one_sample=False) -> bytes:
    """With codes of int8 alone inside, by ranges of 64 samples. `one_sample`: without sizes that
    are computed, which XNNPACK does not take."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    if one_sample:
        spec = tf.TensorSpec((1, *x.shape[1:]), tf.float32)
        function = tf.function(model).get_concrete_function(spec)
        converter = tf.lite.TFLiteConverter.from_concrete_functions([function], model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    generator = np.random.default_rng(SEED)
    samples = generator.uniform(-1, 1, (64, 1, *x.shape[1:])).astype(np.float32)
    converter.representative_dataset = lambda: ([sample] for sample in samples)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = io
    converter.inference_output_type = tf.int8 if io == tf.int8 else tf.float32
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

    def add(self, name: str, content: bytes, inputs, y) -> None:
        self.arrays |= {f"{name}/model": np.frombuffer(content, np.uint8), f"{name}/y0": y}
        self.arrays |= {f"{name}/x{i}": x for i, x in enumerate(inputs)}

    def write(self) -> None:
        np.savez_compressed(GOLDEN / self.name, **self.arrays)


def make(name: str, build, seed: int):
    tf.keras.backend.clear_session()
    tf.keras.utils.set_random_seed(seed)
    model = build()
    larq_networks.randomize(model, seed)
    return model, image(model, seed)


def write_larq_networks() -> None:
    archive = Archive("larq_networks.npz")
    for seed, (name, build) in enumerate(larq_networks.networks().items(), SEED):
        model, x = make(name, build, seed)
        content = lce.convert_keras_model(model)
        y = run_engine(name, content, x)
        differ(name, model.predict(x, 1, verbose=0), y, "Keras' own results")
        archive.add(name, content, [x], y)
    for seed, (name, build) in enumerate(larq_networks.signs_in_floats().items(), SEED):
        model, x = make(name, build, seed)
        content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
        name = f"{name}_in_floats"
        y = run_lite(name, content, x)
        differ(name, model.predict(x, 1, verbose=0), y, "Keras' own results")
        archive.add(name, content, [x], y)
    # Codes of int8 between the binary layers, of one range. XNNPACK rounds a scaled sum once; the
    # engine's other kernels round it twice, and one other code is soon another sign.
    for name in ("quicknet", "xnor_pad1"):
        model, x = make(name, larq_networks.networks()[name], SEED)
        content = lce.convert_keras_model(
            model,
            inference_input_type=tf.int8,
            inference_output_type=tf.int8,
            experimental_default_int8_range=(-6.0, 6.0),
        )
        x = codes(content, x)
        y = run_engine(f"{name}_int8", content, x, use_xnnpack=True)
        archive.add(f"{name}_int8", content, [x], y)
    archive.write()


def write_larq_operators() -> None:
    archive = Archive("larq_operators.npz")
    for seed, (name, build) in enumerate(larq_operators.operators().items(), SEED):
        content, x = build(np.random.default_rng(seed))
        archive.add(name, content, [x], run_engine(name, content, x))
    archive.write()


def write_larq_words() -> None:
    """Parts of a trained network that begin or end with words: its first words and what makes them,
    the last and what reads them, and what is between any two."""
    archive = Archive("larq_words.npz")
    tf.keras.utils.set_random_seed(SEED)
    model = larq_networks.trained_words(SEED)
    x = image(model, SEED)[:1]
    content = lce.convert_keras_model(model)
    places = [i + 1 for i in larq_operators.writers_of_words(content)]
    cuts = {"first": (0, places[0]), "last": (places[-1], None)}
    cuts |= {"to_last": (0, places[-1]), "from_first": (places[0], None)}
    cuts |= {"between": (places[0], places[-1])}
    given = {0: x} | {
        place: run_engine("trained", larq_operators.part(content, 0, place), x) for place in places
    }
    for name, (first, last) in cuts.items():
        made = larq_operators.part(content, first, last)
        archive.add(name, made, [given[first]], run_engine(name, made, given[first]))
    archive.write()


def write_lite_states() -> None:
    archive = Archive("tflite_states.npz")
    for seed, (name, (build, *frame)) in enumerate(lite_states.networks().items(), SEED):
        generator = np.random.default_rng(seed)
        tf.keras.utils.set_random_seed(seed)
        content = build(generator)
        x = lite_states.frames(generator, *frame)
        archive.add(name, content, [x], lite_states.run(content, x))
    archive.write()


def write_lite_networks() -> None:
    archive = Archive("tflite_networks.npz")
    for seed, (name, build) in enumerate(larq_networks.plain_networks().items(), SEED):
        model, x = make(name, build, seed)
        content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
        archive.add(f"{name}_float", content, [x], run_lite(f"{name}_float", content, x))
        kinds = {"int8": (tf.int8, True), "int8_inside": (tf.float32, True)}
        if name == "plain":
            kinds |= {"uint8": (tf.uint8, True), "int8_one_scale": (tf.int8, False)}
        for kind, (io, per_channel) in kinds.items():
            content = integers(model, x, io, per_channel, name == "assorted")
            given = x if io == tf.float32 else codes(content, x)
            y = run_lite(f"{name}_{kind}", content, given)
            archive.add(f"{name}_{kind}", content, [given], y)
    model, x = make("bytes", larq_networks.bytes_of_images, SEED)
    x = np.random.default_rng(SEED).integers(0, 256, x.shape, np.uint8)
    content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
    archive.add("bytes", content, [x], run_lite("bytes", content, x))
    archive.write()


def write_lite_codes() -> None:
    archive = Archive("tflite_codes.npz")
    for seed, (name, build) in enumerate(lite_codes.networks().items(), SEED):
        tf.keras.utils.set_random_seed(seed)
        model = build()
        contents = {name: lite_codes.convert(model)}
        if name == "spots":
            contents[f"{name}_uint8"] = lite_codes.unsigned(lite_codes.convert(model, False))
        for name, content in contents.items():
            x = lite_codes.inputs(content, seed)
            archive.add(name, content, [x], run_lite(name, content, x))
    archive.write()


def write_lite_axes() -> None:
    """The networks of codes again. The interpreter here refuses such files, which other versions
    run: the results are those of the files with the axis 0."""
    archive = Archive("tflite_axes.npz")
    with np.load(GOLDEN / "tflite_networks.npz") as arrays:
        for name in sorted(key.split("/")[0] for key in arrays if key.endswith("/model")):
            if "_int8" in name and "one_scale" not in name:
                content = lite_axes.with_other_axis(arrays[f"{name}/model"].tobytes())
                archive.add(name, content, [arrays[f"{name}/x0"]], arrays[f"{name}/y0"])
    archive.write()


def write_lite_operators() -> None:
    archive = Archive("tflite_operators.npz")
    for seed, (name, (case, in_int8)) in enumerate(lite_operators.operators().items(), SEED):
        content, inputs = lite_operators.build(case, np.random.default_rng(seed), in_int8)
        archive.add(name, content, inputs, interpret(content, inputs, KINDS.AUTO))
    archive.write()


def main() -> None:
    writers = {
        function.__name__.removeprefix("write_"): function
        for function in (
            write_larq_networks, write_larq_operators, write_larq_words,
            write_lite_networks, write_lite_codes, write_lite_axes, write_lite_operators,
            write_lite_states,
        )
    }  # fmt: skip
    for write in [writers[name] for name in sys.argv[1:]] or writers.values():
        try:
            write()
        except Exception as error:
            sys.exit(f"larq_fixtures: {write.__name__}: {error}")


if __name__ == "__main__":
    main()
