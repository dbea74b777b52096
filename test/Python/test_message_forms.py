"""Every error of a frontend is one line of at most 200 characters; what torch says of a model is
one, too, with the user's own place."""

import importlib
import re
import sys

import bquant
import numpy as np
import pytest
from bquant.frontends import UnsupportedOp

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
import onnx_files  # noqa: E402
from functions import Function  # noqa: E402
from lite_files import File  # noqa: E402
from onnx import helper  # noqa: E402
from torch import nn  # noqa: E402

MOST = 200


def module(function):
    """A module of one function, two modules deep."""
    return nn.Sequential(nn.ReLU(), nn.Sequential(Function(function)))


def error(model, *inputs, **options):
    with pytest.raises(Exception) as info:
        bquant.compile(model, inputs or None, **options)
    text = str(info.value)
    assert "\n" not in text and 0 < len(text) <= MOST, (len(text), text)
    return info.value


def branches(x):
    return x if x.sum() > 0 else -x


def multiplies(x):
    return x @ torch.ones(7, 2)


def looks_up(x):
    return x * {}["scale"]


def asserts(x):
    assert x.shape[0] == 3, "expected three,\nof a shape\nthat is " + "long " * 100
    return x


OF_TORCH = [
    (branches, RuntimeError, "Could not guard on data-dependent expression", "x.sum() > 0"),
    (multiplies, RuntimeError, "same reduction dim", "x @ torch.ones(7, 2)"),
    (looks_up, KeyError, "KeyError: 'scale'", '{}["scale"]'),
    (asserts, AssertionError, "AssertionError: expected three,", "assert x.shape[0] == 3"),
]


@pytest.mark.parametrize(("function", "cause", "reason", "code"), OF_TORCH)
def test_what_torch_says_of_a_model(capfd, function, cause, reason, code):
    """One line that names the module and the user's line, and torch's own error as its cause."""
    found = error(module(function), torch.ones(2, 4))
    text = str(found)
    assert isinstance(found, UnsupportedOp) and isinstance(found.__cause__, cause)
    assert text.startswith("expected a model that torch.export takes, but got: ")
    assert reason in text and "in module '1.0', at " in text
    assert re.search(r"test_message_forms\.py:\d+: ", text) and code[:12] in text, text
    assert capfd.readouterr().err == ""


def test_a_long_path_does_not_hide_the_line(tmp_path):
    """The file's directories are left out where they would take the room of what is in the line."""
    file = tmp_path.joinpath(*["directory"] * 12, "network.py")
    file.parent.mkdir(parents=True)
    file.write_text("def branches(x):\n    return x if x.sum() > 0 else -x\n")
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    text = str(error(module(names["branches"]), torch.ones(2, 4)))
    assert text.endswith("at network.py:2: return x if x.sum() > 0 else -x"), text


def test_a_model_prints_what_it_wants(capfd):
    import sys

    def forward(x):
        print("of the model", file=sys.stderr)
        return x + 1

    bquant.compile(module(forward), torch.ones(2, 4), verbose=False)
    assert capfd.readouterr().err == "of the model\n"


def of_many_operations(x):
    y = x.reshape(-1, 2, 2)
    parts = [torch.logcumsumexp(x, 1), torch.cdist(x, x), torch.cummax(x, 1)[0], torch.mode(x)[0]]
    parts += [torch.linalg.det(y), torch.fft.fft(x).real, torch.kthvalue(x, 1)[0]]
    return parts + [torch.linalg.inv(y), torch.linalg.qr(y)[0], torch.special.i0(x)]


def graph(*nodes, shape=(1, 4, 3, 3), **constants):
    domains = {node.domain for node in nodes} - {""}
    return onnx_files.model(nodes, {"x": shape}, constants, 17, domains=domains)


def node(op, inputs, outputs="y", domain="", **attributes):
    inputs, outputs = inputs.split(), outputs.split()
    return helper.make_node(op, inputs, outputs, domain=domain, **attributes)


QONNX = "qonnx.custom_op.general"
THREE = np.float32([0.1, 0.2, 0.3])
ZEROS = np.zeros(3, np.int8)
CODES = np.ones((4, 4, 1, 1), np.int8)
FLAGS = {"signed": 1, "narrow": 0, "rounding_mode": "ROUND"}
BITS = {"z": np.float32(0), "b": np.float32(4)}

