"""The loop: steps, epochs, checkpoints."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import torch
import torch.nn.functional as F
from torch import nn

from ..datasets import Dataset, Split
from ..nn.layers import is_quantized
from .bar import Bar
from .files import check_folder, save_whole
from .images import moved
from .recipe import Recipe
from .teacher import Teacher

Module = TypeVar("Module", bound=nn.Module)


class Epoch(TypedDict):
    """What is said of an epoch; accuracy is that of the test images."""

    epoch: int
    loss: float
    accuracy: float
    seconds: float


class Diverged(RuntimeError):
    """NaN or Inf in training; the message names the layer, the epoch and the step."""


def train(
    model: Module,
    data: Dataset,
    recipe: Recipe = Recipe(),  # noqa: B008
    teacher: nn.Module | None = None,
    checkpoint: str | Path | None = None,
    epoch_done: Callable[[Epoch], None] | None = None,
    step_done: Callable[[], None] | None = None,
    logits: str | Path | None = None,
    verbose: bool | None = None,
) -> Module:
    """Trains a network in place, and returns it in eval mode.

    Args:
        model: takes float32 images as `data.prepare` gives them, gives logits.
        teacher: a trained network of the same classes to learn from.
        checkpoint: a file that each epoch replaces as a whole; where it is there, the training goes
            on behind the epoch that it holds, to the same bits.
        epoch_done: called with {epoch, loss, accuracy (test), seconds} after each epoch.
        step_done: called after each step.
        logits: a folder that keeps what the teacher says in each epoch, for the other trainings
            of the same teacher and seed: they need not ask it again.
        verbose: show a bar on standard error. None: on a terminal, but not in a worker process.

    Raises:
        Diverged: a loss, or a parameter behind an epoch, that is not finite.
        OSError: a checkpoint cannot be written.
        ValueError: a checkpoint of another recipe or network, fewer images than a batch, logits of
            other classes.
    """
    training = _Training(model, data, recipe, teacher, checkpoint, logits)
    done, total = len(training.history) * training.steps, recipe.epochs * training.steps
    with Bar(total, done, verbose) as bar:

        def step() -> None:
            bar.step()
            if step_done is not None:
                step_done()

        def epoch(row: Epoch) -> None:
            bar.epoch(row)
            if epoch_done is not None:
                epoch_done(row)

        return training.run(epoch, step)


def warm_start(model: nn.Module, trained: nn.Module) -> None:
    """Takes the parameters and averages of a float network of the same architecture."""
    missing, unexpected = model.load_state_dict(trained.state_dict(), strict=False)
    names = {name for name, _ in model.named_parameters()}
    lost = [name for name in missing if name in names] + list(unexpected)
    if lost:
        raise ValueError(f"expected networks of one architecture, but they differ in {lost}")


@torch.no_grad()
def predict(
    model: Callable[[torch.Tensor], Any], data: Dataset, split: Split, batch: int = 256
) -> torch.Tensor:
    """Logits (N, classes). `model` is a network in eval mode, or a compiled one of any batch."""
    parts = split.images.split(batch)
    return torch.cat([torch.as_tensor(model(data.prepare(images))) for images in parts])


def accuracy(model: Callable[[torch.Tensor], Any], data: Dataset, split: Split) -> float:
    """The share of the images whose greatest logit is that of their class."""
    return (predict(model, data, split).argmax(1) == split.labels).double().mean().item()


def read_checkpoint(path: Path) -> dict[str, Any]:
    """What a training has kept: recipe, model, optimizer, history (a row for each epoch), random.
    ValueError, with the path, for anything else."""
    try:
        state = torch.load(path, weights_only=True)
        missing = {"recipe", "model", "optimizer", "history", "random"} - set(state)
    except Exception as error:  # of zipfile, pickle, torch: whatever meets the fault
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ValueError(f"{path}: expected a checkpoint, but {reason}") from None
    if missing:
        raise ValueError(f"{path}: expected a checkpoint, but it lacks {', '.join(missing)}")
    return state


class _Training:
    def __init__(self, model, data, recipe, teacher, checkpoint, logits):
        self.model, self.data, self.recipe = model, data, recipe
        folder = None if logits is None else Path(logits)
        self.teacher = None if teacher is None else Teacher(teacher, recipe, folder)
        self.path = None if checkpoint is None else Path(checkpoint)
        self.optimizer = torch.optim.AdamW(_groups(model, recipe), lr=recipe.rate)
        self.steps = len(data.train) // recipe.batch
        self.history = []
        if not self.steps:
            raise ValueError(
                f"expected at least a batch of {recipe.batch} images, but got {len(data.train)}"
            )
        if self.path is not None:
            check_folder(self.path.parent)
            for left in self.path.parent.glob(f"{self.path.name}.*.part"):
                left.unlink(missing_ok=True)  # of a process that was killed
            if self.path.exists():
                self._load()

    def run(self, epoch_done, step_done) -> nn.Module:
        for epoch in range(len(self.history), self.recipe.epochs):
            start = time.perf_counter()
            self.model.train()
            loss = self._epoch(epoch, step_done)
            # No loss has seen what the last step did.
            if names := self._bad_parameters():
                raise _diverged(names[0], epoch, self.steps - 1)
            self.model.eval()
            row = {
                "epoch": epoch + 1,
                "loss": loss,
                "accuracy": accuracy(self.model, self.data, self.data.test),
                "seconds": time.perf_counter() - start,
            }
            self.history.append(row)
            self._save()
            epoch_done(row)
        return self.model.eval()

    def _epoch(self, epoch: int, step_done) -> float:
        recipe, images = self.recipe, self.data.train.images
        # Of the seed and the epoch alone, so that nothing random is to be kept.
        generator = torch.Generator().manual_seed((recipe.seed << 16) + epoch)
        order = torch.randperm(len(images), generator=generator)
        total = 0.0
        if self.teacher is not None:
            self.teacher.begin(epoch)
        for step in range(self.steps):
            for group in self.optimizer.param_groups:
                group["lr"] = recipe.rate_at(epoch + step / self.steps)
            index = order[step * recipe.batch : (step + 1) * recipe.batch]
            batch = moved(images[index], recipe.shift, recipe.flip, generator)
            x = self.data.prepare(batch)
            loss = self._step(epoch, step, x, self.data.train.labels[index])
            total += loss
            step_done()
        if self.teacher is not None:
            self.teacher.end()
        return total / self.steps

    def _step(self, epoch: int, step: int, x: torch.Tensor, labels: torch.Tensor) -> float:
        try:
            logits = self.model(x)
        except ValueError as error:  # the solvers refuse NaN
            if (name := self._first_bad(x)) is None:
                raise
            raise _diverged(name, epoch, step) from error
        loss = self._loss(self._checked(logits, "the network", x), step, x, labels)
        value = loss.item()
        if not math.isfinite(value):
            raise _diverged(self._first_bad(x), epoch, step)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return value

    def _loss(self, logits, step: int, x, labels) -> torch.Tensor:
        if self.teacher is None:
            return F.cross_entropy(logits, labels)
        t = self.recipe.temperature
        logits_of_teacher = self._checked(self.teacher.logits(step, x), "the teacher", x)
        target = F.softmax(logits_of_teacher / t, 1)
        return F.kl_div(F.log_softmax(logits / t, 1), target, reduction="batchmean") * t * t

    def _checked(self, logits, whose: str, x) -> torch.Tensor:
        expected = (len(x), len(self.data.classes))
        found = tuple(logits.shape) if isinstance(logits, torch.Tensor) else type(logits).__name__
        if found != expected:
            raise ValueError(f"expected logits {expected} of {whose}, but got {found}")
        return logits

    @torch.no_grad()
    def _first_bad(self, x: torch.Tensor) -> str | None:
        """The first parameter that has NaN or Inf, or layer that gives it."""
        found = self._bad_parameters()

        def look(name):
            def hook(_, inputs, output):
                tensors = [t for t in (*inputs, output) if isinstance(t, torch.Tensor)]
                if not all(t.isfinite().all() for t in tensors):
                    found.append(name)

            return hook

        hooks = []
        for name, module in self.model.named_modules():
            if not any(module.children()):
                hooks.append(module.register_forward_hook(look(name)))
        try:
            self.model(x)
        except ValueError:
            pass
        for hook in hooks:
            hook.remove()
        return found[0] if found else None

    def _bad_parameters(self) -> list[str]:
        return [name for name, p in self.model.named_parameters() if not p.isfinite().all()]

    def _save(self) -> None:
        if self.path is None:
            return
        state = {
            "recipe": dataclasses.asdict(self.recipe),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "history": self.history,
            "random": torch.get_rng_state(),
        }
        save_whole(self.path, state)

    def _load(self) -> None:
        state = read_checkpoint(self.path)
        recipe = state["recipe"]
        if recipe != dataclasses.asdict(self.recipe):
            changed = [k for k, v in dataclasses.asdict(self.recipe).items() if recipe.get(k) != v]
            raise ValueError(
                f"{self.path}: expected a checkpoint of this recipe, but "
                f"{', '.join(changed) or 'others'} differ; remove it to begin again"
            )
        try:
            self.model.load_state_dict(state["model"])
        except RuntimeError as error:
            reason = " ".join(str(error).split())[:200]
            raise ValueError(f"{self.path}: expected this network's state, but {reason}") from None
        self.optimizer.load_state_dict(state["optimizer"])
        self.history = state["history"]
        torch.set_rng_state(state["random"])


def _diverged(name: str | None, epoch: int, step: int) -> Diverged:
    what = "the loss" if name is None else f"'{name}'"
    return Diverged(f"training diverged in epoch {epoch + 1}, step {step}: {what} has NaN or Inf")


def _groups(model: nn.Module, recipe: Recipe) -> list[dict]:
    """Parameters by their weight decay. A weight that layers share is that of a quantized one if
    any of them is."""
    decayed = dict.fromkeys(
        weight
        for module in model.modules()
        if isinstance(weight := module._parameters.get("weight"), nn.Parameter) and weight.dim() > 1
    )
    for module in model.modules():
        if is_quantized(module):
            decayed.pop(module.weight, None)
    others = [parameter for parameter in model.parameters() if parameter not in decayed]
    groups = [(list(decayed), recipe.weight_decay), (others, 0.0)]
    return [{"params": p, "weight_decay": decay} for p, decay in groups if p]
