"""Networks for AArch64: saved here, run by qemu, equal to the reference route of a CPU of x86 that
has an fma in every bit, floats too."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import bquant
import numpy as np
import pytest
import test_byte_products
import torch
from agreement import trained
from bquant import models
from golden_files import cases

ROOT = Path(__file__).resolve().parents[2]
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"
missing = [tool for tool in (COMPILER, EMULATOR) if not shutil.which(tool)]
if missing and not os.environ.get("BQUANT_REQUIRE_CROSS"):
    pytest.skip(f"expected {missing[0]}: ./dev setup --cross", allow_module_level=True)


def emulate(cpu, *command, **options):
    return subprocess.run(
        [EMULATOR, "-L", "/usr/aarch64-linux-gnu", "-cpu", cpu, *map(str, command)],
        check=True,
        **options,
    )


def run(network, x, cpu, directory):
    """The results of the network's library, for an array or several."""
    network.save(directory / "net.so")
    return run_library(network, x, cpu, directory)


def run_library(network, x, cpu, directory):
    """The results of net.so, which has the signature of `network`."""
    runner = directory / "run"
    subprocess.run([COMPILER, "-O1", ROOT / "test/Cross/run.c", "-o", runner], check=True)
    inputs = x if isinstance(x, tuple) else (x,)
    files = [directory / f"x{i}" for i in range(len(inputs))]
    for array, file in zip(inputs, files, strict=True):
        array.tofile(file)
    (output,) = network.outputs
    nothing = np.nan if output["dtype"].startswith("float") else 99
    y = np.full(output["shape"], nothing, output["dtype"])
    y.tofile(directory / "y")
    emulate(cpu, runner, directory / "net.so", network.name, 0, *files, "--", directory / "y")
    return np.fromfile(directory / "y", y.dtype).reshape(y.shape)


@pytest.mark.parametrize(
    "cpu, model, shape",
    [
        (
            "neoverse-n1",
            lambda: models.resnet18(activations="ls-2", scalars="online", width=16, image=32),
            (1, 3, 32, 32),
        ),
        ("cortex-a72", lambda: models.lenet(activations="ls-1", width=8), (1, 1, 28, 28)),
    ],
    ids=["resnet18-online", "lenet"],
)
def test_whole_networks(cpu, model, shape, tmp_path):
    torch.manual_seed(0)
    model = trained(model(), shape, seed=0).eval()
    x = torch.randn(shape)
    reference = bquant.compile(model, (x,), target="haswell", strategy="reference")
    network = bquant.compile(model, (x,), target=f"aarch64-linux-gnu:{cpu}")
    expected, got = reference(x).numpy(), run(network, x.numpy(), cpu, tmp_path)
    np.testing.assert_array_equal(got.view(np.uint32), expected.view(np.uint32))


# With dot products of signed bytes, without, and with products of two rows, which no CPU that the
# emulator knows by name has.
CPUS = ["neoverse-n1", "cortex-a72", "max"]


def compile_bytes(text, cpu):
    features = {"target": "aarch64-linux-gnu:neoverse-n1", "target_features": "+i8mm"}
    chosen = features if cpu == "max" else {"target": f"aarch64-linux-gnu:{cpu}"}
    network = bquant.compile(text, **chosen)
    assert "kernel bytes" in network.report()
    return network


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", ["network_trained", "conv_2d_nhwc_hwcf_q_far"])
def test_bytes(cpu, name, tmp_path):
    text, (x,), (y,) = cases("mlir_integers.npz")[name]
    network = compile_bytes(text.decode(), cpu)
    np.testing.assert_array_equal(run(network, x, cpu, tmp_path), y)


BY_DAY = {"gray_strided", "rgb_wide", "depthwise_strided", "depthwise_part"}
NAMES = [
    name if name in BY_DAY else pytest.param(name, marks=pytest.mark.nightly)
    for name in test_byte_products.CONVOLUTIONS
]


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", NAMES)
def test_convolutions_of_bytes(cpu, name, tmp_path):
    case = test_byte_products.CONVOLUTIONS[name]
    text, inputs, expected = test_byte_products.convolution(*case)
    network = compile_bytes(text, cpu)
    np.testing.assert_array_equal(run(network, inputs, cpu, tmp_path), expected)


