"""What the frontend of .tflite files refuses: one line each."""

import resource
import struct
import time
from pathlib import Path

import bquant
import numpy as np
import pytest
from bquant.frontends import UnsupportedOp

pytest.importorskip("tflite")
pytest.importorskip("flatbuffers")

from bquant.frontends.tflite import import_bytes, load, options  # noqa: E402
from flatbuffers import flexbuffers  # noqa: E402
from golden_files import cases  # noqa: E402
from lite_files import File  # noqa: E402
from refusals import refuses  # noqa: E402

SEED = 11
NETWORKS = cases("larq_networks.npz")
SMALL = NETWORKS["packed"][0]


def one(name="ABS", shape=(1, 4), type_="FLOAT32", custom=None, **kinds):
    """A file of one operator."""
    file = File(kinds.pop("version", 3))
    x, y = (file.tensor(shape, type_, **kinds) for _ in range(2))
    file.operator(name, [x], [y], custom)
    return file.finish([x], [y])


# Files.


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file(part, tmp_path):
    path = tmp_path / "net.tflite"
    path.write_bytes(SMALL[: int(part * len(SMALL))])
    refuses(path, ValueError, f"a whole TensorFlow Lite model, but '{path}' is damaged: ")


def test_a_place_below_the_file():
    """Python would count it from the end."""
    content = bytearray(SMALL)
    (root,) = struct.unpack_from("<I", content)
    struct.pack_into("<i", content, root, root + 10)
    refuses(bytes(content), ValueError, f"damaged: 2 bytes at -10 of {len(content)}")


def test_no_model(tmp_path):
    path = tmp_path / "net.tflite"
    for content in (b"", b"no model"):
        path.write_bytes(content)
        refuses(path, ValueError, f"a TensorFlow Lite model (TFL3), but '{path}' is none")


@pytest.mark.parametrize(
    ("name", "content"),
    [("net.h5", b""), ("net.keras", b"PK\x03\x04"), ("net.tflite", b"\x89HDF\r\n\x1a\n")],
)
def test_a_keras_model(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    line = f"convert_keras_model(tf.keras.models.load_model('{path}'))) makes one"
    refuses(path, ValueError, f"expected a .tflite file, but got a Keras model, '{path}': ", line)
    # Larq fails to import with Keras 3.
    line = "os.environ['TF_USE_LEGACY_KERAS'] = '1'; import larq, larq_compute_engine, tensorflow "
    refuses(path, ValueError, line)


def test_the_page_of_larq():
    page = (Path(__file__).parents[2] / "docs" / "from-larq.md").read_text()
    first = page.split("```")[1]
    setting = first.index('os.environ["TF_USE_LEGACY_KERAS"] = "1"')
    assert setting < first.index("import larq") and "pip install tf_keras" in page


def test_a_saved_model(tmp_path):
    refuses(tmp_path, ValueError, "expected a .pt2, .onnx, .tflite, ")
    (tmp_path / "saved_model.pb").write_bytes(b"")
    line = "import larq_compute_engine; open('net.tflite', 'wb').write("
    line += f"larq_compute_engine.convert_saved_model('{tmp_path}')) makes one"
    refuses(tmp_path, ValueError, "but got a SavedModel, ", line)


def test_another_version():
    refuses(one(version=4), UnsupportedOp, "expected version 3 of TensorFlow Lite's schema, but ")


# Graphs.


def test_unknown_operators_are_all_named():
    file = File()
    tensors = [file.tensor([1, 4]) for _ in range(4)]
    for i, name in enumerate(("Detect", "LSTM", "ABS")):
        file.operator(name, [tensors[i]], [tensors[i + 1]], {"a": 1} if i == 0 else None)
    refuses(
        file.finish(tensors[:1], tensors[3:]),
        UnsupportedOp,
        "unsupported operators: custom operator Detect (operator 0), LSTM (operator 1)",
    )


def test_control_flow():
    file = File()
    x, y = file.tensor([1]), file.tensor([1])
    file.operator("WHILE", [x], [y])
    content = file.finish([x], [y], graphs=3)
    refuses(content, UnsupportedOp, "one graph, without control flow, but got 3 with WHILE")
    refuses(one("IF"), UnsupportedOp, "unsupported operators: IF (operator 0)")


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (one(type_="INT16", scale=[0.5]), UnsupportedOp, "int8 and uint8, but 't0' is int16"),
        (one(type_="FLOAT64"), UnsupportedOp, "but 't0' is float64"),
        (one(type_="STRING"), UnsupportedOp, "but 't0' is string"),
        (one(signature=(1, -1)), UnsupportedOp, "for the leading dimension, but 't0' has [1, -1]"),
        (one(signature=(1, 1, 1)), ValueError, "'t0' has shape (1, 4) and signature (1, 1, 1)"),
        (one(variable=True), UnsupportedOp, "expected inputs that are no variables, but got 't0'"),
        (one(name="a\nb"), ValueError, "a printable name of a custom operator, but got 'a\\nb'"),
        (one(shape=(0, 4)), UnsupportedOp, "expected elements in 't0', but got [0, 4]"),
        (one(shape=(-3, 4)), ValueError, "'t0' has shape (-3, 4)"),
        (one(shape=(1 << 16, 1 << 16)), UnsupportedOp, "less than 2^31 elements, but 't0' has"),
        (one(shape=(1,) * 9), UnsupportedOp, "expected tensors of up to 8 dimensions"),
        (one(type_="INT8", scale=[np.nan]), ValueError, "scale that is no positive number"),
        (one(type_="INT8", scale=[1, 2]), ValueError, "'t0' of [1, 4] has 2 scales and 1 zero"),
        (one("CONV_2D"), ValueError, "expected a valid CONV_2D (operator 0), but got: "),
        (one("SOFTMAX", ()), ValueError, "expected a valid SOFTMAX (operator 0), but got: "),
        (one("LceBconv2d", custom={}), ValueError, "words of 0 channels as 't0', but got float32"),
        (one("LceDequantize"), ValueError, "words of 4 channels as 't0', but got float32"),
        (one("LceQuantize"), ValueError, "words of 4 channels as 't1', but got float32 [1, 4]"),
        (one("ABS", custom=b"\x00"), None, ""),
    ],
)  # fmt: skip
def test_graphs(content, error, message):
    if error is None:
        bquant.compile(content)
    else:
        refuses(content, error, message)


