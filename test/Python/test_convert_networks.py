"""convert, quantize_model and summary on networks as others write them."""

import bquant
import pytest
import torch
import torch.nn.utils.prune
from bquant.nn import BinaryConv2d, BinaryLinear, XnorConv2d
from torch import nn
from torch.nn import functional as F

QUIET = {"verbose": False}


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(4)


def images(count: int = 8, size: int = 12):
    return torch.randn(count, 3, size, size)


class Residual(nn.Module):
    """As torchvision's basic block: ReLU and the sum write in place."""

    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        y = self.conv2(self.relu(self.bn1(self.conv1(x))))
        y += x
        return self.relu(y)


class Network(nn.Module):
    """A float convolution, a body, a classifier."""

    def __init__(self, *body, channels=8):
        super().__init__()
        self.first = nn.Conv2d(3, channels, 3)
        self.body = nn.Sequential(*body)
        self.head = nn.Linear(channels, 5)

    def forward(self, x):
        return self.head(self.body(F.relu(self.first(x))).mean((2, 3)))


class Repeated(Network):
    """One layer, three times in a row."""

    def __init__(self):
        super().__init__(nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(inplace=True))

    def forward(self, x):
        x = F.relu(self.first(x))
        for _ in range(3):
            x = self.body(x)
        return self.head(x.mean((2, 3)))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(16, 16)
        self.attention = nn.MultiheadAttention(16, 4, batch_first=True)
        self.norm = nn.LayerNorm(16)
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        x = self.embed(x)
        x = x + self.attention(x, x, x, need_weights=False)[0]
        return self.head((x + self.mlp(self.norm(x))).mean(1))


class Auxiliary(Network):
    """A head that only training reaches, as GoogLeNet's, and a depth that is stochastic there."""

    def __init__(self):
        super().__init__(nn.Conv2d(8, 8, 3))
        self.auxiliary = nn.Linear(8, 5)
        self.last = nn.Linear(5, 5)

    def forward(self, x):
        x = F.relu(self.first(x))
        if self.training:
            return self.auxiliary(x.mean((2, 3)))
        return self.last(self.head(self.body(x).mean((2, 3))))


NETWORKS = {
    "residual": lambda: (Network(Residual(8), Residual(8)), images()),
    "depthwise": lambda: (
        Network(
            nn.Conv2d(8, 8, 3, groups=8, bias=False), nn.BatchNorm2d(8), nn.ReLU6(inplace=True),
            nn.Conv2d(8, 8, 1), nn.Hardswish(inplace=True),
        ),
        images(),
    ),
    "repeated": lambda: (Repeated(), images()),
    "attention": lambda: (Attention(), torch.randn(4, 6, 16)),
    "auxiliary": lambda: (Auxiliary(), images()),
}  # fmt: skip


@pytest.mark.parametrize("name", NETWORKS)
def test_each_is_compiled(name):
    model, x = NETWORKS[name]()
    converted = bquant.convert(model, **QUIET)
    converted.load_state_dict(model.state_dict())
    converted.train()(x).square().mean().backward()
    quantized = bquant.quantize_model(model.eval(), "ls-2", "ls-2", [x, x[:4]], **QUIET)
    for made in (converted.eval(), quantized):
        if name == "auxiliary" and made is converted:
            continue  # whose training reaches other layers
        expected = made(x).detach()
        torch.testing.assert_close(bquant.compile(made, (x,))(x), expected, rtol=1e-4, atol=1e-5)
    assert all(0 < row.error < 1.5 for row in quantized.quantization)


def test_a_shared_layer_stays_shared():
    model = Network(nn.Conv2d(8, 8, 3, padding=1), nn.ReLU())
    model.again = model.body[0]
    converted = bquant.convert(model, **QUIET)
    assert isinstance(converted.again, BinaryConv2d) and converted.again is converted.body[0]
    converted.load_state_dict(model.state_dict())
    # So do weights that several layers have.
    tied = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8))
    tied[2].weight = tied[1].weight
    converted = bquant.convert(tied, **QUIET)
    assert converted[1].weight is converted[2].weight is not tied[1].weight
    summary = bquant.summary(converted, torch.randn(2, 8))
    assert [layer.bytes for layer in summary.layers] == [288, 4 * 24, 4 * 24, 288]


def test_weights_that_are_computed_stay(capsys):
    norms = torch.nn.utils.parametrizations
    model = Network(
        norms.weight_norm(nn.Conv2d(8, 8, 3)), nn.Conv2d(8, 8, 1),
        torch.nn.utils.spectral_norm(nn.Conv2d(8, 8, 1)),
    )  # fmt: skip
    converted = bquant.convert(model)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-2:] == [
        "bquant.convert: 1 of 3 layers; as they were: first, head",
        "bquant.convert: not known, so as they were: body.0 (ParametrizedConv2d), body.2 (Conv2d)",
    ]
    assert isinstance(converted.body[1], BinaryConv2d)
    x = images()
    converted.train()(x)
    assert converted.eval()(x).isfinite().all()


