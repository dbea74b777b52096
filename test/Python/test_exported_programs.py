"""Programs of torch.export with `with` blocks: .pt2 files, programs and modules give what eager
PyTorch gives."""

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
import torch.nn.functional as F  # noqa: E402
from bquant.frontends import UnsupportedOp  # noqa: E402
from functions import sign  # noqa: E402
from torch import nn  # noqa: E402


class Scaled(nn.Module):
    """Filters of signs by a scale that a block computes."""

    def __init__(self, block):
        super().__init__()
        self.weight, self.block = nn.Parameter(torch.randn(8, 32, 3, 3)), block

    def forward(self, x):
        with self.block():
            scale = self.weight.abs().mean((1, 2, 3), keepdim=True)
        return F.conv2d(sign(x), sign(self.weight) * scale, padding=1)


class Nested(Scaled):
    """A block in a block, whose results are several."""

    def forward(self, x):
        with self.block():
            least, most = x.amin(), x.amax()
            with torch.enable_grad():
                middle = (least + most) / 2
        return super().forward(x - middle) * (most - least)


class Inside(Scaled):
    """The product itself is in the block."""

    def forward(self, x):
        with self.block():
            return super().forward(x)


class Straight(Scaled):
    """A straight-through estimator by hand, and a block after it."""

    def forward(self, x):
        y = super().forward((sign(x) - x).detach() + x)
        with self.block():
            return y.clamp(-9, 9), y.mean((2, 3))


def trained(model):
    """A few steps of a regression."""
    optimizer, generator = torch.optim.Adam(model.parameters(), 0.02), torch.Generator()
    generator.manual_seed(1)
    for _ in range(5):
        x = torch.randn(4, 32, 6, 6, generator=generator)
        optimizer.zero_grad()
        (model(x) - x[:, :8]).square().mean().backward()
        optimizer.step()
    return model


def off():
    return torch.autocast("cpu", enabled=False)


CASES = {
    "no_grad": lambda: Scaled(torch.no_grad),
    "normed": lambda: trained(nn.Sequential(nn.BatchNorm2d(32), Scaled(off))),
    "autocast": lambda: trained(Scaled(off)),
    "nested": lambda: Nested(torch.no_grad),
    "nested_autocast": lambda: Nested(off),
    "inside": lambda: trained(Inside(off)),
    "straight": lambda: Straight(torch.no_grad),
}


# torch.export.load refuses what torch.export.save has written of a block without a value.
PROGRAMS_ONLY = {"nested", "nested_autocast"}


@pytest.mark.parametrize("case", CASES)
def test_blocks(case, tmp_path):
    torch.manual_seed(0)
    model = CASES[case]().eval()
    x = torch.randn(1, 32, 6, 6)
    exported = torch.export.export(model, (x,))
    wrapped = [str(n.target) for n in exported.graph.nodes if str(n.target).startswith("wrap_")]
    assert wrapped, exported.graph
    forms = [exported]
    if case not in PROGRAMS_ONLY:
        torch.export.save(exported, tmp_path / "net.pt2")
        forms.append(str(tmp_path / "net.pt2"))
    with torch.no_grad():
        expected = model(x)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for given in forms:
        reference = bquant.compile(given, strategy="reference").flat(x)
        results = bquant.compile(given).flat(x)
        for y, z, wanted in zip(results, reference, expected, strict=True):
            assert y.numpy().tobytes() == z.numpy().tobytes()
            np.testing.assert_allclose(y, wanted, rtol=0, atol=1e-5 * wanted.abs().max())
    report = bquant.compile(exported).report("json")
    assert '"arithmetic":"binary"' in report.replace(" ", "")


def test_autocast_that_changes_types():
    class Halved(Scaled):
        def forward(self, x):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return super().forward(x) * 1.0

    exported = torch.export.export(Halved(off).eval(), (torch.randn(1, 32, 6, 6),))
    with pytest.raises(UnsupportedOp, match="autocast|bfloat16"):
        bquant.compile(exported)
