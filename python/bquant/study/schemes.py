"""The rows of the paper's table, and baselines. Another scheme joins by a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from .. import models, nn
from ..summaries import bits


@dataclass(frozen=True)
class Scheme:
    """One way to quantize a network.

    seeds: how many trainings of it are asked for, unless `--seeds` says otherwise.
    conv: makes the quantized layer.
    clamp: of activations.
    options: of the architecture, each a name and its value.
    network: for a system that has blocks of its own, what makes the network, of `width`, `classes`,
        `image`, `channels` and `stem`. It starts from random weights. None: the setting's.
    """

    name: str
    activations: str
    weights: str
    seeds: int = 1
    conv: Callable[..., nn.BinaryConv2d] = nn.BinaryConv2d
    clamp: float | str | None = "paper"
    note: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    network: Callable[..., torch.nn.Module] | None = None

    @property
    def is_float(self) -> bool:
        return self.activations == self.weights == "fp"

    @property
    def activation_bits(self) -> float:
        return bits(self.activations)

    @property
    def weight_bits(self) -> float:
        return bits(self.weights)


def _symbol(scheme: str) -> str:
    return scheme if scheme == "fp" else scheme.rsplit("-", 1)[1]


def _ls(activations: str, weights: str, seeds: int = 1) -> Scheme:
    return Scheme(f"{_symbol(activations)}/{_symbol(weights)} ls", activations, weights, seeds)


FLOAT = Scheme("fp/fp", "fp", "fp", 3)
_SIGNS = partial(nn.SignConv2d, scale=None, gradient="hardtanh")

# The most wanted first: what is stopped has these.
SCHEMES = [
    FLOAT,
    _ls("ls-2", "ls-1", 3),
    _ls("ls-1", "ls-1", 3),
    Scheme("2/1 gf", "gf-2", "ls-1", 3),
    _ls("ls-T", "ls-1", 3),
    _ls("fp", "ls-1", 3),
    _ls("ls-2", "ls-2"),
    _ls("ls-T", "ls-2"),
    _ls("ls-1", "ls-2"),
    Scheme("XNOR", "ls-1", "ls-1", conv=nn.XnorConv2d, note="XNOR-Net, with its K map"),
    Scheme("BWN", "fp", "bwn", note="binary weight networks; the same as fp/1 ls"),
    Scheme("TWN", "fp", "twn", note="ternary weight networks"),
    Scheme("DoReFa 2/1", "dorefa-2", "dorefa-w-1"),
    Scheme("HWGQ 2/1", "hwgq-2", "bwn"),
    _ls("ls-2", "ls-T"),
    _ls("ls-T", "ls-T"),
    _ls("ls-1", "ls-T"),
    _ls("fp", "ls-2"),
    _ls("fp", "ls-T"),
    _ls("ls-3", "ls-1"),
    Scheme("3/1 gf", "gf-3", "ls-1"),
    _ls("ls-4", "ls-1"),
    Scheme("4/1 gf", "gf-4", "ls-1"),
    _ls("ls-3", "ls-2"),
    _ls("ls-4", "ls-2"),
    _ls("ls-3", "ls-T"),
    _ls("ls-4", "ls-T"),
    _ls("ls-1", "fp"),
    _ls("ls-2", "fp"),
    _ls("ls-T", "fp"),
    _ls("ls-3", "fp"),
    _ls("ls-4", "fp"),
    Scheme("2/2 gf", "gf-2", "gf-2"),
    Scheme("BNN", "ls-1", "ls-1", conv=_SIGNS, note="binarized neural networks: no scales"),
    Scheme("Bi-Real", "ls-1", "ls-1", conv=nn.SignConv2d, note="Bi-Real Net: its slope of signs"),
    Scheme(
        "RSign",
        "ls-1",
        "ls-1",
        conv=partial(nn.SignConv2d, shift=True),
        clamp=None,
        note="ReActNet's signs: Bi-Real Net's, with learned thresholds",
    ),
    Scheme("BinaryConnect", "fp", "ls-1", conv=_SIGNS, note="signs of weights, no scales"),
    Scheme(
        "XNOR-Net++",
        "ls-1",
        "ls-1",
        network=partial(models.bireal18, scale="learned"),
        note="Bi-Real Net with learned scales of channels, rows and columns",
    ),
    Scheme("ReActNet", "ls-1", "ls-1", network=models.reactnet, note="ReActNet-A"),
    # Published systems, at the bits of their own tables.
    Scheme("TTQ", "fp", "ttq", note="trained ternary quantization"),
    Scheme("PACT 2/2", "pact-2", "dorefa-w-2"),
    Scheme("LSQ 2/2", "lsq-2", "lsq-2"),
    Scheme("LSQ+ 2/2", "lsq-plus-2", "lsq-plus-2"),
    Scheme("LQ-Net 2/1", "lq-2", "lq-1"),
    Scheme("LQ-Net 3/2", "lq-3", "lq-2"),
    Scheme("ABC-Net 3/3", "abc-3", "abc-3"),
    Scheme("SYQ 8/1", "dorefa-8", "syq", note="a scale for each pixel of the kernel"),
    Scheme("AdaBin", "adabin", "adabin"),
    Scheme("ReBNet 2/1", "gf-2", "ls-1", note="learned scalars", options=(("scalars", "learned"),)),
]


def by_name(name: str) -> Scheme:
    for scheme in SCHEMES:
        if scheme.name == name:
            return scheme
    names = ", ".join(scheme.name for scheme in SCHEMES)
    raise ValueError(f"expected one of {names}, but got {name!r}")
