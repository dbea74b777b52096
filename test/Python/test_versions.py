"""Networks with a version for each of several CPUs: whichever runs is the network compiled for that
CPU alone, in every bit, by both loaders and in the process that compiled it."""

import ctypes
import json
import os

import bquant
import bquant_runtime
import numpy as np
import pytest
import torch
from agreement import trained
from bquant import models

PORTABLE = ["x86-64-v2", "haswell", "icelake-server"]
FORCED = "BQUANT_TARGET_CPU"
LOADERS = [bquant.load, bquant_runtime.load]

if os.uname().machine != "x86_64":
    pytest.skip("expected x86-64, whose CPUs these are", allow_module_level=True)


def small():
    """A network whose float layers are rounded in another way without an fma."""
    torch.manual_seed(0)
    model = models.lenet(activations="ls-1", width=4)
    return trained(model, (1, 1, 28, 28), seed=0).eval(), torch.randn(1, 1, 28, 28)


@pytest.fixture(scope="module")
def network():
    """A network, an input, and what each CPU's code alone makes of it, as far as it runs here."""
    model, x = small()
    net = bquant.compile(model, (x,), target="portable", name="net")
    expected, reports = {}, {}
    for cpu in PORTABLE:
        alone = bquant.compile(model, (x,), target=cpu, name="net")
        assert "versions" not in alone.signature and alone.version is None
        reports[cpu] = json.loads(alone.report("json"))
        try:
            expected[cpu] = alone(x).numpy()
        except RuntimeError as error:
            assert "expected a CPU with the features" in str(error)
    assert "x86-64-v2" in expected
    return model, x, net, expected, reports


@pytest.fixture(scope="module")
def library(network, tmp_path_factory):
    path = tmp_path_factory.mktemp("versions") / "net.so"
    network[2].save(path)
    return path


def same(one, other):
    np.testing.assert_array_equal(np.asarray(one).view(np.uint32), other.view(np.uint32))


def test_the_last_one_that_runs(network):
    _, x, net, expected, reports = network
    assert net.signature["versions"] == PORTABLE
    assert net.version == list(expected)[-1]
    same(net(x), expected[net.version])
    assert json.loads(net.report("json"))["layers"] == reports[net.version]["layers"]


@pytest.mark.parametrize("load", LOADERS)
@pytest.mark.parametrize("cpu", PORTABLE)
def test_each_version(load, cpu, network, library, monkeypatch):
    _, x, net, expected, reports = network
    monkeypatch.setenv(FORCED, cpu)
    loaded = load(library)
    assert loaded.version == cpu
    assert loaded.signature == net.signature
    report = json.loads(loaded.report("json"))
    assert report["target"]["cpu"] == cpu and report["layers"] == reports[cpu]["layers"]
    # What is chosen stays so.
    monkeypatch.setenv(FORCED, "abacus")
    if cpu in expected:
        same(loaded(x), expected[cpu])
    else:
        with pytest.raises(RuntimeError, match="^expected a CPU with the features that it was"):
            loaded(x)


def test_versions_without_and_with_an_fma_differ(network):
    expected = network[3]
    if "haswell" not in expected:
        pytest.skip("expected a CPU with AVX2")
    assert (expected["x86-64-v2"] != expected["haswell"]).any()


@pytest.mark.parametrize("load", LOADERS)
def test_a_version_that_there_is_not(load, library, monkeypatch):
    monkeypatch.setenv(FORCED, "abacus")
    with pytest.raises(ValueError) as info:
        load(library)
    assert str(info.value) == (
        f"cannot load '{library}': expected {FORCED} to be one of {', '.join(PORTABLE)}, but got "
        "'abacus'"
    )


