"""bquant.models: shapes, sizes and errors; every pair of schemes compiled, against torch and the
reference route."""

import itertools
import json
import math
import struct

import bquant
import pytest

torch = pytest.importorskip("torch")
from agreement import check, draw, trained  # noqa: E402
from bquant import models  # noqa: E402
from bquant.nn import BinaryConv2d, Quantizer  # noqa: E402
from reports import layers  # noqa: E402
from torch import nn  # noqa: E402

ACTIVATIONS = ["ls-1", "ls-2", "ls-T", "gf-2", "gf-3", "gf-4", "fp"]
WEIGHTS = ["ls-1", "ls-2", "ls-T", "gf-2", "fp"]
SCALARS = ["stored", "online"]

NETWORKS = {
    "resnet18": lambda **o: models.resnet18(width=8, classes=10, image=32, **o),
    "resnet18_regular": lambda **o: models.resnet18(
        block="regular", width=12, classes=10, image=32, nonlinearity="relu", **o
    ),
    "lenet": lambda **o: models.lenet(width=10, hidden=60, image=20, **o),
    "mlp": lambda **o: models.mlp(inputs=100, hidden=(64, 50, 70), **o),
    "depthwise_separable": lambda **o: models.depthwise_separable(width=12, image=16, **o),
}
# Each pair of schemes once; the rest by BQUANT_NIGHTLY. What takes long to compile takes these, the
# others the rest by turns.
LARGE = {
    ("ls-2", "ls-1"): ("resnet18", "stored"),
    ("ls-1", "ls-1"): ("resnet18", "online"),
    ("ls-1", "gf-2"): ("resnet18_regular", "stored"),
    ("ls-T", "ls-1"): ("depthwise_separable", "stored"),
    ("gf-2", "ls-2"): ("depthwise_separable", "online"),
}


def quick_case(activations, weights):
    """The network and the kind of scalars of a pair."""
    a, w = ACTIVATIONS.index(activations), WEIGHTS.index(weights)
    return LARGE.get((activations, weights), (("mlp", "lenet")[a % 2], SCALARS[w % 2]))


def nightly_unless(quick):
    return () if quick else pytest.mark.nightly


LAYERS = [
    pytest.param(a, w, s, marks=nightly_unless(s == "stored" or w == "ls-1"))
    for a, w, s in itertools.product(ACTIVATIONS, WEIGHTS, SCALARS)
]
CASES = [
    pytest.param(n, a, w, s, marks=nightly_unless((n, s) == quick_case(a, w)))
    for n, a, w, s in itertools.product(NETWORKS, ACTIVATIONS, WEIGHTS, SCALARS)
]


def make(name, seed=0, **options):
    torch.manual_seed(seed)
    model = NETWORKS[name](**options)
    return trained(model, model.input_shape, seed)


# Layers: batch norm, quantizer, product, nonlinearity on a given input.


@pytest.mark.parametrize(("activations", "weights", "scalars"), LAYERS)
def test_layer(activations, weights, scalars):
    torch.manual_seed(0)
    options = {"activations": activations, "weights": weights, "scalars": scalars}
    model = nn.Sequential(
        nn.BatchNorm2d(20),
        BinaryConv2d(20, 12, 3, padding=1, **options),
        nn.PReLU(12),
    )
    shape = (2, 20, 6, 5)
    model = trained(model, shape, 0)
    check(model, draw(model, shape, 4, 0), f"{activations} by {weights}, {scalars}")


@pytest.mark.parametrize(("name", "activations", "weights", "scalars"), CASES)
def test_network(name, activations, weights, scalars):
    model = make(name, activations=activations, weights=weights, scalars=scalars)
    images = draw(model, model.input_shape, 50, 0)
    _, expected = check(model, images, f"{name}, {activations} by {weights}, {scalars}")
    assert len(expected.argmax(-1).unique()) >= 2, "images of one class tell no networks apart"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("activations", "scalars"),
    [("ls-1", "stored"), ("ls-2", "stored"), ("ls-T", "stored"), ("gf-3", "online")],
)
def test_resnet18_at_224(activations, scalars):
    """Of its 1.7 million quantized values some always lie within rounding of a threshold. One other
    code is some percent of the logits in the end, so the logits are asked for the largest only,
    where no other is near, and the layers for what they compute."""
    model = models.resnet18(activations=activations, scalars=scalars)
    trained(model, (1, 3, 64, 64), 0)
    images = draw(model, model.input_shape, 50, 0, margin=0, gap=0.1)
    network, _ = check(model, images, activations, tolerance=math.inf)
    result = bquant.verify(network, model, list(images[:3]))
    assert result, result
    binary = [a for a in layers(network) if a["arithmetic"].startswith("binary")]
    assert len(binary) == 32, "sixteen quantizations and sixteen products"


# Sizes.


