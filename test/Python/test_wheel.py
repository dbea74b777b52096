"""The wheels that `./dev wheel` makes: what is in them; that this machine's does its work in clean
environments of every Python at hand, where no LLVM, no compiler and no linker is to be seen, and in
one process with other libraries that bring the same (beside.py); that the one for AArch64 does so
by qemu.

The environments stay in build/wheel until the wheel changes. Tests are skipped without a wheel in
dist, but they fail for the machines in BQUANT_REQUIRE_WHEEL, for which `./dev test` has made one;
and where a process may not have mounts of its own.
"""

import configparser
import contextlib
import email
import fcntl
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import bquant
import numpy as np
import pytest
import tomllib
from clean_roots import CleanRoot

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
STORE = ROOT / "build" / "wheel"
LAYER = ROOT / "examples" / "layer.mlir"
MACHINES = {"x86_64": 62, "aarch64": 183}  # e_machine of their files
NM = "/usr/lib/llvm-22/bin/llvm-nm"
READELF = "/usr/lib/llvm-22/bin/llvm-readelf"


def skip(machine, **options):
    reason = f"expected a wheel for {machine} in dist: ./dev wheel [--cross]"
    if machine in os.environ.get("BQUANT_REQUIRE_WHEEL", ""):
        pytest.fail(reason)
    pytest.skip(reason, **options)


def find_wheel(machine):
    """The newest in dist."""
    found = (ROOT / "dist").glob(f"bquant_mlir-*_{machine}.whl")
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


WHEEL = Path(path) if (path := os.environ.get("BQUANT_WHEEL")) else find_wheel("x86_64")
if WHEEL is None:
    skip("x86_64", allow_module_level=True)


@pytest.fixture(scope="module", params=MACHINES)
def machine(request):
    return request.param


@pytest.fixture(scope="module")
def wheel(machine):
    path = WHEEL if machine == "x86_64" else find_wheel(machine)
    if path is None:
        skip(machine)
    return path


@pytest.fixture(scope="module")
def content(wheel, tmp_path_factory):
    """The wheel, unpacked."""
    folder = tmp_path_factory.mktemp("content")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def info(content, name):
    (folder,) = content.glob("bquant_mlir-*.dist-info")
    return (folder / name).read_text()


# What is in it.


def test_tag(machine, wheel):
    """It is what auditwheel finds, and what the file is called."""
    platform = f"manylinux_2_34_{machine}"
    assert wheel.name.endswith(f"-py3-none-{platform}.whl")
    result = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", wheel], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    text = " ".join(result.stdout.split())
    found = re.search(r"consistent with the following platform tag: \"(\w+)\"", text)
    assert found, text
    assert found[1] == platform, text


def test_files(machine, content):
    files = {path.relative_to(content) for path in content.rglob("*") if path.is_file()}
    tops = {path.parts[0] for path in files}
    assert tops == {"bquant", *(top for top in tops if top.startswith("bquant_mlir-"))}
    inside = {str(path.relative_to("bquant")) for path in files if path.parts[0] == "bquant"}
    sources = {
        str(path.relative_to(ROOT / "python" / "bquant"))
        for path in (ROOT / "python" / "bquant").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
    }
    assert sources <= inside and "py.typed" in sources and "_bquant.pyi" in sources
    others = {name for name in inside - sources if "/" not in name}
    assert inside - sources == others
    extensions = {name for name in others if name.startswith("_bquant.")}
    tags = {name.split(".")[1].removesuffix(f"-{machine}-linux-gnu") for name in extensions}
    kinds = {"3.10": "cpython-310", "3.11": "cpython-311"}
    assert tags >= {kinds.get(version, "abi3") for version in PYTHONS if has_headers(version)}
    assert tags <= {*kinds.values(), "abi3"}
    libraries = {re.sub(r"\.so.*", "", name) for name in others - extensions}
    assert libraries == {"libBQuantC", "libomp"}
    for name in others:
        header = (content / "bquant" / name).read_bytes()[:20]
        assert header[:4] == b"\x7fELF"
        assert int.from_bytes(header[18:], "little") == MACHINES[machine], name


