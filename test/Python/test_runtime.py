"""bquant_runtime, which calls networks by NumPy alone: it takes what `bquant.load` takes, gives the
same bits, and refuses the same files in the same words."""

import gc
import os
import re
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import bquant
import bquant_runtime
import damaged_libraries as damaged
import numpy as np
import pytest
import torch
from agreement import trained
from bquant import frontends, models

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "python" / "runtime"
LOADERS = (bquant.load, bquant_runtime.load)
SEED = 11
FORMATS = ("text", "json", "html")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return damaged.make(tmp_path_factory.mktemp("library"))


def outcome(function, *arguments, **keywords):
    """What a call gives, or the error that it ends in."""
    try:
        return function(*arguments, **keywords)
    except Exception as error:
        return type(error).__name__, str(error)


def refuse(path, type_="ValueError"):
    """What both say of a file, in one line."""
    first, second = (outcome(load, path) for load in LOADERS)
    assert first == second
    assert isinstance(first, tuple) and first[0] == type_, first
    message = first[1].replace(str(path), "PATH")
    assert "\n" not in message and len(message) <= 200, message
    return message


def load_both(path):
    """The network of a file by both, which say the same of themselves."""
    first, second = (load(path) for load in LOADERS)
    for name in ("name", "signature", "inputs", "outputs", "threads"):
        assert getattr(first, name) == getattr(second, name), name
    assert repr(first).replace("bquant", "bquant_runtime") == repr(second)
    for value in FORMATS:
        assert outcome(first.report, value) == outcome(second.report, value)
    assert first._repr_html_() == second._repr_html_()
    return first, second


# Damaged and hostile files.


@pytest.fixture
def changed(whole, tmp_path):
    """Writes the library after a change."""

    def write(change):
        library, path = damaged.Library(whole), tmp_path / "net.so"
        change(library)
        path.write_bytes(library.content)
        return path

    return write


@pytest.mark.parametrize("case", damaged.FILES)
def test_damaged_files(case, changed):
    change, message = damaged.FILES[case]
    assert message in refuse(changed(change))


@pytest.mark.parametrize("case", damaged.SIGNATURES)
def test_hostile_signatures(case, changed):
    text, message = damaged.SIGNATURES[case]
    assert message in refuse(changed(lambda library: library.write(library.signature, text)))


@pytest.mark.parametrize("case", damaged.STRANGE_SIGNATURES)
def test_strange_signatures(case, changed):
    text = damaged.STRANGE_SIGNATURES[case]
    load_both(changed(lambda library: library.write(library.signature, text)))


@pytest.mark.parametrize("case", damaged.REPORTS)
def test_hostile_reports(case, changed):
    text, message = damaged.REPORTS[case]
    path = changed(lambda library: library.write(library.report, text))
    for network in load_both(path):
        with pytest.raises(ValueError) as info:
            network.report()
        assert str(info.value).startswith(f"expected a report in '{path}', but got: {message}")
        assert network._repr_html_() is None


@pytest.mark.parametrize("case", damaged.STRANGE_REPORTS)
def test_strange_reports(case, changed):
    text = damaged.STRANGE_REPORTS[case]
    for network in load_both(changed(lambda library: library.write(library.report, text))):
        assert network.report("json").startswith(("{\n", "[\n"))


def test_a_library_without_a_report(whole, tmp_path):
    path = tmp_path / "net.so"
    path.write_bytes(whole.replace(b".bquant.report", b".bquant.secret"))
    for network in load_both(path):
        with pytest.raises(ValueError, match="^expected a library that carries its report"):
            network.report()


def test_numbers_of_sections_do_not_matter(changed):
    """`objcopy --remove-section` leaves those of symbols as they were."""

    def renumber(library):
        for symbol in library.symbols.values():
            symbol.section += bool(symbol.section)

    x = np.float32([[1, -2, 3], [-4, 5, -6]])
    for network in load_both(changed(renumber)):
        assert np.array_equal(network(*[x] * 24), np.abs(x))


