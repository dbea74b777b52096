"""`bquant.compile`: what it takes, what a network takes and gives, save and load, errors."""

import ctypes
import json
import os
import platform
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import bquant
import numpy as np
import pytest
import torch
from functions import Function
from refusals import refuses

MLIR = """
func.func @forward(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %init = tensor.empty() : tensor<2x3xf32>
  %sum = linalg.add ins(%x, %y : tensor<2x3xf32>, tensor<2x3xf32>)
                    outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %sum : tensor<2x3xf32>
}
"""


@pytest.fixture(scope="module")
def adder():
    return bquant.compile(MLIR)


def arrays(*shape, count=2):
    generator = np.random.default_rng(3)
    return [generator.standard_normal(shape).astype(np.float32) for _ in range(count)]


# What compile takes.


def test_text(adder):
    x, y = arrays(2, 3)
    result = adder(x, y)
    assert isinstance(result, np.ndarray) and result.dtype == np.float32
    np.testing.assert_array_equal(result, x + y)
    assert [t["shape"] for t in adder.inputs] == [[2, 3], [2, 3]]
    assert adder.outputs[0]["dtype"] == "float32"
    assert "forward" in repr(adder) and "float32[2, 3]" in repr(adder)


RECIPROCAL = """
#id = affine_map<(d0) -> (d0)>
func.func @forward(%x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %init = tensor.empty() : tensor<3xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %out: f32):
    %ok = arith.cmpf one, %a, %zero : f32
    cf.assert %ok, "unimplemented: tensor with zero element"
    %r = arith.divf %one, %a : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %y : tensor<3xf32>
}
"""


@pytest.mark.parametrize("strategy", ["auto", "reference"])
def test_assert_that_fails_does_not_end_the_process(strategy):
    network = bquant.compile(RECIPROCAL, strategy=strategy)
    x = np.array([0, -0.0, 2], np.float32)
    np.testing.assert_array_equal(network(x), torch.reciprocal(torch.from_numpy(x)).numpy())
    (note,) = json.loads(network.report("json"))["remarks"][:1]
    assert note["name"] == "drop-asserts" and "tensor with zero element" in note["text"]


# One value in two places of what a loop passes on; 7 + 7 after its only turn.
TWICE = """
func.func @f(%x: tensor<1xi32>) -> tensor<1xi32> {
  %first = arith.constant 0 : index
  %limit = tensor.extract %x[%first] : tensor<1xi32>
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %r:2 = scf.while (%i = %c0) : (i32) -> (i32, i32) {
    %go = arith.cmpi slt, %i, %limit : i32
    %v = scf.if %go -> i32 {
      %u = arith.addi %i, %c7 : i32
      scf.yield %u : i32
    } else {
      scf.yield %i : i32
    }
    scf.condition(%go) %v, %v : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    scf.yield %s : i32
  }
  %y = tensor.from_elements %r#0 : tensor<1xi32>
  return %y : tensor<1xi32>
}
"""


@pytest.mark.parametrize("strategy", ["auto", "reference"])
def test_a_loop_that_passes_one_value_on_twice(strategy):
    assert bquant.compile(TWICE, strategy=strategy)(np.array([1], np.int32)) == 14


def test_files(tmp_path):
    path = tmp_path / "add.mlir"
    path.write_text(MLIR)
    x, y = arrays(2, 3)
    for source in (path, str(path)):
        np.testing.assert_array_equal(bquant.compile(source)(x, y), x + y)


