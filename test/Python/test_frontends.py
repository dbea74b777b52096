"""What `bquant.compile` takes, whichever way it comes in, and `python -m bquant`."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import bquant
import numpy as np
import pytest
from bquant import frontends
from bquant.__main__ import main

TEXT = """
func.func @forward(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = arith.addf %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
X = np.array([1, -3], np.float32)


@pytest.fixture
def program(tmp_path):
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    exported = torch.export.export(torch.nn.Linear(4, 3), (torch.ones(1, 4),))
    torch.export.save(exported, tmp_path / "net.pt2")
    return exported, tmp_path / "net.pt2"


def test_suffixes_are_of_one_door():
    assert len(set(frontends.SUFFIXES)) == len(frontends.SUFFIXES)


def test_content_decides_before_the_suffix(tmp_path, program):
    exported, path = program
    renamed = path.rename(tmp_path / "net.mlir")
    x = np.ones((1, 4), np.float32)
    expected = bquant.compile(exported)(x)
    np.testing.assert_array_equal(bquant.compile(renamed)(x), expected)
    np.testing.assert_array_equal(bquant.compile(renamed.rename(tmp_path / "net"))(x), expected)


def test_bytecode_by_content(tmp_path):
    path = tmp_path / "net.pt2"
    (tmp_path / "net.mlir").write_text(TEXT)
    opt = Path(__file__).resolve().parents[2] / "build/bin/bquant-opt"
    if not opt.exists():
        pytest.skip("no bquant-opt")
    subprocess.run([opt, "--emit-bytecode", tmp_path / "net.mlir", "-o", path], check=True)
    np.testing.assert_array_equal(bquant.compile(path)(X), 2 * X)


def test_verify_takes_a_path(program):
    exported, path = program
    x = np.ones((1, 4), np.float32)
    assert bquant.verify(bquant.compile(path), path, x)
    with pytest.raises(ValueError, match="expected a .pt2, .* file or MLIR text, but got"):
        bquant.verify(bquant.compile(path), __file__, x)
    with pytest.raises(TypeError, match="an onnx.ModelProto, MLIR text or a path, but got int"):
        bquant.verify(bquant.compile(path), 3, x)
    with pytest.raises(ValueError, match="expected runtime for an ONNX or MLIR model"):
        bquant.verify(bquant.compile(path), path, x, runtime=lambda x: x)


def test_verify_makes_inputs_up(tmp_path, program):
    exported, path = program
    assert bquant.verify(bquant.compile(path), path).calls == 3
    (tmp_path / "net.mlir").write_text(TEXT)
    for model in (TEXT, tmp_path / "net.mlir"):
        result = bquant.verify(bquant.compile(model), model)
        assert result.equal and result.calls == 3, result
        assert str(result).startswith("equal: the reference route, inputs: 3; outputs within 0 ")
    integers = TEXT.replace("f32", "i32").replace("addf", "addi")
    assert bquant.verify(bquant.compile(integers), integers).calls == 3
    integers = integers.replace("i32", "i8")
    network, x = bquant.compile(integers), np.array([3, 4], np.int8)
    assert bquant.verify(network, integers, x)
    assert bquant.verify(network, integers).calls == 3
    wide = TEXT.replace("f32", "f64")
    message = "expected inputs, since only float32, bool and .* but input '.*' is float64"
    with pytest.raises(ValueError, match=message):
        bquant.verify(bquant.compile(wide), wide)


def test_verify_finds_what_differs():
    network, other = bquant.compile(TEXT), TEXT.replace("addf %x, %x", "mulf %x, %x")
    result = bquant.verify(network, other, X)
    assert not result and result.mismatch.index == [0]
    assert str(result).startswith("differs: net was compiled from another model or other weights,")
    two = TEXT.replace("-> tensor<2xf32>", "-> (tensor<2xf32>, tensor<2xf32>)")
    two = two.replace("return %y : ", "return %y, %x : tensor<2xf32>, ")
    with pytest.raises(ValueError, match=r"expected a network with the model's outputs, .*, but"):
        bquant.verify(network, two, X)
    with pytest.raises(ValueError, match="expected at least one input, but got none"):
        bquant.verify(network, TEXT, [])


def test_verify_with_a_runtime():
    network = bquant.compile(TEXT)
    result = bquant.verify(network, TEXT, [X, X], runtime=lambda x: 2 * x * np.float32(1.00005))
    assert result.ok and result.calls == 2 and 4e-5 < result.difference < 6e-5
    assert str(result).startswith("equal: the reference route and the runtime, inputs: 2; outputs")
    result = bquant.verify(network, TEXT, X, runtime=lambda x: [2 * x + np.float32([0, 1])])
    assert not result and result.mismatch is None
    first = result.first_difference
    assert (first.index, first.compiled, first.expected, first.count) == ([1], -6.0, -5.0, 1)
    assert json.dumps(result.to_dict())
    with pytest.raises(ValueError, match="expected a network with the runtime's outputs"):
        bquant.verify(network, TEXT, X, runtime=lambda x: [x, x])


# The command line.


def command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "bquant", *map(str, arguments)], capture_output=True, text=True
    )


def test_command(tmp_path, program):
    exported, path = program
    library, report = tmp_path / "net.so", tmp_path / "net.json"
    result = command("compile", path, "-o", library, "--report", report, "--strategy=reference")
    assert (result.returncode, result.stderr) == (0, "")
    x = np.ones((1, 4), np.float32)
    expected = bquant.compile(exported, strategy="reference")(x)
    np.testing.assert_array_equal(bquant.load(library)(x), expected)
    assert json.loads(report.read_text())