def test_layers_that_hooks_or_a_method_change_stay():
    layers = [nn.Conv2d(8, 8, 1) for _ in range(4)]
    torch.nn.utils.prune.l1_unstructured(layers[0], "weight", amount=0.5)
    torch.nn.utils.prune.l1_unstructured(layers[1], "bias", amount=0.5)
    layers[2].forward = lambda x: 2 * x
    model, x = Network(*layers), images()
    model(x)  # makes weights that are no leaves
    converted = bquant.convert(model, **QUIET)
    kinds = [isinstance(layer, BinaryConv2d) for layer in converted.body]
    assert kinds == [False, False, False, True]
    assert converted.body[0].weight_orig is not model.body[0].weight_orig
    converted(x).sum().backward()
    assert converted.body[0].weight_orig.grad.abs().sum() > 0
    assert model.body[0].weight_orig.grad is None


def test_transformers_compute_with_what_is_quantized():
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
    model = nn.Sequential(nn.Linear(16, 16), nn.TransformerEncoder(layer, 2), nn.Linear(16, 4))
    x = torch.randn(2, 5, 16)
    quantized = bquant.quantize_model(model.eval(), "ls-1", "ls-1", [x], **QUIET)
    assert len(quantized.quantization) == 4
    expected = quantized(x).detach()
    with torch.no_grad():  # where torch has a fast path for float layers
        torch.testing.assert_close(quantized(x), expected)
        assert (model(x) - expected).abs().max() > 0.05
        mask = torch.zeros(2, 5, dtype=torch.bool)
        mask[1, 3:] = True
        assert quantized[1](x, src_key_padding_mask=mask).isfinite().all()


def test_hooks_and_attributes_stay():
    model, seen = Network(nn.Conv2d(8, 8, 3)), []
    model.body[0].register_forward_hook(lambda module, _, y: seen.append(type(module)))
    model.body[0].note = "mine"
    converted = bquant.convert(model, **QUIET)
    assert converted.body[0].note == "mine"
    converted.train()(images())
    assert seen == [BinaryConv2d]


def test_a_layer_is_called_by_keyword():
    class Keyword(Network):
        def forward(self, x):
            x = self.body[0](input=F.relu(self.first(input=x)))
            return self.head(input=x.mean((2, 3)))

    model, x = Keyword(nn.Conv2d(8, 8, 3)).eval(), images()
    quantized = bquant.quantize_model(model, "ls-1", "ls-2", [x], skip="first", **QUIET)
    assert [row.name for row in quantized.quantization] == ["body.0", "head"]


def test_hooks_keep_their_kinds():
    model, seen = Network(nn.Conv2d(8, 8, 3)), []
    model.body[0].register_forward_hook(
        lambda module, _, keywords, y: seen.append("forward"), with_kwargs=True
    )
    model.body[0].register_full_backward_hook(lambda *_: seen.append("backward"))
    bquant.convert(model, **QUIET)(images()).sum().backward()
    assert seen == ["forward", "backward"]


def test_a_layer_is_swapped_wherever_the_network_has_it():
    class Listed(Network):
        """As networks that keep their layers in a list of their own, too."""

        def __init__(self):
            super().__init__(nn.Conv2d(8, 8, 3), nn.Conv2d(8, 8, 3))
            self.steps = [("one", self.body[0]), ("two", self.body[1])]

        def forward(self, x):
            x = F.relu(self.first(x))
            for _, layer in self.steps:
                x = F.relu(layer(x))
            return self.head(x.mean((2, 3)))

    model, x = Listed().eval(), images()
    quantized = bquant.quantize_model(model, "ls-1", "ls-1", [x], **QUIET)
    assert [layer for _, layer in quantized.steps] == list(quantized.body)
    assert [row.name for row in quantized.quantization] == ["body.0", "body.1"]
    assert not any(isinstance(layer, BinaryConv2d) for _, layer in model.steps)


def test_what_is_quantized_already_stays():
    model, x = Network(XnorConv2d(8, 8, 3), BinaryConv2d(8, 8, 3), nn.Conv2d(8, 8, 3)), images()
    model(x)
    before = {key: value.clone() for key, value in model.eval().state_dict().items()}
    quantized = bquant.quantize_model(model, "ls-2", "ls-3", [x, 2 * x], **QUIET)
    assert [row.name for row in quantized.quantization] == ["body.2"]
    state = quantized.state_dict()
    assert all(torch.equal(before[key], state[key]) for key in before if "body.2" not in key)
    assert quantized.body[1].quantizer.clamp == 3.0