STRATEGIES = ["auto", "scalar", "reference"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_strategies(strategy):
    x, y = arrays(2, 3)
    np.testing.assert_array_equal(bquant.compile(MLIR, strategy=strategy)(x, y), x + y)


# Both results start from %f, but each has a place of its own.
SHARED_START = """
func.func @f(%x: tensor<2x4xf32>, %y: tensor<1x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {{
  {start}
  %p = tensor.insert_slice %y into %f[0, 0][1, 4][1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
  %q = tensor.insert_slice %y into %f[1, 0][1, 4][1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
  return %p, %q, {third} : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}}"""
FILL = """%z = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>"""
CONCAT = """%f = tensor.concat dim(0) %x, %x
    : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>"""


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("third", ["%f", "%p", "%q"])
@pytest.mark.parametrize("start", [FILL, CONCAT])
def test_results_that_start_from_one_tensor(start, third, strategy):
    x, y = arrays(2, 4)[0], arrays(1, 4)[1]
    f = np.full((4, 4), 2, np.float32) if start == FILL else np.concatenate([x, x])
    p, q = f.copy(), f.copy()
    p[0], q[1] = y, y
    net = bquant.compile(SHARED_START.format(start=start, third=third), strategy=strategy)
    expected = (p, q, {"%f": f, "%p": p, "%q": q}[third])
    for actual, wanted in zip(net(x, y), expected, strict=True):
        np.testing.assert_array_equal(actual, wanted)


def test_torch_models(tmp_path):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
    x = torch.randn(2, 4)
    exported = torch.export.export(model, (x,))
    torch.export.save(exported, tmp_path / "model.pt2")
    expected = model(x).detach()
    for network in (
        bquant.compile(model, (x,)),
        bquant.compile(model, x),
        bquant.compile(model, (x.numpy(),)),
        bquant.compile(exported),
        bquant.compile(tmp_path / "model.pt2"),
    ):
        result = network(x)
        assert isinstance(result, torch.Tensor)
        torch.testing.assert_close(result, expected)
        result = network(x.numpy())
        assert isinstance(result, np.ndarray)
        torch.testing.assert_close(torch.from_numpy(result), expected)
        torch.testing.assert_close(network(x.clone().requires_grad_()), expected)
    assert model.training


def test_weights_are_not_needed_after_compilation():
    torch.manual_seed(0)
    model = torch.nn.Linear(64, 64)
    x = torch.randn(1, 64)
    expected = model(x).detach()
    network = bquant.compile(model, (x,))
    with torch.no_grad():
        model.weight.zero_()
    torch.testing.assert_close(network(x), expected)


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (3, TypeError, "expected an nn.Module, .* but got int"),
        (
            "model.json",
            ValueError,
            "expected a .pt2, .onnx, .tflite, .mlir or .mlirbc file .*.json",
        ),
        ("nothing.mlir", FileNotFoundError, "there is no file 'nothing.mlir'"),
        ("func.func @f( {", ValueError, "<text>:1:"),
        (b"no bytecode", ValueError, "<bytes>:1:"),
        ("module {\n}", ValueError, "expected a public function to compile"),
    ],
)
def test_bad_models(model, error, message):
    with pytest.raises(error, match=message):
        bquant.compile(model)


def test_bad_options():
    with pytest.raises(ValueError, match="expected one of auto, popcount, .* but got 'fast'"):
        bquant.compile(MLIR, strategy="fast")
    with pytest.raises(ValueError, match="expected at least 1 thread, but got 0"):
        bquant.compile(MLIR, threads=0)
    with pytest.raises(ValueError, match="expected fewer than 2.31 threads, but got 4294967296"):
        bquant.compile(MLIR, threads=2**32)
    net = bquant.compile(MLIR, threads=4)
    for threads in (0, -1, "2", True):
        with pytest.raises(ValueError, match=f"expected at least 1 thread, but got {threads!r}"):
            net(np.zeros(4, np.float32), threads=threads)
    net(*[np.zeros((2, 3), np.float32)] * 2, threads=np.int64(1))
    with pytest.raises(ValueError, match="nosuchcpu"):
        bquant.compile(MLIR, target="nosuchcpu")


def test_a_module_needs_example_inputs():
    with pytest.raises(ValueError, match="expected example_inputs"):
        bquant.compile(torch.nn.ReLU())


# What a network takes and gives.


def test_inputs_are_read_in_place(adder):
    """No copy is made: a view of a larger buffer works, and writing to it shows."""
    buffer = np.zeros((3, 2, 3), np.float32)
    x, y = buffer[1], buffer[2]
    buffer[1:] = 1
    np.testing.assert_array_equal(adder(x, y), np.full((2, 3), 2, np.float32))
    x.flags.writeable = False
    np.testing.assert_array_equal(adder(x, y), np.full((2, 3), 2, np.float32))


