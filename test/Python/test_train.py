"""bquant.train: it learns, goes on to the same bits, and says where it diverged."""

import dataclasses
import math
import sys

import bquant.datasets
import bquant.models
import numpy as np
import pytest
import torch
from bquant import train
from bquant.datasets import Dataset, Split
from bquant.train import Recipe, loop
from bquant.train.files import save_whole
from bquant.train.fingerprints import fingerprint
from bquant.train.images import draw, moved
from functions import Function
from PIL import Image
from torch import nn


@pytest.fixture(scope="module")
def data():
    return bquant.datasets.load("digits")


def network(data, weights="ls-1", activations="ls-2", seed=0):
    torch.manual_seed(seed)
    return bquant.models.vgg(weights, activations, width=8, image=data.shape[1])


def recipe(**options):
    return Recipe(**{"epochs": 3, "batch": 64, "shift": 1, "flip": False, **options})


def test_a_student_learns_from_its_teacher(data):
    rows = []
    teacher = train.train(
        network(data, "fp", "fp"), data, recipe(weight_decay=0.01), epoch_done=rows.append
    )
    assert [row["epoch"] for row in rows] == [1, 2, 3]
    assert rows[-1]["accuracy"] > 0.8 and rows[-1]["loss"] < rows[0]["loss"]
    assert train.accuracy(teacher, data, data.test) == rows[-1]["accuracy"]
    student = network(data)
    train.warm_start(student, teacher)
    assert torch.equal(student[0].weight, teacher[0].weight)
    train.train(student, data, recipe(), teacher)
    assert not student.training and train.accuracy(student, data, data.test) > 0.6
    with pytest.raises(ValueError, match="expected networks of one architecture"):
        train.warm_start(nn.Linear(2, 2), teacher)


def test_a_warm_start_leaves_learned_thresholds():
    teacher = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4))
    student = nn.Sequential(bquant.nn.SignConv2d(3, 4, 1, shift=True), nn.BatchNorm2d(4))
    nn.init.ones_(student[0].quantizer.threshold)
    train.warm_start(student, teacher)
    assert torch.equal(student[0].weight, teacher[0].weight)
    assert student[0].quantizer.threshold.tolist() == [1, 1, 1]
    student[1] = bquant.nn.RPReLU(4)
    with pytest.raises(
        ValueError, match=r"but they differ in \['1.shift_before', '1.shift_after', '"
    ):
        train.warm_start(student, teacher)


def test_students_share_what_a_teacher_says(data, tmp_path):
    class Counted(nn.Module):
        def __init__(self):
            super().__init__()
            self.network, self.calls = network(data, "fp", "fp"), []

        def __deepcopy__(self, memo):
            return self

        def forward(self, x):
            self.calls.append(len(x))
            return self.network(x)

    teacher, steps = Counted(), 3 * (len(data.train) // 64)
    alone = train.train(network(data), data, recipe(), teacher).state_dict()
    assert len(teacher.calls) == steps
    for asked in (steps, 0):
        teacher.calls.clear()
        student = train.train(network(data), data, recipe(), teacher, logits=tmp_path)
        assert len(teacher.calls) == asked and len(list(tmp_path.iterdir())) == 3
        for key, value in student.state_dict().items():
            assert torch.equal(value, alone[key]), key
    # Other images, another teacher.
    train.train(network(data), data, recipe(seed=1), teacher, logits=tmp_path)
    assert len(teacher.calls) == steps
    with torch.no_grad():
        next(teacher.parameters()).add_(1)
    train.train(network(data), data, recipe(), teacher, logits=tmp_path)
    assert len(teacher.calls) == 2 * steps
    kept = sorted(tmp_path.iterdir())
    for path in kept:
        path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ValueError, match=f"{tmp_path}.*: expected logits, but"):
        train.train(network(data), data, recipe(), teacher, logits=tmp_path)