def test_metadata(content):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = email.message_from_string(info(content, "METADATA"))
    assert found["Name"] == project["name"]
    assert found["Author"] or found["Author-email"]
    assert found.get_all("Classifier") == project["classifiers"]
    assert set(found.get_all("Provides-Extra")) == set(project["optional-dependencies"])
    assert found["Description-Content-Type"].startswith("text/markdown")
    assert found.get_payload().strip() == (ROOT / project["readme"]).read_text().strip()
    scripts = configparser.ConfigParser()
    scripts.read_string(info(content, "entry_points.txt"))
    assert dict(scripts["console_scripts"]) == project["scripts"]
    for name in project["license-files"]:
        assert info(content, f"licenses/{name}") == (ROOT / name).read_text()


def test_only_bquant_is_exported(content):
    """Nothing of LLVM, MLIR, lld or the C++ library: others have them, too."""
    (library,) = (content / "bquant").glob("libBQuantC.so*")
    extensions = sorted((content / "bquant").glob("_bquant*.so"))
    for path, prefix in [(library, "bquant"), *((path, "PyInit__bquant") for path in extensions)]:
        command = [NM, "-D", "--defined-only", "--format=just-symbols", path]
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        assert names and all(name.startswith(prefix) for name in names), path


def test_constructors_lie_together(content):
    """Those of LLVM's options, which an import runs (cmake/options.lds)."""
    (library,) = (content / "bquant").glob("libBQuantC.so*")
    command = [READELF, "--sections", "--wide", library]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (size,) = re.findall(r" \.text\.options +PROGBITS +\w+ +\w+ +(\w+)", found)
    assert 0.5e6 < int(size, 16) < 1e6


# In clean environments.


@contextlib.contextmanager
def kept(name, key):
    """A folder of build/wheel, and whether it is still to be made, by one process at a time."""
    folder = STORE / name
    STORE.mkdir(parents=True, exist_ok=True)
    key = f"{hashlib.sha256(WHEEL.read_bytes()).hexdigest()} {key} {ROOT}"
    with open(STORE / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / ".stamp"
        is_made = stamp.exists() and stamp.read_text() == key
        if not is_made:
            shutil.rmtree(folder, ignore_errors=True)
        yield folder, not is_made
        stamp.write_text(key)


def pythons():
    """The interpreters at hand that the package is for, by version: those on PATH, and pyenv's."""
    found = {}
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders += [path / "bin" for path in sorted(root.glob("versions/*"))]
    code = (
        "import ensurepip, sys, sysconfig as s; assert sys.version_info >= (3, 10); "
        "assert sys.implementation.name == 'cpython' and not s.get_config_var('Py_GIL_DISABLED'); "
        "print('%d.%d' % sys.version_info[:2])"
    )
    names = [f"python3.{minor}" for minor in range(10, 20)]
    for path in (folder / name for folder in folders for name in names):
        # One in an environment would do, but goes with it.
        if path.exists() and not (path.parent.parent / "pyvenv.cfg").exists():
            result = subprocess.run([path, "-c", code], capture_output=True, text=True)
            if result.returncode == 0:
                found.setdefault(result.stdout.strip(), path)
    return found


PYTHONS = pythons()


def has_headers(version):
    code = "import sysconfig; print(sysconfig.get_path('include'))"
    result = subprocess.run([PYTHONS[version], "-c", code], capture_output=True, text=True)
    return (Path(result.stdout.strip()) / "Python.h").exists()


OWN = f"{sys.version_info.major}.{sys.version_info.minor}"
# Modules of tests that take few seconds together, and nothing of the build; those that do without
# the packages of this environment, which other Pythons lack.
ALONE = ["test_layouts", "test_mlir_integers", "test_progress", "test_quantize"]
QUICK = [
    *ALONE, "test_compile", "test_datasets", "test_depthwise", "test_float_precision",
    "test_lower", "test_message_forms", "test_onnx_errors", "test_profile", "test_qonnx",
    "test_report", "test_structure", "test_tflite_errors", "test_tflite_states",
]  # fmt: skip


def install(version):
    """The interpreter of an environment with the wheel, and with what its tests need."""
    with kept(f"python-{version}", PYTHONS[version]) as (folder, is_new):
        if is_new and version == OWN:
            install_own(folder)
        elif is_new:
            python = make_environment(version, folder)
            command = [*pip_install(python), WHEEL, "pytest"]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode:
                reason = result.stderr.strip().splitlines()[-1]
                pytest.skip(f"expected NumPy and pytest for Python {version}, but got '{reason}'")
        return folder / "bin" / "python"


def make_environment(version, folder):
    subprocess.run([PYTHONS[version], "-m", "venv", folder], check=True)
    return folder / "bin" / "python"


def install_own(folder):
    """An environment of this Python, with the packages of this environment, which have all that
    tests need, but for bquant."""
    python = make_environment(OWN, folder)
    subprocess.run([*pip_install(python), "--no-deps", WHEEL], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    here = Path(pytest.__file__).parents[1]
    assert not (here / "bquant").exists()
    (site / "others.pth").write_text(f"{here}\n")
    return python


def pip_install(python):
    return [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]


# All of LLVM, and what is built here, is another, empty folder or file in the mounts of a process.
HIDE = """
empty=$1; shift
for folder in /usr/lib/llvm-*/ "$BQUANT_ROOT"/build/lib "$BQUANT_ROOT"/build/bin \
    "$BQUANT_ROOT"/python/bquant; do
  [ ! -d "$folder" ] || mount --bind "$empty" "$folder" || exit 99
done
for file in /usr/lib/*-linux-gnu/lib{LLVM,MLIR,lld,omp,iomp}*; do
  [ ! -f "$file" ] || [ -L "$file" ] || mount --bind /dev/null "$file" || exit 99
done
exec "$@"
"""
UNSHARE = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]


@pytest.fixture(scope="module")
def hidden(tmp_path_factory):
    """Runs a command where LLVM is hidden, and PATH has the command's own folder alone."""
    empty = tmp_path_factory.mktemp("empty")

    def run(*command, **options):
        environment = {
            "PATH": str(Path(command[0]).parent),
            "HOME": str(tmp_path_factory.getbasetemp()),
            "BQUANT_ROOT": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            **options.pop("env", {}),
        }
        shell = [*UNSHARE, "/bin/bash", "-c", f"PATH=/usr/bin:/bin{HIDE}", "bash", str(empty)]
        inner = ["/usr/bin/env", f"PATH={environment['PATH']}", *map(str, command)]
        result = subprocess.run(
            [shutil.which(shell[0]), *shell[1:], *inner],
            env=environment, capture_output=True, text=True, **options,
        )  # fmt: skip
        if result.returncode == 99:
            pytest.skip(f"expected mounts of this process alone, but {result.stderr.strip()}")
        return result

    probe = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True)
    if probe.returncode:
        pytest.skip(f"expected mounts of this process alone, but {probe.stderr.strip()}")
    return run