def test_results_are_fresh(adder):
    x, y = arrays(2, 3)
    first = adder(x, y)
    kept = first.copy()
    second = adder(y, y)
    assert first.ctypes.data != second.ctypes.data
    np.testing.assert_array_equal(first, kept)


def test_torch_results_share_no_copy():
    result = bquant.compile(MLIR)(torch.ones(2, 3), torch.ones(2, 3))
    assert result.numpy().ctypes.data == result.data_ptr()
    result += 1  # writable
    assert (result == 3).all()


@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        (np.zeros((2, 3)), TypeError, "expected float32, but got float64"),
        (np.zeros((2, 3), np.int32), TypeError, "expected float32, but got int32"),
        (np.zeros((3, 2), np.float32), ValueError, r"expected the shape \(2, 3\), .* \(3, 2\)"),
        (np.zeros(6, np.float32), ValueError, r"expected the shape \(2, 3\), but got \(6,\)"),
        (np.zeros((3, 2), np.float32).T, ValueError, "expected a contiguous array"),
        (np.zeros((2, 6), np.float32)[:, ::2], ValueError, "expected a contiguous array"),
        ([[1, 2, 3], [4, 5, 6]], TypeError, "expected an array .* but got list"),
        (None, TypeError, "expected an array .* but got NoneType"),
    ],
)
def test_bad_inputs(adder, x, error, message):
    with pytest.raises(error, match=message) as info:
        adder(np.zeros((2, 3), np.float32), x)
    assert "\n" not in str(info.value)


def test_bad_torch_inputs(adder):
    good = torch.zeros(2, 3)
    with pytest.raises(TypeError, match="expected float32, but got float16"):
        adder(good, good.half())
    with pytest.raises(TypeError, match="expected float32"):
        adder(good, good.bfloat16())
    with pytest.raises(ValueError, match="expected a contiguous array"):
        adder(good, torch.zeros(3, 2).t())
    with pytest.raises(TypeError, match="memory"):
        adder(good, torch.empty(2, 3, device="meta"))


def test_a_cpu_that_lacks_features(tmp_path):
    cpu = Path("/proc/cpuinfo").read_text()
    if platform.machine() != "x86_64" or "amx_fp8" in cpu:
        pytest.skip("this CPU may have what the program is compiled for")
    network = bquant.compile(MLIR, target="diamondrapids")
    network.save(tmp_path / "add.so")
    for program in (network, bquant.load(tmp_path / "add.so")):
        with pytest.raises(RuntimeError, match="expected a CPU with the features .* lacks some"):
            program(*arrays(2, 3))


def test_a_network_for_another_machine(tmp_path):
    other = "aarch64" if platform.machine() == "x86_64" else "x86_64"
    cpu = {"aarch64": "neoverse-n1", "x86_64": "haswell"}[other]
    network = bquant.compile(MLIR, target=f"{other}-linux-gnu:{cpu}")
    assert [x["shape"] for x in network.inputs] == [x["shape"] for x in bquant.compile(MLIR).inputs]
    assert f"target: {other}-unknown-linux-gnu, {cpu}" in network.report()
    with pytest.raises(ValueError, match=f"for this machine, but got one for '{other}.*: save it"):
        network(*arrays(2, 3))
    for bad in ("aarch64-linux-gnu:", ":haswell", ":"):
        with pytest.raises(ValueError, match="expected host, a CPU or triple:cpu, .* but got"):
            bquant.compile(MLIR, target=bad)
    with pytest.raises(ValueError, match="expected the target triple x86_64-linux-gnu, aarch"):
        bquant.compile(MLIR, target="riscv64-linux-gnu:sifive-u74")
    phone = bquant.compile(MLIR, target="aarch64-linux-android:cortex-a76")
    assert "target: aarch64-unknown-linux-android, cortex-a76" in phone.report()
    with pytest.raises(ValueError, match="expected an object .* Android's NDK .* got a library"):
        phone.save(tmp_path / "phone.so")
    assert not list(tmp_path.iterdir())


