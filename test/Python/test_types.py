"""What type checkers and editors see of the package: `typed_program.py`, which uses all of it,
passes mypy and basedpyright in their strict modes, and the stub of the extension is what nanobind
writes of it."""

import ast
import importlib
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import bquant
import torch

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(bquant.__file__).parent
PROGRAM = Path(__file__).with_name("typed_program.py")

# A program with a mistake in each line from the fourth on.
WRONG = """import bquant
from bquant import models, nn
net = bquant.load("net.so")
bquant.load(3)
bquant.compile(3)
bquant.compile("net.onnx", thread=2)
bquant.summary("net.onnx")
bquant.kompile("net.onnx")
net.repotr()
net.profile(calls=1).layers[0]["sekonds"]
len(net.name + net.threads)
len(models.lenet(classes="10"))
nn.BinaryLinear(3, 4, weights=1)
len(bquant.quantize([1.0], "ls-1").error)
"""


def errors_of_mypy(files, cache):
    """The file, the line and the message of each."""
    command = [sys.executable, "-m", "mypy", "--strict", "--output=json", f"--cache-dir={cache}"]
    result = subprocess.run([*command, *files], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 1 and not result.stderr, result.stdout + result.stderr
    found = [json.loads(line) for line in result.stdout.splitlines()]
    return [(Path(ROOT, e["file"]).resolve(), e["line"], e["message"]) for e in found]


def errors_of_basedpyright(files, folder):
    settings = {
        "include": [str(file) for file in files],
        "typeCheckingMode": "strict",
    }
    project = folder / "pyrightconfig.json"
    project.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "-p", str(project)]
    command += ["--pythonpath", sys.executable]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 1, result.stdout + result.stderr
    return [
        (Path(e["file"]).resolve(), e["range"]["start"]["line"] + 1, e["message"])
        for e in json.loads(result.stdout)["generalDiagnostics"]
    ]


def check(errors_of, folder):
    """No error in the program, and one at least in each wrong line of the other."""
    folder.mkdir(parents=True, exist_ok=True)
    wrong = folder / "wrong.py"
    wrong.write_text(WRONG)
    errors = errors_of([PROGRAM, wrong], folder)
    assert [error for error in errors if error[0] == PROGRAM] == []
    lines = {line for file, line, _ in errors if file == wrong.resolve()}
    assert lines == set(range(4, len(WRONG.splitlines()) + 1)), errors


def test_mypy():
    # Which stays, since mypy takes ten seconds for torch and NumPy, but only once.
    check(errors_of_mypy, ROOT / "build" / "mypy")


def test_basedpyright(tmp_path):
    check(errors_of_basedpyright, tmp_path)


# That the program uses all.


def modules_with_all():
    """The names of the modules that say what is public in them."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if "\n__all__ = " in path.read_text():
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            yield ".".join(part for part in parts if part != "__init__")


def members(cls):
    """The public names of a class of the package that are not torch's."""
    names = {*vars(cls), *inspect.get_annotations(cls)}
    theirs = vars(torch.nn.Module) if issubclass(cls, torch.nn.Module) else {}
    return {
        name for name in names if not name.startswith("_") and name not in {*theirs, "extra_repr"}
    }


def test_the_program_uses_all():
    mentioned = {
        node.attr if isinstance(node, ast.Attribute) else node.value
        for node in ast.walk(ast.parse(PROGRAM.read_text()))
        if isinstance(node, (ast.Attribute, ast.Constant))
    }
    names = list(modules_with_all())
    assert {"bquant", "bquant.nn", "bquant.study"} < set(names)
    missing = []
    for module in map(importlib.import_module, names):
        for name in module.__all__:
            value = getattr(module, name)
            wanted = {name} | (members(value) if inspect.isclass(value) else set())
            wanted.discard("forward")  # called
            missing += [f"{module.__name__}.{name}: {n}" for n in wanted - mentioned]
    assert not missing


# What editors show.


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").read_text() == ""


def test_public_names_have_docstrings():
    bare = [
        f"{module.__name__}.{name}"
        for module in map(importlib.import_module, modules_with_all())
        for name in module.__all__
        if callable(value := getattr(module, name)) and not inspect.getdoc(value)
    ]
    assert not [name for name in bare if not name.startswith("bquant.frontends.")]


def test_stub(tmp_path):
    stub = tmp_path / "_bquant.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "bquant._bquant", "-o", stub]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert (PACKAGE / "_bquant.pyi").read_text() == stub.read_text(), (
        "expected the stub of the extension, which ./dev docs writes"
    )