def test_a_training_goes_on_to_the_same_bits(data, tmp_path):
    class Stop(Exception):
        pass

    def stop(row):
        if row["epoch"] == 2:
            raise Stop

    whole = train.train(network(data), data, recipe()).state_dict()
    path, steps = tmp_path / "deep" / "run.pt", []
    with pytest.raises(Stop):
        train.train(network(data), data, recipe(), checkpoint=path, epoch_done=stop)
    assert [p.name for p in path.parent.iterdir()] == ["run.pt"]
    # Whatever it began with, the checkpoint says.
    resumed = train.train(
        network(data, seed=5), data, recipe(), checkpoint=path, step_done=lambda: steps.append(1)
    )
    assert len(steps) == len(data.train) // 64
    for key, value in resumed.state_dict().items():
        assert torch.equal(value, whole[key]), key

    with pytest.raises(ValueError, match=f"{path}: expected a checkpoint of .* differs in rate;"):
        train.train(network(data), data, recipe(rate=1e-3), checkpoint=path)
    with pytest.raises(ValueError, match=f"{path}: expected this network's state, but"):
        train.train(nn.Linear(3, 3), data, recipe(), checkpoint=path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ValueError, match=f"{path}: expected a checkpoint, but"):
        train.train(network(data), data, recipe(), checkpoint=path)


@pytest.mark.parametrize("kind", ["a quantizer", "a loss", "a weight"])
def test_divergence_is_named(data, kind):
    class Breaks(nn.Module):
        def forward(self, x):
            self.calls = getattr(self, "calls", 0) + 1
            return x * float("nan") if self.calls > 2 else x

    model, layer = network(data), "9" if kind == "a quantizer" else "12"
    if kind == "a quantizer":
        model[9] = nn.Sequential(Breaks(), model[9])
        layer = r"9.0"
    elif kind == "a loss":
        model.append(Breaks())
        layer = str(len(model) - 1)
    else:
        model[0].weight.data[0, 0, 0, 0] = float("inf")
        layer = "0"
    step = 0 if kind == "a weight" else 2
    message = rf"^training diverged in epoch 1, step {step}: '{layer}.*' has NaN or Inf$"
    with pytest.raises(train.Diverged, match=message):
        train.train(model, data, recipe())


class Gradient(nn.Module):
    """The identity, whose gradient is NaN from some call of a training on."""

    def __init__(self, call):
        super().__init__()
        self.calls, self.call = 0, call

    def forward(self, x):
        self.calls += self.training
        return x + (x * 0).sqrt() if self.training and self.calls >= self.call else x


@pytest.mark.parametrize("scheme", ["fp", "ls-1"])
def test_the_last_step_of_an_epoch_may_diverge(data, scheme, tmp_path):
    steps = len(data.train) // 64
    model = network(data, scheme, scheme).append(Gradient(steps))
    message = rf"^training diverged in epoch 1, step {steps - 1}: '0.weight' has NaN or Inf$"
    with pytest.raises(train.Diverged, match=message):
        train.train(model, data, recipe(), checkpoint=tmp_path / "run.pt")
    assert not list(tmp_path.iterdir())


def test_other_errors_are_no_divergence(data):
    def refuse(x):
        raise ValueError("expected others")

    with pytest.raises(ValueError, match="^expected others$"):
        train.train(network(data).append(Function(refuse)), data, recipe())


def test_where_no_checkpoint_can_be_is_said_first(data, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=f"^{tmp_path}/file: expected a folder to write to, but"):
        train.train(network(data), data, recipe(), checkpoint=tmp_path / "file" / "run.pt")


def test_logits_of_other_classes(data):
    def narrow(classes):
        return bquant.models.vgg("fp", "fp", width=4, image=8, classes=classes)

    with pytest.raises(ValueError, match=r"expected logits \(64, 10\) of the network, but got .*3"):
        train.train(narrow(3), data, recipe())
    with pytest.raises(ValueError, match=r"expected logits \(64, 10\) of the teacher, but got .*7"):
        train.train(narrow(10), data, recipe(), narrow(7))


@pytest.mark.filterwarnings("error")
def test_weights_that_layers_share(data):
    """Each parameter is of one group; those that are quantized anywhere do not decay."""
    float_layer, quantized = nn.Linear(64, 64), bquant.nn.BinaryLinear(64, 64)
    quantized.weight = float_layer.weight
    tied = nn.Linear(64, 64)
    last = nn.Linear(64, 10)
    tied.weight = quantized.weight
    model = nn.Sequential(nn.Flatten(), float_layer, quantized, tied, last)
    decayed, others = loop._groups(model, recipe(weight_decay=0.1))
    assert decayed["params"] == [last.weight] and decayed["weight_decay"] == 0.1
    assert len(others["params"]) == 1 + 4 and others["weight_decay"] == 0
    train.train(model, data, recipe(epochs=1, weight_decay=0.1))


