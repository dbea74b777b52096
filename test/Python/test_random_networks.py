"""Random networks: torch, the reference route and the fast ones agree. 200 with BQUANT_NIGHTLY."""

import pytest

torch = pytest.importorskip("torch")
from agreement import check, draw, trained  # noqa: E402
from random_networks import random_network  # noqa: E402

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