def test_this_machine_by_its_triple():
    network = bquant.compile(MLIR, target=f"{platform.machine()}-linux-gnu:native")
    x = arrays(2, 3)
    np.testing.assert_array_equal(network(*x), bquant.compile(MLIR)(*x))


def test_number_of_inputs(adder):
    with pytest.raises(TypeError, match="expected 2 inputs, but got 1"):
        adder(np.zeros((2, 3), np.float32))


def test_calls_from_threads():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.Flatten(), torch.nn.ReLU())
    network = bquant.compile(model, (torch.randn(1, 3, 16, 16),))
    inputs = torch.randn(4, 1, 3, 16, 16)
    expected = [network(x) for x in inputs]

    def agrees(i):
        return all(torch.equal(network(inputs[i]), expected[i]) for _ in range(200))

    with ThreadPoolExecutor(4) as callers:
        assert all(callers.map(agrees, range(4)))


def test_models_compiled_in_threads():
    """torch.export has state of the whole process."""
    torch.manual_seed(0)
    x = torch.randn(1, 3, 12, 12)
    models = [
        torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.SiLU(), torch.nn.Conv2d(8, 4, 3))
        for _ in range(4)
    ]
    start = threading.Barrier(len(models))

    def compile_model(model):
        start.wait()
        return bquant.compile(model, x)

    with ThreadPoolExecutor(len(models)) as callers:
        networks = list(callers.map(compile_model, models))
    for network, model in zip(networks, models, strict=True):
        torch.testing.assert_close(network(x), model(x).detach(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: {"sum": x + 1, "others": [x * 2, (x * 3,)]},
        lambda x: [x + 1],
        lambda x: (x + 1,),
        lambda x: (x + 1, x * 2),
    ],
)
def test_results_are_the_models_own_structure(function, tmp_path):
    model, x = Function(function).eval(), torch.randn(2, 3)
    exported = torch.export.export(model, (x,))
    torch.export.save(exported, tmp_path / "model.pt2")
    expected, structure = torch.utils._pytree.tree_flatten(model(x))
    for source in (model, exported, tmp_path / "model.pt2"):
        network = bquant.compile(source, x)
        for value, kind in ((x, torch.Tensor), (x.numpy(), np.ndarray)):
            leaves, actual = torch.utils._pytree.tree_flatten(network(value))
            assert actual == structure
            assert all(isinstance(leaf, kind) for leaf in leaves)
            for leaf, wanted in zip(leaves, expected, strict=True):
                np.testing.assert_array_equal(np.asarray(leaf), wanted.numpy())
    # A library knows a list of results only.
    network.save(tmp_path / "net.so")
    flat = bquant.load(tmp_path / "net.so")(x)
    flat = [flat] if len(expected) == 1 else flat
    for leaf, wanted in zip(flat, expected, strict=True):
        assert torch.equal(leaf, wanted)


# Reports, files.


def test_report(adder):
    assert isinstance(json.loads(adder.report("json")), dict)
    assert adder.report() == adder.report("text")
    assert "<html" in adder.report("html")
    with pytest.raises(ValueError, match="expected text, json or html, but got 'pdf'"):
        adder.report("pdf")


def test_save_and_load(adder, tmp_path):
    path = tmp_path / "add.so"
    adder.save(path)
    assert (tmp_path / "add.h").exists()
    x, y = arrays(2, 3)
    loaded = bquant.load(path)
    np.testing.assert_array_equal(loaded(x, y), x + y)
    np.testing.assert_array_equal(bquant.load(path, threads=4)(x, y), x + y)  # the most it may use
    assert loaded.inputs == adder.inputs and loaded.outputs == adder.outputs
    loaded.save(tmp_path / "copy.so")
    assert (tmp_path / "copy.h").read_text() == (tmp_path / "add.h").read_text()
    assert (tmp_path / "copy.so").read_bytes() == path.read_bytes()
    assert (tmp_path / "copy.so").stat().st_mode & 0o666 == path.stat().st_mode & 0o666
    loaded.save(path)  # onto itself
    np.testing.assert_array_equal(bquant.load(tmp_path / "copy.so")(x, y), x + y)
    for format in ("text", "json", "html"):  # noqa: A001
        assert loaded.report(format) == adder.report(format)
    assert loaded._repr_html_() == adder._repr_html_()


