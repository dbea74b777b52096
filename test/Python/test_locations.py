"""Whole networks compile to the same code whatever their layers are called."""

import random
import re

import bquant
import pytest
import torch
from bquant import models, nn


class Residual(torch.nn.Module):
    """Blocks whose layers share parts and names with each other."""

    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(
            torch.nn.Sequential(torch.nn.BatchNorm2d(32), nn.BinaryConv2d(32, 32, 3, padding=1))
            for _ in range(3)
        )
        self.up = torch.nn.ConvTranspose2d(64, 32, 2, stride=2)

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return self.up(torch.cat([x, self.blocks[0](x)], 1))


NETWORKS = {
    "lenet": models.lenet,
    "mlp": models.mlp,
    "separable": models.depthwise_separable,
    "resnet18": lambda: models.resnet18(width=32, classes=10, image=32, stem="cifar"),
    "residual": Residual,
}

OPERATION = re.compile(
    r"^ +(?:%[\w:, ]+ = |linalg\.yield |tensor\.yield |\} -> )[^\n]*[^{,\n]$", re.M
)


def with_locations(text, choose):
    """`text` with a location behind each operation."""
    named, count = OPERATION.subn(lambda op: f"{op[0]} loc({choose()})", text)
    assert count > 20
    return named


def lowered(text):
    """The network in the LLVM dialect, its functions by number alone; and what they are called."""
    text = bquant.lower(text, "llvm")
    function = re.compile(r"(@__bquant_\w+?_\d+)_(\w+)")
    return function.sub(r"\1", text), {called[2] for called in function.finditer(text)}


@pytest.mark.parametrize("name", NETWORKS)
def test_same_code(name):
    torch.manual_seed(0)
    model = NETWORKS[name]()
    x = torch.randn(getattr(model, "input_shape", (1, 32, 6, 6)))
    models.calibrate(model, [torch.randn(2, *x.shape[1:])])
    text = bquant.lower(model, "import", (x,), large_constants=True)
    draw = random.Random(name)
    shuffled = with_locations(text, lambda: f'"layer{draw.randrange(5)}"')
    stripped = with_locations(text, lambda: "unknown")
    plain, names = lowered(text)
    assert "llvm.func" in plain and "layer" in names
    code, names = lowered(shuffled)
    assert code == plain and any(re.fullmatch(r"layer\d", name) for name in names)
    assert lowered(stripped)[0] == plain