def sections(library):
    """Bytes of each section of an ELF file, by name."""
    (table,) = struct.unpack_from("<Q", library, 40)
    size, count, names = struct.unpack_from("<3H", library, 58)
    headers = [struct.unpack_from("<2I4Q", library, table + i * size) for i in range(count)]
    start = headers[names][4]

    def name(offset):
        return library[start + offset : library.index(b"\0", start + offset)].decode()

    return {name(h[0]): h[5] for h in headers}


def grouped(**options):
    """Groups that share words, the three of 16 channels one and a half; depthwise; groups that are
    packed anew."""
    shapes = [(48, 8), (48, 3), (48, 48), (40, 2)]
    layers, channels = [nn.Conv2d(3, 64, 3)], 64
    for filters, groups in shapes:
        layers.append(nn.BatchNorm2d(channels))
        layers.append(BinaryConv2d(channels, filters, 3, padding=1, groups=groups, **options))
        channels = filters
    model = nn.Sequential(*layers)
    model.input_shape = (1, 3, 12, 12)
    return model


def weight_words(module):
    """Words of a plane for the kernel scalar: whole along a group's channels."""
    filters, channels = module.weight.shape[:2]
    return filters * module.weight[0, 0].numel() * -(-channels // 32)


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("resnet18", "ls-1"),
        ("lenet", "ls-2"),
        ("mlp", "ls-1"),
        ("mlp", "ls-2"),
        ("depthwise_separable", "ls-1"),
        ("grouped", "ls-1"),
        ("grouped", "ls-T"),
    ],
)
def test_binary_weights_take_one_bit_each(name, weights, tmp_path):
    """By the report: a bit for a weight and plane, in whole words, and scalars. By the library: no
    other copy of them, and nothing else that grows with the weights."""
    torch.manual_seed(0)
    options = {"weights": weights, "activations": "ls-1"}
    model = {
        "resnet18": lambda: models.resnet18(width=32, classes=7, image=32, **options),
        "lenet": lambda: models.lenet(width=32, hidden=256, **options),
        "mlp": lambda: models.mlp(inputs=40, hidden=(512, 512, 512), **options),
        "depthwise_separable": lambda: models.depthwise_separable(width=64, image=16, **options),
        "grouped": lambda: grouped(**options),
    }[name]()
    trained(model, model.input_shape, 0)
    # Others lay filters out in blocks of channels, a table's with a byte for four weights.
    network = bquant.compile(model, torch.zeros(model.input_shape), strategy="scalar")
    planes, sets = {"ls-1": (1, 1), "ls-2": (2, 2), "ls-T": (2, 1)}[weights]
    reported = {a["location"]: a["weight_bytes"] for a in layers(network) if a["weight_bytes"]}
    stored = others = 0
    for path, module in model.named_modules():
        if not isinstance(module, (nn.Conv2d, nn.Linear)):
            continue
        size = 4 * module.weight.numel()
        if getattr(module, "weights", "fp") != "fp":
            size = 4 * (planes * weight_words(module) + sets * module.weight.shape[0])
        else:  # Of floats, whole blocks of 32 filters.
            others += -module.weight.shape[0] % 32 * size // module.weight.shape[0]
        assert reported.pop(path) == size, path
        stored += size
        # Thresholds and their directions, after a flattening for each value.
        others += 8 * module.weight.shape[1] * getattr(module, "groups", 1)
        if getattr(module, "groups", 1) > 1:  # Which bits of a word are a filter's.
            others += 4 * module.weight.shape[0]
        if weights == "ls-T":  # Values that are not zero, of a filter in each border class.
            others += 9 * 4 * module.weight.shape[0]
    assert not reported
    others += 4 * sum(p.numel() for p in model.parameters() if p.dim() == 1)
    constants = json.loads(network.report("json"))["constant_bytes"]
    assert stored <= constants <= stored + others
    # Besides, gaps between them, what vector code wants, and the signature; a small constant may
    # have become part of the code.
    network.save(tmp_path / "net.so")
    assert abs(sections((tmp_path / "net.so").read_bytes())[".rodata"] - constants) <= 4096


# Constructors.


@pytest.mark.parametrize("name", NETWORKS)
def test_shapes(name):
    model = NETWORKS[name](activations="ls-1", weights="ls-1").train()
    x = torch.randn(4, *model.input_shape[1:])
    assert model(x).shape == (4, 10)


@pytest.mark.parametrize(
    ("activations", "clamp"),
    [("ls-1", 2), ("gf-1", 2), ("ls-2", 3), ("ls-T", 3), ("gf-3", 5), ("gf-4", 8), ("fp", None)],
)
def test_clamp(activations, clamp):
    assert models.paper_clamp(activations) == clamp
    quantizers = [
        m
        for m in models.mlp(activations=activations, inputs=4).modules()
        if isinstance(m, Quantizer)
    ]
    assert len(quantizers) == 2 and all(q.clamp == clamp for q in quantizers)


