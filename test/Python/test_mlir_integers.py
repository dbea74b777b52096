"""Integers of linalg and TOSA, in every bit what upstream's own lowering gives, which is in golden/
(`./dev fixtures`)."""

import bquant
import numpy as np
import pytest
from golden_files import cases, on_routes
from reports import layers

CASES = cases("mlir_integers.npz")
# What products are computed by; what is not here has floats, which are exact there, or no product.
BYTES = {
    name
    for name in CASES
    if name.startswith(("conv_", "depthwise_", "quantized_", "network"))
    and not name.endswith("run_time")
}
# Those of every day, on both routes and on the fast one; by night all on both.
REFERENCE = ("conv_2d_nhwc_hwcf_q_far", "rescale_channels", "network_random")
DAILY = (
    "conv_2d_nchw_fchw_q", "conv_2d_nhwc_fhwc_q", "conv_2d_ngchw_gfchw_q",
    "depthwise_conv_2d_nhwc_hwc_q", "quantized_matmul", "quantized_batch_matmul_of_run_time",
    "rescale_unsigned", "apply_scale", "cast_i8", "cast_i32", "zeros_of_ceil", "network_trained",
)  # fmt: skip


@pytest.mark.parametrize(("name", "strategy"), on_routes(CASES, DAILY, REFERENCE))
def test_as_upstream(name, strategy):
    text, inputs, outputs = CASES[name]
    network = bquant.compile(text.decode(), strategy=strategy)
    for result, expected in zip(network.flat(*inputs), outputs, strict=True):
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)
    if strategy == "auto":
        found = layers(network)
        assert all(layer["arithmetic"] == "integer" for layer in found)
        kernels = {layer.get("kernel", "").split("<")[0] for layer in found}
        assert ("bytes" in kernels) == (name in BYTES)


@pytest.mark.parametrize(
    ("name", "target"),
    [("network_trained", "haswell"), ("network_random", "x86-64"), ("zeros_of_ceil", "x86-64")],
)
def test_other_targets(name, target):
    if "x86_64" not in bquant.compile(CASES["zeros_of_ceil"][0].decode()).report():
        pytest.skip("another architecture")
    text, inputs, outputs = CASES[name]
    results = bquant.compile(text.decode(), target=target).flat(*inputs)
    for result, expected in zip(results, outputs, strict=True):
        np.testing.assert_array_equal(result, expected)