def test_paths_that_are_not_utf8(adder, tmp_path):
    def in_folder(name):
        return tmp_path / os.fsdecode(name)

    x, y = arrays(2, 3)
    adder.save(in_folder(b"add-\xff.so"))
    for path in (in_folder(b"add-\xff.so"), os.fsencode(in_folder(b"add-\xff.so"))):
        np.testing.assert_array_equal(bquant.load(path)(x, y), x + y)
    in_folder(b"\xff.mlir").write_text(MLIR)
    np.testing.assert_array_equal(bquant.compile(in_folder(b"\xff.mlir"))(x, y), x + y)
    in_folder(b"\xff.so").write_text("no library")
    with pytest.raises(ValueError) as info:
        bquant.load(in_folder(b"\xff.so"))
    assert os.fsdecode(b"/\xff.so'") in str(info.value)
    with pytest.raises(ValueError, match="null byte"):
        adder.save("add\0.so")


@pytest.mark.parametrize("end", ["pipe", "device"])
def test_load_of_what_has_no_end(tmp_path, end):
    path = tmp_path / "net.so"
    if end == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(ValueError) as info:
        bquant.load(path)
    assert str(info.value) == f"cannot open '{path}': expected a regular file"


def test_library_without_a_report(adder, tmp_path):
    """As older versions wrote them."""
    path = tmp_path / "add.so"
    adder.save(path)
    path.write_bytes(path.read_bytes().replace(b".bquant.report", b".bquant.secret"))
    loaded = bquant.load(path)
    x, y = arrays(2, 3)
    np.testing.assert_array_equal(loaded(x, y), x + y)
    with pytest.raises(ValueError, match="^expected a library that carries its report.* none: .*"):
        loaded.report()
    assert loaded._repr_html_() is None


FACTOR = """
func.func @{name}(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %c = arith.constant dense<{factor}> : tensor<2xf32>
  %y = arith.mulf %x, %c : tensor<2xf32>
  return %y : tensor<2xf32>
}}
"""


@pytest.mark.parametrize("replace", ["rename", "in place"])
@pytest.mark.parametrize("name", ["forward", "other"])
def test_a_file_that_is_replaced(replace, name, tmp_path):
    """A network is what the file was when it was loaded, and the next one what it is then."""
    path, new = tmp_path / "net.so", tmp_path / "new.so"
    bquant.compile(FACTOR.format(name="forward", factor=2.0)).save(path)
    bquant.compile(FACTOR.format(name=name, factor=3.0)).save(new)
    x = np.ones(2, np.float32)
    first = bquant.load(path)
    if replace == "rename":
        new.rename(path)
    else:
        path.write_bytes(new.read_bytes())
    second = bquant.load(path)
    assert (first.name, second.name) == ("forward", name)
    np.testing.assert_array_equal(first(x), 2 * x)
    np.testing.assert_array_equal(second(x), 3 * x)
    first.save(tmp_path / "copy.so")
    np.testing.assert_array_equal(bquant.load(tmp_path / "copy.so")(x), 2 * x)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ValueError, match="expected a library compiled by bquant"):
        bquant.load(path)
    np.testing.assert_array_equal(second(x), 3 * x)


def test_save_is_what_was_compiled(tmp_path):
    model = torch.nn.Linear(64, 32).eval()  # large enough to travel by pointer
    x = torch.randn(2, 64)
    net = bquant.compile(model, example_inputs=(x,))
    expected = net(x)
    with torch.no_grad():
        model.weight.zero_()
    net.save(tmp_path / "net.so")
    torch.testing.assert_close(bquant.load(tmp_path / "net.so")(x), expected, rtol=0, atol=0)