def test_compiled_and_forced(network, monkeypatch):
    model, x, _, expected, _ = network
    monkeypatch.setenv(FORCED, "x86-64-v2")
    net = bquant.compile(model, (x,), target="x86-64-v2,haswell", threads=2)
    assert net.version == "x86-64-v2"
    same(net(x), expected["x86-64-v2"])
    same(net(x, threads=1), expected["x86-64-v2"])
    kernels = {layer["kernel"] for layer in net.profile(x, calls=1).layers}
    assert "table" in kernels and "popcount" not in kernels
    assert bquant.verify(net, model, x)
    monkeypatch.setenv(FORCED, "abacus")
    with pytest.raises(ValueError, match=f"^expected {FORCED} to be one of x86-64-v2, haswell"):
        bquant.compile(model, (x,), target="x86-64-v2,haswell")


def test_batches_threads_and_names(tmp_path, monkeypatch):
    model, x = small()
    x = torch.cat([x, -x, 2 * x])
    options = {"dynamic_batch": True, "threads": 2}
    net = bquant.compile(model, (x,), target="x86-64-v2,haswell", **options)
    net.save(tmp_path / "net.so", name="other")
    monkeypatch.setenv(FORCED, "x86-64-v2")
    expected = bquant.compile(model, (x,), target="x86-64-v2", **options)(x).numpy()
    for load in LOADERS:
        loaded = load(tmp_path / "net.so")
        assert (loaded.name, loaded.version) == ("other", "x86-64-v2")
        same(loaded(x), expected)
    header = (tmp_path / "net.h").read_text()
    assert "const char *other_version(void);" in header
    assert "void other_set_parallel(" in header


def test_threads_of_a_host(tmp_path):
    """NAME_set_parallel is that of the version that runs."""
    model, x = small()
    net = bquant.compile(
        model, (x,), target="x86-64-v2,haswell", dynamic_batch=True, threads=2, name="net"
    )
    net.save(tmp_path / "net.so")
    images = np.tile(x.numpy(), (64, 1, 1, 1))
    results = np.zeros((64, 10), np.float32)
    calls = []
    body_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32)

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, body_type, ctypes.c_void_p)
    def run(_, threads, body, context):
        calls.append(threads)
        for thread in range(threads):
            body(context, thread)

    library = ctypes.CDLL(str(tmp_path / "net.so"))
    library.net_set_parallel.restype = None
    library.net_set_parallel(run, None)
    library.net_arena_bytes.restype = ctypes.c_size_t
    space = np.zeros(library.net_arena_bytes(2) + 64, np.uint8)
    arena = ctypes.c_void_p((space.ctypes.data + 63) & -64)
    inputs, outputs = (ctypes.c_void_p(array.ctypes.data) for array in (images, results))
    batch = ctypes.c_int64(len(images))
    assert library.net(ctypes.byref(inputs), ctypes.byref(outputs), arena, 2, batch) == 0
    assert calls == [2]
    same(results, net(images))


def test_another_machine(tmp_path):
    cpus = ["cortex-a53", "neoverse-n1"]
    net = bquant.compile(
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }",
        target=f"aarch64-linux-gnu:{','.join(cpus)}",
    )
    assert net.version is None and net.signature["versions"] == cpus
    assert [one["target"]["cpu"] for one in json.loads(net.report("json"))] == cpus
    assert [net.report().count(cpu) for cpu in cpus] == [1, 1]
    assert net.report("html").count("<h1>") == 1 and net.report("html").count("<h2>Layers") == 2


def test_one_cpu_for_a_stage():
    with pytest.raises(ValueError, match="^expected one CPU, .* but got 'portable'$"):
        bquant.lower("func.func @f() { return }", "raise", target="portable")


@pytest.mark.parametrize(
    "model, shape",
    [
        (lambda: models.lenet(activations="ls-1"), (1, 1, 28, 28)),
        pytest.param(
            lambda: models.resnet18(activations="ls-1"), (1, 3, 224, 224), marks=pytest.mark.nightly
        ),
    ],
    ids=["lenet", "resnet18"],
)
def test_size(model, shape, tmp_path):
    torch.manual_seed(0)
    model, x = trained(model(), shape, seed=0).eval(), torch.randn(shape)

    def size(target):
        bquant.compile(model, (x,), target=target).save(tmp_path / "net.so")
        return os.path.getsize(tmp_path / "net.so")

    alone = [size(cpu) for cpu in PORTABLE]
    assert size("portable") <= 2.5 * max(alone)
