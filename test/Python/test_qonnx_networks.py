"""Networks of Brevitas as it exports them to QONNX, and operators of QONNX and FINN, against qonnx'
own execution, whose results are in golden/ (`./dev fixtures`)."""

import bquant
import numpy as np
import pytest

pytest.importorskip("onnx")

from golden_files import agree, cases, daily, on_both_routes  # noqa: E402
from reports import binary_share  # noqa: E402

# NAME: the share of its MACs, in percent, that are products of bits. Floats are layers of 3
# channels and 8 by 2 or 8 bits, depthwise ones of 4 bits and what follows an average.
SHARES = {
    **{f"{net}_{kind}": 100.0
       for net in ("tfc", "sfc", "lfc", "cnv") for kind in ("w1a1", "w1a2", "w2a2")},
    "cnv_w2a2": 90.3,
    "mixed": 99.7,
    "grouped": 97.1,
}  # fmt: skip


CASES = cases("qonnx_networks.npz")


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("name", SHARES)
def test_network(name, strategy):
    content, (x,), (y,) = CASES[name]
    network = bquant.compile(content, strategy=strategy)
    np.testing.assert_allclose(network(x), y, atol=1e-5 * np.abs(y).max())
    assert binary_share(network) == pytest.approx(SHARES[name], abs=0.1)


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("name", sorted(set(CASES) - set(SHARES)))
def test_operator(name, strategy):
    content, (x,), (y,) = CASES[name]
    np.testing.assert_array_equal(bquant.compile(content, strategy=strategy)(x), y)


FORMS = cases("qonnx_forms.npz")
QUICK = {
    "old_dense", "old_two_bits_trained", "last_two_bits", "last_signs_trained",
    "finn_three_bits_trained", "rows_below_0_half", "rows_last_pool", "rows_scaled", "rows_joined",
}  # fmt: skip


@pytest.mark.parametrize("name", daily(FORMS, QUICK))
def test_form(name):
    """Old names, channels last, thresholds of FINN: each product is one of bits."""
    content, (x,), (y,) = FORMS[name]
    network = bquant.compile(content)
    # Thresholds of whole numbers are exact; statistics of batch norms are not.
    tolerance = 0 if name.startswith("rows") else 1e-5 * np.abs(y).max()
    np.testing.assert_allclose(network(x), y, rtol=0, atol=tolerance)
    assert binary_share(network) == 100


MODULES = cases("qonnx_modules.npz")


@pytest.mark.parametrize("name", daily(MODULES, ("added", "biased_trained")))
def test_modules_that_torch_does_not_export(name):
    """Biases of 32 bits, sums, averages and joins of values that know their scale, as the modules
    of Brevitas compute them."""
    content, (x,), (y,) = MODULES[name]
    agree(on_both_routes(content, lambda network: network(x)), y, 1e-5)