def test_a_saved_network_is_called_from_c(adder, tmp_path):
    adder.save(tmp_path / "add.so")
    library = ctypes.CDLL(str(tmp_path / "add.so"))
    x, y = arrays(2, 3)
    z = np.zeros_like(x)
    library.forward_arena_bytes.restype = ctypes.c_size_t
    arena = np.zeros(library.forward_arena_bytes(1) // 8 + 16, np.float64)
    aligned = (arena.ctypes.data + 63) & ~63
    inputs = (ctypes.c_void_p * 2)(x.ctypes.data, y.ctypes.data)
    outputs = (ctypes.c_void_p * 1)(z.ctypes.data)
    assert library.forward_supported() == 1
    assert library.forward(inputs, outputs, ctypes.c_void_p(aligned), 1) == 0
    np.testing.assert_array_equal(z, x + y)
    assert library.forward(None, outputs, ctypes.c_void_p(aligned), 1) == 1


def test_bad_paths(adder, tmp_path):
    missing = tmp_path / "missing" / "add.so"
    with pytest.raises((ValueError, OSError)) as info:
        adder.save(missing)
    assert str(missing) in str(info.value) and "\n" not in str(info.value)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError, match="there is no file"):
        bquant.load(tmp_path / "nothing.so")
    (tmp_path / "text.so").write_text("no library")
    with pytest.raises(ValueError, match="text.so"):
        bquant.load(tmp_path / "text.so")
    adder.save(tmp_path / "add.so")
    loaded = bquant.load(tmp_path / "add.so")
    with pytest.raises(ValueError, match=f"cannot write '{missing}'"):
        loaded.save(missing)
    with pytest.raises(ValueError, match="expected at least 1 thread, but got 0"):
        bquant.load(tmp_path / "add.so", threads=0)


@pytest.mark.parametrize("name", ["net.onnx", "net.h", "net", "net.so.1", ".so"])
def test_save_writes_libraries_only(adder, tmp_path, name):
    adder.save(tmp_path / "add.so")
    before = sorted(tmp_path.iterdir())
    for network in (adder, bquant.load(tmp_path / "add.so")):
        with pytest.raises(ValueError) as info:
            network.save(tmp_path / name)
        assert str(info.value) == (
            "expected a path that ends in .so, since save writes a shared library, but got "
            f"'{tmp_path / name}'"
        )
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["net.mlir", "net.mlirbc", "net.pt2"])
def test_load_of_a_model(tmp_path, name):
    (tmp_path / name).write_text(MLIR)
    with pytest.raises(ValueError) as info:
        bquant.load(tmp_path / name)
    assert str(info.value) == (
        f"expected a library that Network.save or bquant-compile wrote, but got '{tmp_path / name}'"
        ", a model: bquant.compile takes it"
    )


def test_compile_of_a_library(tmp_path):
    message = (
        "expected a .pt2, .onnx, .tflite, .mlir or .mlirbc file or MLIR text, but got 'net.so'"
    )
    with pytest.raises(ValueError, match=f"^{message}$"):
        bquant.compile("net.so")


def broken(path, kind):
    """Something else than what torch.export.save wrote."""
    if kind == "text":
        path.write_text("no archive")
    elif kind == "state":
        torch.save({"weight": torch.ones(2)}, path)
    else:
        torch.export.save(torch.export.export(torch.nn.Linear(4, 3), (torch.ones(1, 4),)), path)
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])


@pytest.mark.parametrize("kind", ["text", "state", "half"])
def test_a_broken_program(tmp_path, kind, capfd):
    path = tmp_path / "model.pt2"
    broken(path, kind)
    message = f"expected a program that torch.export.save wrote, but got '{path}': "
    refuses(path, ValueError, message)
    assert capfd.readouterr().err == ""


def test_a_directory_is_no_program(tmp_path):
    (tmp_path / "model.pt2").mkdir()
    with pytest.raises(IsADirectoryError, match="model.pt2"):
        bquant.compile(tmp_path / "model.pt2")
