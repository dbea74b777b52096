"""bquant.train: it learns, goes on to the same bits, and says where it diverged."""

import sys

import bquant.datasets
import bquant.models
import pytest
import torch
from bquant import train
from bquant.train import Recipe, loop
from bquant.train.images import draw, moved
from functions import Function
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

    with pytest.raises(ValueError, match=f"{path}: expected a checkpoint of this recipe, but rate"):
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
    with pytest.raises(ValueError, match="expected a rate above 0, but got nan"):
        Recipe(rate=float("nan"))
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
    with pytest.raises(ValueError, match=f"{path}: expected a training without a sign"):
        train.train(signs(data), data, recipe(epochs=2), checkpoint=path)
    other = tmp_path / "other.pt"
    train.train(signs(data), data, recipe(epochs=1), checkpoint=other)
    with pytest.raises(
        ValueError, match="expected a training with a sign optimizer, but got one w"
    ):
        train.train(signs(data), data, recipe(epochs=1), checkpoint=other, sign_optimizer=bop)


def test_a_sign_optimizer_wants_signs(data):
    message = "expected quantized layers with weights of one plane for a sign optimizer, but the ne"
    for weights in ("fp", "ls-2", "ls-T"):
        with pytest.raises(ValueError, match=message):
            train.train(network(data, weights), data, recipe(), sign_optimizer=bop)
