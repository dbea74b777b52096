"""python -m bquant.study, with hardly any training: files, claims, resuming, bad input."""

import csv
import dataclasses
import html
import math
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from bquant import models, train
from bquant.nn import Quantizer, RSign, SignConv2d, SignQuantizer
from bquant.nn.layers import is_quantized
from bquant.study import (
    EXPERIMENTS,
    Study,
    __main__,
    images,
    page,
    plots,
    schemes,
    statistics,
    tables,
    trainings,
    zoo,
)
from bquant.study.experiments import angles as angles_experiment
from bquant.study.experiments import pareto, table2
from bquant.study.experiments.optimality import Magnitudes
from bquant.study.result import Result
from bquant.study.setting import FAST, PAPER, Setting
from bquant.study.trainings import Training
from bquant.train.files import only_one
from PIL import Image


@pytest.fixture(scope="module")
def setting(tmp_path_factory):
    return dataclasses.replace(
        FAST, model="vgg", width=4, epochs=1, output=tmp_path_factory.mktemp("study")
    )


@pytest.fixture(autouse=True)
def threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def command(setting, *words):
    options = ["--fast", "--model", "vgg", "--width", "4", "--epochs", "1", "--workers", "2"]
    return __main__.main([*options, "--output", str(setting.output), *words])


def check_trainings(setting, count):
    """Every network that was trained computes the same as PyTorch, and stands in a row."""
    rows = read(setting.output / "trainings.csv")
    assert len(rows) == count
    for row in rows:
        unequal = round((1 - float(row["equal_predictions"])) * 450)
        assert row["explained"] == f"{unequal} of {unequal}"
        assert float(row["accuracy"]) <= float(row["top5"]) <= 1
    assert len(list((setting.output / "trainings").glob("*.pt"))) == count