def graph(build, inputs=1, outputs=1):
    """Of what `build` makes in a file with an input t0 and an output t1."""
    file = File()
    x, y = file.tensor([1, 4]), file.tensor([1, 4])
    build(file, x, y)
    return file.finish([x] * inputs, [y] * outputs)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda f, x, y: f.operator("ABS", [9], [y]), "ABS has tensor 9 of 2"),
        (lambda f, x, y: f.operator("ABS", [y], [y]), "ABS reads 't1' before it is computed"),
        (lambda f, x, y: f.operator("ABS", [x], [x]), "ABS computes 't0', which is known"),
        (lambda f, x, y: f.operator("ABS", [x], []), "ABS has no outputs"),
        (lambda f, x, y: None, "nothing computes the output 't1'"),
        (lambda f, x, y: f.tensor([2], content=np.zeros(3)), "'t2' of float32 [2] has 24 bytes in"),
        (lambda f, x, y: f.tensor([2], name="a\nb"), "printable name of tensor 2, but got 'a\\nb'"),
    ],
)  # fmt: skip
def test_what_contradicts_itself(build, message):
    refuses(graph(build), ValueError, "the model is damaged: ", message)


def test_inputs_and_outputs():
    def build(file, x, y):
        file.operator("ABS", [x], [y])

    refuses(graph(build, inputs=2), ValueError, "the input 't0' is there twice, or constant")
    refuses(graph(build, outputs=0), ValueError, "it has no outputs")


def test_a_result_of_another_shape():
    def build(file, x, y):
        z, shape = file.tensor([1, 5]), file.tensor([2], "INT32", np.int32([1, 5]))
        file.operator("RESHAPE", [x, shape], [z])
        file.operator("ABS", [x], [y])

    refuses(graph(build), ValueError, "expected a valid RESHAPE (operator 0), but got: ")