WORK = f"""
import pathlib, sys, warnings
warnings.simplefilter("error")
import bquant, numpy as np
site = sys.prefix + "/lib"
assert bquant.__file__.startswith(site), bquant.__file__
x = np.random.default_rng(0).standard_normal((1, 56, 56, 64), np.float32)
y = bquant.compile({str(LAYER)!r}, strategy="reference")(x)
net = bquant.compile({str(LAYER)!r}, threads=2)
assert np.array_equal(net(x), y)  # with libomp of the wheel
net.save("net.so")
assert np.array_equal(bquant.load("net.so")(x, threads=1), y)
assert net.profile(x, calls=2).layers
bquant.compile({str(LAYER)!r}, target="aarch64-linux-gnu:neoverse-n1")
q = bquant.quantize(x, "ls-2")
assert abs(q.dequantize() - x).mean() < 0.4 and "conv_2d" in net.report()
maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
loaded = [line.split()[-1] for line in maps if ".so" in line]
wrong = [p for p in loaded if "llvm" in p.lower() or "MLIR" in p and not p.startswith(site)]
assert not wrong, wrong
assert any(p.startswith(site) and "libomp" in p for p in loaded)
print("done")
"""


@pytest.mark.parametrize("version", PYTHONS)
def test_work(hidden, version, tmp_path):
    """Compile, call, save, load, with nothing but the wheel and NumPy."""
    result = hidden(install(version), "-c", WORK, cwd=tmp_path)
    assert (result.stdout, result.stderr) == ("done\n", "")
    assert (tmp_path / "net.h").exists()


