"""Convolution and linear layer on quantized activations and weights."""

from __future__ import annotations

import inspect
import weakref
from typing import Any, TypeVar

import torch

from .. import _bquant
from . import functional as F
from .errors import of_layer
from .quantizer import Quantizer, SignQuantizer, keep_float32
from .scheme_quantizer import SchemeQuantizer, of_activations, of_weights

_Self = TypeVar("_Self", bound="_BinaryLayer")


def _contents(x: torch.Tensor) -> tuple[Any, ...]:
    """Differs where x holds other numbers, unless they were written in place through `x.data`. It
    keeps the memory alive, so that no other takes its place."""
    return x._version, x.untyped_storage(), x.storage_offset(), x.stride()


class _BinaryLayer(torch.nn.Module):
    """What all layers share: an activation quantizer and weights with scalars per filter.

    `weight` holds the float weights that are trained. Their scalars, one set for each
    output (dimension 0), are solved in each training step, and again when the layer
    leaves training mode or weights are loaded; the buffer `weight_scalars`, (k, out)
    or (1, out) for planes that share one, holds them. Where the planes are no sign
    cascade, `weight_thresholds`, (2^k - 1, out), and `weight_codes`, (2^k, out), do the
    rest. Weights of a registered scheme have a `weight_quantizer` in place of these buffers.
    """

    weight: torch.nn.Parameter
    weights: str
    gradient: F.Gradient
    quantizer: Quantizer | SignQuantizer
    # Of what the scheme has.
    weight_scalars: torch.Tensor
    weight_thresholds: torch.Tensor
    weight_codes: torch.Tensor
    weight_quantizer: SchemeQuantizer | None
    # The tensor whose parameters are stored, and its contents; None: not known.
    _solved: tuple[weakref.ref[torch.Tensor], tuple[Any, ...]] | None = None

    def _init_quantization(self, weights, activations, clamp, scalars, momentum, gradient):
        self.weights = F.check_scheme(weights, "weights")
        F.check_scheme(activations, "activations")
        self.gradient = gradient
        self.quantizer = of_activations(activations, clamp, scalars, momentum, gradient)
        self.weight_quantizer = of_weights(weights, self.weight)
        if self.weights != "fp" and self.weight_quantizer is None:
            empty = F.empty_parameters(self.weights, self.weight.shape[:1])
            for name, rows in zip(empty._fields, empty, strict=True):
                if rows is not None:
                    rows = torch.zeros_like(rows, device=self.weight.device)
                    self.register_buffer(f"weight_{name}", rows)
        self.quantizer.to(self.weight.device)

    @property
    def stored_weight_parameters(self) -> F.Parameters:
        """What quantizes the weights, as it is stored."""
        if self.weight_quantizer is not None:
            return self.weight_quantizer.stored_parameters
        names = F.Parameters._fields
        return F.Parameters(*(getattr(self, f"weight_{name}", None) for name in names))

    def _solve(self) -> F.Parameters:
        if self.weight_quantizer is not None:
            return F.Parameters(self.weight_quantizer.scalars_of(self.weight))
        solved = F.solve(self.weight, self.weights, axes=(0,))
        for stored, rows in zip(self.stored_weight_parameters, solved, strict=True):
            if stored is not None:
                stored.copy_(rows)
        return solved

    @torch.no_grad()
    def _solve_weights(self, name: str = "") -> F.Parameters:
        """`name` is the path of `weight`, where it is known."""
        try:
            solved = self._solve()
        except ValueError as error:
            which = f"'{name}'" if name else f"weight of {self._get_name()}({self.extra_repr()})"
            raise of_layer(
                ValueError(f"{which}: {error}"), self, reason=str(error), parameter="weight"
            ) from None
        weight = self.weight
        unknown = torch.compiler.is_compiling() or weight.is_inference()
        self._solved = None if unknown else (weakref.ref(weight), _contents(weight))
        return solved

    def _is_solved(self) -> bool:
        """Whether the weights are those whose parameters are stored. Of a graph of torch.compile
        that is not known; functional_call puts another tensor in the place."""
        if torch.compiler.is_compiling() or self._solved is None:
            return False
        tensor, contents = self._solved
        return tensor() is self.weight and contents == _contents(self.weight)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_solved": None}

    def quantized_weight(self) -> torch.Tensor:
        """The weights that the product is made with."""
        if self.weights == "fp":
            return self.weight
        parameters = self.stored_weight_parameters
        # An exported program takes the scalars as they are stored. Elsewhere a backward
        # pass may still need those of this step when the buffer has changed.
        if not F.is_exporting() and (self.training or not self._is_solved()):
            parameters = self._solve_weights()
        if self.weight_quantizer is not None:
            return self.weight_quantizer.quantize(self.weight, parameters.scalars)
        return F.quantize(self.weight, self.weights, parameters, axes=(0,), gradient=self.gradient)

    def _apply(self, fn, recurse: bool = True):
        self._solved = None
        return keep_float32(self, fn, super()._apply, recurse)

    def train(self: _Self, mode: bool = True) -> _Self:
        super().train(mode)
        if not mode and self.weights != "fp" and not self.weight.is_meta:
            self._solve_weights()
        return self

    def _load_from_state_dict(self, state_dict, prefix, metadata, strict, missing, *args):
        """Scalars of weights are solved again, so that a state may lack them."""
        own: list[str] = []
        super()._load_from_state_dict(state_dict, prefix, metadata, strict, own, *args)
        missing += [key for key in own if not key.startswith(f"{prefix}weight_")]
        if self.weight.is_meta:
            return
        self._leave_meta()
        if self.weights != "fp":
            scalars = f"{prefix}weight_quantizer.scalars"
            if self.weight_quantizer is not None and scalars not in state_dict:
                if f"{prefix}weight" in state_dict:
                    self.weight_quantizer.forget()
            self._solve_weights(f"{prefix}weight")

    def _leave_meta(self) -> None:
        """Scalars come to the weights: a state that is assigned may lack them."""
        device = self.weight.device
        for name, rows in self._buffers.items():
            if rows is not None and rows.is_meta:
                self._buffers[name] = torch.empty_like(rows, device=device)
        for part in (self.quantizer, self.weight_quantizer):
            if isinstance(part, Quantizer) and part.stores_scalars and part.scalars.is_meta:
                part.to_empty(device=device)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, weights={self.weights!r}"