def test_batch_norms_of_a_batch_of_one():
    """As the last of a DataLoader; one that no batch reaches keeps what it has."""

    class Dense(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.norm, self.unused = (
                nn.Linear(6, 8),
                nn.BatchNorm1d(8),
                nn.BatchNorm1d(8),
            )
            self.middle, self.head = nn.Linear(8, 8), nn.Linear(8, 4)

        def forward(self, x):
            return self.head(self.middle(self.norm(self.first(x))))

    model, x = Dense().eval(), torch.randn(16, 6)
    model.unused.running_mean.fill_(2)
    for batches in ([x], [x, x[:1]], [x[:1], x]):
        norms = bquant.quantize_model(model, calibration=batches, **QUIET)
        torch.testing.assert_close(norms.norm.running_mean, model.first(x).mean(0).detach())
        assert norms.unused.running_mean.tolist() == [2] * 8
        assert norms.norm.momentum == 0.1


def test_weights_that_are_not_finite_are_named():
    model = Network(nn.Conv2d(8, 8, 3)).eval()
    model.body[0].weight.data[0, 0, 0, 0] = float("nan")
    with pytest.raises(ValueError, match=r"^'body.0': weight of BinaryConv2d.* finite"):
        bquant.convert(model, **QUIET)


def test_outputs_are_seen_before_they_are_overwritten():
    """An activation in place behind a layer changes neither its bias nor its row."""
    found = []
    for inplace in (False, True):
        torch.manual_seed(1)
        model = Network(nn.Conv2d(8, 8, 3), nn.ReLU(inplace), nn.Conv2d(8, 8, 3)).eval()
        found.append(bquant.quantize_model(model, "ls-1", "ls-1", [images()[:4] * 0 + 1], **QUIET))
    torch.testing.assert_close(found[0].body[0].bias, found[1].body[0].bias)
    assert found[0].quantization == found[1].quantization


def test_averages_are_over_calls():
    model, batches = Repeated().eval(), [images(), images()]
    options = {"batch_norms": False, "bias_correction": False, "percentile": None, "clamp": None}
    # Weights as they are, so that the inputs are those of the float network.
    quantized = bquant.quantize_model(model, "fp", "ls-1", batches[:1], **options, **QUIET)
    means, x = [], F.relu(model.first(batches[0]))
    for _ in range(3):
        means.append(x.abs().mean())
        v = x.abs().mean()
        x = model.body(torch.where(x >= 0, v, -v))
    expected = torch.stack(means).mean().item()
    assert quantized.body[0].quantizer.scalars.item() == pytest.approx(expected, rel=1e-5)


def test_what_training_alone_does_has_no_say():
    class Drops(nn.Module):
        def forward(self, x):
            return x * 0 if self.training else x

    model = Network(nn.Conv2d(8, 8, 3), Drops(), nn.BatchNorm2d(8), nn.Conv2d(8, 8, 1)).eval()
    quantized = bquant.quantize_model(model, calibration=[images()], **QUIET)
    assert (quantized.body[3].quantizer.scalars > 0).all()
    assert not any(module.training for module in quantized.modules())
    # A layer that no batch reaches has no row.
    quantized = bquant.quantize_model(Auxiliary().eval(), calibration=[images()], **QUIET)
    assert [row.name for row in quantized.quantization] == ["body.0", "head"]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
def test_other_types(dtype):
    model, x = Network(Residual(8)).to(dtype).eval(), images().to(dtype)
    quantized = bquant.quantize_model(model, "ls-2", "ls-2", [x], **QUIET)
    assert quantized(x).dtype == dtype
    assert quantized.body[0].conv2.weight_scalars.dtype == torch.float32
    assert all(row.error < 1 for row in quantized.quantization)


def test_summary_of_calls():
    x = images()
    model = Repeated()
    layers = {layer.name: layer for layer in bquant.summary(model, x).layers}
    assert layers["body.0"].macs == 3 * 10 * 10 * 8 * 8 * 9
    assert layers["body.0"].bytes == 4 * (8 * 8 * 9 + 8)
    # A network in eval mode that has seen no batch has bits and bytes all the same.
    converted = bquant.convert(model.eval(), **QUIET)
    layers = {layer.name: layer for layer in bquant.summary(converted, x).layers}
    assert layers["body.0"].binary_macs == 2 * layers["body.0"].macs
    assert not converted.training and not converted.body[0].quantizer.is_ready
    with pytest.raises(RuntimeError, match="no batch has been seen"):
        converted(x)


def test_summary_of_other_products():
    model = nn.Sequential(nn.ConvTranspose2d(3, 8, 2, stride=2, groups=1, bias=False))
    layer = bquant.summary(model, images(2, 4)).layers[0]
    assert layer.macs == 4 * 4 * 3 * 8 * 4 and layer.output == (2, 8, 8, 8)
    summary = bquant.summary(Attention(), torch.randn(2, 6, 16))
    layers = {layer.name: layer for layer in summary.layers}
    assert layers["attention"].macs == 6 * 4 * 16 * 16
    # Its last matrix is a module that is never called by itself.
    assert layers["attention.out_proj"].bytes == 4 * (16 * 16 + 16)
    assert layers["attention.out_proj"].macs == 0
    assert summary.bytes == 4 * sum(p.numel() for p in Attention().parameters())


def test_linear_layers_of_sequences():
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 4)).eval()
    x = torch.randn(2, 5, 8)
    quantized = bquant.quantize_model(model, "ls-1", "ls-2", [x], **QUIET)
    assert isinstance(quantized[1], BinaryLinear)
    with torch.no_grad():
        mean = (quantized[:2](x) - model[:2](x)).mean((0, 1)).abs().max().item()
    assert mean < 1e-5
