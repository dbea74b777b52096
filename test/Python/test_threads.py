"""Networks on several threads: the bits of one thread, and other runtimes in the process."""

import ctypes
import os
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import bquant
import numpy as np
import pytest
import torch
from bquant import nn


def model():
    torch.manual_seed(0)
    layers = [
        nn.BinaryConv2d(32, 128, 3, padding=1, activations="ls-1"),
        torch.nn.ReLU(),
        nn.BinaryConv2d(128, 128, 3, padding=1, activations="ls-2", scalars="online"),
    ]
    network = torch.nn.Sequential(*layers)
    with torch.no_grad():
        for _ in range(3):
            network(torch.randn(4, 32, 8, 8))
    return network.eval()


@pytest.fixture(scope="module")
def x():
    return torch.randn(7, 32, 8, 8, generator=torch.Generator().manual_seed(1)).numpy()


@pytest.fixture(scope="module")
def expected(x):
    one = bquant.compile(model(), torch.from_numpy(x[:1]), strategy="reference")
    return np.concatenate([one(x[i : i + 1]) for i in range(len(x))])


@pytest.fixture(scope="module")
def net(x):
    return bquant.compile(model(), torch.from_numpy(x[:1]), threads=4)


def same(y, expected):
    np.testing.assert_array_equal(y.view(np.int32), expected.view(np.int32))


def test_bits(net, x, expected):
    assert net.threads == min(4, os.cpu_count())
    for threads in (1, 2, 3, 4, 1000, None):
        same(net(x[:1], threads=threads), expected[:1])


def test_batch(x, expected):
    net = bquant.compile(model(), torch.from_numpy(x[:1]), threads=3, dynamic_batch=True)
    for threads in (1, 2, 3):
        for batch in range(len(x) + 1):
            same(net(x[:batch], threads=threads), expected[:batch])


def values(kind):
    """Samples of 20672 values: six parts of a search, the last one short."""
    x = torch.randn(3, 64, 17, 19, generator=torch.Generator().manual_seed(2))
    if kind == "outliers":
        x[:, ::7] *= 1e6
    elif kind == "few":
        x = (2 * x).round()
    elif kind == "equal":
        x[:] = 0.75
    elif kind == "nan":
        x[1, 3, 5, 7] = torch.nan
    return x.numpy()


@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("scheme", ["ls-1", "ls-2", "ls-T", "gf-2"])
def test_online_scalars(scheme, samples):
    torch.manual_seed(3)
    layer = nn.BinaryConv2d(64, 8, 1, activations=scheme, scalars="online").eval()
    example = torch.randn(samples, 64, 17, 19)
    reference = bquant.compile(layer, example, strategy="reference")
    net = bquant.compile(layer, example, threads=3)
    for kind in ("normal", "outliers", "few", "equal", "nan"):
        x = values(kind)[:samples]
        expected = reference(x)
        for threads in (1, 2, 3):
            same(net(x, threads=threads), expected)


def test_nothing_to_do():
    """A layer without any tile for the threads to share."""
    net = bquant.compile(
        """
        func.func @net(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
          %e = tensor.empty() : tensor<64x512xf32>
          %y = bquant_packed.layer "nothing" outs(%o = %e : tensor<64x512xf32>) {
            bquant_packed.yield %o : tensor<64x512xf32>
          }
          return %y : tensor<64x512xf32>
        }""",
        threads=2,
    )
    assert net(np.zeros((64, 512), np.float32)).shape == (64, 512)


def test_saved(net, x, expected, tmp_path):
    net.save(tmp_path / "net.so")
    assert f"{net.name}_set_parallel" in (tmp_path / "net.h").read_text()
    loaded = bquant.load(tmp_path / "net.so")
    assert loaded.threads == net.threads
    same(loaded(x[:1]), expected[:1])
    assert bquant.load(tmp_path / "net.so", threads=1).threads == 1


def test_profile_is_of_one_thread(net, x):
    profile = net.profile(x[:1], calls=2)
    assert [layer for layer in profile.layers if layer["operations"]]


def test_many_callers(net, x, expected):
    def agrees(i):
        own = slice(i, i + 1)
        calls = (net(x[own], threads=n % 3 + 1) for n in range(30))
        return all(np.array_equal(y.view(np.int32), expected[own].view(np.int32)) for y in calls)

    with ThreadPoolExecutor(4) as callers:
        assert all(callers.map(agrees, range(4)))


MACHINE = Path(__file__).parents[1] / "Tools/Inputs/machine.c"


@pytest.fixture(scope="module")
def saved(net, x, expected, tmp_path_factory):
    """The library and its data, for other processes, on a machine with many cores."""
    path = tmp_path_factory.mktemp("threads")
    net.save(path / "net.so")
    np.save(path / "x.npy", x[:1])
    np.save(path / "y.npy", expected[:1])
    for name, flags in (("machine.so", []), ("no_openmp.so", ["-DNO_OPENMP"])):
        subprocess.run(["cc", "-shared", "-fPIC", *flags, MACHINE, "-o", path / name], check=True)
    return path


