"""bquant_runtime, which calls networks by NumPy alone: it takes what `bquant.load` takes, gives the
same bits, and refuses the same files in the same words."""

import os
import subprocess
import sys
from pathlib import Path

import bquant
import bquant_runtime
import damaged_libraries as damaged
import numpy as np
import pytest
from bquant.importers import doors

ROOT = Path(__file__).resolve().parents[2]
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


@pytest.mark.parametrize("case", damaged.FILES)
def test_damaged_files(case, whole, tmp_path):
    change, message = damaged.FILES[case]
    library, path = damaged.Library(whole), tmp_path / "net.so"
    change(library)
    path.write_bytes(library.content)
    assert message in refuse(path)


@pytest.mark.parametrize("case", damaged.SIGNATURES)
def test_hostile_signatures(case, whole, tmp_path):
    text, message = damaged.SIGNATURES[case]
    library, path = damaged.Library(whole), tmp_path / "net.so"
    library.write(library.signature, text)
    path.write_bytes(library.content)
    assert message in refuse(path)


@pytest.mark.parametrize("case", damaged.STRANGE_SIGNATURES)
def test_strange_signatures(case, whole, tmp_path):
    library, path = damaged.Library(whole), tmp_path / "net.so"
    library.write(library.signature, damaged.STRANGE_SIGNATURES[case])
    path.write_bytes(library.content)
    load_both(path)


@pytest.mark.parametrize("case", damaged.REPORTS)
def test_hostile_reports(case, whole, tmp_path):
    text, message = damaged.REPORTS[case]
    library, path = damaged.Library(whole), tmp_path / "net.so"
    library.write(library.report, text)
    path.write_bytes(library.content)
    for network in load_both(path):
        with pytest.raises(ValueError) as info:
            network.report()
        assert str(info.value).startswith(f"expected a report in '{path}', but got: {message}")
        assert network._repr_html_() is None


@pytest.mark.parametrize("case", damaged.STRANGE_REPORTS)
def test_strange_reports(case, whole, tmp_path):
    library, path = damaged.Library(whole), tmp_path / "net.so"
    library.write(library.report, damaged.STRANGE_REPORTS[case])
    path.write_bytes(library.content)
    for network in load_both(path):
        assert network.report("json").startswith("{\n")


def test_a_library_without_a_report(whole, tmp_path):
    path = tmp_path / "net.so"
    path.write_bytes(whole.replace(b".bquant.report", b".bquant.secret"))
    for network in load_both(path):
        with pytest.raises(ValueError, match="^expected a library that carries its report"):
            network.report()


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
    for names in (("forward", "f"), ("f", "forward"), ("f", "g")):
        module.write_text(TWO.format(*names))
        subprocess.run([ROOT / "build/bin/bquant-compile", module, "-o", path], check=True)
        if "forward" in names:
            first, second = load_both(path)
            assert first.name == "forward"
            x = np.ones(first.inputs[0]["shape"], np.float32)
            np.testing.assert_array_equal(second(x), first(x))
        else:
            message = "expected one public function, or one named 'forward', but got f, g"
            assert refuse(path) == message
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
    for suffix in doors.SUFFIXES:
        (tmp_path / f"net{suffix}").touch()
        assert refuse(tmp_path / f"net{suffix}").endswith("a model: bquant.compile takes it")
    for threads in (0, -1, 1.5, "2", 2**31):
        first, second = (outcome(load, "net.so", threads=threads) for load in LOADERS)
        assert first == second and first[0] == "ValueError"


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