def test_every_length(whole, tmp_path):
    path = tmp_path / "net.so"
    for size in range(0, len(whole), 199):
        path.write_bytes(whole[:size])
        assert "got 'PATH': " in refuse(path)


TWO = """
func.func @{}(%x: tensor<2xf32>) -> tensor<2xf32> {{ return %x : tensor<2xf32> }}
func.func @{}(%x: tensor<3xf32>) -> tensor<3xf32> {{ return %x : tensor<3xf32> }}
"""


def test_two_functions(tmp_path):
    path = tmp_path / "net.so"
    module = tmp_path / "net.mlir"
    module.write_text(TWO.format("f", "g"))
    subprocess.run([ROOT / "build/bin/bquant-compile", module, "-o", path], check=True)
    assert refuse(path) == "expected one public function, but got f, g"
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"name":"g"', b'"name":"f"'))
    assert refuse(path).endswith("expected different names, but got 'f' twice")


C = """
    #include <stddef.h>
    const char f_signature[] = "{{\\"name\\": \\"f\\", \\"symbol\\": \\"f\\", \\"inputs\\": [], "
                               "\\"outputs\\": []}}";
    static int calls;
    int missing(void);
    int f(void) {{ return {result}; }}
    size_t f_arena_bytes(int threads) {{ return {arena}; }}
    int f_supported(void) {{ return 1; }}
    """


def compile_c(path, **values):
    source = C.format(**{"result": 0, "arena": 0} | values)
    command = ["clang-22", "-shared", "-fPIC", "-x", "c", "-", "-o", str(path)]
    subprocess.run(command, input=source.encode(), check=True)


@pytest.mark.parametrize("arena", [2**64 - 1, 2**62])
def test_an_arena_that_there_cannot_be(arena, tmp_path):
    compile_c(tmp_path / "f.so", arena=f"{arena}u")
    message = refuse(tmp_path / "f.so", "MemoryError")
    assert message == f"expected memory for the arena, but there are no {arena} bytes"


def test_codes(tmp_path):
    """2 is that of a CPU that lacks what the code needs."""
    compile_c(tmp_path / "f.so", result="++calls < 4 ? calls : -7")
    first, second = load_both(tmp_path / "f.so")
    for _ in range(4):
        error = outcome(first)
        assert outcome(second) == error and error[0] == "RuntimeError"
    assert error[1] == "expected code 0 of a call, but got -7"


def test_what_the_loader_says(tmp_path):
    compile_c(tmp_path / "f.so", result="missing()")
    assert refuse(tmp_path / "f.so") == "cannot load 'PATH': undefined symbol: missing"


def test_no_library(tmp_path):
    assert refuse(tmp_path / "net.so", "FileNotFoundError").endswith("there is no file 'PATH'")
    (tmp_path / "net.so").mkdir()
    assert refuse(tmp_path / "net.so") == "cannot open 'PATH': Is a directory"
    for suffix in frontends.SUFFIXES:
        (tmp_path / f"net{suffix}").touch()
        assert refuse(tmp_path / f"net{suffix}").endswith("a model: bquant.compile takes it")
    for threads in (0, -1, 1.5, "2", 2**31, True):
        first, second = (outcome(load, "net.so", threads=threads) for load in LOADERS)
        assert first == second and first[0] == "ValueError"


def test_no_regular_file(tmp_path):
    os.mkfifo(tmp_path / "net.so")
    for path in ("/dev/zero", str(tmp_path / "net.so")):
        message = f"^cannot open '{path}': expected a regular file$"
        with pytest.raises(ValueError, match=message):
            bquant_runtime.load(path)


def test_what_is_refused_is_unloaded(tmp_path, monkeypatch):
    compile_c(tmp_path / "refused.so", result="0")

    def refuse_all(*_):
        raise ValueError("refused")

    monkeypatch.setattr(bquant_runtime._library.Library, "_find", refuse_all)
    for _ in range(3):
        with pytest.raises(ValueError, match="refused"):
            bquant_runtime.load(tmp_path / "refused.so")
    assert "memfd:refused.so" not in Path("/proc/self/maps").read_text()


