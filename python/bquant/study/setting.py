"""What a study is about: the images, the architecture, how long it trains."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from .. import datasets, models
from ..train import Recipe
from .schemes import Scheme

MODELS = ("resnet", "vgg")
RECIPES = ("short", "paper")


@dataclass(frozen=True)
class Setting:
    """Args:
    model: "resnet" (the paper's blocks behind a 3x3 stem with a max-pool, see
        `models.resnet18`) or "vgg".
    data: as `datasets.load` takes it: a name, a folder of images, "imagenet:" or "cifar-100:" and a
        folder.
    size: the side to which images of a folder are resized.
    width: filters of the first stage.
    epochs: of each training of a quantized network.
    float_epochs: of each float network, which is the start and the teacher of the others of its
        seed; None: as many as of the others.
    start: of quantized networks: "teacher", the weights of the float network, from which they
        learn, too; "two-step", the same, but half of the epochs with float weights first;
        "random", random weights, which learn from the float network; "scratch", random weights, and
        labels alone.
    recipe: "short", or "paper": that of `Recipe.paper`, with the float network of the authors' code
        (`models.resnet18`'s regular blocks, trained by `Recipe.paper_teacher`).
    device, precision, loaders: see `train.train`; of "cuda" each training takes the next GPU.
    output: where tables, pictures and checkpoints go.
    """

    model: str = "resnet"
    data: str = "fashion-mnist"
    size: int | None = None
    width: int = 16
    epochs: int = 15
    float_epochs: int | None = None
    start: str = "teacher"
    output: Path = Path("study-output")
    fast: bool = False
    recipe: str = "short"
    device: str = "cpu"
    precision: str = "float32"
    loaders: int = 0

    def __post_init__(self) -> None:
        if self.recipe not in RECIPES:
            raise ValueError(f"expected a recipe of {', '.join(RECIPES)}, but got {self.recipe!r}")
        if self.data in ("imagenet:", "cifar-100:"):
            raise ValueError(f"expected {self.data}FOLDER, but got '{self.data}' without a folder")
        if self.of_paper and self.start not in ("random", "scratch"):
            raise ValueError(
                f"expected random weights with the paper's recipe, but got the start '{self.start}'"
            )

    @property
    def of_paper(self) -> bool:
        return self.recipe == "paper"

    def load(self) -> datasets.Dataset:
        return datasets.load(self.data, self.size)

    def build(
        self, scheme: Scheme, seed: int, data: datasets.Dataset, scalars: str = "stored"
    ) -> torch.nn.Module:
        """The untrained network; channels lie last in memory, for a third less time a step."""
        channels, height, width = data.shape
        if height != width:
            raise ValueError(f"expected square images, but {data.name} has {height} x {width}")
        torch.manual_seed(seed)
        sizes = {
            "width": self.width,
            "classes": len(data.classes),
            "image": height,
            "channels": channels,
        }
        options = sizes | {
            "weights": scheme.weights,
            "activations": scheme.activations,
            "conv": scheme.conv,
            "clamp": scheme.clamp,
            "scalars": scalars,
            **dict(scheme.options),
        }
        if scheme.network is not None:
            model = scheme.network(stem=self._stem(height), **sizes)
        elif self.model == "vgg":
            model = models.vgg(**options)
        else:
            if self.of_paper and scheme.is_float:
                options |= {"block": "regular", "nonlinearity": "relu"}
            model = models.resnet18(stem=self._stem(height), **options)
        return model.to(memory_format=torch.channels_last)

    def _stem(self, image: int) -> str:
        if self.of_paper:
            return "imagenet" if image >= 64 else "cifar"
        return "pooled" if image >= 16 else "cifar"

    def recipe_of(self, scheme: Scheme, seed: int, epochs: int | None = None) -> Recipe:
        """By which a network is trained."""
        epochs = self.epochs if epochs is None else epochs
        if self.of_paper:
            return self._recipe_of_paper(scheme, seed, epochs)
        batch, shift, flip = (64, 1, False) if self.data == "digits" else (128, 2, True)
        decay = 0.01 if scheme.is_float else 0.0
        return Recipe(
            epochs=epochs, batch=batch, shift=shift, flip=flip, weight_decay=decay, seed=seed
        )

    def _recipe_of_paper(self, scheme: Scheme, seed: int, epochs: int) -> Recipe:
        recipe = (Recipe.paper_teacher if scheme.is_float else Recipe.paper)(epochs, seed)
        if self.data.startswith("imagenet:"):
            return recipe
        # Small images: moved, as the authors' code does with CIFAR-100, not cropped and coloured.
        shift, flip = (1, False) if self.data == "digits" else (4, True)
        batch = 64 if self.data == "digits" else 128
        return dataclasses.replace(
            recipe, batch=batch, shift=shift, flip=flip, crop=False, jitter=0.0, lighting=0.0
        )

    def steps(self, scheme: Scheme) -> list[tuple[Scheme, int]]:
        """What is trained one after another, each from the one before, with its epochs."""
        if scheme.is_float:
            return [(scheme, self.of(scheme).epochs)]
        first = self.epochs // 2
        if self.start != "two-step" or not first or scheme.network is not None:
            return [(scheme, self.epochs)]
        half = dataclasses.replace(scheme, name=f"{scheme.name}, first step", weights="fp")
        return [(half, first), (scheme, self.epochs - first)]

    def of(self, scheme: Scheme) -> Setting:
        """In which a scheme is trained: float networks are the same for every start."""
        if not scheme.is_float:
            return self
        epochs = self._float_epochs
        start = "random" if self.of_paper else "teacher"
        return dataclasses.replace(self, epochs=epochs, float_epochs=None, start=start)

    def of_students(self, **changes: Any) -> Setting:
        """Another setting of quantized networks, with the float ones of this."""
        return dataclasses.replace(self, float_epochs=self._float_epochs, **changes)

    @property
    def _float_epochs(self) -> int:
        return self.epochs if self.float_epochs is None else self.float_epochs

    @property
    def images(self) -> str:
        """The name of the images; of folders of one name there may be several."""
        folder = datasets.folder_of(self.data)
        if folder is None:
            return self.data
        path = folder.resolve()
        digest = hashlib.sha256(str(path).encode()).hexdigest()[:8]
        return "-".join([path.name, digest, *([str(self.size)] if self.size else [])])

    @property
    def name(self) -> str:
        """Of the trainings that belong together."""
        name = f"{self.model}-{self.width}-{self.images}-{self.epochs}"
        if self._float_epochs != self.epochs:
            name += f"-of-{self.float_epochs}"
        changes = [self.recipe, self.precision, self.start]
        usual = ["short", "float32", "teacher"]
        return "-".join([name, *(c for c, u in zip(changes, usual, strict=True) if c != u)])

    def checkpoint(self, scheme: Scheme, seed: int) -> Path:
        row = re.sub(r"[^A-Za-z0-9+]+", "-", scheme.name)
        return self.output / "trainings" / f"{self.of(scheme).name}-{row}-{seed}.pt"

    def command(self, *others: str) -> str:
        """That of a study of this setting, with other words behind."""
        default = usual(self.fast, self.of_paper)
        words = ["python", "-m", "bquant.study"]
        if self.fast:
            words.append("--fast")
        if self.of_paper:
            words += ["--recipe", "paper"]
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name not in ("fast", "output", "start") and value != getattr(
                default, field.name
            ):
                words += [f"--{field.name.replace('_', '-')}", str(value)]
        return shlex.join([*words, *others])


# All experiments on digits, in a quarter of an hour.
FAST = Setting(data="digits", width=8, epochs=12, fast=True)
# The paper's networks by the paper's recipe.
PAPER = Setting(width=64, epochs=240, float_epochs=100, start="random", recipe="paper")


def usual(fast: bool, of_paper: bool) -> Setting:
    """What a command begins with, before its other options."""
    if fast:
        return dataclasses.replace(FAST, recipe="paper", start="random") if of_paper else FAST
    return PAPER if of_paper else Setting()