def check_run(setting, capsys, names):
    assert command(setting, *names) == 0
    text = capsys.readouterr().out
    for name in names:
        assert f"== {name}" in text
        assert read(setting.output / f"{name}.csv")
        assert (setting.output / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        html = (setting.output / f"{name}.html").read_text()
        assert "the paper's claim" in html and "data:image/png;base64," in html
        assert (
            f"<code>python -m bquant.study --fast --model vgg --width 4 --epochs 1 {name}" in html
        )


def test_experiments_on_the_float_network(setting, capsys):
    check_run(setting, capsys, ["scaling", "optimality", "angles", "solvers", "post-training"])
    check_trainings(setting, 1)
    # In every layer, least squares is nearer than greedy.
    angles = {(row["layer"], row["scheme"]): float(row["angle"])
              for row in read(setting.output / "angles.csv")}  # fmt: skip
    layers = {layer for layer, _ in angles}
    assert len(layers) == 5
    for layer in layers:
        assert angles[layer, "ls-2"] < angles[layer, "gf-2"] < angles[layer, "ls-1"]
        assert angles[layer, "ls-2"] < angles[layer, "ls-T"] <= angles[layer, "twn"] + 0.1
    # Each solver has taken its time in each layer, and whole steps those of two schemes.
    *times, step = read(setting.output / "solvers.csv")
    assert {row["layer"] for row in times} == layers
    for row in [*times, step]:
        assert float(row["ratio"]) == pytest.approx(
            float(row["ls-2"]) / float(row["gf-2"]), rel=1e-3
        )
    assert all(float(row[scheme]) > 0 for row in times for scheme in ("ls-1", "ls-T"))
    assert step["layer"] == "training step" and step["ls-1"] == step["ls-T"] == ""
    assert float(step["ls-2"]) > max(float(row["ls-2"]) for row in times)


@pytest.mark.nightly
def test_all_experiments(setting, capsys):
    check_run(setting, capsys, [n for n in EXPERIMENTS if n not in ("gap", "ingredients")])
    # Two widths; two schemes and starts with three quantizers; other recipes.
    check_trainings(setting, 7 + 5 + 12 + 4)
    second = {row["scheme"]: row for row in read(setting.output / "table2.csv")}
    assert len(second) == 17 and second["2/1 ls"]["published_top5"] == "84.6"
    assert float(second["2/1 ls"]["top5"]) > 0
    assert second["BWN"]["accuracy"] == "not run"
    table = {row["scheme"]: row for row in read(setting.output / "training.csv")}
    assert table["4/1 gf"]["accuracy"] == "not run" and float(table["4/1 gf"]["hours"]) > 0


def test_spread_of_angles():
    """Of four layers, in the last of which gf-4 is level, and then behind."""
    wide, narrow = np.array([-2.0, 0.0, 2.0]), np.array([-1.0, 0.0, 1.0])
    made = {
        str(i): {"ls-2": 20 + i + narrow, "gf-2": 22 + 2 * i + wide, "gf-4": 14 + 3 * i + wide}
        for i in range(4)
    }
    over_images, over_layers, later = angles_experiment._spread(made)
    assert over_images.seen
    assert "1.00° against 2.00° on average, less in 4 of 4" in over_images.found
    assert over_layers.seen and over_layers.found == "means span 3.0° against 6.0°"
    assert later.seen is False
    assert later.found == "in 0 of the last 1: 23.0 to 23.0° against 23.0 to 23.0°"
    made["3"]["gf-4"] += 1
    made["0"]["ls-2"] = 20 + 3 * wide
    over_images, _, later = angles_experiment._spread(made)
    assert later.seen and over_images.seen is False and "less in 3 of 4" in over_images.found


@pytest.mark.nightly
def test_gap(setting):
    """A pair for each case that is run."""
    assert command(setting, "gap") == 0
    rows = read(setting.output / "gap.csv")
    assert len({(row["case"], row["start"], row["epochs"]) for row in rows}) == 5
    ran = [row["activations"] for row in rows if row["accuracy"] != "not run"]
    assert ran and ran == ["ls-2", "gf-2"] * (len(ran) // 2)


@pytest.mark.parametrize("cases", [1, 2, 5])
def test_gap_ends_where_it_is_decided(setting, monkeypatch, cases):
    """`cases`: how many are run, the last of which decides, or none of the five."""
    ran = []

    def run(study, case, rows, seeds):
        ran.append(case.name)
        rows.append({**case.columns, "activations": "ls-2", "accuracy": 0.5})
        decides = len(ran) == cases < 5
        return [-0.5, 0.6, -0.1] if decides else [-0.5, -0.6, -0.4]

    monkeypatch.setattr("bquant.study.experiments.pairs.run", run)
    result = EXPERIMENTS["gap"].run(Study(setting, workers=1))
    assert len(ran) == cases and len(result.rows) == len(result.findings) == 5
    assert [row["accuracy"] for row in result.rows] == [0.5] * cases + ["not run"] * (5 - cases)
    assert [f.seen for f in result.findings] == [False] * cases + [None] * (5 - cases)


def test_ingredients(setting, monkeypatch):
    """What each network is made of, and what its training starts from."""
    wanted = []

    def train(study, schemes, usual, setting):
        wanted.append((schemes[0], setting.start))

    accuracies = iter([0.5, 0.51, 0.53, 0.49, 0.6, 0.7, 0.69])
    monkeypatch.setattr(Study, "train", train)
    monkeypatch.setattr(trainings, "accuracies", lambda *_: {0: next(accuracies)})
    own = dataclasses.replace(setting, model="resnet")
    result = EXPERIMENTS["ingredients"].run(Study(own, workers=1, seeds=1))
    assert [start for _, start in wanted] == ["scratch"] * 4 + ["random"] * 3
    kinds, data = [], own.load()
    for scheme, _ in wanted:
        network = own.build(scheme, 0, data)
        modules = list(network.modules())
        quantized = [m for m in modules if is_quantized(m)]
        kinds.append(
            (
                any(type(m).__name__ == "SingleShortcutBlock" for m in modules),
                any(isinstance(m, torch.nn.PReLU) for m in modules),
                {m.quantizer.clamp for m in quantized},
                {type(m).__name__ for m in quantized},
            )
        )
    map_, one = {"XnorConv2d"}, {"BinaryConv2d"}
    assert kinds == [
        (True, False, {None}, map_),
        (False, False, {None}, map_),
        (True, True, {None}, map_),
        (True, False, {2.0}, map_),
        (True, False, {None}, map_),
        (False, True, {2.0}, map_),
        (False, True, {2.0}, one),
    ]
    points = [round(row["points"], 6) for row in result.rows]
    assert points == [0, 1, 3, -1, 10, 20, 19]
    assert [f.seen for f in result.findings] == [True, True, False, True, True, False]


@pytest.mark.nightly
@pytest.mark.parametrize(("model", "count"), [("vgg", 6), ("resnet", 7)])  # vgg has no shortcuts
def test_ingredients_are_trained(setting, model, count):
    assert command(setting, "--model", model, "ingredients") == 0
    assert len(read(setting.output / "ingredients.csv")) == count
    for row in read(setting.output / "trainings.csv"):
        unequal = round((1 - float(row["equal_predictions"])) * 450)
        assert row["explained"] == f"{unequal} of {unequal}"


def test_what_has_ended_is_not_trained_again(setting, monkeypatch):
    study = Study(setting, workers=2)
    study.train([schemes.FLOAT])
    monkeypatch.setattr(trainings, "ProcessPoolExecutor", None)
    study.train([schemes.FLOAT])
    model = study.network(schemes.FLOAT)
    assert not model.training
    assert trainings.hours(setting, [Training(schemes.FLOAT, 0)]) > 0
    assert trainings.rows(dataclasses.replace(setting, epochs=9)) == []


def test_every_row_trains_a_step(setting):
    """Also those of published systems, whose schemes are registered ones."""
    own, data = setting, setting.load()
    images = data.prepare(data.train.images[:4])
    floats = own.build(schemes.FLOAT, 0, data)
    for scheme in schemes.SCHEMES:
        network = own.build(scheme, 0, data)
        if scheme.network is None:
            train.warm_start(network, floats)
        network(images).square().mean().backward()
        assert network.eval()(images).isfinite().all()
        assert 1 <= scheme.activation_bits <= 32 and 1 <= scheme.weight_bits <= 32
    bits = {s.name: (round(s.activation_bits, 2), round(s.weight_bits, 2)) for s in schemes.SCHEMES}
    assert bits["TTQ"] == (32, 1.58) and bits["SYQ 8/1"] == (8, 1)
    assert bits["LQ-Net 3/2"] == (3, 2) and bits["AdaBin"] == (1, 1) and bits["BWN"] == (32, 1)
    rebnet = own.build(schemes.by_name("ReBNet 2/1"), 0, data)
    assert any(name.endswith("quantizer.scalars") for name, _ in rebnet.named_parameters())


def test_two_steps(setting):
    own = dataclasses.replace(setting, epochs=3, start="two-step")
    scheme = schemes.by_name("2/1 ls")
    (first, one), (second, two) = own.steps(scheme)
    assert (first.activations, first.weights, one, two) == ("ls-2", "fp", 1, 2)
    assert second is scheme and own.steps(schemes.FLOAT) == [(schemes.FLOAT, 3)]
    study = Study(own, workers=1)
    study.train([scheme], usual=1)
    for part, count in own.steps(scheme):
        assert len(train.read_checkpoint(own.checkpoint(part, 0))["history"]) == count
    # The float network is that of every start.
    assert [row["scheme"] for row in trainings.rows(own)] == ["fp/fp", "2/1 ls"]
    assert [row["scheme"] for row in trainings.rows(own.of(schemes.FLOAT))] == ["fp/fp"]
    assert [row["epochs"] for row in trainings.rows(own)] == ["3", "3"]


def test_every_row_takes_small_images():
    """Of Fashion-MNIST's size, which is the default."""
    split = train.loop.Split(torch.zeros(2, 1, 28, 28, dtype=torch.uint8), torch.tensor([0, 1]))
    data = train.loop.Dataset("images", split, split, ["a", "b"])
    own = dataclasses.replace(Setting(), width=1)
    for scheme in schemes.SCHEMES:
        assert own.build(scheme, 0, data).input_shape == (1, 1, 28, 28)


# NAME: the scale of a filter, what quantizes the input, and the slope of its signs.
SIGNS = {
    "BNN": (None, SignQuantizer, "hardtanh"),
    "Bi-Real": ("mean", SignQuantizer, "approx_sign"),
    "RSign": ("mean", RSign, "approx_sign"),
    "BinaryConnect": (None, Quantizer, "hardtanh"),
}


@pytest.mark.parametrize("name", SIGNS)
def test_networks_of_signs(setting, name):
    scheme = schemes.by_name(name)
    model = setting.build(scheme, 0, setting.load())
    layers = [m for m in model.modules() if is_quantized(m)]
    assert len(layers) == 5 and all(isinstance(layer, SignConv2d) for layer in layers)
    made = {(m.scale, type(m.quantizer), m.quantizer.gradient) for m in layers}
    assert made == {SIGNS[name]}


@pytest.mark.nightly
def test_networks_of_signs_are_trained(setting):
    """From the float network where they have its blocks; compiled code predicts as PyTorch."""
    names = [*SIGNS, "XNOR-Net++", "ReActNet"]
    study = Study(setting, workers=2, seeds=1, rows=",".join(names))
    study.train(study.schemes)
    rows = {row["scheme"]: row for row in trainings.rows(setting)}
    for name in names:
        unequal = round((1 - float(rows[name]["equal_predictions"])) * 450)
        assert rows[name]["explained"] == f"{unequal} of {unequal}"
        assert study.network(schemes.by_name(name)).training is False
    # The scales of filters.
    assert int(rows["BNN"]["weight_bytes"]) < int(rows["Bi-Real"]["weight_bytes"])


def test_float_networks_have_epochs_of_their_own(setting):
    own = dataclasses.replace(setting, epochs=1, float_epochs=2)
    assert own.command().endswith("--epochs 1 --float-epochs 2")
    Study(own, workers=2).train([schemes.by_name("1/1 ls")], usual=1)
    assert [(r["scheme"], r["epochs"]) for r in trainings.rows(own)] == [
        ("fp/fp", "2"), ("1/1 ls", "1"),
    ]  # fmt: skip
    # Other students have the same ones.
    longer = own.of_students(epochs=3, start="scratch")
    assert [r["scheme"] for r in trainings.rows(longer)] == ["fp/fp"]
    assert longer.checkpoint(schemes.FLOAT, 0) == own.checkpoint(schemes.FLOAT, 0)


def test_stopped_it_goes_on(setting, tmp_path):
    def study(output):
        words = ["--fast", "--model", "vgg", "--width", "4", "--epochs", "6", "--workers", "1"]
        words += ["--seeds", "1", "--rows", "fp/fp", "--output", str(output), "training"]
        return subprocess.Popen(
            [sys.executable, "-m", "bquant.study", *words],
            stderr=subprocess.PIPE,
            text=True,
            # What a shell starts in the background ignores the signal.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    own = dataclasses.replace(setting, epochs=6, output=tmp_path / "stopped")
    checkpoint = own.checkpoint(schemes.FLOAT, 0)
    process = study(own.output)
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert errors.splitlines()[-1].endswith("stopped; the same command goes on from here")
    assert len(train.read_checkpoint(checkpoint)["history"]) < 6
    states = []
    for output in (own.output, tmp_path / "whole"):
        process = study(output)
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        assert [path.name for path in (output / "trainings").iterdir()] == [checkpoint.name]
        states.append(train.read_checkpoint(output / "trainings" / checkpoint.name)["model"])
    assert all(torch.equal(states[0][key], states[1][key]) for key in states[1])


def test_killed_it_leaves_no_process(setting, tmp_path):
    """What is left would hold the pipes, whose end is waited for."""
    words = ["--fast", "--model", "vgg", "--width", "4", "--epochs", "1000", "--workers", "1"]
    words += ["--seeds", "1", "--rows", "fp/fp", "--output", str(tmp_path), "training"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bquant.study", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        while not list(tmp_path.glob("trainings/*.pt")) and process.poll() is None:
            time.sleep(0.02)
        process.kill()
        process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def test_no_more_workers_than_trainings(setting, monkeypatch):
    asked = []

    def pool(workers, *_):
        asked.append(workers)
        raise OSError("no processes")

    monkeypatch.setattr(trainings, "ProcessPoolExecutor", pool)
    with pytest.raises(OSError, match="no processes"):
        Study(dataclasses.replace(setting, epochs=7), 1000, seeds=2).train([schemes.FLOAT])
    assert asked == [2]


def test_bad_input(setting, capsys, tmp_path, monkeypatch):
    def error(*words):
        assert command(setting, *words) == 1
        return capsys.readouterr().err

    assert "expected experiments of scaling, optimality, " in error("scalings")
    assert "expected one of fp/fp, 2/1 ls, " in error("--rows", "9/9 ls")
    assert "expected width to be at least 1" in error("--width", "0")
    assert "there is no folder 'nowhere'" in error("--data", "nowhere")
    assert "expected at least 1 worker" in error("--workers", "0")
    assert "expected one of fp/fp" in error("--workers", "99999999999", "--rows", "9/9 ls")
    assert "expected at least 1 seed" in error("--seeds", "0")
    assert "expected epochs of at least 1, but got 0" in error("--epochs", "0")
    assert "expected epochs of at least 1, but got 0" in error("--float-epochs", "0")
    assert "== " not in capsys.readouterr().out

    assert "expected a device of this machine, but got 'nowhere'" in error("--device", "nowhere")
    assert "a precision of float32, bf16, but got 'fp8'" in error("--precision", "fp8")
    assert "expected at least 0 loader processes, but got -2" in error("--loaders", "-2")
    assert "expected the short recipe for clamp, but" in error("--recipe", "paper", "clamp")
    assert "there is no folder 'nowhere'" in error("--data", "imagenet:nowhere", "table2")
    with pytest.raises(SystemExit):
        command(setting, "--recipe", "long")
    assert "invalid choice: 'long'" in capsys.readouterr().err
    with pytest.raises(ValueError, match="expected a recipe of short, paper, but got 'long'"):
        Setting(recipe="long")
    with pytest.raises(ValueError, match="random weights with the paper's recipe, but .* 'teacher"):
        Setting(recipe="paper")

    bad = setting.checkpoint(schemes.by_name("2/1 ls"), 5)
    bad.parent.mkdir(exist_ok=True)
    bad.write_bytes(b"no checkpoint")
    study = Study(setting)
    with pytest.raises(ValueError, match=f"{bad}: expected a checkpoint"):
        study.network(schemes.by_name("2/1 ls"), 5)
    bad.unlink()


def test_a_folder_of_colours_is_evaluated(tmp_path):
    """Two classes by their brightness; with fewer values in a layer than singular values shown."""
    images = tmp_path / "images"
    random = np.random.default_rng(0)
    for name, mean in (("dark", 60), ("light", 180)):
        (images / name).mkdir(parents=True)
        for i in range(90):
            values = np.clip(random.normal(mean, 60, (9, 8, 3)), 0, 255).astype(np.uint8)
            Image.fromarray(values).save(images / name / f"{i}.png")
    own = dataclasses.replace(
        FAST,
        model="vgg",
        data=str(images),
        size=8,
        width=2,
        epochs=1,
        output=tmp_path / "study",
    )
    Study(own, workers=1).run(["scaling"])
    (row,) = trainings.rows(own)
    assert row["scheme"] == "fp/fp" and float(row["equal_predictions"]) > 0.9
    assert (own.output / "scaling.png").exists()
    assert (own.output / f"{own.images}.images").exists()
    with pytest.raises(ValueError, match="expected an output outside of the images, but got"):
        Study(dataclasses.replace(own, output=images / "study"))
    assert not (images / "study").exists()


def test_images_that_change_are_refused(tmp_path, capsys):
    """Another picture, or one more, would leave the accuracies of those before."""
    folder, output = tmp_path / "my images", tmp_path / "out"
    for name, value in (("dark", 60), ("light", 180)):
        (folder / name).mkdir(parents=True)
        for i in range(6):
            Image.new("L", (8, 8), value + i).save(folder / name / f"{i}.bmp")
    own = dataclasses.replace(FAST, model="vgg", data=str(folder), width=2, output=output)

    def error():
        words = ["--fast", "--model", "vgg", "--width", "2", "--data", str(folder), "training"]
        assert __main__.main([*words, "--output", str(output)]) == 1
        printed = capsys.readouterr()
        assert "==" not in printed.out
        return printed.err

    images.check(own, own.load())
    for path in folder.rglob("*.bmp"):
        path.touch()
    images.check(own, own.load())
    changed = (
        f"bquant.study: the images of '{folder}' have changed since the results in '{output}': "
        "remove that folder, or give another --output\n"
    )
    path = folder / "dark" / "0.bmp"
    before = path.read_bytes()
    Image.new("L", (8, 8), 70).save(path)
    assert path.stat().st_size == len(before) and error() == changed
    path.write_bytes(before)
    images.check(own, own.load())
    (folder / "dark" / "6.bmp").write_bytes(before)
    assert error() == changed
    images.check(dataclasses.replace(own, output=tmp_path / "another"), own.load())


def test_photographs_that_change_are_refused(tmp_path):
    """Those are read later: by their names and sizes."""
    photographs(tmp_path / "images", 2)
    own = dataclasses.replace(
        PAPER, data=f"imagenet:{tmp_path / 'images'}", output=tmp_path / "out"
    )
    images.check(own, own.load())
    images.check(own, own.load())
    (tmp_path / "images" / "val" / "n02" / "0.png").rename(
        tmp_path / "images" / "val" / "n02" / "9.png"
    )
    with pytest.raises(ValueError, match="the images of 'imagenet:.*' have changed since"):
        images.check(own, own.load())
    named = dataclasses.replace(FAST, output=tmp_path / "digits")
    images.check(named, named.load())
    assert not named.output.exists()


def photographs(folder, count):
    random = np.random.default_rng(0)
    for part in ("train", "val"):
        for name, mean in (("n01", 60), ("n02", 180)):
            (folder / part / name).mkdir(parents=True)
            for i in range(count):
                values = np.clip(random.normal(mean, 60, (20, 19 + i % 3, 3)), 0, 255)
                Image.fromarray(values.astype(np.uint8)).save(folder / part / name / f"{i}.png")


def test_the_papers_recipe(tmp_path, capsys, monkeypatch):
    """`--data imagenet:FOLDER table2`, with less of all: the teacher, then a row from random
    weights, which is compiled, and stands beside the published figure."""
    photographs(tmp_path / "images", 150)
    words = ["--data", f"imagenet:{tmp_path / 'images'}", "--size", "16", "--model", "vgg"]
    words += [
        "--width",
        "2",
        "--epochs",
        "2",
        "--float-epochs",
        "1",
        "--loaders",
        "1",
        "--workers",
        "1",
    ]
    words += ["--precision", "bf16", "--output", str(tmp_path / "out"), "table2"]
    monkeypatch.setattr(table2, "LINES", table2.LINES[5:6])
    assert __main__.main(words) == 0, capsys.readouterr().err
    (row,) = read(tmp_path / "out" / "table2.csv")
    assert (row["scheme"], row["published_top1"], row["seeds"]) == ("1/1 ls", "58.9", "1")
    assert float(row["top5"]) == 1 and 0 <= float(row["accuracy"]) <= 1
    ended = read(tmp_path / "out" / "trainings.csv")
    assert [(r["scheme"], r["epochs"]) for r in ended] == [("fp/fp", "1"), ("1/1 ls", "2")]
    assert all(r["setting"].endswith("-paper-bf16-random") for r in ended)
    assert not (tmp_path / "out" / "trainings" / "logits").exists()
    html = (tmp_path / "out" / "table2.html").read_text()
    assert "<code>python -m bquant.study --recipe paper --model vgg --data imagenet:" in html
    assert "1/1 ls has 58.9 % on ImageNet" in html
    state = train.read_checkpoint(
        next(p for p in (tmp_path / "out" / "trainings").iterdir() if "1-1-ls" in p.name)
    )
    paper = train.Recipe.paper(2)
    assert state["recipe"] == vars(paper)


def test_what_the_papers_recipe_trains():
    float_recipe = PAPER.recipe_of(schemes.FLOAT, 1, 100)
    assert (PAPER.width, PAPER.epochs, PAPER.of(schemes.FLOAT).epochs) == (64, 240, 100)
    assert float_recipe.optimizer == "sgd" and float_recipe.seed == 1
    images = dataclasses.replace(PAPER, data="imagenet:images")
    recipe = images.recipe_of(schemes.by_name("2/1 ls"), 0)
    assert recipe == train.Recipe.paper() and recipe.crop
    small = dataclasses.replace(PAPER, data="cifar-100:files")
    recipe = small.recipe_of(schemes.by_name("2/1 ls"), 0)
    assert (recipe.crop, recipe.shift, recipe.batch, recipe.temperature) == (False, 4, 128, 1)
    assert images.name != small.name and images.name.endswith("-240-of-100-paper-random")
    assert Setting().name == "resnet-16-fashion-mnist-15"
    data = train.loop.Dataset(
        "images", *[train.loop.Split(torch.zeros(2, 3, 64, 64), torch.zeros(2))] * 2, ["a", "b"]
    )
    floats = PAPER.build(schemes.FLOAT, 0, data)
    assert isinstance(floats.blocks[0], models.resnet.RegularBlock)
    assert floats.stem[0].kernel_size == (7, 7)
    unit = PAPER.build(schemes.by_name("2/1 ls"), 0, data).blocks[0][0]
    assert isinstance(unit, models.resnet.XnorUnit)


def test_trainings_take_the_gpus_by_turns(setting, monkeypatch):
    places = queue.Queue()
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(trainings.signal, "signal", lambda *_: None)
    monkeypatch.setattr(trainings, "_end_with_parent", lambda: None)
    for name in ("_data", "_epochs", "_device"):
        monkeypatch.setattr(trainings, name, None)
    for place, device in ((0, "cuda:0"), (1, "cuda:1"), (2, "cuda:0")):
        places.put(place)
        trainings._initialize(dataclasses.replace(setting, device="cuda"), None, places)
        assert trainings._device == torch.device(device)
    trainings._initialize(dataclasses.replace(setting, device="cuda:1"), None, places)
    assert trainings._device == torch.device("cuda:1") and places.empty()


def test_a_system_has_blocks_of_its_own():
    own = schemes.Scheme("own", "ls-1", "ls-1", network=models.bireal18)
    data = train.loop.Dataset(
        "images", *[train.loop.Split(torch.zeros(2, 3, 16, 16), torch.zeros(2))] * 2, ["a", "b"]
    )
    setting = dataclasses.replace(Setting(), width=3, start="two-step")
    built = setting.build(own, 0, data)
    assert built.input_shape == (1, 3, 16, 16)
    stem, head = built[0], built[-1]
    assert stem[0].out_channels == 3 and stem[0].kernel_size == (3, 3)
    assert head[-1].out_features == 2
    assert setting.steps(own) == [(own, 15)]


def test_table_two():
    """A line a system, each with a row; what is published has a source."""
    assert len(table2.LINES) == 17 == len({line.scheme for line in table2.LINES})
    for line in table2.LINES:
        scheme = schemes.by_name(line.scheme)
        for width, found in (
            (line.activations, scheme.activation_bits), (line.weights, scheme.weight_bits),
        ):  # fmt: skip
            assert found == pytest.approx(math.log2(3) if width == "T" else int(width), abs=0.01)
    assert all((line.top1 is None) == (line.source == "") for line in table2.LINES)
    assert all(line.top5 is None or line.top1 < line.top5 for line in table2.LINES)


def test_damaged_tables(tmp_path):
    path = tmp_path / "trainings.csv"
    assert tables.read(path) == []
    tables.append(path, ("a", "b"), {"a": 1, "b": "x,y"})
    tables.append(path, ("a", "b"), {"a": 0.5})
    assert tables.read(path) == [{"a": "1", "b": "x,y"}, {"a": "0.5", "b": ""}]
    path.write_text(path.read_text()[:-2])
    with pytest.raises(ValueError, match=f"{path}: expected 2 cells in row 2, but got 1"):
        tables.read(path)
    for content in (b"", b"\xff\xfe\n", b"a,b\n\0"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"{path}: expected"):
            tables.read(path)


def test_one_run_at_a_time(setting, tmp_path):
    study = Study(dataclasses.replace(setting, output=tmp_path / "out"))
    (tmp_path / "out").mkdir()
    with only_one(tmp_path / "out"), pytest.raises(OSError, match="out: expected one run at a ti"):
        study.run(["optimality"])
    (tmp_path / "out").rmdir()
    (tmp_path / "out").touch()
    with pytest.raises(OSError, match="out: expected a folder to write to, but file exists"):
        study.run(["optimality"])


def test_a_table_of_others_is_named(setting, tmp_path):
    own = dataclasses.replace(setting, output=tmp_path)
    (tmp_path / "trainings.csv").write_text("scheme,accuracy\nfp/fp,0.9\n")
    with pytest.raises(ValueError, match="trainings.csv: expected the columns setting, .*, but"):
        trainings.rows(own)


def test_folders_of_one_name_are_of_several_trainings(setting, tmp_path):
    folders = [str(tmp_path / part / "images") for part in ("a", "b")]
    settings = [dataclasses.replace(setting, data=f, size=size) for f in folders for size in (8, 9)]
    names = {own.name for own in settings}
    assert len(names) == 4 and all("-images-" in name for name in names)


def test_statistics():
    mean, interval = statistics.mean_and_interval([1.0, 2.0, 3.0])
    assert mean == 2 and interval == pytest.approx(4.302653 / math.sqrt(3))
    for values, t in ((2, 12.706205), (12, 2.200985), (13, 2.178813), (101, 1.983972)):
        sample = np.arange(float(values))
        _, interval = statistics.mean_and_interval(sample)
        assert interval == pytest.approx(t * sample.std(ddof=1) / math.sqrt(values), rel=1e-6)
    assert math.isnan(statistics.mean_and_interval([1.0])[1])
    assert statistics.text([0.5], 100, " %") == "50.00 %"


def test_splits_of_magnitudes():
    m = Magnitudes(torch.tensor([-3.0, 1.0, 0.0, 3.0]).numpy())
    assert m.average(2.0) == (0.5 + 3) / 2
    assert m.error(2.0) == pytest.approx(0.5 / 19)
    assert any(abs(point - 1.75) < 0.01 for point in m.fixed_points())


def test_schemes():
    names = [scheme.name for scheme in schemes.SCHEMES]
    assert len(set(names)) == len(names) and names[0] == "fp/fp"
    paths = {Setting().checkpoint(scheme, 0) for scheme in schemes.SCHEMES}
    assert len(paths) == len(names)
    assert schemes.by_name("T/2 ls").activation_bits == pytest.approx(math.log2(3))
    for scheme in schemes.SCHEMES:
        assert scheme.activation_bits >= 1 and scheme.weight_bits >= 1
    assert "python -m bquant.study --width 4" in dataclasses.replace(Setting(), width=4).command()
    assert page._cell("<b>") == "<td>&lt;b&gt;</td>"


def test_the_command_of_a_page(setting, tmp_path, monkeypatch):
    """Is the one that made it, as a shell takes it."""
    rows, name = "1/1 ls,2/1 ls", "training"
    own = dataclasses.replace(setting, output=tmp_path)
    result = Result("title", "text", [{"a": 1}], plots.figure()[0])
    monkeypatch.setitem(EXPERIMENTS, name, SimpleNamespace(run=lambda study: result))
    Study(own, seeds=2, rows=rows).run([name])
    text = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
    command = html.unescape(re.search("<code>(.*)</code>", text)[1])
    assert shlex.split(command)[-5:] == ["--seeds", "2", "--rows", rows, name]
    assert command.startswith("python -m bquant.study --fast --model vgg --width 4 ")
    command = dataclasses.replace(setting, data="my images").command(name)
    assert "--data 'my images'" in command and command.endswith(f" {name}")
    assert Study(own).command(name) == own.command(name)


_RUN = r"""
import sys
from types import SimpleNamespace
from bquant.study import EXPERIMENTS, __main__, plots
from bquant.study.result import Finding, Result

result = Result("\xb5s", "", [{"\xb5": "\xb1"}], plots.figure()[0], [Finding("\xb5", "\xb1", True)])
EXPERIMENTS["training"] = SimpleNamespace(run=lambda study: result)
sys.exit(__main__.main(["--fast", "--output", sys.argv[1], "training"]))
"""


def test_a_locale_of_ascii(tmp_path):
    ascii_only = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    ran = subprocess.run(
        [sys.executable, "-c", _RUN, str(tmp_path)],
        env=os.environ | ascii_only | {"PYTHONIOENCODING": ""},
        capture_output=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert b"\\xb5: \\xb1 (seen)" in ran.stdout
    assert "<h1>µs</h1>" in (tmp_path / "training.html").read_text(encoding="utf-8")
    assert tables.read(tmp_path / "training.csv") == [{"µ": "±"}]


def test_pareto_without_a_float_network_of_more_bytes():
    row = {"width": 1, "accuracy": 0.5}
    rows = [row | {"network": "fp/fp", "weight_bytes": 9}]
    rows.append(row | {"network": "2/1 ls", "weight_bytes": 10, "accuracy": 0.6})
    (finding,) = pareto._findings(rows)
    assert finding.found == "no float network has more bytes than 2/1 ls of width 1"
    assert finding.seen is None
    rows.append(row | {"network": "fp/fp", "width": 4, "weight_bytes": 40})
    (finding,) = pareto._findings(rows)
    assert finding.seen and "0.25 times the bytes of the float one of width 4" in finding.found


def test_the_files_of_the_zoo(setting, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(zoo.zoo, "FOLDER", tmp_path)
    with pytest.raises(SystemExit) as ended:
        zoo.main(["--help"])
    assert ended.value.code == 0 and "[directory]" in capsys.readouterr().out
    for output in (tmp_path / "nowhere", setting.output):  # of another setting
        assert zoo.main([str(output)]) == 1
        assert capsys.readouterr().err == (
            f"bquant.study.zoo: {output}: expected a study with the trainings of 1/1 ls, T/1 ls, "
            "2/1 ls, 2/2 ls, but it has none of 1/1 ls with seed 0\n"
        )
    assert not list(tmp_path.iterdir())


def test_what_the_command_refuses_before_it_reads(monkeypatch, capsys):
    monkeypatch.setattr(Setting, "load", lambda _: pytest.fail("read"))
    for words, message in (
        (["zz"], "expected experiments of .*, but got zz"),
        (["all", "zz"], "expected experiments of .*, but got zz"),
        (["--data", "imagenet:"], "expected imagenet:FOLDER, but got 'imagenet:' without a folder"),
    ):
        assert __main__.main(words) == 1
        assert re.search(message, capsys.readouterr().err)