@pytest.mark.parametrize("version", PYTHONS)
def test_the_packages_own_tests(hidden, version, tmp_path):
    """The quick half of them, all that is there for a Python without torch."""
    modules = QUICK if version == OWN else ALONE
    result = hidden(
        install(version), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}",
        "-c", ROOT / "pyproject.toml", f"--basetemp={tmp_path / 'tests'}",
        *(HERE / f"{module}.py" for module in modules), cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-1000:]
    passed = int(re.search(r"(\d+) passed", result.stdout)[1])
    assert passed > (500 if version == OWN else 150), result.stdout[-200:]


def test_there_are_pythons():
    assert OWN in PYTHONS


# On AArch64, by qemu.

AARCH64 = ROOT / "build" / "aarch64-python"
# The root of a system that has a Python with NumPy, its C library, and the wheel. The emulator is
# this machine's, whose libraries it alone sees.
ENTER = """
root=$1 python=$2 emulator=$3 wheel=$4 work=$5 empty=$6; shift 6
mkdir "$root"/{usr,lib,proc,dev,wheel,project,here} && touch "$root/emulator"
for pair in "$python/usr usr" "$python/lib lib" "/proc proc" "/dev dev" "$wheel wheel" \
    "$work project" "/lib/x86_64-linux-gnu here" "$emulator emulator"; do
  mount --rbind "${pair% *}" "$root/${pair##* }" || exit 99
done
for folder in "$root"/usr/lib/llvm-*/; do mount --bind "$empty" "$folder" || exit 99; done
exec chroot "$root" /here/ld-linux-x86-64.so.2 --library-path /here \
  /emulator -cpu neoverse-n1 /usr/bin/python3.11 "$@"
"""


@pytest.fixture(scope="module")
def emulated(content, tmp_path_factory):
    """Runs Python with the wheel for AArch64 where nothing else of this machine is."""
    emulator = shutil.which("qemu-aarch64")
    if not emulator or not AARCH64.exists():
        pytest.skip("expected a Python for AArch64: ./dev setup --cross")

    def run(work, code, *arguments):
        folders = [tmp_path_factory.mktemp("root"), AARCH64, emulator, content, work]
        empty = tmp_path_factory.mktemp("empty")
        result = subprocess.run(
            [*UNSHARE, "/bin/bash", "-c", ENTER, "bash", *folders, empty, "-c", code, *arguments],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "PYTHONPATH": "/wheel"},
            capture_output=True, text=True,
        )  # fmt: skip
        if result.returncode == 99:
            pytest.skip(f"expected mounts of this process alone, but {result.stderr.strip()}")
        assert (result.returncode, result.stderr) == (0, ""), result.stderr

    return run


on_aarch64 = pytest.mark.parametrize("machine", ["aarch64"], scope="module")
# By the wheels of both machines, in a folder for each.
SOLVE = """
import os, sys
os.chdir(sys.argv[1])
import bquant, numpy as np
x = np.random.default_rng(0).standard_normal((5, 777), np.float32)
np.save("y.npy", [bquant.quantize(x, scheme, axis=0).dequantize() for scheme in ("ls-2", "gf-3")])
print(os.uname().machine, os.path.dirname(bquant.__file__), file=open("where", "w"))
"""


@on_aarch64
def test_solvers_on_aarch64(hidden, emulated, tmp_path):
    here, there = (tmp_path / name for name in ("here", "there"))
    here.mkdir(), there.mkdir()
    assert hidden(install(OWN), "-c", SOLVE, here).returncode == 0
    emulated(tmp_path, SOLVE, "/project/there")
    assert (there / "where").read_text() == "aarch64 /wheel/bquant\n"
    assert (here / "where").read_text().startswith("x86_64 ")
    np.testing.assert_array_equal(np.load(there / "y.npy"), np.load(here / "y.npy"))


