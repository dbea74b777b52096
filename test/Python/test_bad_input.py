"""What is no model, through the frontends of PyTorch and MLIR: one line each. test_onnx_errors.py
has the frontend of ONNX."""

import subprocess
import sys
import zipfile

import bquant
import numpy as np
import pytest
from bquant.frontends import UnsupportedOp
from refusals import refuses

torch = pytest.importorskip("torch")
from functions import exported  # noqa: E402
from torch import nn  # noqa: E402

SEED = 7
WRONG = "expected a program that torch.export.save wrote, but got '{}'"


@pytest.fixture
def program(tmp_path):
    model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU())
    path = tmp_path / "net.pt2"
    torch.export.save(torch.export.export(model, (torch.ones(1, 1, 5, 5),)), path)
    return path


# PyTorch.


@pytest.mark.parametrize("kind", ["half", "text", "empty"])
def test_no_program(program, kind):
    content = program.read_bytes()
    program.write_bytes(
        {"half": content[: len(content) // 2], "text": b"no model", "empty": b""}[kind]
    )
    refuses(program, ValueError, WRONG.format(program))


def test_a_state_dict(tmp_path):
    model = nn.Linear(2, 3)
    for content in (model.state_dict(), model):
        path = tmp_path / "net.pt2"
        torch.save(content, path)
        refuses(path, ValueError, WRONG.format(path), "such as a state dict, which has no operat")
    message = "or a path, but got OrderedDict: weights, without their nn.Module"
    refuses(model.state_dict(), TypeError, message)
    with pytest.raises(TypeError, match=message):
        bquant.verify(bquant.compile(model, torch.ones(1, 2)), model.state_dict())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_torchscript(tmp_path):
    path = tmp_path / "net.pt2"
    torch.jit.save(torch.jit.trace(nn.Linear(2, 3), torch.ones(1, 2)), path)
    refuses(path, ValueError, WRONG.format(path), "it is a TorchScript program")


def test_unknown_operations_are_all_named():
    def forward(x):
        return torch.logcumsumexp(torch.relu(x), 1) + torch.linalg.det(x.reshape(1, 2, 2))

    names = "aten.logcumsumexp.default, aten._linalg_det.default"
    made = exported(forward, torch.ones(1, 4))
    refuses(made, UnsupportedOp, f"unsupported operations {names}; aten.logcumsumexp.default in ")


@pytest.mark.parametrize("layer", [nn.Linear(6, 6), nn.Conv2d(2, 6, 1), nn.Conv1d(6, 6, 1)])
def test_a_filter_of_nan(layer):
    """The layer is named. (Of layers of bquant.nn test_importer_torch.py has it.)"""
    model = nn.Sequential(nn.ReLU(), layer)
    with torch.no_grad():
        layer.weight.view(6, -1)[3, 1] = np.nan
    x = torch.ones(1, 2, 6, 6) if layer.weight.dim() == 4 else torch.ones(1, 6, 6)
    at = [3, 1] + [0] * (layer.weight.dim() - 2)
    with pytest.raises(ValueError) as info:
        bquant.compile(model, x)
    assert str(info.value) == f"'1.weight': expected numbers, but got nan at {at}"


@pytest.mark.parametrize("type_", [torch.float64, torch.float16, torch.int16])
def test_unsupported_types(type_):
    made = exported(lambda x: x + x, torch.ones(2, 3, dtype=type_))
    message = "expected inputs of float32, uint8, int8, int32, int64 or bool, but '"
    refuses(made, UnsupportedOp, message, f"is {type_}")


def test_an_archive_that_unpacks_to_far_more(program, tmp_path):
    path, large = tmp_path / "large.pt2", 1 << 29
    with zipfile.ZipFile(program) as given, zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as made:
        for name in given.namelist():
            if name.endswith("weight_0"):
                with made.open(name, "w") as file:
                    for _ in range(large >> 24):
                        file.write(bytes(1 << 24))
            else:
                made.writestr(name, given.read(name))
    assert path.stat().st_size < 1 << 20
    refuses(path, ValueError, WRONG.format(path), "it unpacks to 5")


@pytest.mark.parametrize(
    "constant",
    [lambda: torch.ones(1 << 14, 1 << 14).sum(), lambda: torch.zeros(1).expand(1 << 20, 1 << 20)],
    ids=["ones", "expand"],
)
def test_constants_that_a_program_makes(constant):
    made = exported(lambda x: x + constant(), torch.ones(1))
    refuses(made, UnsupportedOp, "expected constants of less size than (")


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.repeat(1 << 40),
        lambda x: torch.nn.functional.pad(x[None], (0, (1 << 40) - 1), mode="replicate"),
        lambda x: torch.nn.functional.interpolate(x[None, None], size=1 << 40),
    ],
)
def test_places_that_a_program_asks_for(function):
    made = exported(function, torch.ones(1))
    refuses(made, NotImplementedError, "expected at most 4194304 places in a row")


