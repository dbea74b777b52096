"""Whether a compiled network agrees with torch, and its routes with each other."""

import bquant
import numpy as np
import torch
from bquant import models
from bquant.nn import BinaryConv2d, BinaryLinear, Quantizer, RSign, SignQuantizer
from bquant.nn import functional as F
from functions import sign
from reports import products
from torch import nn

# A value this close to a threshold, in units of the first scalar, may get another code by the
# rounding of sums in another order: torch adds floats, compiled code counts bits.
MARGIN = 1e-5
TOLERANCE = 1e-4  # of the largest output


# The kernels that a user gets, and those that serve every layer on every CPU.
STRATEGIES = ("auto", "scalar")


def trained(model, shape, seed, batches=3):
    """Parameters, statistics and scalars as after some training: batch norms have negative and zero
    scales, too."""
    torch.manual_seed(seed + 1)
    for module in model.modules():
        if isinstance(module, (nn.BatchNorm2d, nn.BatchNorm1d)) and module.affine:
            nn.init.normal_(module.weight, 1, 0.5)
            nn.init.normal_(module.bias, 0, 0.3)
            with torch.no_grad():
                module.weight[::5] *= -1
                module.weight[1::11] = 0
        elif isinstance(module, nn.PReLU):
            nn.init.normal_(module.weight, 0.2, 0.2)
    return models.calibrate(model, [torch.randn(8, *shape[1:]) for _ in range(batches)])


def distances(quantizer, value):
    """For each plane the distances of a quantizer's input to the threshold, relative to the first
    scalar, or to their mean where there is no scalar. Exact zeros do not count: they come out of a
    ReLU and are zeros everywhere."""
    if isinstance(quantizer, SignQuantizer):
        if isinstance(quantizer, RSign):
            value = value - quantizer.threshold.view(-1, *[1] * (value.dim() - 2))
        magnitudes = value.double().abs()
        yield torch.where(magnitudes == 0, torch.inf, magnitudes / magnitudes.mean())
        return
    if quantizer.clamp is not None:
        value = value.clamp(-quantizer.clamp, quantizer.clamp)
    each = (-1, *[1] * (value.dim() - 1))
    if quantizer.online:
        scalars = [
            v.reshape(each) for v in F.solve(value, quantizer.scheme, axes=(0,)).scalars.double()
        ]
    else:
        scalars = list(quantizer.scalars.double())
    if quantizer.scheme == "ls-T":
        scalars *= 2
    residue = value.double()
    for v in scalars:
        yield torch.where(residue == 0, torch.inf, residue.abs() / scalars[0])
        residue = residue - v * sign(residue)


def margins(model, x):
    """For each sample the least of the distances of any quantized value."""
    found = [torch.full((len(x),), torch.inf, dtype=torch.float64)]

    def hook(module, inputs, _):
        found.extend(d.flatten(1).amin(1) for d in distances(module, inputs[0]))

    hooks = [
        module.register_forward_hook(hook)
        for module in model.modules()
        if isinstance(module, (Quantizer, SignQuantizer)) and module.scheme != "fp"
    ]
    try:
        with torch.no_grad():
            model(x)
    finally:
        for handle in hooks:
            handle.remove()
    return torch.stack(found).amin(0)


def draw(model, shape, count, seed, margin=MARGIN, gap=3 * TOLERANCE):
    """Random inputs, (count, *shape), whose result rounding cannot change: no quantized value of
    them lies within `margin` of a threshold, and no two outputs share the largest place: the second
    is lower by `gap` of the largest magnitude."""
    generator = torch.Generator().manual_seed(seed)
    batch, *sample = shape
    each = (count * batch, *[1] * len(sample))
    kept = []
    for _ in range(50):
        x = torch.randn((count * batch, *sample), generator=generator)
        x = x * torch.randn(each, generator=generator).exp()
        if len(sample) == 3:
            x = x + torch.randn((count * batch, sample[0], 1, 1), generator=generator)
        with torch.no_grad():
            y = model(x).flatten(1)
        first, second = y.topk(2).values.unbind(1)
        fits = first - second > gap * y.abs().amax(1)
        if margin > 0:
            fits &= margins(model, x) > margin
        kept += x[fits]
        if len(kept) >= count * batch:
            return torch.stack(kept[: count * batch]).view(count, *shape)
    raise AssertionError(f"seed {seed}: expected {count} inputs off thresholds in 50 draws")


def check(model, inputs, label="", dynamic=False, tolerance=TOLERANCE, threads=1):
    """Torch, the reference route and the fast ones agree.

    The fast ones equal the reference in every bit, and torch up to `tolerance`, or else in each
    layer by `bquant.verify`, and in the index of the largest output; `check_route`, too.

    Args:
        model: in eval mode.
        inputs: what `draw` made; the network is compiled for one of them.
        dynamic: whether the fast routes take a batch of any size. They are called with the inputs
            one after another and with all of them; the reference is that of one sample. That of the
            whole batch gives the same, unless one of them adds floats in another order.
        tolerance: of the largest output; infinite for a network of so many values that some always
            lie within rounding of a threshold: the caller verifies it.
        threads: of the fast routes.

    Returns:
        A fast network, and torch's outputs, (count, batch, ...).
    """
    with torch.no_grad():
        size = 1 if dynamic else inputs.shape[1]
        exported = torch.export.export(model, (inputs[0, :size],))
        expected = torch.stack([model(x) for x in inputs])
    reference = bquant.compile(exported, strategy="reference")
    if dynamic:
        fast = {
            name: bquant.compile(
                model, (inputs[0],), threads=threads, strategy=name, dynamic_batch=True
            )
            for name in STRATEGIES
        }
    else:
        fast = {
            name: bquant.compile(exported, threads=threads, strategy=name) for name in STRATEGIES
        }
    for i, (x, z) in enumerate(zip(inputs, expected, strict=True)):
        y = torch.cat([reference(part) for part in x.split(size)])
        for name, network in fast.items():
            np.testing.assert_array_equal(
                network(x).numpy().view(np.int32),
                y.numpy().view(np.int32),
                f"{label}, input {i}: {name} and the reference differ",
            )
        if not (y - z).abs().max() <= tolerance * z.abs().max():  # also of NaN
            # A batch norm that divides by a small deviation makes rounding large.
            assert (result := bquant.verify(network, model, x)), f"{label}, input {i}: {result}"
        assert torch.equal(y.flatten(1).argmax(1), z.flatten(1).argmax(1)), f"{label}, input {i}"
    if dynamic:
        samples = inputs.flatten(0, 1)
        each = torch.cat([reference(x) for x in samples.split(size)])
        for name, network in fast.items():
            together = network(samples)
            assert torch.equal(together, each), f"{label}: {name}, all inputs together"
        known = bquant.compile(model, (inputs[0],), strategy="reference")
        if not any("sum-order" in network.report("json") for network in (reference, known)):
            batches = torch.cat([known(x) for x in inputs])
            assert torch.equal(batches, each), f"{label}: a batch of a known size"
    network = next(iter(fast.values()))
    check_route(model, network, label)
    return network, expected


def check_route(model, network, label):
    """Each layer with quantized weights is one product with them."""
    found = {a["location"]: a["arithmetic"] for a in products(network)}
    for path, module in model.named_modules():
        if isinstance(module, (BinaryConv2d, BinaryLinear)) and module.weights != "fp":
            binary = "float by binary" if module.quantizer.scheme == "fp" else "binary"
            assert found.get(path) == binary, f"{label}: {path} became {found.get(path)}"
