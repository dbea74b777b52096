"""A first convolution in 8 bits: of an image of bytes, by weights of 8 bits.

The convolution of a normalized image, padded with 0, is in its grey levels u

    y = b + sum w (u / 255 - mean) / std   over what is inside
      = b + sum w' (u - m)                 with w' = w / (255 std), m = 255 mean

Each filter gets a scale v, and weights w' = v q, q from -127 to 127. Padded is the image: with the
grey level z that is nearest to m, which is right but for e = sum q (z - m) at each position. One
more channel makes up for that: it is 0 inside and n outside, and its weight is the integer nearest
to -e / n. So a padded position is 0 but for half a step of the product of integers, and what is
left of m, over all positions, is one number of each filter, part of its bias.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from ...nn.ranked import quantize_by_rank

# Multiples of a scalar, one for each plane, whose sums are all integers from 0 to 254: a weight of
# 254 is 127, of 127 it is 0, and a byte holds it.
RATIOS = (127, 64, 32, 16, 8, 4, 2, 1)
MOST = 127
GREY = 255  # the largest code of the image
# What the kernel takes at a time.
CHANNELS = 4


@torch.library.custom_op("bquant::filter_of_bytes", mutates_args=())
def filter_of_bytes(weights: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """int32 weights (O, C, H, W) from -127 to 127 times the scale of each filter, (O,)."""
    return weights.to(torch.float32) * scales.reshape(-1, 1, 1, 1)


@filter_of_bytes.register_fake
def _(weights, scales):
    return torch.empty_like(weights, dtype=torch.float32)


@dataclass
class ByteWeights:
    """What a convolution of floats becomes. Of a normalized image it is given the grey levels."""

    weights: torch.Tensor  # int32 (O, C', H, W), channels as many as the kernel takes
    scales: torch.Tensor  # (O,)
    bias: torch.Tensor  # (O,)
    inside: torch.Tensor  # (C', 1, 1), what is subtracted before the image is padded with zeros
    padding: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]

    @classmethod
    def of(cls, conv: torch.nn.Conv2d, mean, std) -> ByteWeights:
        """`mean` and `std`: float64 (C,)."""
        w = conv.weight.detach().cpu().double().numpy() / (255 * std.reshape(-1, 1, 1))
        filters, channels, *window = w.shape
        scales = np.abs(w).max((1, 2, 3)) / MOST
        scales[scales == 0] = 1
        scales = scales.astype(np.float32).astype(np.float64)
        q = np.clip(np.rint(w / scales[:, None, None, None]), -MOST, MOST)
        levels = 255 * mean
        border = np.clip(np.rint(levels), 0, 255)
        off = np.einsum("ochw,c->ohw", q, border - levels)
        outside = max(1, int(np.ceil(np.abs(off).max() / MOST)))
        if outside > 255:
            raise ValueError(
                f'expected means about from 0 to 1 for input_weights="int8", but got {mean}'
            )
        every = -(-(channels + 1) // CHANNELS) * CHANNELS
        weights = np.zeros((filters, every, *window))
        weights[:, :channels] = q
        weights[:, channels] = np.rint(-off / outside)
        # Codes are from 0 to 255, values from -127.5: half of that is on all channels.
        inside = np.zeros(every)
        inside[:channels], inside[channels] = border, outside
        bias = scales * (GREY / 2 * weights.sum((1, 2, 3)) - np.einsum("ochw,c->o", q, levels))
        if conv.bias is not None:
            bias = bias + conv.bias.detach().cpu().double().numpy()
        return cls(
            weights=torch.from_numpy(weights.astype(np.int32)),
            scales=torch.from_numpy(scales.astype(np.float32)),
            bias=torch.from_numpy(bias.astype(np.float32)),
            inside=torch.from_numpy(inside.astype(np.float32).reshape(-1, 1, 1)),
            padding=_pair(conv.padding),
            stride=_pair(conv.stride),
            dilation=_pair(conv.dilation),
        )

    def __call__(self, image: torch.Tensor) -> torch.Tensor:
        """Of grey levels (N, C, H, W)."""
        top, left = self.padding
        more = len(self.inside) - image.shape[1]
        x = image.to(torch.float32)
        # Integers, exact.
        x = torch.nn.functional.pad(x, (0, 0, 0, 0, 0, more)) - self.inside
        x = torch.nn.functional.pad(x, (left, left, top, top)) + self.inside
        x = quantize_by_rank(
            x, "dorefa-8", [], torch.tensor([0.5]), None,
            torch.arange(1, 256, dtype=torch.float32), torch.arange(256),
        )  # fmt: skip
        w = filter_of_bytes(self.weights, self.scales)
        return torch.nn.functional.conv2d(x, w, self.bias, self.stride, 0, self.dilation)


def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)