def test_constants_of_many_operations():
    """Each is small enough alone."""

    def forward(x):
        for i in range(8):
            x = x + torch.full((1 << 12, 1 << 12), float(i)).sum()
        return x

    made = exported(forward, torch.ones(1))
    refuses(made, UnsupportedOp, "expected constants of less size than (4096, 4096) of aten.full")


# MLIR.

FUNCTION = """func.func @forward(%x: tensor<2xf32>) -> tensor<2xf32> {{
  {}
  return %x : tensor<2xf32>
}}
"""


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("net.mlir", b"", "expected a public function to compile, but got none"),
        ("net.mlir", bytes(range(256)), "net.mlir:1:2: error: "),
        ("net.mlir", FUNCTION.format("")[:60].encode(), "net.mlir:1:"),
        ("net.mlirbc", b"ML\xefR\x06abc", "error: bytecode version 6209 is newer than"),
        ("net.mlirbc", b"", "expected a public function to compile, but got none"),
    ],
)
def test_no_module(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    refuses(path, ValueError, str(path), message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            FUNCTION.format('"foo.bar"() : () -> ()\n  "foo.baz"() : () -> () loc("last")'),
            "error: unsupported operations: foo.bar at <text>:2:3, foo.baz at last",
        ),
        (FUNCTION.format("").replace("2x", "2x?x"), "expected the leading dimension alone to be"),
        (FUNCTION.format("").replace("f32", "complex<f32>"), "but got 'tensor<2xcomplex<f32>>'"),
    ],
)
def test_modules_that_are_not_taken(text, message):
    refuses(text, ValueError, message)


@pytest.mark.parametrize("size", ["1048576x1048576x", "9223372036854775807x9223372036854775807x"])
def test_a_splat_of_any_size(size):
    text = FUNCTION.format(f"%c = arith.constant dense<1.0> : tensor<{size}f32>")
    refuses(text, ValueError, "<text>:2:8: error: expected constants of less size than 'tensor<")


def test_splats_together():
    lines = [f"%c{i} = arith.constant dense<{i}.0> : tensor<20000x1000xf32>" for i in range(4)]
    refuses(
        FUNCTION.format("\n  ".join(lines)), ValueError, "<text>:5:9: error: expected constants"
    )
    bquant.lower(FUNCTION.format(lines[0]), "raise")


def test_small_files_take_little_memory(tmp_path):
    """Of all of them together."""
    script = tmp_path / "script.py"
    script.write_text(
        """
import resource, bquant, torch
from torch import nn

class Ones(nn.Module):
    def forward(self, x):
        return x + torch.ones(20000, 20000).sum()

def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

program = torch.export.export(Ones(), (torch.ones(1),))
text = "func.func @f(%x: tensor<2xf32>) -> tensor<40000x40000xf32> {\\n"
text += "%c = arith.constant dense<1.0> : tensor<40000x40000xf32>\\n"
text += "return %c : tensor<40000x40000xf32> }"
before = most()
for model in (program, text):
    try:
        bquant.compile(model)
    except (ValueError, NotImplementedError) as error:
        print(error)
print(most() - before >> 10)
""".replace("\\\\n", "\\n")
    )
    run = subprocess.run([sys.executable, script], check=True, capture_output=True, text=True)
    first, second, megabytes = run.stdout.splitlines()
    assert "expected constants of less size" in first and "expected constants of less" in second
    assert int(megabytes) < 200
