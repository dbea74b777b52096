"""bquant.train: the paper's recipe, its augmentations, loader processes, devices, precision."""

import bquant.datasets
import bquant.models
import numpy as np
import pytest
import torch
from bquant import nn as bnn
from bquant import train
from bquant.train import Recipe, loop
from bquant.train.batches import SplitBatches, TrainingBatches
from bquant.train.images import augmented, coloured, crop_box, draw
from PIL import Image
from torch import nn


@pytest.fixture(scope="module")
def data():
    return bquant.datasets.load("digits")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An ImageNet folder: two classes of another brightness, of several sizes."""
    folder, random = tmp_path_factory.mktemp("photographs"), np.random.default_rng(0)
    for part, count in (("train", 16), ("val", 6)):
        for name, mean in (("dark", 60), ("light", 190)):
            (folder / part / name).mkdir(parents=True)
            for i in range(count):
                size = (20 + i % 3, 24 - i % 5, 3)
                values = np.clip(random.normal(mean, 50, size), 0, 255).astype(np.uint8)
                Image.fromarray(values).save(folder / part / name / f"{i:02}.png")
    return folder


@pytest.fixture(scope="module")
def photographs(folder):
    return bquant.datasets.load(f"imagenet:{folder}", size=16)


def network(data, weights="ls-1", activations="ls-2", seed=0):
    torch.manual_seed(seed)
    channels, image, _ = data.shape
    classes = len(data.classes)
    return bquant.models.vgg(weights, activations, 8, classes, image, channels=channels)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_the_papers_recipe():
    recipe = Recipe.paper()
    assert (recipe.epochs, recipe.batch, recipe.weight_decay, recipe.temperature) == (
        240,
        256,
        0,
        1,
    )
    assert recipe.rate_at(0) == 2e-4 and recipe.rate_at(240) == pytest.approx(2e-7)
    assert recipe.rate_at(60) - recipe.rate_at(120) == pytest.approx(
        recipe.rate_at(120) - recipe.rate_at(180)
    )
    assert Recipe.paper(epochs=120, seed=3).rate_at(120) == pytest.approx(2e-7)
    teacher = Recipe.paper_teacher()
    rates = [teacher.rate_at(epoch) for epoch in (0, 29.9, 30, 60, 99)]
    assert rates == pytest.approx([0.1, 0.1, 0.01, 0.001, 1e-4])
    # The network: PReLU before batch norm, a shortcut round each convolution.
    unit = bquant.models.resnet18(width=2, image=32).blocks[0][0]
    assert isinstance(unit.act, nn.PReLU) and isinstance(unit.norm, nn.BatchNorm2d)
    assert bnn.paper_clamp("ls-1") == 2 and bnn.paper_clamp("ls-4") == 8


def test_the_teachers_optimizer(data):
    model = network(data, "fp", "fp")
    optimizer = loop._optimizer(model, Recipe.paper_teacher())
    decayed, others = optimizer.param_groups
    assert isinstance(optimizer, torch.optim.SGD) and decayed["nesterov"]
    assert (decayed["lr"], decayed["momentum"]) == (0.1, 0.9)
    assert (decayed["weight_decay"], others["weight_decay"]) == (1e-4, 0)
    assert isinstance(loop._optimizer(model, Recipe.paper()), torch.optim.Adam)


def test_a_training_by_the_papers_recipe(photographs):
    recipe = Recipe.paper(epochs=2)
    recipe = Recipe(**{**vars(recipe), "batch": 8})
    rows = []
    teacher = network(photographs, "fp", "fp")
    model = train.train(network(photographs), photographs, recipe, teacher, epoch_done=rows.append)
    assert [row["epoch"] for row in rows] == [1, 2] and all(row["top5"] == 1 for row in rows)
    # Each row is of the network as it was.
    assert train.accuracy(model, photographs, photographs.test) == rows[-1]["accuracy"]


def test_parts_of_an_image():
    random, areas = generator(), []
    for _ in range(2000):
        top, left, height, width = crop_box(60, 80, random)
        assert 0 <= top <= 60 - height and 0 <= left <= 80 - width
        assert 3 / 4 - 0.05 < width / height < 4 / 3 + 0.05
        areas.append(height * width / (60 * 80))
    assert 0.075 < min(areas) < 0.1 and max(areas) > 0.9
    # Uniform, but that the widest and largest parts do not fit.
    assert 0.4 < np.mean(areas) < 0.54
    # Where none fits, the centre.
    assert crop_box(10, 1000, random) == (0, 493, 10, 13)
    assert crop_box(1000, 9, random) == (494, 0, 12, 9)


def test_parts_are_resized(photographs):
    """A part that is as large as the images is a part; a smooth image stays smooth."""
    images = photographs.train.images
    ramp = torch.arange(48, dtype=torch.uint8)[None, None, :].expand(3, 40, 48)
    source = type("Ramp", (), {"shape": (1, 3, 16, 16), "__getitem__": lambda _, i: ramp})()
    recipe = Recipe(crop=True, flip=False, shift=0)
    part = augmented(source, torch.tensor([0] * 50), draw(50, recipe, generator()), recipe)
    assert part.shape == (50, 3, 16, 16)
    slopes = part[:, 0, 0, 2:-2].float().diff(dim=1).mean(1)
    assert (slopes > 0).all() and 0.5 < slopes.min() < slopes.max() <= 3.1
    assert augmented(images, torch.arange(5), draw(5, recipe, generator()), recipe).shape == (
        5, 3, 16, 16,
    )  # fmt: skip


def test_colours():
    """Against the definition, in double precision."""
    image = torch.randint(0, 256, (3, 6, 5), generator=generator()).float()
    for seed in range(20):
        random = generator(seed)
        factors = 1 + 0.4 * (2 * torch.rand(3, generator=random).double().numpy() - 1)
        assert (abs(factors - 1) <= 0.4).all()
        order = torch.randperm(3, generator=random).tolist()
        expected = image.double().numpy()
        for which in order:
            grey = np.tensordot([0.299, 0.587, 0.114], expected, 1)
            base = [0, grey.mean(), grey][which]
            expected = np.clip(base + factors[which] * (expected - base), 0, 255)
        found = coloured(image, 0.4, generator(seed))
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-3)


def test_lighting():
    """The covariance of the noise is a hundredth of that of ImageNet's colours."""
    images = torch.full((4000, 3, 1, 1), 128, dtype=torch.uint8)
    recipe = Recipe(lighting=0.1, flip=False, shift=0)
    found = augmented(images, torch.arange(4000), draw(4000, recipe, generator()), recipe)
    assert (found.amin((2, 3)) == found.amax((2, 3))).all()
    covariance = np.cov(found[:, :, 0, 0].numpy().T / 255)
    directions = np.array(
        [[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]
    )
    expected = 0.01 * directions @ np.diag(np.square([0.2175, 0.0188, 0.0045])) @ directions.T
    np.testing.assert_allclose(covariance, expected, rtol=0.1)


RECIPE = Recipe(batch=8, crop=True, jitter=0.4, lighting=0.1, shift=2)


def test_a_part_of_a_batch_is_that_of_the_whole(photographs):
    whole = TrainingBatches(photographs.train, RECIPE, 3)
    parts = [
        TrainingBatches(photographs.train, RECIPE, 3, rows) for rows in (slice(0, 3), slice(3, 8))
    ]
    other = TrainingBatches(photographs.train, RECIPE, 4)
    assert len(whole) == 4
    for step in range(len(whole)):
        images, labels = whole[step]
        (first, one), (second, two) = (part[step] for part in parts)
        assert torch.equal(images, torch.cat([first, second]))
        assert torch.equal(labels, torch.cat([one, two]))
        assert not torch.equal(images, other[step][0])


def test_loader_processes_give_the_same(photographs):
    torch.manual_seed(5)
    before = torch.get_rng_state()
    for make in (
        lambda: TrainingBatches(photographs.train, RECIPE, 0),
        lambda: SplitBatches(photographs.test, 5),
    ):
        own, others = list(make().load()), list(make().load(2))
        assert len(own) == len(others) > 1
        for one, other in zip(own, others, strict=True):
            assert all(torch.equal(a, b) for a, b in zip(one, other, strict=True))
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("loaders", [0, 1])
def test_a_damaged_image_is_named(folder, photographs, loaders, tmp_path):
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"no image")
    images = photographs.train.images
    split = bquant.datasets.Split(
        bquant.datasets.ImageFiles([images.paths[0], bad], 16), torch.tensor([0, 1])
    )
    with pytest.raises(ValueError, match=f"^{bad}: expected an image, but [^\n]*$"):
        list(SplitBatches(split, 1).load(loaders))