PREPARE = f"""
import os, sys
sys.path.append({str(HERE)!r})
os.chdir(sys.argv[1])
import bquant, numpy as np, torch
from agreement import trained
from bquant import models
torch.manual_seed(0)
model = trained(models.lenet(activations="ls-1", width=8), (1, 1, 28, 28), seed=0).eval()
x = torch.randn(1, 1, 28, 28)
np.save("x.npy", x.numpy())
open("net.mlir", "w").write(bquant.lower(model, "raise", (x,), large_constants=True))
"""
COMPILE = """
import os, sys
os.chdir(sys.argv[1])
import bquant, numpy as np
from bquant import _bquant
x = np.load("../x.npy")
y = bquant.compile("../net.mlir", target=sys.argv[2], strategy="reference")(x)
np.save("y.npy", y)
net = bquant.compile("../net.mlir", threads=2)
assert np.array_equal(net(x), y) and np.array_equal(net(x, threads=1), y)
net.save("net.so")
assert np.array_equal(bquant.load("net.so")(x, threads=1), y)
assert net.profile(x, calls=2).layers
for machine, cpu in ("x86_64", "haswell"), ("aarch64", "cortex-a72"):
    options = f"--target-triple={machine}-linux-gnu", f"--target-cpu={cpu}"
    words = ["bquant-compile", "../net.mlir", "--emit=obj", "-o", f"{machine}.o", *options]
    assert _bquant.run_tool("bquant-compile", words) == 0
open("maps", "w").write(open("/proc/self/maps").read())
"""