CALL = """
import os, numpy as np, bquant
os.cpu_count = lambda: 4
alone = False  # whether this process has run threads
net = bquant.load("net.so")
x, y = np.load("x.npy"), np.load("y.npy")
def call():
    for _ in range(20):
        for threads in (2, 4):
            assert np.array_equal(net(x, threads=threads).view(np.int32), y.view(np.int32))
"""

TORCH = """
import torch
def other():
    a = torch.ones(300, 300)
    assert (a @ a)[0, 0] == 300
"""

FORK = """
pid = os.fork()
if pid == 0:
    call()
    os._exit(len(os.listdir("/proc/self/task")) - 1 if alone else 0)
assert os.waitpid(pid, 0)[1] == 0
"""


# Those of the OpenMP libraries in the process.
PATHS = """
paths = {line.split()[-1] for line in open("/proc/self/maps") if "libomp" in line}
"""


def run(saved, *parts, machine="machine.so", **environment):
    code = "".join(textwrap.dedent(part) for part in parts)
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=saved,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "LD_PRELOAD": str(saved / machine), **environment},
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "parts",
    [
        (CALL, "call()\n"),
        (TORCH, CALL, "other(); call(); other(); call()\n"),
        (CALL, "call()\n", TORCH, "other(); call(); other()\n"),
        # Where the parent has run threads, its child runs none.
        (CALL, "call(); alone = True\n", FORK, "call()\n"),
        (TORCH, CALL, "other()\n", FORK, "call(); alone = True\n", FORK, "other()\n"),
    ],
    ids=["alone", "after torch", "before torch", "fork", "torch and fork"],
)
def test_in_one_process(saved, parts):
    run(saved, *parts)


@pytest.mark.parametrize("module", ["onnxruntime", "openvino", "sklearn.cluster"])
def test_with_other_runtimes(saved, module):
    # This process may have been given other places to look at.
    package = module.split(".")[0]
    find = f"import importlib.util, sys; sys.exit(not importlib.util.find_spec({package!r}))"
    if subprocess.run([sys.executable, "-c", find]).returncode:
        pytest.skip(f"expected {package}")
    run(saved, f"import {module}\n", TORCH, CALL, "call(); other(); call()\n")
    run(saved, CALL, "call()\n", f"import {module}\n", "call()\n")


def loaded(name):
    """The file of a library that this process has."""
    with open("/proc/self/maps") as maps:
        return next(line.split()[-1] for line in maps if f"/{name}" in line)


def test_second_copy_of_openmp(saved):
    """One that is in the process already, by another name, is taken."""
    ctypes.CDLL("libomp.so.5")
    path = loaded("libomp")
    os.makedirs(saved / "copy", exist_ok=True)
    copy = saved / "copy" / "libomp-0a1b2c3d.so.5"
    copy.write_bytes(open(path, "rb").read())
    use = f"""
    import ctypes
    copy = ctypes.CDLL({str(copy)!r})
    copy.omp_get_max_threads()
    """
    run(saved, use, CALL, "call()\n", PATHS, "assert len(paths) == 1, paths\n")


def test_other_libraries_of_such_names(saved):
    """They are no OpenMP, and it is looked for behind them."""
    ctypes.CDLL("libomp.so.5")
    (saved / "others").mkdir()
    for name in ("libompl.so.16", "libomp-other.so"):
        shutil.copy(loaded("libm.so"), saved / "others" / name)
    copy = saved / "others" / "libomp-0a1b2c3d.so.5"
    shutil.copy(loaded("libomp.so"), copy)
    use = f"""
    import ctypes
    for name in ("libompl.so.16", "libomp-other.so"):
        ctypes.CDLL("others/" + name)
    copy = ctypes.CDLL({str(copy)!r})
    copy.omp_get_max_threads()
    """
    run(saved, use, CALL, "call()\n", PATHS, "assert len(paths) == 3, paths\n")


def test_openmp_of_the_package(saved):
    """The one next to libBQuantC is taken where there is no other."""
    ctypes.CDLL("libomp.so.5")
    (saved / "package").mkdir()
    shutil.copy(loaded("libBQuantC.so"), saved / "package/libBQuantC.so.0")
    shutil.copy(loaded("libomp"), saved / "package/libomp.so.5")
    is_own = 'assert paths == {os.path.abspath("package/libomp.so.5")}, paths\n'
    own = str(saved / "package")
    run(saved, CALL, "call()\n", PATHS, is_own, machine="no_openmp.so", LD_LIBRARY_PATH=own)


def test_missing_openmp(saved):
    lines = """
    try:
        net(x, threads=2)
    except RuntimeError as error:
        assert str(error).startswith("expected LLVM's OpenMP runtime, libomp.so.5"), error
        assert "\\n" not in str(error)
    else:
        raise AssertionError("expected an error")
    assert np.array_equal(net(x, threads=1).view(np.int32), y.view(np.int32))
    """
    run(saved, CALL, lines, machine="no_openmp.so")