MUTATE = """
import random, sys
import bquant, bquant_runtime
sys.path.insert(0, sys.argv[1])
import damaged_libraries as damaged

def outcome(function, *arguments):
    try:
        return function(*arguments)
    except ValueError as error:
        return str(error)

def describe(load):
    network = outcome(load, path)
    if isinstance(network, str):
        return network
    return [network.signature, *(outcome(network.report, f) for f in ("text", "json", "html"))]

whole, path, seed, count = open(sys.argv[2], "rb").read(), sys.argv[3], *map(int, sys.argv[4:])
generator, library = random.Random(seed), damaged.Library(whole)
table, header = library.sections[".dynsym"], library.header
# What runs when a library is loaded, the functions' own bytes, no check can see.
values = {row.start + 8 + i for name, row in library.symbols.items() for i in range(8)
          if not name.endswith("_signature")}
regions = [range(64), range(header.sections, header.sections + 64 * header.section_count),
           range(table.offset, table.offset + table.size),
           *(range(start, start + size + 1) for start, size in (library.signature, library.report))]
regions = [sorted(set(region) - values) for region in regions]
accepted = 0
for number in range(count):
    changed = bytearray(whole)
    for _ in range(generator.choice((1, 1, 3))):
        place = generator.choice(generator.choice(regions))
        flipped = changed[place] ^ 1 << generator.randrange(8)
        changed[place] = generator.choice((generator.randrange(256), flipped))
    open(path, "wb").write(changed)
    print(number, file=sys.stderr)
    first, second = map(describe, (bquant.load, bquant_runtime.load))
    assert first == second, (number, first, second)
    assert isinstance(first, list) or "\\n" not in first, (number, first)
    accepted += isinstance(first, list)
print(accepted)
"""


@pytest.mark.parametrize(
    "count", [400, pytest.param(20000, marks=pytest.mark.nightly)], ids=["some", "many"]
)
def test_any_bytes(count, whole, tmp_path):
    """Neither ends the process, and both say the same."""
    (tmp_path / "whole.so").write_bytes(whole)
    run = subprocess.run(
        [sys.executable, "-c", MUTATE, Path(__file__).parent]
        + [tmp_path / "whole.so", tmp_path / "net.so", str(SEED), str(count)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))},
    )
    assert run.returncode == 0, (SEED, run.stderr[-2000:])
    # Else there would be nothing that both take, or refuse.
    assert count / 10 < int(run.stdout) < count * 9 / 10


# Calls.


@pytest.fixture
def saved(tmp_path):
    """Compiles and saves a network, and loads it by both."""

    def save(*arguments, **options):
        network = bquant.compile(*arguments, **options)
        network.save(tmp_path / "net.so")
        return load_both(tmp_path / "net.so")

    return save


def equal(first, second):
    first, second = ((x,) if not isinstance(x, tuple) else x for x in (first, second))
    assert len(first) == len(second)
    for x, y in zip(first, second, strict=True):
        assert type(x) is type(y) and x.dtype == y.dtype and x.shape == y.shape
        np.testing.assert_array_equal(np.asarray(x), np.asarray(y))


def test_batches_threads_and_tensors(saved):
    torch.manual_seed(SEED)
    model = trained(models.lenet(activations="ls-1", width=8), (1, 1, 28, 28), seed=0).eval()
    first, second = saved(model, torch.zeros(2, 1, 28, 28), dynamic_batch=True, threads=2)
    for batch in (0, 1, 17):
        x = torch.randn(batch, 1, 28, 28)
        for value in (x, x.numpy(), x.requires_grad_()):
            equal(first(value), second(value))
            for threads in (1, 2, 5):
                equal(first(value), second(value, threads=threads))
    x = torch.randn(4, 1, 28, 28)
    with ThreadPoolExecutor(4) as pool:
        calls = list(pool.map(lambda _: second(x, threads=1), range(40)))
    for result in calls:
        equal(first(x), result)


