"""Twenty training steps give the losses and gradients of the public code of the paper's authors.

The code is apple/ml-quant, for Pouransari, Tu and Tuzel, Least Squares Binary Quantization of
Neural Networks, 2020. golden/authors_steps.json holds numbers alone, of one run of it. In that run
the scalars of ls-2 and ls-T came from the solvers of bquant in the place of its search, its
max-pool was `Pool`, and parameters were float64. Networks, clamps and rates are those of its
examples for MNIST, CIFAR-100 and ImageNet; widths, images and batches are small. The loss of a
student is compared apart, on linear layers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import bquant
import bquant.models
import numpy as np
import pytest
import torch
from bquant import nn, train
from bquant.datasets import Dataset, Split
from torch.nn import functional

GOLDEN = Path(__file__).parent / "golden" / "authors_steps.json"
SEED, STEPS, BATCH, STEPS_OF_EPOCH = 1, 20, 8, 10
SCHEMES = ("ls-1", "ls-2", "ls-T", "gf-2", "fp")
TOLERANCE = 1e-5


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Pool(torch.nn.Module):
    """A 2x2 max-pool. A binary convolution has many equal sums; which of them is the greatest, and
    takes the gradient, is not left to their rounding: it is the first."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rounded = torch.round(x.detach() * 2**24)
        _, index = functional.max_pool2d(rounded, 2, return_indices=True)
        return x.flatten(2).gather(2, index.flatten(2)).view_as(index)


def lenet(activations: str) -> torch.nn.Sequential:
    """Only the second layer is quantized, and nothing is clamped."""
    norm = {"eps": 1e-4, "affine": False}
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 5),
        torch.nn.ReLU(),
        torch.nn.BatchNorm2d(4, **norm),
        Pool(),
        torch.nn.BatchNorm2d(4, **norm),
        nn.BinaryConv2d(4, 10, 5, activations=activations, clamp=None, scalars="online"),
        torch.nn.ReLU(),
        Pool(),
        torch.nn.Flatten(),
        torch.nn.Linear(160, 100),
        torch.nn.ReLU(),
        torch.nn.Linear(100, 10),
    )


class ClampedConv2d(nn.BinaryConv2d):
    """Clamps float activations, too, as theirs does."""

    def __init__(self, *arguments, clamp: float, **options):
        super().__init__(*arguments, clamp=clamp, **options)
        self.clamp = clamp

    def forward(self, input):
        return super().forward(input.clamp(-self.clamp, self.clamp))


def resnet_for_cifar(activations: str) -> torch.nn.Sequential:
    return bquant.models.resnet18(
        "ls-1", activations, width=4, classes=10, image=8, scalars="online",
        nonlinearity="relu", stem="cifar", conv=ClampedConv2d, clamp=2.0,
    )  # fmt: skip


def resnet_for_imagenet(activations: str) -> torch.nn.Sequential:
    """ls-2 has ReLU, the others PReLU with one slope a layer."""
    model = bquant.models.resnet18(
        "ls-1", activations, width=4, classes=10, image=32, scalars="online",
        nonlinearity="relu" if activations == "ls-2" else "prelu", conv=ClampedConv2d,
        clamp=3.0 if activations in ("ls-2", "gf-2") else 2.0,
    )  # fmt: skip
    for module in model.modules():
        if isinstance(getattr(module, "act", None), torch.nn.PReLU):
            module.act = torch.nn.PReLU()
    return model


