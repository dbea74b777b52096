"""The package itself: its version, how it is installed, what it says where something is missing,
and that it is silent at exit."""

import importlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import bquant
import pytest
import tomllib
from bquant import _name, _requirements

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(bquant.__file__).parent

IDENTITY = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"


def run(code, **options):
    """A process that runs `code` with the package of this one."""
    options.setdefault("cwd", PACKAGE.parent)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **options)


def import_error(code, **options):
    """The last line of a process that ends in an ImportError, and in no other exception."""
    result = run(code, **options)
    assert result.returncode == 1
    assert result.stderr.count("Traceback") == 1, result.stderr
    line = result.stderr.splitlines()[-1]
    assert line.startswith("ImportError: "), result.stderr
    return line.removeprefix("ImportError: ")


# Version and name.


def test_version_is_cmakes():
    cmake = (ROOT / "CMakeLists.txt").read_text()
    (version,) = re.findall(r"^project\(BQuant VERSION (\S+)", cmake, re.M)
    assert bquant.__version__ == version


def test_the_distribution_takes_name_and_version_from_elsewhere():
    """The name `bquant` is taken in the package index; the version has one source."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["name"] == "bquant-mlir"
    assert "version" not in project["project"]
    rule = project["tool"]["scikit-build"]["metadata"]["version"]
    found = re.search(rule["regex"], (ROOT / rule["input"]).read_text(), re.M)
    assert found["value"] == bquant.__version__


def test_the_source_distribution_is_the_tree(tmp_path):
    """`pip wheel` of it, and `./dev wheel` in it, do what they do here."""
    if not (ROOT / ".git").exists():
        pytest.skip("no files of git to compare with")
    build = f"from scikit_build_core.build import build_sdist; build_sdist({str(tmp_path)!r})"
    run(build, cwd=ROOT).check_returncode()
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        held = {item.name.split("/", 1)[1] for item in archive if item.isfile()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    tracked = set(listed.stdout.splitlines())
    assert len(tracked) > 500
    assert not tracked - held - {path for path in tracked if not (ROOT / path).is_file()}
    built = [name for name in held if Path(name).suffix in (".so", ".whl", ".a", ".o")]
    assert not built


INDEX_PAGE = ROOT / "python" / "README.md"


def test_the_page_of_an_index_stands_alone():
    """There a link to a file leads nowhere, and HTML is not to be relied on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["readme"] == str(INDEX_PAGE.relative_to(ROOT))
    text = re.sub(r"```.*?```", "", INDEX_PAGE.read_text(), flags=re.S)
    links = re.findall(r"\]\(([^)]+)\)|\]: *(\S+)", text)
    assert links and all("".join(link).startswith("https://") for link in links)
    assert not re.search(r"<\w+|!\[|\.\./|docs/", text)


def test_extras_are_what_messages_ask_for():
    """Each range of versions in pyproject.toml is one that a message names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert {"torch", "onnx", "larq", "plots"} <= set(extras)
    source = Path(_requirements.__file__).read_text()
    for name in ("torch", "onnx"):
        assert f"\"'{extras[name][0]}'\"" in source
    assert f"'{extras['larq'][0]}'" in source
    inner = [r for rs in extras.values() for r in rs if r.startswith("bquant")]
    for names in re.findall(r"bquant-mlir\[(.+)\]", "\n".join(inner)):
        assert set(names.split(",")) <= set(extras)


def test_scripts_are_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {"bquant", "bquant-mlir"} <= set(project["scripts"])
    for target in project["scripts"].values():
        module, name = target.split(":")
        assert callable(getattr(importlib.import_module(module), name))


PAGES = [
    path
    for top in ("README.md", "CONTRIBUTING.md", "docs", "python", "include", "examples", "dev")
    for path in ([ROOT / top] if (ROOT / top).is_file() else (ROOT / top).rglob("*"))
    if path.suffix in (".md", ".py", ".h", ".cpp", ".toml", "")
]


# What README.md says of it, in words.
OF_STRANGERS = "`pip install bquant` installs another project"


def test_no_page_installs_a_stranger():
    """`bquant` in the package index is somebody else's, and this package is not in it."""
    assert len(PAGES) > 50
    assert sum(OF_STRANGERS in path.read_text() for path in PAGES if path.is_file()) == 1
    wrong = [
        f"{path}: {line}"
        for path in PAGES
        if path.is_file()
        for line in path.read_text().replace(OF_STRANGERS, "").splitlines()
        if re.search(r"pip3? install\b.*[\s'\"]bquant(-mlir)?\b(?!_)", line)
    ]
    assert not wrong


