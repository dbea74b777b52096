"""The engines: where each runs, and in which precisions."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

WORKERS = Path(__file__).parent / "workers"
OWN = "bquant"

# What a right output may differ by, relative to the norm of the expected one. Products in float
# differ by their order of addition; bf16 and int8 by their own rounding.
_TOLERANCES = {
    "fp32": 1e-3,
    "bf16": 0.1,
    "int8": 0.25,
    "bits": 0.25,
    "4 bits": 0.1,
    "2 bits": 0.1,
    "sort": 1e-3,
    "default": 1e-3,
    "indirect": 1e-3,
    "xnnpack": 1e-3,
}
# Of a network that quantizes its activations: a value on a threshold may fall to either side, and
# changes all that is behind it.
_QUANTIZED_TOLERANCE = 0.25

# By engine. NumPy, which bquant needs, is always there: the yardstick of the solvers.
_PRECISIONS = {
    "openvino": ("fp32", "bf16", "int8", "bits", "4 bits", "2 bits"),
    "onnxruntime": ("fp32", "int8", "4 bits", "2 bits"),
    "torch": ("fp32", "sort"),
    "numpy": ("sort",),
    # Of Larq Compute Engine the kernels that its interpreter takes by itself, and those that are
    # faster on x86; of TensorFlow Lite what it runs by itself, XNNPACK's.
    "larq": ("default", "indirect"),
    "tflite": ("xnnpack",),
}
PEERS = ("openvino", "onnxruntime", "torch", "larq", "tflite")

# Those that read .tflite files and nothing else, by the package that they are in.
LITE = {"larq": "larq-compute-engine", "tflite": "tensorflow-cpu"}

# What peers make of a case before it is timed: the converted network, and what an engine makes of
# that or of the case's arrays for itself.
_CONVERTED = ("fp32", "bf16", "int8")
_MADE_BY_ITSELF = ("int8", "bits", "4 bits", "2 bits")


@dataclass(frozen=True)
class Engine:
    """Something that runs a case in one precision."""

    name: str
    precision: str
    python: str

    @property
    def label(self) -> str:
        return f"{self.name} {self.precision}".strip()

    @property
    def reads_onnx(self) -> bool:
        return self.reads_program and self.name != "torch"

    @property
    def prepares(self) -> bool:
        return self.precision in _MADE_BY_ITSELF

    @property
    def reads_program(self) -> bool:
        return self.precision in _CONVERTED and not reads_lite(self.name)

    @property
    def script(self) -> str:
        return f"run_{self.name}.py"


def reads_lite(name: str) -> bool:
    """Whether the engine takes .tflite files; the others take what PyTorch exports."""
    return name in LITE


def default_peers() -> list[Path]:
    """Beside the environment that runs; `./dev bench --peers` makes them there."""
    return [Path(sys.prefix).with_name(name) for name in (".venv-peers", ".venv-outside-larq")]


@dataclass
class Peers:
    """The engines that are installed: the Python of their environment, and their version."""

    pythons: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def add(self, python: str, packages: dict[str, str]) -> None:
        """An environment; of what two of them have, the first counts."""
        for name in PEERS:
            version = packages.get(LITE.get(name, name))
            if version and name not in self.versions:
                self.pythons[name], self.versions[name] = python, version


def peers_python(directory: Path) -> str | None:
    python = directory / "bin" / "python"
    return str(python) if os.access(python, os.X_OK) else None


def engines_of(precisions: tuple[str, ...], name: str, features: list[str]) -> list[str]:
    """The precisions of a case that the engine has, on a CPU with these features."""
    has_bf16 = any("bf16" in feature for feature in features)
    return [
        precision
        for precision in precisions
        if precision in _PRECISIONS[name] and (precision != "bf16" or has_bf16)
    ]


def tolerance(precision: str, quantizes: bool) -> float:
    return max(_TOLERANCES[precision], _QUANTIZED_TOLERANCE if quantizes else 0)


def find_tool(name: str) -> str | None:
    """A tool of bquant's: on the path, or built in the checkout that the package is in."""
    built = Path(__file__).parents[3] / "build" / "bin" / name
    return shutil.which(name) or (str(built) if built.exists() else None)


def peer_environment(vector_bits: int | None) -> dict[str, str]:
    """What holds peers to the instructions of --target-cpu, where they can be held."""
    if vector_bits is None or vector_bits >= 512:
        return {}
    if vector_bits == 256:
        return {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2"}
    return {"ONEDNN_MAX_CPU_ISA": "SSE41", "ATEN_CPU_CAPABILITY": "default"}