def test_a_bar(data, capfd, tmp_path, monkeypatch):
    path = tmp_path / "run.pt"
    train.train(network(data), data, recipe(epochs=1), checkpoint=path)
    assert capfd.readouterr().err == ""  # no terminal
    state = train.read_checkpoint(path)
    state["recipe"]["epochs"] = 2
    torch.save(state, path)
    train.train(network(data), data, recipe(epochs=2), checkpoint=path, verbose=True)
    steps = len(data.train) // 64
    last = capfd.readouterr().err.splitlines()[-1].split("\r")[-1]
    assert f"{2 * steps}/{2 * steps}" in last and "accuracy=" in last and "loss=" in last
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(ImportError, match="expected tqdm for a bar, but .*: pip install tqdm"):
        train.train(network(data), data, recipe(), verbose=True)
    monkeypatch.setattr("bquant.train.bar._has_terminal", lambda: True)
    train.train(network(data), data, recipe(epochs=1))


def test_images_are_moved():
    images = torch.arange(1, 2 * 3 * 4 * 4 + 1, dtype=torch.int32).reshape(2, 3, 4, 4)
    generator = torch.Generator().manual_seed(3)
    seen = set()
    for _ in range(40):
        result = moved(images, 1, draw(2, recipe(shift=1, flip=True), generator))
        for image, original in zip(result, images, strict=True):
            found = [
                (dy, dx, flip)
                for dy in range(3)
                for dx in range(3)
                for flip in (False, True)
                if torch.equal(
                    image,
                    (nn.functional.pad(original, (1, 1, 1, 1))[:, dy : dy + 4])[
                        :, :, torch.arange(4).flip(0) + dx if flip else torch.arange(4) + dx
                    ],
                )
            ]
            assert len(found) == 1
            seen.add(found[0])
    assert len(seen) == 18
    assert torch.equal(moved(images, 0, draw(2, recipe(shift=0), generator)), images)


def test_the_rate_rises_and_falls():
    schedule = Recipe(epochs=10, rate=1.0, warmup=1.0, power=2.0)
    rates = [schedule.rate_at(epoch / 4) for epoch in range(41)]
    assert rates[0] < 0.02 and rates[4] == 1 and rates[-1] == 0
    assert all(a < b for a, b in zip(rates[:4], rates[1:5], strict=True))
    assert rates[22] == pytest.approx((4.5 / 9) ** 2)


def test_bad_recipes(data):
    with pytest.raises(ValueError, match="expected epochs of at least 1, but got 0"):
        Recipe(epochs=0)
    with pytest.raises(ValueError, match="expected epochs of at least 1, but got 2.5"):
        Recipe(epochs=2.5)
    with pytest.raises(ValueError, match="expected shift of at least 0, but got -1"):
        Recipe(shift=-1)
    for name in ("rate", "power", "warmup", "weight_decay", "temperature", "jitter"):
        for value in (math.nan, math.inf, "1", None):
            with pytest.raises(ValueError, match=f"expected a finite {name}, but got {value!r}"):
                Recipe(**{name: value})
    for name in ("rate", "temperature"):
        with pytest.raises(ValueError, match=f"expected a {name} above 0, but got 0.0"):
            Recipe(**{name: 0})
    for name in ("power", "warmup", "weight_decay"):
        with pytest.raises(ValueError, match=f"expected a {name} of at least 0, but got -1.0"):
            Recipe(**{name: -1})
    with pytest.raises(ValueError, match="expected flip to be True or False, but got 'no'"):
        Recipe(flip="no")
    with pytest.raises(ValueError, match=f"expected seed of at most {2**47 - 1}, but got {2**50}"):
        Recipe(seed=2**50)
    with pytest.raises(ValueError, match="expected at least a batch of 4096 images, but got 1347"):
        train.train(network(data), data, recipe(batch=4096))


# Bop.