@pytest.mark.parametrize(
    ("name", "shape", "more", "result"),
    [
        ("RESHAPE", [], [], [8]),
        ("RESHAPE", [8], [], []),
        ("SUM", [8], [np.int32([0])], [9]),
        ("ABS", [8], [], [9]),
    ],
)
def test_a_result_of_another_size(name, shape, more, result):
    """Of one number, too, which has no dimensions."""
    file = File()
    x, y, z = file.tensor(shape), file.tensor(shape), file.tensor(result)
    more = [file.tensor(a.shape, "INT32", a) for a in more]
    file.operator("NEG", [x], [y])
    file.operator(name, [y, *more], [z])
    message = f"expected a valid {name} (operator 1), but got: expected shapes of equal size"
    refuses(file.finish([x], [z]), ValueError, message)


def test_ends_that_are_offsets():
    def build(file, x, y):
        places = [file.tensor([2], "INT32", np.int32(n)) for n in ([0, 0], [1, 4], [1, 1])]
        options = {"Offset": True}
        file.operator("STRIDED_SLICE", [x, *places], [y], None, "StridedSliceOptions", options)

    refuses(graph(build), UnsupportedOp, "expected ends of a slice, but got offsets")


def test_parts_that_leave_elements_out():
    def build(file, x, y):
        z = file.tensor([9, 4])
        file.operator("PACK", [x, x], [z])
        file.operator("ABS", [x], [y])

    refuses(graph(build), ValueError, "expected a valid PACK (operator 0), but got: 2 parts")


def test_constants_of_nan():
    def build(file, x, y):
        file.operator("ADD", [x, file.tensor([4], content=np.float32([1, np.nan, 2, 3]))], [y])

    refuses(graph(build), ValueError, "expected numbers in 't2', but got nan")


# What a small file may ask for.


def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_constants_of_many_elements():
    """Two vectors whose sum is a matrix, and places of a large dimension."""

    def sums(file, x, y):
        columns = file.tensor([1 << 15, 1], content=np.zeros(1 << 15, np.float32))
        rows = file.tensor([1, 1 << 15], content=np.zeros(1 << 15, np.float32))
        file.operator("ADD", [columns, rows], [file.tensor([1 << 15, 1 << 15])])
        file.operator("ABS", [x], [y])

    def places(file, x, y):
        shape = file.tensor([1], "INT32", np.int32([1 << 30]))
        file.operator("TILE", [file.tensor([1], content=np.zeros(1, np.float32)), shape],
                      [file.tensor([1 << 30])])  # fmt: skip
        file.operator("ABS", [x], [y])

    before = most()
    import_bytes(graph(sums))
    refuses(graph(places), UnsupportedOp, "constants of less size than lists of places of TILE")
    assert most() - before < 200 << 10  # kilobytes


def test_many_tables_that_are_one():
    """An offset takes 4 bytes, and leads to a vector of any size."""
    content = bytearray(SMALL)
    import tflite

    model = tflite.Model.GetRootAsModel(SMALL, 0)
    graphs = model._tab.Offset(8) + model._tab.Pos
    start = graphs + struct.unpack_from("<I", content, graphs)[0]
    table = start + 4 + struct.unpack_from("<I", content, start + 4)[0]
    place = (len(content) + 3) // 4 * 4
    content += bytes(place - len(content))
    count = 50000
    content += struct.pack("<I", count)
    struct.pack_into("<I", content, graphs, place - graphs)
    # Offsets have no sign: the table comes behind its vector, as a copy of the file.
    end = place + 4 + 4 * count
    content += b"".join(struct.pack("<I", end + table - (place + 4 + 4 * i)) for i in range(count))
    content += SMALL
    start = time.monotonic()
    refuses(bytes(content), ValueError, "is damaged: parts of more than 4 times its size")
    assert time.monotonic() - start < 30


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x24\x01",
        bytes(5000),
        bytes(flexbuffers.Dumps([1, 2])),
        bytes(flexbuffers.Dumps({str(i): i for i in range(40)})),
        b"\x00\x00\x00\x28\x01",
    ],
)
def test_options_that_are_none(content):
    refused = (*load._DAMAGE, NotImplementedError)
    try:
        assert options.of_flexbuffer(content) == {}
    except refused:
        pass


def test_options_within_options_are_not_followed():
    made = bytes(flexbuffers.Dumps({"a": {"b": {"c": 1}}, "n": 3}))
    assert options.of_flexbuffer(made) == {"n": 3}
