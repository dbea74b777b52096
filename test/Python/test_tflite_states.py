"""Networks of .tflite files that keep something from one call to the next, against the interpreter
of TensorFlow Lite over 20 calls, whose results are in golden/ (`./dev fixtures`)."""

import json

import bquant
import numpy as np
import pytest
from bquant.frontends import UnsupportedOp

pytest.importorskip("tflite")
pytest.importorskip("flatbuffers")

from golden_files import agree, cases, on_both_routes  # noqa: E402
from lite_files import File  # noqa: E402
from refusals import refuses  # noqa: E402

NETWORKS = cases("tflite_states.npz")


def run(net, x):
    """Results of calls one after the other."""
    results, state = [], net.initial_state()
    for frame in x:
        y, *state = net(frame, *state)
        results.append(y)
    return np.stack(results)


@pytest.mark.parametrize("name", NETWORKS)
def test_network(name):
    """Integers and codes in every bit."""
    content, (x,), (y,) = NETWORKS[name]
    agree(on_both_routes(content, lambda net: run(net, x)), y, 1e-6)


def test_signature_and_initial_state():
    net = bquant.compile(NETWORKS["fading"][0])
    assert [t["name"] for t in net.inputs[1:]] == ["mean"]  # `share` is never assigned
    assert net.outputs[1]["updates"] == 1
    (mean,) = net.initial_state()
    assert mean.dtype == np.float32 and mean.shape == (1, 4) and mean.any()
    net = bquant.compile(NETWORKS["svdf_int8"][0])
    (memory,) = net.initial_state()
    assert memory.dtype == np.int16 and memory.shape == (1, 48) and not memory.any()
    assert bquant.compile(NETWORKS["total"][0]).initial_state()[0].flags.writeable
    plain = File()
    a, b = plain.tensor([1, 4]), plain.tensor([1, 4])
    plain.operator("ABS", [a], [b])
    assert bquant.compile(plain.finish([a], [b])).initial_state() == ()


def test_library_header_and_report(tmp_path):
    content, (x,), (y,) = NETWORKS["counter"]
    net = bquant.compile(content)
    notes = json.loads(net.report("json"))["remarks"]
    assert [note["text"] for note in notes if note["name"] == "state"] == [
        "input 1 is state of tensor<1xi32>, and output 1 its next value",
        "input 2 is state of tensor<1x3xi32>, and output 2 its next value",
    ]
    net.save(tmp_path / "net.so")
    np.testing.assert_array_equal(run(bquant.load(tmp_path / "net.so"), x), y)
    header = (tmp_path / "net.h").read_text()
    assert "inputs[1]  count: int32_t[1] (state, at first 0)\n" in header
    assert "inputs[2]  last: int32_t[1][3] (state, at first as NAME_signature lists it)" in header
    assert "outputs[2]  last: int32_t[1][3] (the next inputs[2])\n" in header


@pytest.mark.parametrize("name", ["svdf_rank", "svdf_int8", "counter"])
def test_verify(name):
    content, (x,), _ = NETWORKS[name]
    net = bquant.compile(content)
    assert bquant.verify(net, content, (x[0], *net.initial_state()))


# What is refused, and variables of other kinds.


def variable(build, **options):
    """A file with an input t0, an output t1 and a variable t2."""
    file = File()
    x, y = file.tensor([1, 4]), file.tensor([1, 4])
    build(file, x, y, file.tensor([1, 4], variable=True, **options))
    return file.finish([x], [y])


def test_a_variable_that_operators_write():
    """It starts with zeros, and what is written last is there at the next call."""

    def build(file, x, y, state):
        file.operator("ABS", [state], [y])
        file.operator("NEG", [x], [state])

    net = bquant.compile(variable(build))
    x = np.float32([[1, -2, 3, -4]])
    y, *state = net(x, *net.initial_state())
    assert not y.any()
    np.testing.assert_array_equal(net(x, *state)[0], np.abs(x))


def test_a_variable_that_needs_no_state():
    """One that is written before it is read, and one that nothing writes."""

    def written(file, x, y, state):
        file.operator("NEG", [x], [state])
        file.operator("ABS", [state], [y])

    def read(file, x, y, state):
        file.operator("NEG", [state], [y])

    x = np.float32([[1, -2, 3, -4]])
    for build, expected in ((written, np.abs(x)), (read, 0 * x)):
        net = bquant.compile(variable(build))
        assert net.initial_state() == ()
        np.testing.assert_array_equal(net(x), expected)


@pytest.mark.parametrize(
    ("build", "options", "error", "message"),
    [
        (
            lambda f, x, y, s: f.operator("READ_VARIABLE", [x], [y]), {}, ValueError,
            "expected a valid READ_VARIABLE (operator 0), but got: expected what VAR_HANDLE gives",
        ),
        (
            lambda f, x, y, s: (f.operator("CALL_ONCE", [], []), f.operator("ABS", [x], [y])),
            {}, ValueError,
            "expected a graph that CALL_ONCE calls, but got none",
        ),
        (
            lambda f, x, y, s: f.operator("UNIDIRECTIONAL_SEQUENCE_LSTM", [x, s], [y]), {},
            UnsupportedOp, "unsupported operators: UNIDIRECTIONAL_SEQUENCE_LSTM (operator 0)",
        ),
        (
            lambda f, x, y, s: (f.operator("ABS", [s], [y]), f.operator("NEG", [s], [s])),
            {"type_": "INT16", "scale": [0.5]}, UnsupportedOp, "expected other values than int16",
        ),
        (
            lambda f, x, y, s: (f.operator("ABS", [s], [y]), f.operator("NEG", [x], [s])),
            {"type_": "INT16"}, UnsupportedOp, "expected other values than int16",
        ),
    ],
)  # fmt: skip
def test_refused(build, options, error, message):
    refuses(variable(build, **options), error, message)


def test_a_handle_is_no_output():
    file = File()
    x, y = file.tensor([1, 4]), file.tensor([], "RESOURCE")
    file.operator("VAR_HANDLE", [], [y])
    refuses(file.finish([x], [y]), UnsupportedOp, "expected a value, but 't1' is a resource")


def test_long_lists_of_operators_say_how_many_more():
    file = File()
    tensors = [file.tensor([1, 4]) for _ in range(31)]
    for i in range(30):
        file.operator("UNIDIRECTIONAL_SEQUENCE_RNN", [tensors[i]], [tensors[i + 1]])
    with pytest.raises(UnsupportedOp) as info:
        bquant.compile(file.finish(tensors[:1], tensors[-1:]))
    text = str(info.value)
    assert len(text) <= 200 and text.endswith(" and 27 more")