def test_products_in_bfloat16(data):
    """Autocast: convolutions compute in bfloat16, what is trained stays float32."""
    types, rows = set(), {}
    for precision in ("float32", "bf16"):
        model = network(data)
        hook = model[3].register_forward_hook(
            lambda module, _, y: types.add((module.training, y.dtype))
        )
        row = rows.setdefault(precision, [])
        recipe = Recipe(epochs=1, batch=64, shift=1, flip=False)
        train.train(model, data, recipe, epoch_done=row.append, precision=precision)
        hook.remove()
        if precision == "float32":
            assert {dtype for _, dtype in types} == {torch.float32}
    assert (True, torch.bfloat16) in types
    assert (False, torch.bfloat16) not in types  # what is said of an epoch
    assert all(p.dtype == torch.float32 for p in model.parameters())
    losses = [row[-1]["loss"] for row in rows.values()]
    assert losses[0] != losses[1] and losses[1] == pytest.approx(losses[0], rel=0.1)


def test_a_step_is_of_one_device(data):
    """On the meta device, where a tensor of another device is an error: the network, the teacher,
    the images, the loss and its gradients."""
    model = network(data, "fp", "fp")
    training = loop._Training(
        model, data, Recipe(batch=4), network(data, "fp", "fp"), None, None, "meta", "float32", 0
    )
    assert {p.device.type for p in model.parameters()} == {"meta"}
    assert {p.device.type for p in training.teacher.network.parameters()} == {"meta"}
    batches = training._loaded(TrainingBatches(data.train, training.recipe, 0))
    images, labels = next(iter(batches))
    model.train()
    loss = training._loss(0, data.prepare(images), labels)
    assert loss.device.type == "meta" and loss.shape == ()
    loss.backward()
    training.optimizer.step()
    assert all(p.grad.device.type == "meta" for p in model.parameters())