def test_command_stops_after_a_stage(tmp_path):
    (tmp_path / "net.mlir").write_text(TEXT)
    output = tmp_path / "o.mlir"
    result = command("compile", tmp_path / "net.mlir", "-o", output, "--stop-after=fold")
    assert (result.returncode, result.stderr) == (0, "")
    np.testing.assert_array_equal(bquant.compile(output)(X), 2 * X)


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("obj", b"\x7fELF"),
        ("header", b"forward"),
        ("asm", b".globl\tforward"),
        ("llvm", b"define"),
        ("mlir", b"llvm.func"),
    ],
)
def test_command_emits(tmp_path, monkeypatch, kind, part):
    monkeypatch.chdir(tmp_path)
    Path("net.mlir").write_text(TEXT)
    options = ["-o", "out", f"--emit={kind}", "--report=r.html", "--target-cpu=haswell"]
    assert main(["compile", "net.mlir", *options]) == 0
    assert part in Path("out").read_bytes()
    assert "<html" in Path("r.html").read_text()
    assert sorted(os.listdir()) == ["net.mlir", "out", "r.html"]


def test_command_has_a_target(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("net.mlir").write_text(TEXT)
    options = ["-o", "out", "--emit=llvm", "--target-cpu=haswell", "--verify-each"]
    assert main(["compile", "net.mlir", *options, "--target-features=-avx2"]) == 0
    assert '"-avx2' in Path("out").read_text() or "-avx2" in Path("out").read_text()
    other = ["--target-triple=aarch64-linux-gnu", "--target-cpu=cortex-a72", "--target-sysroot=."]
    assert main(["compile", "net.mlir", "-o", "net.so", *other]) == 1
    assert "bquant: " in capsys.readouterr().err
    assert sorted(os.listdir()) == ["net.mlir", "out"]


def test_command_verifies(tmp_path, monkeypatch, capsys, program):
    monkeypatch.chdir(tmp_path)
    Path("net.mlir").write_text(TEXT)
    for path in ("net.pt2", "net.mlir"):
        assert main(["verify", path, "--verify-folding", "--strategy=reference"]) == 0
        assert capsys.readouterr().out.startswith("equal: ")
    assert main(["compile", "net.mlir", "-o", "net.so"]) == 0
    np.save("x.npy", X)
    np.savez("x.npz", X)
    for inputs in ("x.npy", "x.npz"):
        assert main(["verify", "net.mlir", "--library=net.so", f"--inputs={inputs}"]) == 0
        assert "inputs: 1;" in capsys.readouterr().out
    Path("other.mlir").write_text(TEXT.replace("addf", "mulf"))
    assert main(["verify", "other.mlir", "--library=net.so"]) == 1
    assert capsys.readouterr().out.startswith("differs: net was compiled from another model")
    assert main(["verify", "net.mlir", "--inputs=net.mlir"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("bquant: expected a .npy or .npz file, but got 'net.mlir': ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["no.mlir", "-o", "o.so"], "expected a model, but there is no file 'no.mlir'"),
        (["net.mlir", "-o", "o.so", "--report=r.pdf"], "expected a report that ends in .txt,"),
        (["net.mlir", "-o", "o.so", "--target-triple=x"], "expected --target-cpu beside"),
        (["net.mlir", "-o", "o.so", "--assume=sun"], "expected one of no-nan, .* got 'sun'"),
        (["net.mlir", "-o", "o.txt"], "expected a path that ends in .so"),
        (["net.mlir", "-o", "o", "--stop-after=sun"], "expected one of the stages"),
        (["net.mlir", "-o", "o.so", "--report=no/r.txt"], "cannot write 'no/r.txt': No such file"),
        (["net.mlir", "-o", "no/o.so", "--report=r.txt"], "cannot write 'no/o.so': No such file"),
        (["net.mlir", "-o", "no/o", "--stop-after=fold"], "cannot write 'no/o': No such file"),
        (["net.mlir", "-o", ".", "--stop-after=fold"], "cannot write '.': Is a directory"),
        (["net.mlir", "-o", "./net.mlir", "--stop-after=fold"], "expected another file than the"),
        (["net.mlir", "-o", "./net.mlir", "--emit=asm"], "expected another file than the model"),
        (["net.mlir", "-o", "o", "--stop-after=fold", "--report=r.txt"], "expected --report with"),
        (["net.mlir", "-o", "o", "--stop-after=fold", "--emit=asm"], "expected --emit=mlir with"),
        (["net.mlir", "-o", "no/o", "--emit=asm"], "cannot write 'no/o': No such file"),
        (["net.mlir", "-o", "o.so", "--threads=0"], "expected at least 1 thread, but got 0"),
        (["net.mlir", "-o", "o.so", "--target-cpu=abacus"], "expected a CPU of target .* 'abacus'"),
    ],
)
def test_command_refuses_in_one_line(tmp_path, monkeypatch, capsys, options, message):
    monkeypatch.chdir(tmp_path)
    Path("net.mlir").write_text(TEXT)
    assert main(["compile", *options]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("bquant: ")
    assert re.search(message, line)
    assert os.listdir() == ["net.mlir"]


def test_options_of_mlir_are_those_of_the_tool(tmp_path, capsys):
    """What --stop-after=import writes can be compiled."""
    path = tmp_path / "net.mlir"
    path.write_text(TEXT)
    with pytest.raises(SystemExit):
        main(["compile", str(path), "-o", str(tmp_path / "net.so"), "--mlir-timing"])
    said = capsys.readouterr().err
    assert "unrecognized arguments: --mlir-timing; MLIR's own options are those of bquant-" in said
    assert main(["compile", str(path), "-o", str(tmp_path / "in.mlir"), "--stop-after=import"]) == 0
    bquant.compile(tmp_path / "in.mlir")