def test_products_of_two_rows(tmp_path):
    """Rows that are no pairs, channels that fill no register, a filter of all bytes."""
    rng = np.random.default_rng(0)
    weight = np.resize(np.arange(-128, 128), (72, 43)).astype(np.int8)
    text = f"""func.func @f(%x: tensor<13x72xi8>) -> tensor<13x43xi32> {{
  %w = arith.constant dense<"0x{weight.tobytes().hex()}"> : tensor<72x43xi8>
  %zero = arith.constant dense<0> : tensor<13x43xi32>
  %y = linalg.matmul ins(%x, %w : tensor<13x72xi8>, tensor<72x43xi8>)
      outs(%zero : tensor<13x43xi32>) -> tensor<13x43xi32>
  return %y : tensor<13x43xi32>
}}"""
    x = np.concatenate([rng.integers(-128, 128, (11, 72)), np.full((1, 72), -128)])
    x = np.concatenate([x, np.full((1, 72), 127)]).astype(np.int8)
    network = compile_bytes(text, "max")
    assert "summed = 8" in network.report()
    expected = x.astype(np.int32) @ weight.astype(np.int32)
    np.testing.assert_array_equal(run(network, x, "max", tmp_path), expected)


def test_versions(tmp_path):
    """Only one of the CPUs has dot products of bytes; getauxval says which."""
    text, (x,), (y,) = cases("mlir_integers.npz")["network_trained"]
    cpus = ["cortex-a72", "neoverse-n1"]
    network = bquant.compile(text.decode(), target=f"aarch64-linux-gnu:{','.join(cpus)}")
    for cpu in cpus:
        np.testing.assert_array_equal(run(network, x, cpu, tmp_path), y)
    os.environ["BQUANT_TARGET_CPU"] = "neoverse-n1"
    try:
        run_library(network, x, "neoverse-n1", tmp_path)
        with pytest.raises(subprocess.CalledProcessError):
            run_library(network, x, "cortex-a72", tmp_path)
    finally:
        del os.environ["BQUANT_TARGET_CPU"]


class Matrices(torch.nn.Module):
    """A filter for each matrix of a batch."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(3, 7, 20))

    def forward(self, x):
        return torch.bmm(x, self.weight)


@pytest.mark.parametrize(
    "layer, shape",
    [
        (torch.nn.Conv2d(3, 40, 7, 2, 3), (1, 3, 30, 30)),
        (torch.nn.Conv2d(16, 24, 1, 2), (1, 16, 9, 9)),
        (torch.nn.Linear(33, 10), (5, 33)),
        (torch.nn.Conv2d(5, 33, 3, padding=2, dilation=2), (1, 5, 12, 12)),
        (Matrices(), (3, 4, 7)),
    ],
    ids=["stem", "shortcut", "classifier", "dilated", "matrices"],
)
def test_products_in_bf16(layer, shape, tmp_path):
    """Two products are added at once, in an order and with roundings of the machine's own."""
    torch.manual_seed(0)
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter)
    x = torch.randn(shape)
    reference = bquant.compile(layer, (x,), strategy="reference", float_precision="bf16")
    module = tmp_path / "net.mlir"
    module.write_text(bquant.lower(layer, "raise", (x,), large_constants=True))
    # CPUs that have the feature have others, too, that emulators lack.
    cpu = ["--target-triple=aarch64-linux-gnu", "--target-cpu=cortex-a76"]
    subprocess.run(
        [ROOT / "build/bin/bquant-compile", module, "-o", tmp_path / "net.so", *cpu]
        + ["--target-features=+bf16", "--float-precision=bf16"],
        check=True,
    )
    assert b"bf16<" in (tmp_path / "net.so").read_bytes()
    expected, got = reference(x).numpy(), run_library(reference, x.numpy(), "max", tmp_path)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.abs_()
        bound = layer.weight[0].numel() * 2**-22 * layer(x.abs()).numpy()
    assert (np.abs(got - expected) <= bound).all()
    assert not (got == bquant.compile(layer, (x,))(x).numpy()).all()


