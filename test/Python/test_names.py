"""What a network's function is called in C: by default, by `name=`, and when it is saved."""

import ctypes
import json
import subprocess
import sys
from pathlib import Path

import bquant
import numpy as np
import pytest
import torch
from bquant.frontends.common.names import function_name, of_class, of_file

MLIR = """
func.func @{name}(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %c = arith.constant dense<{factor}> : tensor<2xf32>
  %y = arith.mulf %x, %c : tensor<2xf32>
  return %y : tensor<2xf32>
}}
"""
X = np.array([1, -3], np.float32)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ResNet18", "res_net18"),
        ("resnets.ResNet18", "res_net18"),
        ("MobileNetV2", "mobile_net_v2"),
        ("VGG", "vgg"),
        ("XNORNet", "xnor_net"),
        ("Conv2dNet", "conv2d_net"),
        ("LeNet5Small", "le_net5_small"),
        ("snake_case", "snake_case"),
        ("_Private", "private"),
        ("Überall", "berall"),
        ("网络", "forward"),
    ],
)
def test_of_a_class(name, expected):
    assert function_name(of_class(name)) == expected


@pytest.mark.parametrize("name", ["size_t", "INT32_MAX", "offsetof", "getopt", "pthread_create"])
def test_a_name_that_c_reserves(name):
    network = bquant.compile(MLIR.format(name=name, factor=2.0))
    assert network.name == name
    assert json.loads(network._program.signature)[0]["symbol"] == f"{name}_net"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/ResNet18.tflite", "ResNet18"),
        ("my net-v1.2.tflite", "my_net_v1_2"),
        ("18-layers.tflite", "net_18_layers"),
        ("__a__.tflite", "a"),
        ("...", "forward"),
    ],
)
def test_of_a_file(path, expected):
    assert function_name(of_file(path)) == expected


class TinyNet(torch.nn.Module):
    def forward(self, x):
        return x + 1


def test_modules():
    class Double(TinyNet):
        pass

    x = torch.ones(1, 2)
    assert bquant.compile(TinyNet(), x).name == "tiny_net"
    assert "func.func @tiny_net(" in bquant.lower(TinyNet(), "import", x)
    reserved = bquant.compile(Double(), x)
    assert reserved.name == "double"
    assert json.loads(reserved._program.signature)[0]["symbol"] == "double_net"
    assert "@bit_net(" in bquant.lower(TinyNet(), "import", x, name="bit_net")
    torch.testing.assert_close(bquant.compile(TinyNet(), x, name="bit_net")(x), x + 1)


def test_exported_programs(tmp_path):
    exported = torch.export.export(TinyNet(), (torch.ones(1, 2),))
    assert bquant.compile(exported).name == "tiny_net"
    torch.export.save(exported, tmp_path / "digits-2.pt2")
    assert bquant.compile(tmp_path / "digits-2.pt2").name == "digits_2"


@pytest.mark.parametrize(
    ("name", "of_model", "of_its_file"),
    [
        ("ResNet-18", "ResNet_18", "ResNet_18"),
        ("", "forward", "my_file"),
        # Of an exporter, not of the network.
        ("main_graph", "main_graph", "my_file"),
    ],
)
def test_onnx(name, of_model, of_its_file, tmp_path):
    onnx = pytest.importorskip("onnx")
    import onnx_files

    nodes = [onnx.helper.make_node("Neg", ["x"], ["y"])]
    model = onnx_files.model(nodes, {"x": [2]}, opset=17, name=name)
    assert bquant.compile(model).name == of_model
    assert bquant.compile(model.SerializeToString()).name == of_model
    onnx.save(model, tmp_path / "my file.onnx")
    assert bquant.compile(tmp_path / "my file.onnx").name == of_its_file


def test_mlir():
    """As the text says, unless it is told another one; of several functions none is meant."""
    text = MLIR.format(name="any_name", factor=2.0)
    assert bquant.compile(text).name == "any_name"
    net = bquant.compile(text, name="another")
    assert net.name == "another" and net.profile(X, calls=1)
    np.testing.assert_array_equal(net(X), 2 * X)
    two = text + MLIR.format(name="forward", factor=3.0)
    with pytest.raises(ValueError, match="^expected one public function, but got any_name, forw"):
        bquant.compile(two)
    with pytest.raises(ValueError, match="^expected one public function to be called 'f', but got"):
        bquant.compile(two, name="f")
    with pytest.raises(ValueError, match="^expected a name that C takes .*, as 'a_b', but got"):
        bquant.compile(text, name="a.b")
    with pytest.raises(ValueError, match="^expected a name that C takes .*, but got ''"):
        bquant.compile(text, name="")
    with pytest.raises(ValueError, match="^expected a name that C takes .*, but got ''"):
        net.save("net.so", name="")


def test_command(tmp_path):
    (tmp_path / "net.mlir").write_text(MLIR.format(name="forward", factor=2.0))
    command = [sys.executable, "-m", "bquant", "compile", tmp_path / "net.mlir"]
    subprocess.run([*command, "-o", tmp_path / "a.so", "--entry-name=first"], check=True)
    assert bquant.load(tmp_path / "a.so").name == "first"


@pytest.mark.parametrize(
    "name", ["bquant_clock", "bquant_rt", "bquant_rt_run", "bquant_rt_supports", "dlopen", "getpid"]
)
def test_names_of_the_runtime(name):
    """What it defines or calls itself is nothing for a network to define."""
    net = bquant.compile(MLIR.format(name=name, factor=2.0), threads=2)
    assert json.loads(net._program.signature)[0]["symbol"] == f"{name}_net"
    np.testing.assert_array_equal(net(X), 2 * X)
    assert net.profile(X, calls=1)


