"""Random networks: torch, the reference route and the fast ones agree. 200 of layers and 300 of
residual blocks with BQUANT_NIGHTLY."""

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from agreement import STRATEGIES, check, draw, trained  # noqa: E402
from random_networks import random_network  # noqa: E402
from residual_networks import bi_real_network, random_residual_network  # noqa: E402

QUICK = 10
# Of 199 no random input is off all thresholds.
LARGE = [*range(QUICK, 199), 200]
SEEDS = [*range(QUICK), *(pytest.param(s, marks=pytest.mark.nightly) for s in LARGE)]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_network(seed):
    model, shape = random_network(seed)
    trained(model, shape, seed)
    inputs = draw(model, shape, 4, seed)
    label = f"seed {seed}, input {shape}: {model}"
    check(model, inputs, label, dynamic=seed % 4 == 0, threads=seed % 3 + 1)


def check_exact(model, x, label, strategy="auto", threads=1):
    """Both routes give torch's numbers, and the fast one the reference's bits in all outputs."""
    with torch.no_grad():
        expected = model(x)
    exported = torch.export.export(model, (x,))
    reference = bquant.compile(exported, strategy="reference")(x)
    fast = bquant.compile(exported, strategy=strategy, threads=threads)(x)
    for i, (y, got, right) in enumerate(zip(reference, fast, expected, strict=True)):
        text = f"{label}: {strategy}, output {i}"
        np.testing.assert_array_equal(y.numpy(), right.numpy(), f"{text} of the reference")
        np.testing.assert_array_equal(got.numpy().view(np.int32), y.numpy().view(np.int32), text)


def test_bi_real_network():
    """Its second block pools the value of the first one before it takes the signs of it."""
    check_exact(*bi_real_network(), "two blocks of Bi-Real-Net")


RESIDUAL = [4, 12]
RESIDUAL_LARGE = [
    pytest.param(s, marks=pytest.mark.nightly) for s in range(300) if s not in RESIDUAL
]


@pytest.mark.parametrize("seed", [*RESIDUAL, *RESIDUAL_LARGE])
def test_random_residual_network(seed):
    model, x = random_residual_network(seed)
    label = f"seed {seed}, input {tuple(x.shape)}: {model}"
    check_exact(model, x, label, STRATEGIES[seed % 2], threads=seed % 3 + 1)