# What is missing.


@pytest.mark.parametrize("module", ["bquant.nn", "bquant.models"])
def test_without_torch(module):
    message = import_error(f"import sys; sys.modules['torch'] = None; import {module}")
    assert message.startswith(f"expected torch 2.6 or later for {module}, but got ")
    assert message.endswith(": pip install 'torch>=2.6'")


def test_without_onnx(tmp_path):
    (tmp_path / "net.onnx").write_bytes(b"\x08\x0a")
    message = import_error(
        "import sys; sys.modules['onnx'] = None; import bquant; "
        f"bquant.compile({str(tmp_path / 'net.onnx')!r})"
    )
    assert message.startswith("expected onnx 1.23 or later for an ONNX model, but got ")
    assert message.endswith(": pip install 'onnx>=1.23'")


@pytest.mark.parametrize("module", ["tflite", "flatbuffers"])
def test_without_tflite(tmp_path, module):
    (tmp_path / "net.tflite").write_bytes(b"\0\0\0\0TFL3")
    message = import_error(
        f"import sys; sys.modules['{module}'] = None; import bquant; "
        f"bquant.compile({str(tmp_path / 'net.tflite')!r})"
    )
    assert message.startswith(f"expected {module}")
    assert " for a .tflite file, but got " in message and ": pip install " in message


def library(name):
    """The file of a library that this process has loaded."""
    maps = Path("/proc/self/maps").read_text()
    return Path(re.search(rf"/\S*/{re.escape(name)}\S*", maps)[0])