SCALES = {
    "activations": (
        graph(
            node("QuantizeLinear", "x s z", "q"), node("DequantizeLinear", "q s z"),
            s=THREE, z=ZEROS,
        ),
        "expected 4 scales (axis 1 of 1x4x3x3) of QuantizeLinear 'q', but got 3",
    ),
    "filters": (
        graph(node("DequantizeLinear", "w s", "f", axis=0), node("Conv", "x f"), w=CODES, s=THREE),
        "expected 4 scales (axis 0 of 4x4x1x1) of DequantizeLinear 'f', but got 3",
    ),
    "zero points": (
        graph(
            node("DequantizeLinear", "w s z", "f", axis=0), node("Conv", "x f"),
            w=CODES, s=np.ones(4, np.float32), z=ZEROS,
        ),
        "expected 4 zero points (axis 0 of 4x4x1x1) of DequantizeLinear 'f', but got 3",
    ),
    "axis": (
        graph(node("DequantizeLinear", "w s", "f", axis=7), node("Conv", "x f"), w=CODES, s=THREE),
        "expected an axis of 4x4x1x1 for the scales of DequantizeLinear 'f', but got 7",
    ),
    "QLinearConv": (
        graph(
            node("QuantizeLinear", "x a b", "q"), node("QLinearConv", "q a b w s z a b", "p"),
            node("DequantizeLinear", "p a b"),
            a=np.float32(0.1), b=np.uint8(3), w=CODES, s=THREE, z=ZEROS,
        ),
        "expected 4 scales (axis 0 of 4x4x1x1) of QLinearConv 'p', but got 3",
    ),
    "Quant": (
        graph(node("Quant", "x s z b", domain=QONNX, **FLAGS), s=THREE.reshape(3, 1, 1), **BITS),
        "expected 4 scales (axis 1 of 1x4x3x3) of Quant 'y', but got 3",
    ),
    "Quant of a filter": (
        graph(
            node("Quant", "w s z b", "f", QONNX, **FLAGS), node("Conv", "x f"),
            w=CODES.astype(np.float32), s=THREE.reshape(3, 1, 1, 1), **BITS,
        ),
        "expected 4 scales (axis 0 of 4x4x1x1) of Quant 'f', but got 3",
    ),
    "BipolarQuant": (
        graph(node("BipolarQuant", "x s", domain=QONNX), s=THREE.reshape(1, 3, 1, 1)),
        "expected 4 scales (axis 1 of 1x4x3x3) of BipolarQuant 'y', but got 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SCALES)
def test_scales_of_another_number(case):
    model, message = SCALES[case]
    assert str(error(model)) == message


def chain(*operators):
    """Operators that nobody knows, one after another."""
    names = ["x", *(f"t{i}" for i in range(len(operators) - 1)), "y"]
    return graph(
        *(
            node(op, a, b, "example")
            for op, a, b in zip(operators, names[:-1], names[1:], strict=True)
        )
    )


def lite(*operators):
    file = File()
    last = file.tensor((1, 4))
    for operator in operators:
        given, last = last, file.tensor((1, 4))
        file.operator(operator, [given], [last])
    return file.finish([0], [last])


LONG = [f"AnOperatorOfAVeryLongName{i}" for i in range(20)]
LITE = [
    "SVDF",
    "UNIQUE",
    "BIDIRECTIONAL_SEQUENCE_RNN",
    "WHERE",
    "HASHTABLE_LOOKUP",
    "RFFT2D",
    "MULTINOMIAL",
]

BAD = {
    "many operations of torch": lambda: (module(of_many_operations), torch.ones(2, 4)),
    "a long line": lambda: (
        module(lambda x: torch.logcumsumexp(x, 1) + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11),
        torch.ones(2, 4),
    ),
    "an argument": lambda: (
        module(lambda x: nn.functional.softplus(x, threshold=5)), torch.ones(2, 4)
    ),
    "doubles": lambda: (module(lambda x: x.double()), torch.ones(2, 4)),
    "no batch": lambda: (module(lambda x: x.reshape(2, 4) * 2), torch.ones(2, 4)),
    "too few inputs": lambda: (nn.Bilinear(2, 3, 4), torch.ones(2, 2)),
    "many operators of ONNX": lambda: (chain(*LONG),),
    "an operator of ONNX": lambda: (
        graph(node("Conv", "x w"), w=np.ones((4, 9, 1, 1), np.float32)),
    ),
    "no ONNX": lambda: (b"\x08\x07" + b"\xff" * 500,),
    "many operators of TFLite": lambda: (lite(*LITE * 4),),
    "no TFLite": lambda: (b"\x18\0\0\0TFL3" + b"\xff" * 500,),
    "no MLIR": lambda: ("func.func @f() {\n  %0 = tensor.empty() :\n",),
    "another dialect": lambda: ('func.func @f() {\n "foo.bar"() : () -> ()\n return }',),
    "no file": lambda: ("no_such_" + "folder/" * 20 + "net.onnx",),
    "no model": lambda: ({"weight": 3},),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_one_line_of_at_most_200_characters(case):
    model, *inputs = BAD[case]()
    options = {"dynamic_batch": True} if case == "no batch" else {}
    text = str(error(model, *inputs, **options))
    if "many" in case:
        assert re.search(r" and \d+ more", text), text


def test_values_that_brevitas_checks(tmp_path, monkeypatch):
    """The error is that of Brevitas' code, wherever it is installed."""
    package = tmp_path / "brevitas"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import torch\n"
        "class Checked(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        assert (x.sum() > 0).item() in (True, False)\n"
        "        return x if x.sum() > 0 else -x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "brevitas", raising=False)
    model = nn.Sequential(nn.Linear(4, 4), importlib.import_module("brevitas").Checked())
    text = str(error(model, torch.ones(2, 4)))
    assert text.endswith("compile the file that brevitas.export.export_qonnx writes")
    monkeypatch.delitem(sys.modules, "brevitas")