def test_bop_flips_by_hand():
    """Helwegen and others: m = (1 - gamma) m + gamma g; a weight flips where |m| > tau and m has
    its sign."""
    tiny = torch.finfo(torch.float32).tiny
    cases = [  # a weight, two gradients, the average and the weight after each
        (0.5, (0.8, 0.2, -0.5), (0.0, 0.15, -0.5)),
        (-0.5, (0.8, 0.2, -0.5), (-3.2, -0.65, 0.5)),
        (0.5, (-0.8, -0.2, 0.5), (0.0, -0.15, 0.5)),
        (-0.5, (-0.8, -0.2, 0.5), (-4.0, -1.15, 0.5)),
        (0.25, (0.4, 0.1, 0.25), (0.4, 0.175, -0.25)),  # at the threshold, then above it
        (-2.0, (-0.36, -0.09, -2.0), (-0.8, -0.2675, 2.0)),
        (0.0, (0.8, 0.2, -tiny), (-4.0, -0.85, tiny)),  # the sign of both zeros is +1
        (-0.0, (0.8, 0.2, -tiny), (0.0, 0.15, -tiny)),
        (0.0, (-0.8, -0.2, 0.0), (-0.8, -0.35, 0.0)),
    ]
    weight = nn.Parameter(torch.tensor([case[0] for case in cases]))
    optimizer = train.Bop([weight], threshold=0.1, adaptivity=0.25)
    for step in (1, 2):
        gradients, averages, expected = zip(*(case[step] for case in cases), strict=True)
        weight.grad = torch.tensor(gradients)
        optimizer.step()
        torch.testing.assert_close(optimizer.state[weight]["average"], torch.tensor(averages))
        assert weight.tolist() == list(expected)


def test_bop_takes_groups_and_closures():
    weights = [nn.Parameter(torch.ones(2)) for _ in range(3)]
    groups = [{"params": weights[:1]}, {"params": weights[1:], "threshold": 2.0}]
    optimizer = train.Bop(groups, threshold=0.5, adaptivity=1.0)

    def closure():
        loss = weights[0].sum() + weights[1].sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 4
    assert [w.tolist() for w in weights] == [[-1, -1], [1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": -1e-8}, "expected a threshold of at least 0, but got -1e-08"),
        ({"threshold": float("nan")}, "expected a threshold of at least 0, but got nan"),
        ({"adaptivity": 0}, "expected an adaptivity above 0 and at most 1, but got 0"),
        ({"adaptivity": 1.5}, "expected an adaptivity above 0 and at most 1, but got 1.5"),
    ],
)
def test_bad_bop(options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        train.Bop([nn.Parameter(torch.ones(1))], **options)


def signs(data, seed=0):
    """Biases and norms are float, the weights of one layer are of two planes."""
    torch.manual_seed(seed)
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        bquant.nn.SignConv2d(16, 32, 3, 2, 1, scale=None),
        nn.BatchNorm2d(32),
        bquant.nn.BinaryConv2d(32, 32, 3, 2, 1, weights="ls-1", activations="ls-1"),
        nn.BatchNorm2d(32),
        bquant.nn.BinaryConv2d(32, 32, 1, weights="ls-2"),
        nn.Flatten(),
        nn.Linear(128, 10),
    )


def bop(weights):
    return train.Bop(weights, threshold=1e-6, adaptivity=1e-2)


def test_signs_are_trained_by_an_optimizer_of_their_own(data):
    model, rows, given = signs(data), [], []
    before = {name: p.detach().clone() for name, p in model.named_parameters()}

    def make(weights):
        given.extend(weights)
        return bop(weights)

    train.train(model, data, recipe(rate=5e-3), sign_optimizer=make, epoch_done=rows.append)
    assert rows[-1]["loss"] < 0.7 * rows[0]["loss"] and rows[-1]["accuracy"] > 0.5
    # Signs flip, magnitudes stay; AdamW has all others, biases of these layers, too.
    assert [id(w) for w in given] == [id(model[2].weight), id(model[4].weight)]
    for name, parameter in model.named_parameters():
        if name in ("2.weight", "4.weight"):
            assert torch.equal(parameter.abs(), before[name].abs())
            assert 0.01 < (parameter != before[name]).double().mean() < 0.9
        else:
            assert (parameter.abs() != before[name].abs()).any(), name