MANY = """
func.func @many(%x: tensor<2x3xf32>, %b: tensor<?x2xi8>, %c: tensor<?xf32>)
    -> (tensor<?x2xi8>, tensor<?xf32>) {
  return %b, %c : tensor<?x2xi8>, tensor<?xf32>
}
"""


def test_arguments(saved):
    """What is no input is refused in the same words."""
    first, second = saved(MANY)
    x, b, c = np.ones((2, 3), np.float32), np.ones((4, 2), np.int8), np.ones(4, np.float32)
    equal(first(x, b, c), second(x, b, c))
    equal(first({"input2": c, "input0": x, "input1": b}), second(x, b, c))
    equal(second.flat(x, b, c), second({"input2": c, "input0": x, "input1": b}))
    readonly = x.copy()
    readonly.flags.writeable = False
    for good in (
        readonly,
        memoryview(x),
        torch.from_numpy(x),
        x.reshape(2, 1, 3)[:, 0],
        x.view(type("Array", (np.ndarray,), {})),
    ):
        equal(first(good, b, c), second(good, b, c))
    bad = [
        (),
        (x, b),
        (x, b, c, c),
        ([[1.0] * 3] * 2, b, c),
        (None, b, c),
        (3.0, b, c),
        ("x", b, c),
        (x.astype(np.float64), b, c),
        (x.astype(">f4"), b, c),
        (x.astype(np.float16), b, c),
        (x.astype(complex), b, c),
        (x.astype(bool), b, c),
        (x.astype(object), b, c),
        (x.astype(str), b, c),
        (x[:1], b, c),
        (x[0], b, c),
        (x[None], b, c),
        (x.T, b, c),
        (np.ones((3, 2), np.float32).T, b, c),
        (np.ones((2, 6), np.float32)[:, ::2], b, c),
        (x[::-1], b, c),
        (np.float32(1), b, c),
        (x, b[:, :1], c),
        (x, b, c[:3]),
        (x, b[:3], c),
        (x, b, c[:, None]),
        (torch.from_numpy(x).double(), b, c),
        (torch.from_numpy(x).bfloat16(), b, c),
        (torch.zeros(2, 3, device="meta"), b, c),
        (torch.from_numpy(x).to_sparse(), b, c),
        ({"input0": x}, b, c),
        ({"input0": x},),
        ({"input0": x, "input1": b, "input2": c, 3: c},),
        ({"input0": x, "input1": b, "input2": c[:3]},),
        ({},),
    ]
    for arguments in bad:
        error = outcome(first, *arguments)
        assert error[0] in ("TypeError", "ValueError") and "\n" not in error[1], error
        assert outcome(second, *arguments) == error
    for keywords in ({"x": x}, {"threads": 0}, {"threads": "2"}, {"threads": 2**31}):
        error = outcome(first, x, b, c, **keywords)
        assert error[0] in ("TypeError", "ValueError")
        assert outcome(second, x, b, c, **keywords) == error
    assert outcome(first.report, "pdf") == outcome(second.report, "pdf")
    assert outcome(first.profile, x, b, c) == outcome(second.profile, x, b, c)
    equal(first(x, b, c), second(x, b, c))


def test_tensors_are_not_copied():
    """Neither what goes in nor what comes out."""
    x = torch.ones(2, 3)
    (array,) = (bquant_runtime._network._view(value) for value in (x.requires_grad_(),))
    assert array.__array_interface__["data"][0] == x.data_ptr()


STATE = """
func.func @forward(
    %x: tensor<2xf32>, %s: tensor<2xf32> {bquant.initial = dense<[1.0, 2.0]> : tensor<2xf32>})
    -> (tensor<2xf32>, tensor<2xf32> {bquant.updates = 1 : i64}) {
  %y = arith.addf %x, %s : tensor<2xf32>
  return %y, %y : tensor<2xf32>, tensor<2xf32>
}
"""


def test_state(saved):
    first, second = saved(STATE)
    state = first.initial_state()
    equal(state, second.initial_state())
    np.testing.assert_array_equal(state[0], np.float32([1, 2]))
    x = np.float32([3, 4])
    for _ in range(3):
        expected = first(x, *state)
        equal(expected, second(x, *state))
        _, *state = expected
    np.testing.assert_array_equal(state[0], np.float32([10, 14]))