@pytest.fixture
def copied(tmp_path):
    """A copy of the package and its libraries, and what a process needs to import it."""
    shutil.copytree(PACKAGE, tmp_path / "bquant", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(library("libBQuantC.so"), tmp_path / "bquant" / "libBQuantC.so.0")
    environment = {"LD_LIBRARY_PATH": str(tmp_path / "bquant"), "PYTHONDONTWRITEBYTECODE": "1"}
    return {"cwd": tmp_path, "env": environment}


@pytest.mark.parametrize("name", [b"libMLIR.so.22.1", b"libLLVM.so.22.1"])
def test_without_llvm(copied, name):
    """The loader's own error, of a library that asks for a file which no machine has."""
    path = copied["cwd"] / "bquant" / "libBQuantC.so.0"
    content = path.read_bytes()
    assert content.count(name + b"\0") == 1
    path.write_bytes(content.replace(name, name[:-4] + b"99.9"))
    lacking = (name[:-4] + b"99.9").decode()
    assert import_error("import bquant", **copied) == (
        f"expected the libraries of LLVM 22 (Debian: apt install libmlir-22 libllvm22), but got "
        f"'{lacking}: cannot open shared object file: No such file or directory'"
    )


def test_without_the_extension(copied):
    for path in (copied["cwd"] / "bquant").glob("_bquant*.so"):
        path.unlink()
    assert import_error("import bquant", **copied).startswith(
        "expected bquant's extension for this Python, but there is none in "
    )


def test_an_extension_for_another_python(copied):
    """As of a wheel, in PyPy or in a Python that is older; that of the stable interface is looked
    at there, too, and lacks a function."""
    (extension,) = (copied["cwd"] / "bquant").glob("_bquant*.so")
    content = extension.read_bytes()
    assert content.count(b"\0PyUnicode_FromString\0") == 1
    content = content.replace(b"\0PyUnicode_FromString\0", b"\0PyUnicode_FromStrinX\0")
    for tag in ("cpython-36-x86_64-linux-gnu", "cpython-37-x86_64-linux-gnu", "abi3"):
        extension.with_name(f"_bquant.{tag}.so").write_bytes(content)
    extension.unlink()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert import_error("import bquant", **copied) == (
        "expected a Python that bquant has an extension for (CPython 3.6, 3.7, 3.12 and later), "
        f"but got CPython {version}"
    )


@pytest.mark.parametrize(
    "name, version, free, text",
    [
        ("cpython", (3, 9, 2), None, "CPython 3.9"),
        ("pypy", (3, 11, 13), None, "PyPy 3.11"),
        ("cpython", (3, 14, 0), 1, "CPython 3.14 without the global lock"),
        ("graalpy", (3, 12, 8), None, "graalpy 3.12"),
    ],
)
def test_what_this_python_is_called(monkeypatch, name, version, free, text):
    monkeypatch.setattr(sys.implementation, "name", name)
    monkeypatch.setattr(_requirements.sys, "version_info", version)
    monkeypatch.setattr(sysconfig, "get_config_var", {"Py_GIL_DISABLED": free}.get)
    assert _requirements._this_python() == text


def test_the_copy_is_complete(copied):
    """Without a fault the tests above would find nothing."""
    result = run("import bquant; print(bquant.__version__)", **copied)
    assert result.stdout.strip() and not result.stderr


# Another project by the same name, which is installed in the same folder.


def install(folder, distribution, files):
    """What pip leaves of a distribution with these files: its RECORD."""
    info = folder / f"{distribution}.dist-info"
    info.mkdir()
    lines = [f"{path},{_name._digest(folder / path)},1" for path in files]
    lines += [f"{path.removesuffix('.py')}.cpython-311.pyc,," for path in files]
    (info / "RECORD").write_text("\n".join([*lines, f"{info.name}/RECORD,,"]) + "\n")


def test_a_stranger_in_the_folder(copied):
    """That was there before, so that all files are ours."""
    site = copied["cwd"]
    install(site, "bquant_mlir-0.1.0", ["bquant/__init__.py", "bquant/api.py"])
    install(site, "bquant-0.0.19", ["bquant/__init__.py", "bquant/core.py"])
    result = run("import bquant; print(bquant.__version__)", **copied)
    assert result.stdout.strip() == bquant.__version__
    assert (
        "<string>:1: RuntimeWarning: expected bquant-mlir alone in the folder bquant, but another "
        "project's bquant 0.0.19 is there, too: uninstall both, then install the wheel of "
        "bquant-mlir again"
    ) == result.stderr.strip()


@pytest.mark.parametrize("damage", [lambda path: path.write_text("x = 1\n"), Path.unlink])
def test_a_stranger_has_overwritten_files(copied, damage):
    site = copied["cwd"]
    install(site, "bquant_mlir-0.1.0", ["bquant/__init__.py", "bquant/api.py"])
    damage(site / "bquant" / "api.py")
    install(site, "BQuant-0.0.19", ["bquant/__init__.py", "bquant/api.py"])
    assert import_error("import bquant", **copied) == (
        "expected bquant/api.py of bquant-mlir, but another project's bquant 0.0.19 owns it: "
        "uninstall both, then install the wheel of bquant-mlir again"
    )


def test_no_stranger_in_the_folder(tmp_path, recwarn):
    """Others, whose names begin alike, or who have no file in it."""
    install(tmp_path, "bquant_mlir-0.1.0", ["bquant/__init__.py"])
    install(tmp_path, "bquant_runtime-0.1.0", ["bquant_runtime/__init__.py"])
    install(tmp_path, "bquant_tools-1.0", ["bquant/tools.py"])
    install(tmp_path, "bquant-0.0.19", ["bquantity/__init__.py"])
    (tmp_path / "bquant-0.0.20.dist-info").mkdir()
    _name.check_name(str(tmp_path / "bquant"))
    assert not recwarn.list


# At exit.

KEPT = {
    # As a cache of C code keeps it: until the process is gone.
    "by a reference": f"""
import ctypes, bquant
net = bquant.compile('''{IDENTITY}''')
ctypes.pythonapi.Py_IncRef(ctypes.py_object(net))
""",
    "by torch.compile": """
import torch, bquant
from bquant import nn
model = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), nn.BinaryConv2d(4, 4, 3))
x = torch.randn(1, 1, 8, 8)
model(x)
net = bquant.compile(model.eval(), x)
torch.compile(model, backend="eager")(x)
""",
}


@pytest.mark.parametrize("kept", KEPT)
def test_silent_at_exit(kept):
    result = run(KEPT[kept])
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