def is_quantized(module: torch.nn.Module) -> bool:
    """Whether it is a layer with quantized weights."""
    return isinstance(module, _BinaryLayer) and module.weights != "fp"


def has_sign_weights(module: torch.nn.Module) -> bool:
    """Whether it is a layer whose weights are signs with a scale: those of one plane."""
    return is_quantized(module) and _bquant.scheme_info(module.weights)[0] == 1


class _BinaryConv(_BinaryLayer):
    """What the convolutions share; torch's class of the same dimensions comes behind it."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: str | int | tuple[int, ...] = 0,
        dilation: int | tuple[int, ...] = 1,
        groups: int = 1,
        bias: bool = True,
        weights: str = "ls-1",
        activations: str = "ls-2",
        clamp: float | str | None = "paper",
        scalars: str = "stored",
        momentum: float = 0.99,
        gradient: F.Gradient = "hardtanh",
        padding_mode: str = "zeros",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ):
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )
        self._init_quantization(weights, activations, clamp, scalars, momentum, gradient)

    def forward(self, input: torch.Tensor) -> torch.Tensor:  # by torch's name, for keywords
        return self._conv_forward(self.quantizer(input), self.quantized_weight(), self.bias)


class BinaryConv2d(_BinaryConv, torch.nn.Conv2d):
    """conv2d(quantize(clamp(x)), quantize(weight)) + bias.

    Args:
        in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias:
            as of torch.nn.Conv2d. Padding is with zeros, after the quantization.
        padding_mode, device, dtype: as of torch.nn.Conv2d, of what is quantized; scalars are solved
            in float32, whatever the type.
        weights: the scheme of the weights; each output filter has scalars of its own.
        activations: the scheme of the input.
        clamp, scalars, momentum, gradient: see Quantizer; the gradient is that of the weights,
            too.
    """


def named_arguments(arguments: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
    """All arguments of BinaryConv2d by their names."""
    return inspect.signature(BinaryConv2d).bind_partial(*arguments, **options).arguments


class XnorConv2d(BinaryConv2d):
    """XNOR-Net's convolution (Rastegari et al., 2016): conv2d(sign(x), quantize(weight)) K + bias.

    K (N, 1, H', W') has for each window the mean of |x| in it: a box filter over the mean of |x|
    along the channels (those of the filter's group). Padding counts as zeros in both. It takes the
    place of the scalars of the activations; `activations` is "ls-1" or "fp".

    Args: as of BinaryConv2d.
    """

    def __init__(self, *arguments: Any, **options: Any):
        options = {"activations": "ls-1", **named_arguments(arguments, options)}
        super().__init__(**options)
        if self.quantizer.scheme not in ("ls-1", "fp"):
            raise ValueError(
                f"expected activations of ls-1 for signs alone, but got {self.quantizer.scheme!r}"
            )
        if self.padding_mode != "zeros" or isinstance(self.padding, str):
            raise ValueError("expected zero padding by numbers, as the box filter has it")
        scheme, clamp, gradient = (
            options["activations"],
            self.quantizer.clamp,
            self.quantizer.gradient,
        )
        if scheme != "fp":
            self.quantizer = SignQuantizer(clamp, gradient)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        if isinstance(self.quantizer, Quantizer):
            return super().forward(input)
        weight = self.quantized_weight()
        y = self._conv_forward(self.quantizer(input), weight, None)
        height, width = self.kernel_size
        shape, part = (self.groups, 1, height, width), 1 / (height * width)
        box = torch.full(shape, part, dtype=input.dtype, device=input.device)
        mean = input.abs()
        if self.groups == 1:
            mean = mean.mean(-3, keepdim=True)
        else:
            mean = mean.unflatten(-3, (self.groups, -1)).mean(-3)
        where = (self.stride, self.padding, self.dilation)
        k = torch.nn.functional.conv2d(mean, box, None, *where, self.groups)
        if self.groups > 1:  # each filter has that of its group
            k = k.repeat_interleave(self.out_channels // self.groups, -3)
        y = y * k
        return y if self.bias is None else y + self.bias[:, None, None]


class ScaleTensor(torch.nn.Module):
    """XNOR-Net++'s learned scales of a convolution's outputs (Bulat, Tzimiropoulos, 2019):
    x (N, C, H, W) times a_c b_h g_w, three vectors that start at 1.

    Args:
        channels, height, width: C, H, W.
    """

    def __init__(self, channels: int, height: int, width: int):
        super().__init__()
        self.channel = torch.nn.Parameter(torch.ones(channels, 1, 1))
        self.row = torch.nn.Parameter(torch.ones(height, 1))
        self.column = torch.nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * (self.channel * self.row * self.column)


class BinaryConv1d(_BinaryConv, torch.nn.Conv1d):
    """conv1d(quantize(clamp(x)), quantize(weight)) + bias.

    Args:
        in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias:
            as of torch.nn.Conv1d. Padding is with zeros, after the quantization.
        weights, activations, clamp, scalars, momentum, gradient: as of BinaryConv2d.
    """


class BinaryLinear(_BinaryLayer, torch.nn.Linear):
    """linear(quantize(clamp(x)), quantize(weight)) + bias.

    Args:
        in_features, out_features, bias: as of torch.nn.Linear.
        weights, activations, clamp, scalars, momentum, gradient: as of BinaryConv2d.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weights: str = "ls-1",
        activations: str = "ls-2",
        clamp: float | str | None = "paper",
        scalars: str = "stored",
        momentum: float = 0.99,
        gradient: F.Gradient = "hardtanh",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ):
        super().__init__(in_features, out_features, bias, device, dtype)
        self._init_quantization(weights, activations, clamp, scalars, momentum, gradient)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.linear(self.quantizer(input), self.quantized_weight(), self.bias)