# A Python of that machine, where ./dev setup --cross put one.
PYTHON = ROOT / "build/aarch64-python"
RUN = """
import json, os, sys
import numpy as np
import bquant_runtime
net, inputs = bquant_runtime.load("net.so"), np.load("x.npy")
np.save("y.npy", [net(inputs), net(inputs, threads=1), *[net(inputs)] * 2])
try:
    bquant_runtime.load("here.so")
except ValueError as error:
    message = str(error)
print(json.dumps([os.uname().machine, np.__version__, net.report(), net.signature, message]))
"""


@pytest.mark.skipif(
    not PYTHON.exists() and not os.environ.get("BQUANT_REQUIRE_CROSS"),
    reason="expected a Python for AArch64: ./dev setup --cross",
)
def test_the_runtime(tmp_path):
    """The same file in the same words by Python there, on as many threads as there are."""
    model = trained(models.lenet(activations="ls-1", width=8), (1, 1, 28, 28), seed=0).eval()
    x = torch.randn(3, 1, 28, 28)
    options = {"dynamic_batch": True, "threads": 2}
    reference = bquant.compile(model, (x,), target="haswell", strategy="reference", **options)
    network = bquant.compile(model, (x,), target="aarch64-linux-gnu:cortex-a72", **options)
    network.save(tmp_path / "net.so")
    reference.save(tmp_path / "here.so")
    np.save(tmp_path / "x.npy", x.numpy())
    printed = subprocess.run(
        [EMULATOR, "-L", PYTHON, "-cpu", "cortex-a72", PYTHON / "usr/bin/python3.11", "-c", RUN],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "python/runtime"), "PYTHONDONTWRITEBYTECODE": "1"},
    ).stdout
    machine, numpy, report, signature, message = json.loads(printed)
    assert (machine, numpy) == ("aarch64", "1.24.2")  # the oldest that it takes
    assert report == network.report() and signature == network.signature
    assert message == (
        f"cannot load '{tmp_path / 'here.so'}': expected a library for aarch64, which this "
        "machine is, but got one for x86_64"
    )
    expected = reference(x).numpy()
    for result in np.load(tmp_path / "y.npy"):
        np.testing.assert_array_equal(result.view(np.uint32), expected.view(np.uint32))


def test_a_cpu_without_dot_products_is_asked_before(tmp_path):
    model = torch.nn.Linear(8, 4)
    network = bquant.compile(model, (torch.ones(1, 8),), target="aarch64-linux-gnu:neoverse-n1")
    with pytest.raises(subprocess.CalledProcessError) as failure:
        run(network, np.ones((1, 8), np.float32), "cortex-a53", tmp_path)
    assert failure.value.returncode == 2


def test_the_page_about_boards(tmp_path, monkeypatch):
    """docs/deploying.md as it is printed there, but for setting up."""
    monkeypatch.chdir(tmp_path)
    for directory in ("build", "examples"):
        (tmp_path / directory).symlink_to(ROOT / directory)
    names = {}
    printed = ""
    blocks = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "docs/deploying.md").read_text(), re.S)
    assert len(blocks) == 8 and "./dev setup --cross" in blocks.pop(0)[1]
    for language, code in blocks:
        if language == "python":
            exec(compile(code, "docs/deploying.md", "exec"), names)
        elif language == "c":
            (tmp_path / "main.c").write_text(code)
        else:
            printed += subprocess.run(
                ["sh", "-e"], input=code, text=True, check=True, stdout=subprocess.PIPE
            ).stdout
    assert printed == f"{names['model'](names['x']).argmax().item()}\n"
    with pytest.raises(ValueError, match="cannot load .*digits.so': expected a library for x86_64"):
        bquant.load("digits.so")
    with pytest.raises(ValueError, match="for this machine, but got one for 'aarch64"):
        names["net"](names["x"])
