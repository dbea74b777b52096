"""How much images are padded for windows."""

from __future__ import annotations


def reach(kernel, dilation) -> list[int]:
    """How many elements a window spans, in each direction."""
    return [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]


def same_padding(size, out, kernel, stride, dilation, more_before: bool = False):
    """What lets `out` windows take in all of an image: the padding before and after it, a list
    for each direction. Of an odd number the last one is after it (TensorFlow, PyTorch and ONNX'
    SAME_UPPER), or before it (SAME_LOWER)."""
    total = [
        max(0, (o - 1) * s + r - i)
        for i, o, s, r in zip(size, out, stride, reach(kernel, dilation), strict=True)
    ]
    less, more = [t // 2 for t in total], [t - t // 2 for t in total]
    return (more, less) if more_before else (less, more)