@pytest.mark.parametrize("scheme", ["ls-1", "ls-2", "ls-T", "gf-2"])
def test_quantized_steps_are_of_one_device(scheme):
    """The loss and its gradients of quantized layers, whose scalars are solved where they are."""
    layer = bnn.BinaryLinear(8, 4, weights="ls-1", activations=scheme).to("meta").train()
    y = layer(torch.randn(16, 8, device="meta"))
    y.sum().backward()
    assert y.device.type == "meta" and layer.weight.grad.device.type == "meta"
    assert layer.quantizer.scalars.device.type == "meta"


def test_among_the_five_first(data):
    split = data.test.first(100)
    logits = torch.randn(100, 10, generator=generator())

    def said(x):
        return logits[: len(x)]

    order = logits.argsort(1, descending=True)
    for top in (1, 3, 5, 10):
        expected = sum(label in order[i, :top] for i, label in enumerate(split.labels.tolist()))
        assert train.accuracy(said, data, split, top) == expected / 100
    assert train.accuracy(said, data, split, 10) == 1
    with pytest.raises(ValueError, match="expected a top of 1 to 10 classes, but got 11"):
        train.accuracy(said, data, split, 11)


def test_bad_options(data, folder):
    def error(recipe=None, **options):
        with pytest.raises(ValueError) as caught:
            train.train(network(data), data, recipe or Recipe(), **options)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "expected a device of this machine, but got 'nowhere': " in error(device="nowhere")
    if not torch.cuda.is_available():
        assert "expected a device of this machine, but got 'cuda': " in error(device="cuda")
    assert "expected a precision of float32, bf16, but got 'fp8'" in error(precision="fp8")
    assert "expected at least 0 loader processes, but got -1" in error(loaders=-1)
    grey = "expected images of 3 channels for lighting, but got 1"
    assert grey in error(Recipe(lighting=0.1))
    with pytest.raises(ValueError, match="expected an optimizer of adam, sgd, but got 'lamb'"):
        Recipe(optimizer="lamb")
    with pytest.raises(ValueError, match="expected a last_rate of 0 to 0.002, but got 0.1"):
        Recipe(last_rate=0.1)
    with pytest.raises(ValueError, match="expected a jitter of 0 to 1, but got 1.5"):
        Recipe(jitter=1.5)
    with pytest.raises(ValueError, match="expected step_size of at least 0, but got -1"):
        Recipe(step_size=-1)