def test_two_optimizers_go_on_to_the_same_bits(data, tmp_path):
    class Stop(Exception):
        pass

    def stop(row):
        raise Stop

    def run(model, **options):
        return train.train(model, data, recipe(epochs=2), sign_optimizer=bop, **options)

    whole = run(signs(data)).state_dict()
    path = tmp_path / "run.pt"
    with pytest.raises(Stop):
        run(signs(data), checkpoint=path, epoch_done=stop)
    resumed = run(signs(data, seed=5), checkpoint=path).state_dict()
    assert all(torch.equal(value, whole[key]) for key, value in resumed.items())
    with pytest.raises(ValueError, match=f"{path}: expected .* differs in sign optimizer;"):
        train.train(signs(data), data, recipe(epochs=2), checkpoint=path)


def test_a_sign_optimizer_wants_signs(data):
    message = "expected quantized layers with weights of one plane for a sign optimizer, but the ne"
    for weights in ("fp", "ls-2", "ls-T"):
        with pytest.raises(ValueError, match=message):
            train.train(network(data, weights), data, recipe(), sign_optimizer=bop)


# What a training is of.


@pytest.fixture(scope="module")
def small(data):
    return part(data, 0)


def part(data, start):
    rows = slice(start, start + 96)
    train = Split(data.train.images[rows], data.train.labels[rows])
    return Dataset("part", train, data.test.first(40), data.classes, 8.0, 6.0)


def linear(seed=0):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 10))


def brief(**options):
    return recipe(**{"epochs": 1, "batch": 32, **options})