def test_results_that_there_is_no_memory_for(changed):
    for size, bytes_ in ((2**60, 2**62), (2**60, "2^64")):
        x, y = damaged.array(shape=[None, 3]), damaged.array(name="y", shape=[None, size])
        text = damaged.text([x], [y])
        path = changed(lambda library, text=text: library.write(library.signature, text))
        batch = np.ones((1 if bytes_ == 2**62 else 8, 3), np.float32)
        for network in load_both(path):
            with pytest.raises(MemoryError) as info:
                network(batch)
            assert str(info.value) == f"expected memory for 'y', but there are no {bytes_} bytes"


def test_a_file_that_is_replaced(whole, tmp_path):
    """A network is what the file was, and leaves nothing when it is gone."""

    def count():
        gc.collect()
        return len(os.listdir("/proc/self/fd")), Path("/proc/self/maps").read_text().count("memfd")

    path = tmp_path / "net.so"
    path.write_bytes(whole)
    x = [np.full((2, 3), -2, np.float32)] * 24
    before = count()
    network = bquant_runtime.load(path)
    path.write_bytes(bytes(len(whole)))
    np.testing.assert_array_equal(network(*x), -x[0])
    path.write_bytes(whole)
    other = bquant_runtime.load(path)
    del network
    np.testing.assert_array_equal(other(*x), -x[0])
    assert count() > before
    del other
    assert count() == before
    for _ in range(3):
        path.write_bytes(whole[:-1])
        assert "got 'PATH': " in refuse(path)
    assert count() == before


def test_descriptors_that_others_close(whole, tmp_path):
    """As a program does that becomes a daemon."""
    path = tmp_path / "net.so"
    path.write_bytes(whole)
    first = bquant_runtime.load(path)
    number = first._library._descriptor
    os.close(number)
    second = bquant_runtime.load(path)  # of the same number at first
    assert second._library._descriptor != number
    x = [np.full((2, 3), -2, np.float32)] * 24
    for network in (first, second):
        np.testing.assert_array_equal(network(*x), -x[0])
    os.dup2(2, number)  # for the first one to close


# The distribution.


def test_what_is_imported():
    """NumPy and small modules of Python's own, none of which takes time."""
    code = """
import sys, numpy
before = set(sys.modules)
import bquant_runtime
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""
    run = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": os.pathsep.join(map(str, [SOURCES, Path(np.__file__).parents[1]]))},
    )
    assert set(run.stdout.split()) <= {
        "__future__", "_ctypes", "_json", "bquant_runtime", "ctypes", "fcntl", "json"
    }  # fmt: skip


def test_it_has_what_a_loaded_network_has(saved):
    """But saving, which is the compiler's, and what a loaded one knows nothing of."""

    def surface(network):
        return {name for name in {*dir(network), *vars(network)} if not name.startswith("_")}

    first, second = saved(STATE)
    assert surface(first) - surface(second) == {"save", "options"}
    assert surface(second) <= surface(first)


def test_wheel(tmp_path):
    """One for every machine: any Python 3, no dependency but NumPy, the version of the project."""
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, SOURCES], check=True)
    (wheel,) = tmp_path.iterdir()
    assert wheel.name == f"bquant_runtime-{bquant.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
        archive.extractall(tmp_path / "site")
    modules = {f"bquant_runtime/{path.name}" for path in (SOURCES / "bquant_runtime").glob("*.*")}
    assert modules == {name for name in names if "dist-info" not in name}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert re.findall(r"^Requires-(?:Dist|Python): (.*)", metadata, re.M) == [
        ">=3.10",
        "numpy>=1.24",
    ]
    assert "](../" not in metadata
    code = "import bquant_runtime; print(bquant_runtime.__version__, bquant_runtime.__file__)"
    printed = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(tmp_path / "site")},
    ).stdout
    assert printed == f"{bquant.__version__} {tmp_path / 'site/bquant_runtime/__init__.py'}\n"