# Saving under another name.


def call(path, name, x):
    """What a C program sees, without the signature."""
    library, y = ctypes.CDLL(str(path)), np.zeros_like(x)
    inputs, outputs = ((ctypes.c_void_p * 1)(a.ctypes.data) for a in (x, y))
    assert library[f"{name}_arena_bytes"](1) == 0
    assert library[f"{name}_supported"]() == 1
    assert library[name](inputs, outputs, None, 1) == 0
    return y


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["a", "a_much_longer_name_than_before"])
def test_save(name, threads, tmp_path):
    text = """
        func.func @forward(%x: tensor<1x8x8x64xf32>, %f: tensor<32x3x3x64xf32>)
            -> tensor<1x6x6x32xf32> {
          %a = bquant.quantize %x scheme(<ls, 1>)
              : tensor<1x8x8x64xf32> -> !bquant.tensor<1x8x8x64, 1>
          %b = bquant.quantize %f scheme(<ls, 1>)
              : tensor<32x3x3x64xf32> -> !bquant.tensor<32x3x3x64, 1>
          %y = bquant.conv_2d %a, %b : (!bquant.tensor<1x8x8x64, 1>, !bquant.tensor<32x3x3x64, 1>)
              -> tensor<1x6x6x32xf32>
          return %y : tensor<1x6x6x32xf32>
        }"""
    generator = np.random.default_rng(3)
    x, f = (generator.standard_normal(s, np.float32) for s in [(1, 8, 8, 64), (32, 3, 3, 64)])
    net = bquant.compile(text, threads=threads)
    expected = net(x, f)
    net.save(tmp_path / "plain.so")
    net.save(tmp_path / "net.so", name=name)
    assert net.name == "forward"  # itself it stays as it is
    plain, renamed = bquant.load(tmp_path / "plain.so"), bquant.load(tmp_path / "net.so")
    assert renamed.name == name
    np.testing.assert_array_equal(renamed(x, f), expected)
    assert (renamed.inputs, renamed.outputs) == (plain.inputs, plain.outputs)
    assert renamed.report("text") == plain.report("text")
    reports = [json.loads(n.report("json")) for n in (plain, renamed)]
    assert "forward" in json.dumps(reports[0]) and "forward" not in json.dumps(reports[1])
    symbols = subprocess.run(
        ["nm", "--format=just-symbols", tmp_path / "net.so"], capture_output=True, text=True
    ).stdout.split()
    assert name in symbols and not [s for s in symbols if "forward" in s]
    assert (f"{name}_set_parallel" in symbols) == (threads > 1)
    header = (tmp_path / "net.h").read_text()
    assert f"int32_t {name}(" in header and "forward" not in header
    # Of the library it is as if it had been compiled so.
    bquant.compile(text, threads=threads, name=name).save(tmp_path / "compiled.so")
    assert bquant.load(tmp_path / "compiled.so").report("json") == renamed.report("json")


def test_save_of_parts(tmp_path):
    """The parts of a large network's code know each other by names, as `work` of the runtime."""
    script = Path(__file__).parents[1] / "Tools/Inputs/threads.py"
    text = subprocess.run(
        [sys.executable, script], check=True, capture_output=True, text=True
    ).stdout
    net = bquant.compile(text.partition("func.func @many")[0], threads=2)
    net.save(tmp_path / "net.so", name="work")
    x = np.random.default_rng(0).standard_normal((1, 6, 6, 32), np.float32)
    np.testing.assert_array_equal(bquant.load(tmp_path / "net.so")(x), net(x))
    symbols = subprocess.run(
        ["nm", "--format=just-symbols", tmp_path / "net.so"], capture_output=True, text=True
    ).stdout.split()
    assert "work" in symbols and "work.part" in symbols
    assert not [s for s in symbols if s.startswith(("net", "__bquant_net"))]


def test_save_keeps_names_of_the_library(tmp_path):
    """The C library's sched_yield, which threads call, is none of the network `sched`."""
    net = bquant.compile(MLIR.format(name="sched", factor=2.0), threads=2)
    net.save(tmp_path / "net.so", name="other")
    renamed = bquant.load(tmp_path / "net.so")
    assert renamed.name == "other"
    np.testing.assert_array_equal(renamed(X), 2 * X)


def test_saved_names_in_one_process(tmp_path):
    for name, factor in (("twice", 2.0), ("thrice", 3.0)):
        net = bquant.compile(MLIR.format(name="forward", factor=factor))
        net.save(tmp_path / f"{name}.so", name=name)
    for name, factor in (("twice", 2.0), ("thrice", 3.0)):
        np.testing.assert_array_equal(call(tmp_path / f"{name}.so", name, X), factor * X)


def test_save_refuses(tmp_path):
    net = bquant.compile(MLIR.format(name="f", factor=2.0))
    with pytest.raises(ValueError, match="^expected a name that C takes .* 'round_net', but got"):
        net.save(tmp_path / "net.so", name="round")
    assert not list(tmp_path.iterdir())
    net.save(tmp_path / "net.so")
    loaded = bquant.load(tmp_path / "net.so")
    with pytest.raises(ValueError) as info:
        loaded.save(tmp_path / "other.so", name="g")
    assert str(info.value) == (
        "expected a network that was compiled here to be saved as 'g', since a library's functions "
        "keep their names, but got one that was loaded"
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["net.h", "net.so"]