def adadelta(parameters):
    """Rate 1, times 0.7 after each epoch."""
    optimizer = torch.optim.Adadelta(parameters, lr=1.0)
    return optimizer, lambda step: 0.7 ** (step // STEPS_OF_EPOCH)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=2e-4), lambda step: 1.0


def falling_adam(parameters):
    """From 2e-4 to 2e-7, step by step, of three epochs, the last of which has 2e-7 throughout."""
    first, least, steps = 2e-4, 2e-7, 2 * STEPS_OF_EPOCH
    optimizer = torch.optim.Adam(parameters, lr=first)
    return optimizer, lambda step: max(first - step / steps * (first + least), least) / first


class Network(NamedTuple):
    make: Callable[[str], torch.nn.Module]
    image: tuple[int, int, int]
    optimizer: Callable


NETWORKS = {
    "lenet, mnist": Network(lenet, (1, 28, 28), adadelta),
    "resnet18, cifar100": Network(resnet_for_cifar, (3, 8, 8), adam),
    "resnet18, imagenet": Network(resnet_for_imagenet, (3, 32, 32), falling_adam),
}


def random(name: str) -> np.random.RandomState:
    """A stream of its own for each name, which no version of NumPy changes."""
    return np.random.RandomState([SEED, *name.encode()])


@torch.no_grad()
def set_weights(model: torch.nn.Module) -> None:
    """Uniform: of matrices and filters within 1 / sqrt(inputs), else within 0.1 of the value that
    torch begins with: 1 for the scale of a norm, 0.25 for a slope, 0 for a bias."""
    for path, module in model.named_modules():
        start = {torch.nn.BatchNorm2d: 1.0, torch.nn.PReLU: 0.25}.get(type(module), 0.0)
        for name, parameter in module.named_parameters(recurse=False):
            matrix = parameter.dim() > 1
            bound = parameter[0].numel() ** -0.5 if matrix else 0.1
            center = start if name == "weight" and not matrix else 0.0
            drawn = random(f"{path}.{name}").uniform(-1, 1, parameter.shape)
            parameter.copy_(torch.from_numpy(center + bound * drawn))


def batch(step: int, image: tuple[int, int, int]) -> tuple[torch.Tensor, torch.Tensor]:
    draw = random(f"batch {step}")
    images, labels = draw.standard_normal((BATCH, *image)), draw.randint(0, 10, BATCH)
    return torch.from_numpy(images).float(), torch.from_numpy(labels).long()


def run(name: str, activations: str) -> dict[str, list[float]]:
    """The loss of each step and the norm of its gradient, and the norms of the parameters'
    gradients in the first and in the last step.

    Parameters are float64 as theirs were, so that the rounding of sums, which no two machines
    share, turns no sign; layers quantize in float32 as ever."""
    network = NETWORKS[name]
    model = network.make(activations).train()
    set_weights(model)
    model.double()
    optimizer, rate = network.optimizer(model.parameters())
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    losses, gradients = [], []
    for step in range(STEPS):
        images, labels = batch(step, network.image)
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(images.double()), labels)
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        gradients.append([p.grad.norm().item() for p in model.parameters()])
    norms = [float(np.linalg.norm(norms)) for norms in gradients]
    return {"loss": losses, "norm": norms, "first": gradients[0], "last": gradients[-1]}


@pytest.mark.parametrize("activations", SCHEMES)
@pytest.mark.parametrize("name", NETWORKS)
def test_twenty_steps_are_those_of_the_authors(name, activations):
    golden = json.loads(GOLDEN.read_text())[name][activations]
    steps = run(name, activations)
    for what in ("loss", "norm"):
        assert steps[what] == pytest.approx(golden[what], rel=TOLERANCE), what
    # The bias of a convolution before a batch norm has no gradient but what rounding leaves.
    for what, norm in (("first", golden["norm"][0]), ("last", golden["norm"][-1])):
        near = pytest.approx(golden[what], rel=TOLERANCE, abs=TOLERANCE / 10 * norm)
        assert steps[what] == near, what


def student_and_teacher() -> tuple[torch.nn.Sequential, torch.nn.Sequential]:
    """Linear, with logits of some size: those near 0 have distributions that hardly differ."""
    pair = torch.nn.ModuleList(
        torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 10)) for _ in range(2)
    )
    set_weights(pair)
    with torch.no_grad():
        for parameter in pair.parameters():
            parameter.mul_(8)
    return pair[0], pair[1]


def images_to_learn() -> Dataset:
    draw = random("images")
    images = torch.from_numpy(draw.randint(0, 256, (BATCH, 1, 8, 8)).astype(np.uint8))
    split = Split(images, torch.from_numpy(draw.randint(0, 10, BATCH)).long())
    return Dataset("random", split, split, [str(i) for i in range(10)])


@pytest.mark.parametrize("temperature", [1.0, 5.0])
def test_twenty_steps_of_a_student_are_those_of_the_authors(temperature):
    """By `bquant.train`: each epoch is one step, of all images."""
    student, teacher = student_and_teacher()
    recipe = train.Recipe(
        epochs=STEPS, batch=BATCH, rate=2e-4, power=0, warmup=0, temperature=temperature,
        shift=0, flip=False,
    )  # fmt: skip
    rows = []
    train.train(student, images_to_learn(), recipe, teacher, epoch_done=rows.append)
    golden = json.loads(GOLDEN.read_text())["student"][f"temperature {temperature:g}"]
    losses = [row["loss"] for row in rows]
    assert losses == pytest.approx(golden["loss"], rel=TOLERANCE)
