"""The cases of each set, and which peers' precisions run on them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from .. import frontends
from . import engines

FLOAT = "float"
_OWN = ()
_EXACT = ("fp32",)
_FLOAT = ("fp32", "bf16", "int8")
_SCHEMES = {"1": "ls-1", "2": "ls-2", "T": "ls-T", "fp": "fp"}


@dataclass(frozen=True)
class Case:
    """Something to run: what `networks.build` makes of the arguments, or a model's file.

    kind: of a file the suffix that files of its frontend have, whatever its own is.
    precisions: those in which peers run it.
    repeats: equal parts that a time is divided by, as the layers of a chain.
    """

    set: str
    group: str
    name: str
    kind: str
    arguments: dict = field(default_factory=dict)
    precisions: tuple[str, ...] = _EXACT
    repeats: int = 1

    @property
    def title(self) -> str:
        group = self.group if self.group != self.set else ""
        return f"{self.set}: {' '.join(filter(None, (group, self.name)))}"

    @property
    def quantizes(self) -> bool:
        """Whether it quantizes activations; of a user's model that is not known."""
        return self.is_model or self.arguments.get("activations", "fp") != "fp"

    @property
    def is_model(self) -> bool:
        """Whether it is a user's file."""
        return "path" in self.arguments

    @property
    def is_lite(self) -> bool:
        """Whether it is a .tflite file."""
        return self.maker is not None or self.kind == ".tflite"

    @property
    def maker(self) -> str | None:
        """The peer in whose environment its file is made."""
        return {"quicknet-lite": "larq", "tiny": "tflite"}.get(self.kind)

    @property
    def is_exact(self) -> bool:
        """Whether its outputs are codes, the same ones by each engine."""
        return self.kind == "tiny"

    def is_for(self, peers: list[str]) -> bool:
        """A network that a peer's environment makes is there beside such a peer alone."""
        return self.maker is None or any(map(engines.reads_lite, peers))


def schemes(bits: str) -> dict:
    """`activations/weights` as what the layers of `bquant.nn` take."""
    activations, weights = bits.split("/")
    return {"activations": _SCHEMES[activations], "weights": _SCHEMES[weights]}


def _networks(name: str, quantized: tuple[str, ...]) -> list[Case]:
    cases = [Case(name, name, bits, name, schemes(bits)) for bits in quantized]
    return [*cases, Case(name, name, FLOAT, name, schemes("fp/fp"), _FLOAT)]


def _quicknet() -> list[Case]:
    """After Larq's network by bquant's own layers; and as Larq has it, converted by its engine."""
    lite = [
        Case("quicknet", ".tflite", bits, "quicknet-lite", schemes(scheme), precisions)
        for bits, scheme, precisions in (
            ("1/1", "1/1", ("default", "indirect")),
            (FLOAT, "fp/fp", ("xnnpack",)),
        )
    ]
    return [*_networks("quicknet", ("1/1",)), *lite]


def _tiny() -> list[Case]:
    """Like the networks of MLPerf Tiny, by TensorFlow Lite's converter."""
    return [
        Case("tiny", network, "int8", "tiny", {"network": network}, ("xnnpack",))
        for network in ("mobilenet", "resnet8", "ds-cnn", "autoencoder")
    ]


_CHAIN = 8


def _convs() -> list[Case]:
    cases = []
    for channels, extent in ((64, 56), (128, 28), (256, 14), (512, 7)):
        shape = {"channels": channels, "extent": extent, "length": _CHAIN}
        for bits in ("1/1", "T/1", "2/1", FLOAT):
            arguments = {**shape, **schemes("fp/fp" if bits == FLOAT else bits)}
            # A chain of quantized layers amplifies each rounding: what peers do with the same
            # convolutions is seen on floats; BinaryConvolution is the one that counts bits.
            precisions = _FLOAT if bits == FLOAT else ("bits",) if bits == "1/1" else _OWN
            group = f"{channels}@{extent}"
            cases.append(
                Case("resnet18-convs", group, bits, "convs", arguments, precisions, _CHAIN)
            )
    return cases


def _products(name: str, rows: tuple[int, ...]) -> list[Case]:
    cases = []
    for m in rows:
        # Weights of +v and -v are exact in two bits and in four; those of two planes are not.
        for bits, precisions in (
            ("fp/1", ("fp32", "int8", "4 bits", "2 bits")),
            ("fp/2", ("fp32",)),
            ("1/1", ("fp32",)),
        ):
            arguments = {"rows": m, "size": 4096, **schemes(bits)}
            case = bits.replace("fp", FLOAT)
            cases.append(Case(name, f"M = {m}", case, "linear", arguments, precisions))
    return cases


def _solvers() -> list[Case]:
    return [
        Case(
            "solvers",
            f"{rows} x {columns}",
            scheme,
            "solver",
            {"rows": rows, "columns": columns, "scheme": scheme},
            ("sort",),
        )
        for rows, columns in ((512, 4608), (1, 200704))
        for scheme in ("ls-2", "ls-T")
    ]


_SETS = {
    "resnet18": lambda: _networks("resnet18", ("1/1", "T/1", "2/1")),
    "resnet18-convs": _convs,
    "quicknet": _quicknet,
    "mobilenet-binary": lambda: _networks("mobilenet-binary", ("1/1", "2/1")),
    "tiny": _tiny,
    "gemm": lambda: _products("gemm", (16, 128)),
    "gemv": lambda: _products("gemv", (1,)),
    "solvers": _solvers,
}

NAMES = tuple(_SETS)


def cases(name: str) -> list[Case]:
    if name not in _SETS:
        raise ValueError(f"expected a set of {', '.join(_SETS)}, but got '{name}'")
    return _SETS[name]()


def of_model(path: str, models: Iterable[str] = ()) -> list[Case]:
    """A user's own network, one of `models`, whose layers nobody but itself knows."""
    frontend, _ = frontends.find(Path(path))
    own, others = Path(os.path.abspath(path)), {Path(os.path.abspath(model)) for model in models}
    precisions = ("fp32", "int8", "default", "indirect", "xnnpack")
    name, kind = _shortest_name(own, others - {own}), frontend.suffixes[0]
    return [Case("model", name, "", kind, {"path": str(own)}, precisions)]


def _shortest_name(path: Path, others: set[Path]) -> str:
    """As much of the end of a path as tells it from all others."""
    for count in range(1, len(path.parts)):
        end = path.parts[-count:]
        if all(other.parts[-count:] != end for other in others):
            return os.path.join(*end)
    return str(path)
