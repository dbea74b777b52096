"""A first convolution in 8 bits: of an image of bytes, by weights of 8 bits.

The convolution of a normalized image, padded with 0, is in its grey levels u

    y = b + sum w (u / 255 - mean) / std   over what is inside
      = b + sum w' (u - m)                 with w' = w / (255 std), m = 255 mean

Each filter gets a scale v, and weights w' = v q, q from -127 to 127. Padded is the image: with one
grey level z in the middle of all m, which is right but for e = sum q (z - m) at each position. More
channels, z outside and z + n inside, make up for that by weights whose sum is the integer nearest
to e / n. So a padded position is 0 but for half of n steps of the product of integers, and what is
left of m, z and n, over all positions, is one number of each filter, part of its bias.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  (defines the operations)

MOST = 127
GREY = 255
# What the kernel takes at a time.
CHANNELS = 4


@dataclass
class ByteWeights:
    """What a convolution of floats becomes. Of a normalized image it is given the grey levels."""

    weights: torch.Tensor  # int8 (O, C', H, W), channels as many as the kernel takes
    scales: torch.Tensor  # (O,)
    bias: torch.Tensor  # (O,)
    inside: int  # what more channels are
    outside: int  # what all channels are padded with
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
        outside = int(np.clip(np.rint((levels.min() + levels.max()) / 2), 0, GREY))
        off = np.einsum("ochw,c->ohw", q, outside - levels)
        for more in range(1, CHANNELS + 1):
            n = max(1, int(np.ceil(np.abs(off).max() / (MOST * more))))
            if n <= max(outside, GREY - outside):
                break
        else:
            raise ValueError(
                f'expected means about from 0 to 1 for input_weights="int8", but got {mean}'
            )
        n = n if outside + n <= GREY else -n
        every = -(-(channels + more) // CHANNELS) * CHANNELS
        weights = np.zeros((filters, every, *window))
        weights[:, :channels] = q
        left = np.rint(off / n)
        for channel in range(channels, channels + more):
            weights[:, channel] = np.clip(left, -MOST, MOST)
            left = left - weights[:, channel]
        inside = np.append(levels, np.full(every - channels, outside + n))
        bias = -scales * np.einsum("ochw,c->o", weights, inside)
        if conv.bias is not None:
            bias = bias + conv.bias.detach().cpu().double().numpy()
        return cls(
            weights=torch.from_numpy(weights.astype(np.int8)),
            scales=torch.from_numpy(scales.astype(np.float32)),
            bias=torch.from_numpy(bias.astype(np.float32)),
            inside=outside + n,
            outside=outside,
            padding=_pair(conv.padding),
            stride=_pair(conv.stride),
            dilation=_pair(conv.dilation),
        )

    def __call__(self, image: torch.Tensor) -> torch.Tensor:
        """Of grey levels (N, C, H, W)."""
        top, left = self.padding
        more = self.weights.shape[1] - image.shape[1]
        x = torch.nn.functional.pad(image, (0, 0, 0, 0, 0, more), value=self.inside)
        x = torch.nn.functional.pad(x, (left, left, top, top), value=self.outside)
        decode = torch.ops.quantized_decomposed
        x = decode.dequantize_per_tensor(x, 1.0, 0, 0, GREY, torch.uint8)
        w = decode.dequantize_per_channel(
            self.weights, self.scales, torch.zeros_like(self.scales, dtype=torch.int32),
            0, -MOST, MOST, torch.int8,
        )  # fmt: skip
        return torch.nn.functional.conv2d(x, w, self.bias, self.stride, 0, self.dilation)


def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)
