"""Layers of networks of signs: a convolution of signs, signs and PReLUs with learned shifts."""

from __future__ import annotations

from typing import Any

import torch

from . import functional as F
from .layers import BinaryConv2d, named_arguments
from .quantizer import SignQuantizer


def _each_channel(parameter: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """A parameter (C,) that broadcasts against x (N, C, ...)."""
    return parameter.view(-1, *[1] * (x.dim() - 2))


class RSign(SignQuantizer):
    """ReActNet's sign (Liu, Shen, Savvides, Cheng, "ReActNet: Towards Precise Binary Neural Network
    with Generalized Activation Functions", 2020): of x (N, C, ...)

        +1 where x_i >= a_i, -1 elsewhere,

    with a learned threshold a_i of each channel i, which starts at 0. (The paper has -1 where they
    are equal.)

    Args:
        channels: C.
        gradient: of the sign of x - a, see `functional.sign`.
    """

    def __init__(self, channels: int, gradient: F.Gradient = "approx_sign"):
        super().__init__(None, gradient)
        self.threshold = torch.nn.Parameter(torch.zeros(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x - _each_channel(self.threshold, x))

    def extra_repr(self) -> str:
        return str(len(self.threshold))


class RPReLU(torch.nn.PReLU):
    """ReActNet's PReLU (Liu, Shen, Savvides, Cheng, 2020): of x (N, C, ...)

        x_i - g_i + z_i where x_i > g_i, b_i (x_i - g_i) + z_i elsewhere,

    with a slope b_i (`weight`), a shift g_i before it and a shift z_i after it, learned for each
    channel i. The shifts start at 0.

    Args:
        channels: C.
        slope: b at the start.
    """

    def __init__(self, channels: int, slope: float = 0.25):
        super().__init__(channels, slope)
        self.shift_before = torch.nn.Parameter(torch.zeros(channels))
        self.shift_after = torch.nn.Parameter(torch.zeros(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = super().forward(x - _each_channel(self.shift_before, x))
        return y + _each_channel(self.shift_after, x)


class SignConv2d(BinaryConv2d):
    """conv2d(sign(x), v sign(weight)) + bias: signs on both sides, with one scale of each filter.

    With scale="mean", v_o is the mean of |weight_o| (Rastegari, Ordonez, Redmon, Farhadi,
    "XNOR-Net", 2016), which Bi-Real Net and ReActNet have, too; with scale=None it is 1, as in
    "Binarized Neural Networks" (Hubara, Courbariaux, Soudry, El-Yaniv, Bengio, 2016). The input has
    no scale.

    The gradient of the weights is that of v sign(weight), v times 1 where |weight| <= 1, else 0
    (Bi-Real Net: Liu, Wu, Luo, Yang, Liu, Cheng, 2018, "magnitude-aware").

    Args:
        scale: "mean" or None.
        shift: the input's signs are those of RSign, with a learned threshold of each channel.
        gradient: of the input's signs, see `functional.sign`; the default is Bi-Real Net's.
        clamp: there is no gradient outside of [-clamp, clamp]; None, the default: none but the
            sign's. "paper" is 2.
        weights, activations: "ls-1", which stands for signs here, or "fp": not quantized.

    All others are those of BinaryConv2d, bias among them; the default is bias=True.
    """

    def __init__(
        self, *arguments: Any, scale: str | None = "mean", shift: bool = False, **options: Any
    ):
        if scale not in ("mean", None):
            raise ValueError(f"expected scale to be 'mean' or None, but got {scale!r}")
        options = named_arguments(arguments, options)
        gradient = options.pop("gradient", "approx_sign")
        options = {"weights": "ls-1", "activations": "ls-1", "clamp": None, **options}
        for what in ("weights", "activations"):
            if options[what] not in ("ls-1", "fp"):
                raise ValueError(
                    f"expected {what} of ls-1 for signs, or fp, but got {options[what]!r}"
                )
        if shift and options["clamp"] is not None:
            raise ValueError(
                f"expected no clamp with a learned shift, but got {options['clamp']!r}"
            )
        if shift and options["activations"] == "fp":
            raise ValueError("expected activations of ls-1 for a learned shift, but got 'fp'")
        super().__init__(**options)
        self.scale = scale
        if shift:
            self.quantizer = RSign(self.in_channels, gradient).to(self.weight)
        elif options["activations"] != "fp":
            self.quantizer = SignQuantizer(self.quantizer.clamp, gradient)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        if input.dim() == 3:  # which RSign does not take
            return super().forward(input[None])[0]
        return super().forward(input)

    @torch.no_grad()
    def _solve_weights(self, name: str = "") -> F.Parameters:
        solved = super()._solve_weights(name)
        if self.scale is None:
            solved = F.Parameters(torch.ones_like(solved.scalars))
            self.weight_scalars.copy_(solved.scalars)
        return solved

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, scale={self.scale!r}"