@pytest.mark.nightly
@on_aarch64
def test_work_on_aarch64(hidden, emulated, tmp_path):
    """A network is compiled there, and runs, as here; for either machine both compilers make the
    same code."""
    here, there = (tmp_path / name for name in ("here", "there"))
    here.mkdir(), there.mkdir()
    for code, *arguments in (PREPARE, tmp_path), (COMPILE, here, "haswell"):
        result = hidden(install(OWN), "-c", code, *arguments)
        assert result.returncode == 0, result.stderr
    emulated(tmp_path, COMPILE, "/project/there", "host")
    np.testing.assert_array_equal(np.load(there / "y.npy"), np.load(here / "y.npy"))
    for name in ("x86_64.o", "aarch64.o"):
        assert (there / name).read_bytes() == (here / name).read_bytes()
    assert "/wheel/bquant/libomp.so.5" in (there / "maps").read_text()
    command = ["/usr/lib/llvm-22/bin/llvm-readobj", "--needed-libs", there / "net.so"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "Arch: aarch64" in said and "libc.so.6" in said


# Scripts.


@pytest.fixture(scope="module")
def scripts():
    """Of this Python's environment."""
    names = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    folder = install(OWN).parent
    return {name: folder / name for name in names}


def test_scripts_run(hidden, scripts, tmp_path):
    for name, script in scripts.items():
        result = hidden(script, "--help", cwd=tmp_path)
        assert result.returncode == 0 and name in result.stdout, (name, result)
        assert not result.stderr
        result = hidden(script, "--version", cwd=tmp_path)
        assert result.returncode == 0 and "bquant" in result.stdout, (name, result)


@pytest.mark.parametrize("name", ["bquant", "bquant-mlir"])
def test_compile_and_verify(hidden, scripts, tmp_path, name):
    result = hidden(scripts[name], "compile", LAYER, "-o", "net.so", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    result = hidden(scripts[name], "verify", LAYER, "--library", "net.so", cwd=tmp_path)
    assert result.returncode == 0 and result.stdout.startswith("equal"), result
    result = hidden(scripts[name], "compile", "missing.onnx", "-o", "net.so", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr == "bquant: expected a model, but there is no file 'missing.onnx'\n"


# In a clean root.

IN_A_ROOT = """
import numpy as np, bquant
x = np.load("x.npy")
for model in ("layer.mlir", "network.onnx"):
    np.save(model + ".npy", bquant.compile(model)(x))
"""


@pytest.mark.nightly
def test_in_a_clean_root(tmp_path, capsys):
    """From `pip install` to the first answers, in a Debian with nothing but its own Python."""
    onnx = pytest.importorskip("onnx")
    root = CleanRoot(tmp_path, ["python3-venv"])
    work = root.path / "project"
    work.mkdir()
    shape = (1, 56, 56, 64)
    x = np.random.default_rng(0).standard_normal(shape, np.float32)
    np.save(work / "x.npy", x)
    shutil.copy(LAYER, work)
    value = [onnx.helper.make_tensor_value_info(name, 1, shape) for name in "xy"]
    nodes = [
        onnx.helper.make_node("Sign", ["x"], ["s"]),
        onnx.helper.make_node("Neg", ["s"], ["y"]),
    ]
    graph = onnx.helper.make_graph(nodes, "network", value[:1], value[1:])
    onnx.save(onnx.helper.make_model(graph), work / "network.onnx")
    (work / "run.py").write_text(IN_A_ROOT)
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    folder = work / "wheels"
    subprocess.run([*command, "-d", folder, f"{WHEEL}[onnx]"], check=True)
    root.run("python3 -m venv /environment")
    start = time.perf_counter()
    root.run(
        "cd /project && /environment/bin/pip install -q --no-index --find-links wheels "
        "'bquant-mlir[onnx]' && /environment/bin/python run.py"
    )
    seconds = time.perf_counter() - start
    for model in ("layer.mlir", "network.onnx"):
        y = bquant.compile(work / model)(x)
        np.testing.assert_array_equal(np.load(work / f"{model}.npy"), y)
    with capsys.disabled():
        print(f"\na clean root, from pip install to the first answers: {seconds:.0f} s")


# Beside others.

OTHERS = ("torch", "triton", "onnxruntime", "openvino")
PAIRS = [pair for other in OTHERS for pair in (("bquant", other), (other, "bquant"))]
ALL = [
    ("bquant", *OTHERS),
    (*OTHERS, "bquant"),
    ("openvino", "bquant", "triton", "onnxruntime", "torch"),
    ("triton", "onnxruntime", "bquant", "torch", "openvino"),
    ("onnxruntime", "torch", "openvino", "bquant", "triton"),
]
# One set of a few seconds in each run of the tests.
BY_DAY = [(ALL[0], "global"), (ALL[1], "global")]
RUNS = [
    pytest.param(order, scope, id=f"{'-'.join(order)}-{scope}", marks=marks)
    for order, scope in itertools.product([*PAIRS, *ALL], ["local", "global"])
    for marks in [[] if (order, scope) in BY_DAY else [pytest.mark.nightly]]
]


def test_the_number_of_runs():
    assert len(RUNS) == 26


@pytest.fixture(scope="module")
def site():
    """The folder of the wheel alone, which the peers' environment does not hold."""
    with kept("site", OWN) as (folder, is_new):
        if is_new:
            command = [*pip_install(sys.executable), "--no-deps", "--target", folder, WHEEL]
            subprocess.run(command, check=True)
        return folder


@pytest.mark.parametrize("order, scope", RUNS)
def test_beside(hidden, site, tmp_path, order, scope):
    python = Path(os.environ.get("BQUANT_PEERS", ROOT / ".venv-peers")) / "bin" / "python"
    if not python.exists():
        pytest.skip("expected the peers' environment: ./dev bench --peers")
    probe = f"import importlib.util as u; print([n for n in {OTHERS} if not u.find_spec(n)])"
    missing = subprocess.run([python, "-c", probe], check=True, capture_output=True, text=True)
    if (names := eval(missing.stdout)) and set(names) & set(order):
        pytest.skip(f"expected {', '.join(names)} among the peers: ./dev bench --peers")
    environment = {"PYTHONPATH": str(site)}
    command = [python, HERE / "beside.py", ",".join(order), scope]
    result = hidden(*command, env=environment, cwd=tmp_path)
    assert result.returncode == 0, result.stderr[-2000:]
    assert result.stdout.splitlines()[-1] == f"ok {','.join(order)} {scope}"


# Figures, which depend on the machine.

MEASURE = f"""
import time
def resident():
    return next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith("VmRSS")) / 1e3
import numpy as np
alone, start = resident(), time.perf_counter()
import bquant
seconds, imported = time.perf_counter() - start, resident()
bquant.compile({str(LAYER)!r})(np.ones((1, 56, 56, 64), np.float32))
print(f"import bquant: {{seconds:.2f}} s after NumPy; resident, MB: NumPy {{alone:.0f}}, "
      f"bquant {{imported:.0f}}, one compilation {{resident():.0f}}")
"""


def test_figures(hidden, tmp_path, capsys):
    start = time.perf_counter()
    python = install_own(tmp_path / "environment")
    result = hidden(python, "-c", MEASURE, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    seconds = time.perf_counter() - start
    with zipfile.ZipFile(WHEEL) as archive:
        installed = sum(entry.file_size for entry in archive.infolist())
    with capsys.disabled():
        size = WHEEL.stat().st_size
        print(f"\n{WHEEL.name}: {size / 1e6:.1f} MB, {installed / 1e6:.1f} MB installed")
        print(f"a new environment to the first answer: {seconds:.0f} s; {result.stdout}", end="")
