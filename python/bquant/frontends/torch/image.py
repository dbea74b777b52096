"""Images of bytes in the place of a network's float input."""

from __future__ import annotations

import contextlib

import numpy as np
import torch

from .byte_weights import ByteWeights


@contextlib.contextmanager
def takes_image(model: torch.nn.Module, mean=None, std=None, examples=None):
    """Meanwhile the first input of `model` is an image of uint8 (N, C, H, W), of which it gets
    (x / 255 - mean) / std in float32, in this order, as torchvision's ToTensor and Normalize
    compute it. `mean`, `std`: a number for each channel or one for all, or None. With `examples`,
    inputs of the model, the convolution that reads the image does so in 8 bits."""
    steps = [
        (operation, _floats(value).reshape(-1, 1, 1))
        for operation, value in ((torch.sub, mean), (torch.div, std))
        if value is not None
    ]

    def normalize(_, inputs):
        x, *others = inputs
        x = x.to(torch.float32) / 255
        for operation, value in steps:
            x = operation(x, value)
        return (x, *others)

    if examples is not None:
        conv = _find_reader(model, normalize, examples)
        channels = conv.in_channels
        of_bytes = ByteWeights.of(conv, _all(mean, 0, channels), _all(std, 1, channels))
        with _forward(conv, lambda image: of_bytes(image)):
            yield True
        return
    hook = model.register_forward_pre_hook(normalize, prepend=True)
    try:
        yield True
    finally:
        hook.remove()


def check_statistics(mean, std, channels: int) -> None:
    """An error unless each is None, or one or `channels` finite numbers, those of std positive."""
    for name, given in (("mean", mean), ("std", std)):
        if given is None:
            continue
        expected = f"expected {name} to be a number or one for each channel"
        try:
            values = _floats(given)
        except (TypeError, ValueError, RuntimeError):
            raise TypeError(f"{expected}, but got {given!r}") from None
        if len(values) not in (1, channels):
            raise ValueError(f"{expected}, of which there are {channels}, but got {len(values)}")
        wrong = ~values.isfinite() | (values <= 0 if name == "std" else False)
        if wrong.any():
            kind = "positive and finite" if name == "std" else "finite"
            raise ValueError(f"expected {name} to be {kind}, but got {values[wrong][0].item():g}")


def _floats(value) -> torch.Tensor:
    value = torch.as_tensor(value).detach()
    if value.is_complex():
        raise TypeError("expected real numbers, but got complex ones")
    return value.to("cpu", torch.float32).reshape(-1)


def _all(value, default, channels):
    """A number for each channel, of one for all or none."""
    value = np.asarray(default if value is None else value, np.float64).reshape(-1)
    return np.broadcast_to(value, (channels,))


@contextlib.contextmanager
def _forward(module, function):
    """Meanwhile `module` computes `function`."""
    module.forward = function
    try:
        yield
    finally:
        del module.forward


def _find_reader(model, normalize, examples):
    """The convolution that alone reads the normalized image."""
    image = torch.randint(0, 256, examples[0].shape, dtype=torch.uint8)
    (x, *others) = normalize(None, (image, *examples[1:]))
    readers, results = [], []

    def remember(module, inputs, result):
        if inputs and inputs[0] is x:
            readers.append(module)
            results.append(result)

    hooks = [
        module.register_forward_hook(remember)
        for module in model.modules()
        if type(module) is torch.nn.Conv2d
    ]
    training = [(module, module.training) for module in model.modules()]
    try:
        model.eval()
        with torch.no_grad():
            expected = model(x, *others)
            for hook in hooks:
                hook.remove()
            if len(readers) == 1:
                # Whatever else read it would give something else of another image.
                with _forward(readers[0], lambda _: results[0]):
                    got = model(torch.full_like(x, float("nan")), *others)
    finally:
        for hook in hooks:
            hook.remove()
        for module, mode in training:
            module.training = mode
    if len(readers) != 1 or not _equal(expected, got):
        raise ValueError(
            'expected a network whose image one Conv2d alone reads for input_weights="int8", but '
            f"got {len(readers)} of them" + (" and something else" if readers else "")
        )
    (conv,) = readers
    if conv.groups != 1 or conv.padding_mode != "zeros" or isinstance(conv.padding, str):
        raise ValueError(
            "expected a convolution of one group, padded with so many zeros, for "
            f'input_weights="int8", but got {conv}'
        )
    return conv


def _equal(a, b):
    flat = [torch.utils._pytree.tree_leaves(value) for value in (a, b)]
    return len(flat[0]) == len(flat[1]) and all(
        torch.equal(p, q) if isinstance(p, torch.Tensor) else p == q
        for p, q in zip(*flat, strict=True)
    )
