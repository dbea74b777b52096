"""PyTorch beside compiled code: predictions, thresholds, time."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field

import torch

from ..nn import Quantizer
from .data import Split
from .network import predictions


@dataclass
class Comparison:
    torch_accuracy: float
    compiled_accuracy: float
    equal: float  # share of pictures with the same prediction
    largest_difference: float  # of the logits, relative to the largest logit
    # One line for each other prediction, and how many of them no rounding explains.
    cases: list[str] = field(default_factory=list)
    unexplained: int = 0


@dataclass
class Times:
    """Seconds a picture, medians, batch 1, one thread."""

    torch: float
    compiled: float

    @property
    def ratio(self) -> float:
        return self.torch / self.compiled


def compare(model, network, data: Split) -> Comparison:
    expected = predictions(model, data.images)
    actual = predictions(network, data.images)
    a, b = expected.argmax(1), actual.argmax(1)
    cases = [
        (i, *nearest_threshold(model, data.images[i : i + 1]))
        for i in (a != b).nonzero()[:, 0].tolist()
    ]
    return Comparison(
        (a == data.labels).float().mean().item(),
        (b == data.labels).float().mean().item(),
        (a == b).float().mean().item(),
        ((expected - actual).abs().max() / expected.abs().max()).item(),
        [f"picture {i}: PyTorch says {a[i]}, compiled {b[i]}; {text}" for i, _, text in cases],
        sum(margin > ROUNDING for _, margin, _ in cases),
    )


# How far from a threshold, in units of the first scalar, the rounding of a sum in another order may
# move a value; or a logit from another, relative to the largest.
ROUNDING = 1e-5


def nearest_threshold(model, image: torch.Tensor) -> tuple[float, str]:
    """The value that lies closest to a threshold of its quantizer, relative to the scalars: the one
    whose code rounding may change. How close it or two logits are, and the same in words."""
    found = []

    def look(name):
        def hook(module, inputs, _):
            residue = inputs[0].double()
            if module.clamp is not None:
                residue = residue.clamp(-module.clamp, module.clamp)
            scalars = module.scalars.double()
            if module.scheme == "ls-T":
                scalars = scalars.repeat(2)
            for plane, v in enumerate(scalars, 1):
                margin = residue.abs() / scalars[0]
                i = margin.argmin()
                index = ", ".join(str(int(d)) for d in torch.unravel_index(i, margin.shape))
                value = inputs[0].flatten()[i].item()
                found.append((margin.flatten()[i].item(), name, index, value, plane))
                residue = residue - v * torch.where(residue >= 0, 1.0, -1.0)

        return hook

    hooks = [
        module.register_forward_hook(look(name))
        for name, module in model.named_modules()
        if isinstance(module, Quantizer) and module.scheme != "fp"
    ]
    with torch.no_grad():
        logits = model(image)[0].sort(descending=True).values
    for hook in hooks:
        hook.remove()
    gap = ((logits[0] - logits[1]) / logits.abs().max()).item()
    text = f"the two largest logits differ by {gap:.2g} of the largest"
    if not found:
        return gap, text
    margin, name, index, value, plane = min(found)
    return min(gap, margin), (
        f"{name}[{index}] = {value:.9g} lies {margin:.2g} of v1 from a threshold of plane {plane}; "
        + text
    )


def measure(model, network, image: torch.Tensor, repetitions: int = 300) -> Times:
    """Both by turns, so that whatever else the machine does meets both."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    seconds = {model: [], network: []}
    try:
        with torch.no_grad():
            for repetition in range(repetitions + 20):
                for function in (model, network):
                    start = time.perf_counter()
                    function(image)
                    stop = time.perf_counter()
                    if repetition >= 20:
                        seconds[function].append(stop - start)
    finally:
        torch.set_num_threads(threads)
    return Times(statistics.median(seconds[model]), statistics.median(seconds[network]))
