"""The report: a reason for each product that is not one of bits, in the order of the program."""

import json
import re

import bquant
import pytest
import torch
from functions import sign
from torch import nn


class Product(nn.Module):
    """A convolution or a linear layer with signs of the input or of the filter."""

    def __init__(self, layer, signs):
        super().__init__()
        self.layer, self.signs = layer, signs

    def forward(self, x):
        w = self.layer.weight
        if "filter" in self.signs:
            w = sign(w)
        if "input" in self.signs:
            x = sign(x)
        if isinstance(self.layer, nn.Linear):
            return nn.functional.linear(x, w)
        p = self.layer
        return nn.functional.conv2d(x, w, None, p.stride, p.padding, p.dilation, p.groups)


def report(model, *inputs):
    return json.loads(bquant.compile(model.eval(), inputs).report("json"))


IMAGE, ROWS = (1, 16, 9, 9), (3, 40)
LAYERS = {
    "conv": (lambda: nn.Conv2d(16, 8, 3, padding=1, bias=False), IMAGE),
    "groups": (lambda: nn.Conv2d(16, 16, 3, groups=4, bias=False), IMAGE),
    # So many that no kernel but that of depthwise convolutions is the fastest.
    "depthwise": (lambda: nn.Conv2d(64, 64, 3, groups=64, bias=False), (1, 64, 9, 9)),
    "linear": (lambda: nn.Linear(40, 8, bias=False), ROWS),
}
REASONS = {
    ("filter",): "the input stays float: no quantization of it is recognised",
    ("input",): "stays float: the input is quantized, but the filter is float",
    (): "the input stays float: no quantization of it is recognised",
}


@pytest.mark.parametrize("signs", REASONS)
@pytest.mark.parametrize("layer", LAYERS)
def test_reason_of_each_float_product(layer, signs):
    torch.manual_seed(1)
    make, shape = LAYERS[layer]
    found = report(Product(make(), signs), torch.randn(shape))
    products = [a for a in found["layers"] if a["macs"]]
    assert len(products) == 1 and "float" in products[0]["arithmetic"]
    (reason,) = (n for n in found["remarks"] if n["kind"] == "missed")
    assert reason["name"] == "raise-product" and REASONS[signs] in reason["text"]
    assert reason["location"] == products[0]["location"]


@pytest.mark.parametrize("layer", ["conv", "depthwise", "linear"])
def test_no_reason_for_a_product_of_bits(layer):
    torch.manual_seed(1)
    make, shape = LAYERS[layer]
    found = report(Product(make(), ("input", "filter")), torch.randn(shape))
    assert not [n for n in found["remarks"] if n["kind"] == "missed"]


MATMUL = """
func.func @forward(%x: tensor<4x40xf32>, %f: tensor<8x40xf32>) -> tensor<4x8xf32> {
  %v = arith.constant dense<1.0> : tensor<1x8xf32>
  %w = bquant.quantize %f scalars(%v : tensor<1x8xf32>)
      : tensor<8x40xf32> -> !bquant.tensor<8x40, 1, axes = [0]>
  %y = bquant.matmul %x, %w
      : (tensor<4x40xf32>, !bquant.tensor<8x40, 1, axes = [0]>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
"""


def test_reason_of_a_product_written_in_mlir():
    found = json.loads(bquant.compile(MATMUL).report("json"))
    (reason,) = (n for n in found["remarks"] if n["kind"] == "missed")
    assert reason["location"].endswith(":6:8") and "the input stays float" in reason["text"]


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(1)
    layers = [Product(nn.Conv2d(16, 16, 3, padding=1, bias=False), ()) for _ in range(3)]
    layers[1].signs = ("input", "filter")
    model = nn.Sequential(*layers).eval()
    return bquant.compile(model, (torch.randn(1, 16, 30, 30),))


def test_remarks_are_in_the_order_of_the_program(network):
    found = json.loads(network.report("json"))
    order = [n["location"].split(".")[0] for n in found["remarks"] if n["name"] != "arena"]
    assert order == sorted(order) and {"0", "1", "2"} <= set(order)


def test_input_of_a_layer_is_shown_without_its_padding(network):
    found = json.loads(network.report("json"))["layers"]
    assert [a["operands"].split(" by ")[0] for a in found if a["macs"]] == [
        "1x30x30x16 f32",
        "1x30x30x16, 1 plane",
        "1x30x30x16 f32",
    ]
    assert not re.search("32x32", network.report())


def test_numbers_of_people_and_of_machines(network):
    macs = 30 * 30 * 16 * 9 * 16
    assert f"{macs:,} MAC" in network.report()
    assert f"<td>{macs:,}</td>" in network.report("html")
    assert {a["macs"] for a in json.loads(network.report("json"))["layers"]} == {0, macs}


def test_one_threshold_is_no_plural():
    torch.manual_seed(1)
    conv = Product(nn.Conv2d(16, 16, 3, bias=False), ("input", "filter"))
    model = nn.Sequential(nn.Conv2d(3, 16, 1), nn.ReLU(), conv)
    text = bquant.compile(model.eval(), (torch.randn(1, 3, 9, 9),)).report()
    assert "into 1 threshold on" in text and "1 thresholds" not in text and "1 steps" not in text


def test_notebook(network, tmp_path):
    fragment = network._repr_html_()
    assert "<table" in fragment and "1x30x30x16" in fragment and "remark" in fragment.lower()
    assert not re.search("<(!doctype|html|head|body|title|link|script)", fragment, re.I)
    assert len(re.findall("<div", fragment)) == len(re.findall("</div", fragment)) == 1
    # Each selector is below the one element of the fragment.
    (style,) = re.findall("<style>(.*?)</style>", fragment, re.S)
    selectors = [s.strip() for rule in style.split("}")[:-1] for s in rule.split("{")[0].split(",")]
    assert selectors and all(s.startswith(".bquant-report") for s in selectors)
    network.save(tmp_path / "net.so")
    assert bquant.load(tmp_path / "net.so")._repr_html_() == fragment


def test_totals_and_marks(network):
    macs = 30 * 30 * 16 * 9 * 16
    found = json.loads(network.report("json"))
    totals = found["totals"]
    assert totals["macs"] == 3 * macs and totals["binary_macs"] == macs
    assert totals["binary_share"] == pytest.approx(1 / 3)
    assert totals["layers"] == len(found["layers"]) and found["version"] == bquant.__version__
    assert totals["weight_bytes"] == sum(a["weight_bytes"] for a in found["layers"])
    products = [a for a in found["layers"] if a["macs"]]
    assert [a["float"] for a in products] == [True, False, True]
    assert all(a["kernel"].startswith("fma<") for a in products if a["float"])
    assert all(a["tile"] and a["limit_cycles"] > 0 for a in products if a["float"])
    assert all(a["mac_share"] == pytest.approx(1 / 3) for a in products)
    text = network.report()
    assert f"MAC: {3 * macs:,}, 33.3 % of them binary\n" in text
    assert f"\nversion: bquant {bquant.__version__}\n" in text
    assert len(re.findall("^[*] .* MAC [(]33.3 %[)]", text, re.M)) == 2
    assert network.report("html").count('<tr class="float">') == 2