def refused(*arguments, **options):
    with pytest.raises(ValueError) as caught:
        train.train(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_a_teacher_says_is_of_its_images(data, small, tmp_path):
    teacher, first, others = linear(1), small, part(data, 96)
    brighter = dataclasses.replace(first, mean=7.0)
    for seen, files in ((first, 1), (others, 2), (brighter, 3), (first, 3)):
        alone = train.train(linear(), seen, brief(), teacher)
        student = train.train(linear(), seen, brief(), teacher, logits=tmp_path)
        assert torch.equal(student[1].weight, alone[1].weight)
        assert len(list(tmp_path.iterdir())) == files
    for path in tmp_path.iterdir():
        save_whole(path, torch.load(path)[:2])
    message = refused(linear(), first, brief(), teacher, logits=tmp_path)
    assert message.endswith(".pt: expected logits of 3 steps, but got others")


def test_fingerprints(data, tmp_path):
    split = data.train.first(20)
    images, labels = split.images.clone(), split.labels.clone()
    images[7, 0, 3, 3] += 1
    labels[7] += 1
    others = [
        Split(images, split.labels), Split(split.images, labels), split.first(19),
        Split(split.images.reshape(20, 1, 4, 16), split.labels),
    ]  # fmt: skip
    found = [fingerprint(each) for each in (split, *others)]
    assert fingerprint(data.train.first(20)) == found[0] and len(set(found)) == 5

    def photographs(name, value=0, shade=3):
        for place in ("train/a", "train/b", "val/a", "val/b"):
            (tmp_path / name / place).mkdir(parents=True)
            pixels = np.full((8, 8, 3), shade, np.uint8)
            pixels[0, 0, 0] = value
            Image.fromarray(pixels).save(tmp_path / name / place / "1.bmp")
        return bquant.datasets.load(f"imagenet:{tmp_path / name}", size=8).train

    first, copy, another = (photographs(*each) for each in (("x",), ("y",), ("z", 1)))
    assert fingerprint(first) == fingerprint(copy) != fingerprint(another)
    first.images.paths = first.images.paths[::-1]
    assert fingerprint(first) != fingerprint(copy)


def test_a_training_goes_on_as_it_was(data, small, tmp_path):
    """A checkpoint is of its images, teacher, precision and sign optimizer."""
    path, teacher = tmp_path / "run.pt", linear(1)

    def differs(seen=small, teacher=teacher, **options):
        message = refused(linear(), seen, brief(), teacher, checkpoint=path, **options)
        start, end = f"{path}: expected a checkpoint of this training, but it differs in ", "; rem"
        assert message.startswith(start)
        return message[len(start) : message.index(end)]

    train.train(linear(), small, brief(), teacher, checkpoint=path)
    assert differs(part(data, 96)) == "images"
    assert differs(teacher=None, precision="bf16") == "teacher, precision"
    assert differs(teacher=linear(2)) == "teacher"
    state = train.read_checkpoint(path)
    state["conditions"]["teacher"] = True  # of an earlier version
    torch.save(state, path)
    train.train(linear(), small, brief(), linear(2), checkpoint=path)
    # One of an earlier version does not say what it is of.
    state = train.read_checkpoint(path)
    del state["conditions"]
    state["random"] = state["random"][0]
    torch.save(state, path)
    train.train(linear(), part(data, 96), brief(), checkpoint=path)


def only_signs(seed=0):
    """No parameter but weights of signs."""
    torch.manual_seed(seed)
    layer = bquant.nn.BinaryLinear(64, 10, bias=False, activations="fp")
    return nn.Sequential(nn.Flatten(), layer)


def test_sign_optimizers_are_compared(small, tmp_path):
    path = tmp_path / "run.pt"
    optimizers = [
        bop,
        lambda weights: train.Bop(weights, threshold=1e-3, adaptivity=1e-2),
        lambda weights: torch.optim.SGD(weights, lr=0.1),
        None,
    ]
    model = only_signs()
    before = model[1].weight.detach().clone()
    train.train(model, small, brief(), checkpoint=path, sign_optimizer=bop)
    assert torch.equal(model[1].weight.abs(), before.abs())
    assert not torch.equal(model[1].weight, before)
    train.train(only_signs(), small, brief(), checkpoint=path, sign_optimizer=bop)
    for optimizer in optimizers[1:]:
        model = only_signs()
        message = refused(model, small, brief(), checkpoint=path, sign_optimizer=optimizer)
        assert message.endswith("but it differs in sign optimizer; remove it to begin again")
        assert torch.equal(model[1].weight, before)
    state = train.read_checkpoint(path)
    del state["conditions"], state["sign_optimizer"]
    torch.save(state, path)
    message = refused(only_signs(), small, brief(), checkpoint=path, sign_optimizer=bop)
    assert "differs in sign optimizer" in message


def test_recipes_take_the_numbers_of_numpy(small, tmp_path):
    path, rate = tmp_path / "run.pt", np.logspace(-3, -2, 2)[0]
    options = {"rate": rate, "epochs": np.int32(1), "seed": np.int64(3), "flip": np.bool_(True)}
    own = brief(**options)
    assert own == brief(rate=1e-3, seed=3, flip=True)
    assert {type(value) for value in vars(own).values()} == {int, float, bool, str}
    for _ in range(2):
        train.train(linear(), small, own, checkpoint=path)
    train.train(linear(), small, brief(seed=2**47 - 1))


def test_where_no_logits_can_be_is_said_first(small, tmp_path):
    (tmp_path / "file").touch()
    steps = []
    with pytest.raises(OSError, match=f"^{tmp_path}/file: expected a folder to write to, but"):
        train.train(
            linear(), small, brief(), linear(1), logits=tmp_path / "file",
            step_done=lambda: steps.append(1),
        )  # fmt: skip
    assert not steps
    with pytest.raises(OSError, match=f"^{tmp_path}/file/a: expected to write a file, but"):
        save_whole(tmp_path / "file" / "a", 0)


def test_a_linked_checkpoint_stays_a_link(small, tmp_path):
    path, kept = tmp_path / "run.pt", tmp_path / "kept" / "1.pt"
    path.symlink_to(kept)
    train.train(linear(), small, brief(), checkpoint=path)
    assert path.is_symlink() and [p.name for p in kept.parent.iterdir()] == ["1.pt"]
    assert len(train.read_checkpoint(kept)["history"]) == 1


def test_images_that_cannot_be_trained_on(small):
    empty = Split(small.test.images[:0], small.test.labels[:0])
    none = dataclasses.replace(small, test=empty)
    assert refused(linear(), none, brief()) == "expected test images, but got none"
    for score in (train.accuracy, train.predict):
        with pytest.raises(ValueError, match="^expected at least one image, but the split has no"):
            score(linear(), small, empty)
    labels = small.train.labels.clone()
    for wrong, low, high in ((10, 0, 10), (-100, -100, 9)):
        labels[3] = wrong
        other = dataclasses.replace(small, train=Split(small.train.images, labels))
        assert refused(linear(), other, brief()) == (
            f"expected labels of 0 to 9, but those of the training images are {low} to {high}"
        )
    message = "expected a network with parameters to train, but it has none"
    assert refused(nn.Flatten(), small, brief()) == message