@pytest.mark.parametrize("block", ["xnor", "single-shortcut", "regular"])
def test_resnet18_is_the_papers(block):
    """Against the sizes of ResNet-18: 11.7 million parameters, 16 quantized convolutions, 3 float
    shortcuts and a float first layer of 7x7."""
    model = models.resnet18(block=block, nonlinearity="relu").eval()
    quantized = [m for m in model.modules() if isinstance(m, BinaryConv2d)]
    plain = [m for m in model.modules() if type(m) is nn.Conv2d]
    assert [m.out_channels for m in quantized] == [64] * 4 + [128] * 4 + [256] * 4 + [512] * 4
    assert [tuple(m.kernel_size) for m in plain] == [(7, 7)] + [(1, 1)] * 3
    assert all((m.bias is not None) == (block != "regular") for m in quantized)
    weights = sum(p.numel() for p in model.parameters() if p.dim() > 1)
    assert weights == 11_678_912  # of torchvision's resnet18: all but batch norms and biases


def test_resnet18_blocks_by_hand():
    """A block of each kind, written out in plain operations."""
    x = torch.randn(2, 8, 6, 6)
    f = nn.functional

    def conv(c, x):
        return f.conv2d(c.quantizer(x), c.quantized_weight(), c.bias, c.stride, 1)

    torch.manual_seed(0)
    for kind in ("xnor", "single-shortcut", "regular"):
        model = models.resnet18(width=8, block=kind)
        trained(model, (1, 3, 32, 32), 0)
        block = model.blocks[2]
        if isinstance(block, nn.Sequential):
            expected = x
            for unit in block:
                y = f.prelu(conv(unit.conv, unit.norm(expected)), unit.act.weight)
                expected = y + unit.shortcut(expected)
        elif kind == "single-shortcut":
            y = f.prelu(conv(block.conv1, block.norm1(x)), block.act1.weight)
            y = f.prelu(conv(block.conv2, block.norm2(y)), block.act2.weight)
            expected = y + block.shortcut(x)
        else:
            y = f.prelu(block.norm1(conv(block.conv1, x)), block.act1.weight)
            y = block.norm2(conv(block.conv2, y)) + block.shortcut(x)
            expected = f.prelu(y, block.act2.weight)
        assert block(x).shape == (2, 16, 3, 3)
        torch.testing.assert_close(block(x), expected)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: models.resnet18(block="plain"),
            "block to be one of 'xnor', 'single-shortcut', 'r",
        ),
        (lambda: models.resnet18(stem="none"), "expected stem to be one of 'imagenet', 'cifar'"),
        (lambda: models.resnet18(nonlinearity="tanh"), "nonlinearity to be one of 'relu', 'prelu'"),
        (lambda: models.resnet18(width=0), "expected width to be at least 1, but got 0"),
        (lambda: models.resnet18(weights="ls-9"), "expected weights to be one of .*'ls-9'"),
        (lambda: models.mlp(activations="one"), "expected activations to be one of .*'one'"),
        (lambda: models.mlp(hidden=()), "expected at least one hidden layer, but got none"),
        (lambda: models.mlp(hidden=(3, 0)), r"expected hidden\[1\] to be at least 1, but got 0"),
        (lambda: models.lenet(image=15), "at least 16 pixels a side, but got 15"),
        (lambda: models.lenet(scalars="now"), "expected scalars to be 'stored', 'online' or 'lea"),
        (lambda: models.depthwise_separable(image=2.5), "image to be at least 1, but got 2.5"),
        (lambda: models.calibrate(models.mlp(), []), "at least one batch to calibrate with"),
    ],
)
def test_errors(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_calibrate_gives_the_averages_of_the_batches():
    torch.manual_seed(0)
    model = models.mlp(inputs=6, hidden=(5, 4))
    parameters = [p.clone() for p in model.parameters()]
    batches = [torch.randn(7, 6) * i for i in (1, 2)]
    assert models.calibrate(model, batches) is model and not model.training
    norm = model[2]
    means = torch.stack([model[1](x).mean(0) for x in batches]).mean(0)
    torch.testing.assert_close(norm.running_mean, means)
    assert norm.momentum == 0.1
    assert all(m.scalars.isfinite().all() for m in model.modules() if isinstance(m, Quantizer))
    assert all(torch.equal(a, b) for a, b in zip(parameters, model.parameters(), strict=True))


def test_without_a_batch_nothing_changes():
    model = models.calibrate(models.mlp(inputs=6, hidden=(5, 4)), [torch.randn(7, 6)])
    before = {key: value.clone() for key, value in model.state_dict().items()}
    with pytest.raises(ValueError, match="at least one batch to calibrate with"):
        models.calibrate(model, iter(()))
    assert all(torch.equal(before[key], value) for key, value in model.state_dict().items())
    with pytest.raises(RuntimeError):
        models.calibrate(model, [torch.randn(7, 5)])
    assert model[2].momentum == 0.1
