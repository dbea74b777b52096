"""The loop: steps, epochs, checkpoints."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import math
import os
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import torch
import torch.nn.functional as F
from torch import nn

from ..datasets import Dataset, Split
from ..nn import RSign
from ..nn.layers import has_sign_weights, is_quantized
from . import processes
from .bar import Bar
from .batches import SplitBatches, TrainingBatches, check_loaders
from .device import check_device, check_precision, device_of
from .files import check_folder, save_whole
from .fingerprints import fingerprint, fingerprint_network
from .recipe import Recipe
from .teacher import Teacher

Module = TypeVar("Module", bound=nn.Module)

_TOP = 5
_TEST_BATCH = 256  # images
# Of DistributedDataParallel; torch 2.13 has another name for it.
_SYNC_BUFFERS = next(
    name
    for name in ("forward_sync_buffers", "broadcast_buffers")
    if name in inspect.signature(nn.parallel.DistributedDataParallel).parameters
)


class Epoch(TypedDict):
    """What is said of an epoch; accuracy is that of the test images, and `top5` the share of those
    whose class is among the five of the greatest logits."""

    epoch: int
    loss: float
    accuracy: float
    top5: float
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
    device: str | torch.device | None = None,
    precision: str = "float32",
    loaders: int = 0,
    sign_optimizer: Callable[[list[nn.Parameter]], torch.optim.Optimizer] | None = None,
) -> Module:
    """Trains a network in place, and returns it in eval mode.

    Within `join`, several processes train it: each takes a part of each batch, gradients are
    averaged, batch norms are of the whole batch, and a quantizer's scalars are those of the
    process's part, their running averages those of the processes' mean. The first process alone
    writes files and shows a bar.

    Args:
        model: takes float32 images as `data.prepare` gives them, gives logits.
        teacher: a trained network of the same classes to learn from.
        checkpoint: a file that each epoch replaces as a whole; where it is there, the training goes
            on behind the epoch that it holds, to the same bits (by as many processes).
        epoch_done: called with {epoch, loss, accuracy, top5 (test), seconds} after each epoch.
        step_done: called after each step.
        logits: a folder that keeps what the teacher says in each epoch, for the other trainings
            of the same teacher, images and seed: they need not ask it again.
        verbose: show a bar on standard error. None: on a terminal, but not in a worker process.
        device: where it trains, and stays; None: where it is.
        precision: "float32", or "bf16": products in bfloat16 by torch's autocast; what is trained,
            and what is said of an epoch, stays float32.
        loaders: processes that read and augment images ahead; 0: this one, as it needs them. The
            images are the same.
        sign_optimizer: makes the optimizer of sign weights (those of quantized layers with one
            plane), such as `Bop`, or a function that calls it with other arguments; the recipe's
            learning rate is not its own. AdamW has the others, and without it all.

    Raises:
        Diverged: a loss, or a parameter behind an epoch, that is not finite.
        OSError: a checkpoint or the teacher's logits cannot be written.
        ValueError: a checkpoint of another recipe, network, precision or sign optimizer, of other
            images, with another teacher or none; fewer images than a batch, or none to test on;
            labels or logits of other classes; a network without parameters; a device that is not
            here; a batch that the processes cannot share; a sign optimizer without sign weights.
    """
    training = _Training(
        model, data, recipe, teacher, checkpoint, logits, device, precision, loaders, sign_optimizer
    )
    done, total = len(training.history) * training.steps, recipe.epochs * training.steps
    with Bar(total, done, False if processes.index() else verbose) as bar:

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
    """Takes the parameters and averages of a float network of the same architecture. The learned
    thresholds of signs (`nn.RSign`), which that has not, stay."""
    missing, unexpected = model.load_state_dict(trained.state_dict(), strict=False)
    names = {
        f"{path}.{name}" if path else name
        for path, module in model.named_modules()
        if not isinstance(module, RSign)
        for name, _ in module.named_parameters(recurse=False)
    }
    lost = [name for name in missing if name in names] + list(unexpected)
    if lost:
        raise ValueError(f"expected networks of one architecture, but they differ in {lost}")


@torch.no_grad()
def predict(
    model: Callable[[torch.Tensor], Any],
    data: Dataset,
    split: Split,
    batch: int = 256,
    loaders: int = 0,
) -> torch.Tensor:
    """Logits (N, classes), on the CPU. `model` is a network in eval mode, on any device, or a
    compiled one of any batch; `loaders` as `train` has it. ValueError: no images."""
    if not len(split):
        raise ValueError("expected at least one image, but the split has none")
    device = device_of(model) if isinstance(model, nn.Module) else None
    parts = SplitBatches(split, batch).load(loaders)
    return torch.cat(
        [torch.as_tensor(model(data.prepare(images.to(device)))).cpu() for images, _ in parts]
    )


def accuracy(
    model: Callable[[torch.Tensor], Any], data: Dataset, split: Split, top: int = 1
) -> float:
    """The share of the images whose class is among the `top` of the greatest logits."""
    if not 1 <= top <= len(data.classes):
        raise ValueError(f"expected a top of 1 to {len(data.classes)} classes, but got {top}")
    return hits(predict(model, data, split), split.labels, top) / len(split)


def hits(logits: torch.Tensor, labels: torch.Tensor, top: int) -> int:
    """Images whose class is among the greatest logits; where those are equal, the first ones."""
    if top == 1:
        return int((logits.argmax(1) == labels).sum())
    greatest = logits.topk(min(top, logits.shape[1])).indices
    return int((greatest == labels[:, None]).any(1).sum())


def read_checkpoint(path: Path) -> dict[str, Any]:
    """What a training has kept: recipe, model, optimizer, history (a row for each epoch), random.
    ValueError, with the path, for anything else."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        missing = {"recipe", "model", "optimizer", "history", "random"} - set(state)
    except Exception as error:  # of zipfile, pickle, torch: whatever meets the fault
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ValueError(f"{path}: expected a checkpoint, but {reason}") from None
    if missing:
        raise ValueError(f"{path}: expected a checkpoint, but it lacks {', '.join(missing)}")
    return state


class _Training:
    def __init__(
        self, model, data, recipe, teacher, checkpoint, logits, device, precision, loaders,
        sign_optimizer=None,
    ):  # fmt: skip
        self.model, self.data, self.recipe = model, data, recipe
        self.device = device_of(model) if device is None else check_device(device)
        self.precision, self.loaders = check_precision(precision), check_loaders(loaders)
        self.process, self.processes = processes.index(), processes.count()
        if recipe.batch % self.processes:
            raise ValueError(
                f"expected a batch that {self.processes} processes can share, but got "
                f"{recipe.batch} images"
            )
        if recipe.lighting and data.shape[0] != 3:
            raise ValueError(f"expected images of 3 channels for lighting, but got {data.shape[0]}")
        _check_split(data.test, "test", len(data.classes))
        _check_split(data.train, "training", len(data.classes))
        if not any(parameter.requires_grad for parameter in model.parameters()):
            raise ValueError("expected a network with parameters to train, but it has none")
        model.to(self.device)
        self.path = None if checkpoint is None else Path(checkpoint)
        folder = None if logits is None or teacher is None else Path(logits)
        if folder is not None:
            check_folder(folder)
        images = ""
        if self.path is not None or folder is not None:
            images = f"{fingerprint(data.train)} {data.mean} {data.std}"
        self.teacher = None
        if teacher is not None:
            seen = (self.process, self.processes, self.precision, images)
            self.teacher = Teacher(teacher, recipe, folder, self.device, seen)
        self.sign_optimizer, signs = None, []
        if sign_optimizer is not None:
            signs = _sign_weights(model)
            self.sign_optimizer = sign_optimizer(signs)
        self.optimizer = _optimizer(model, recipe, signs)
        self.steps = len(data.train) // recipe.batch
        self.history = []
        if not self.steps:
            raise ValueError(
                f"expected at least a batch of {recipe.batch} images, but got {len(data.train)}"
            )
        # What a checkpoint has to agree with, besides the recipe.
        self.conditions = {
            "images": images,
            "teacher": teacher is not None and fingerprint_network(teacher),
            "precision": self.precision,
            "sign optimizer": _described(self.sign_optimizer),
        }
        if self.path is not None:
            place = Path(os.path.realpath(self.path))
            check_folder(place.parent)
            for left in place.parent.glob(f"{place.name}.*.part"):
                left.unlink(missing_ok=True)  # of a process that was killed
            if self.path.exists():
                self._load()
        # What steps are taken by: in several processes it averages the gradients.
        self.network = model
        if self.processes > 1:
            # Of a static graph: parameters without a gradient are left alone.
            self.network = nn.parallel.DistributedDataParallel(
                model, static_graph=True, **{_SYNC_BUFFERS: False}
            )

    def run(self, epoch_done, step_done) -> nn.Module:
        with processes.whole_batch_norms(self.model):
            for epoch in range(len(self.history), self.recipe.epochs):
                epoch_done(self._epoch(epoch, step_done))
        return self.model.eval()

    def _epoch(self, epoch: int, step_done) -> Epoch:
        start = time.perf_counter()
        self.model.train()
        loss = self._steps(epoch, step_done)
        # No loss has seen what the last step did.
        if names := self._bad_parameters():
            raise _diverged(names[0], epoch, self.steps - 1)
        self.model.eval()
        best, among_five = self._test()
        row: Epoch = {
            "epoch": epoch + 1,
            "loss": loss,
            "accuracy": best,
            "top5": among_five,
            "seconds": time.perf_counter() - start,
        }
        self.history.append(row)
        self._save()
        return row

    def _steps(self, epoch: int, step_done) -> float:
        """The mean loss of an epoch's steps."""
        share = self.recipe.batch // self.processes
        rows = slice(self.process * share, (self.process + 1) * share)
        batches = TrainingBatches(self.data.train, self.recipe, epoch, rows)
        total = 0.0
        if self.teacher is not None:
            self.teacher.begin(epoch, self.steps)
        for step, (images, labels) in enumerate(self._loaded(batches)):
            for group in self.optimizer.param_groups:
                group["lr"] = self.recipe.rate_at(epoch + step / self.steps)
            total += self._step(epoch, step, self.data.prepare(images), labels)
            step_done()
        if self.teacher is not None:
            self.teacher.end()
        return total / self.steps

    def _loaded(self, batches: TrainingBatches | SplitBatches):
        """Batches on the device."""
        pin = self.device.type == "cuda"
        for images, labels in batches.load(self.loaders, pin):
            yield (
                images.to(self.device, non_blocking=pin),
                labels.to(self.device, non_blocking=pin),
            )

    @torch.no_grad()
    def _test(self) -> tuple[float, float]:
        """The shares of the test images whose class is the first, or among the first five."""
        split = self.data.test
        found = torch.zeros(2, dtype=torch.int64, device=self.device)
        batches = SplitBatches(split, _TEST_BATCH, self.process, self.processes)
        for images, labels in self._loaded(batches):
            logits = self.model(self.data.prepare(images))
            found += torch.tensor([hits(logits, labels, top) for top in (1, _TOP)]).to(self.device)
        best, among_five = processes.total(found).tolist()
        return best / len(split), among_five / len(split)

    def _step(self, epoch: int, step: int, x: torch.Tensor, labels: torch.Tensor) -> float:
        try:
            loss = self._loss(step, x, labels)
        except ValueError as error:  # the solvers refuse NaN
            if (name := self._first_bad(x)) is None:
                raise
            raise _diverged(name, epoch, step) from error
        # The same in all processes, so that all of them end.
        value = processes.total(loss.detach()).item() / self.processes
        if not math.isfinite(value):
            raise _diverged(self._first_bad(x), epoch, step)
        self.model.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        if self.sign_optimizer is not None:
            self.sign_optimizer.step()
        return value

    def _autocast(self):
        if self.precision == "float32":
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)

    def _loss(self, step: int, x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        with self._autocast():
            logits = self._checked(self.network(x), "the network", x).float()
        if self.teacher is None:
            return F.cross_entropy(logits, labels)
        t = self.recipe.temperature
        with self._autocast():
            said = self._checked(self.teacher.logits(step, x), "the teacher", x).float()
        target = F.softmax(said / t, 1)
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
        if self.processes > 1:  # the others would have to compute with this one
            return found[0] if found else None

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
        random = torch.stack(processes.of_all(torch.get_rng_state()))
        if self.process:
            return
        state = {
            "recipe": dataclasses.asdict(self.recipe),
            "conditions": self.conditions,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "history": self.history,
            "random": random,
        }
        if self.sign_optimizer is not None:
            state["sign_optimizer"] = self.sign_optimizer.state_dict()
        save_whole(self.path, state)

    def _load(self) -> None:
        state = read_checkpoint(self.path)
        own = {**dataclasses.asdict(self.recipe), **self.conditions}
        # One of an earlier version has fewer of them.
        found = {**dataclasses.asdict(Recipe()), **self.conditions}
        if "sign_optimizer" not in state:
            found["sign optimizer"] = _described(None)
        found |= {**state["recipe"], **state.get("conditions", {})}
        if found["teacher"] is True and own["teacher"]:  # it does not say of which
            found["teacher"] = own["teacher"]
        changed = [name for name in {**own, **found} if own.get(name) != found.get(name)]
        if changed:
            raise ValueError(
                f"{self.path}: expected a checkpoint of this training, but it differs in "
                f"{', '.join(changed)}; remove it to begin again"
            )
        try:
            self.model.load_state_dict(state["model"])
        except RuntimeError as error:
            reason = " ".join(str(error).split())[:200]
            raise ValueError(f"{self.path}: expected this network's state, but {reason}") from None
        self.optimizer.load_state_dict(state["optimizer"])
        if self.sign_optimizer is not None:
            self.sign_optimizer.load_state_dict(state["sign_optimizer"])
        self.history = state["history"]
        random = torch.atleast_2d(state["random"])  # a row for each process
        if self.process < len(random):
            # torch reads a view from where its tensor begins.
            torch.set_rng_state(random[self.process].clone())


def _diverged(name: str | None, epoch: int, step: int) -> Diverged:
    what = "the loss" if name is None else f"'{name}'"
    return Diverged(f"training diverged in epoch {epoch + 1}, step {step}: {what} has NaN or Inf")


def _check_split(split: Split, what: str, classes: int) -> None:
    if not len(split):
        raise ValueError(f"expected {what} images, but got none")
    low, high = (int(label) for label in split.labels.aminmax())
    if low < 0 or high >= classes:
        raise ValueError(
            f"expected labels of 0 to {classes - 1}, but those of the {what} images are {low} to "
            f"{high}"
        )


def _described(optimizer: torch.optim.Optimizer | None) -> str:
    """Its type and the options of its groups."""
    if optimizer is None:
        return "none"
    groups = [
        {name: value for name, value in group.items() if name != "params"}
        for group in optimizer.param_groups
    ]
    return f"{type(optimizer).__name__} {groups}"


def _sign_weights(model: nn.Module) -> list[nn.Parameter]:
    weights = [module.weight for module in model.modules() if has_sign_weights(module)]
    if not weights:
        raise ValueError(
            "expected quantized layers with weights of one plane for a sign optimizer, but the "
            "network has none"
        )
    return list(dict.fromkeys(weights))


def _optimizer(
    model: nn.Module, recipe: Recipe, of_others: Collection[nn.Parameter] = ()
) -> torch.optim.Optimizer:
    groups = _groups(model, recipe, of_others)
    if recipe.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=recipe.rate, momentum=0.9, nesterov=True)
    return torch.optim.AdamW(groups, lr=recipe.rate)


def _groups(
    model: nn.Module, recipe: Recipe, of_others: Collection[nn.Parameter] = ()
) -> list[dict]:
    """Parameters by their weight decay, but those that another optimizer has. A weight that layers
    share is that of a quantized one if any of them is."""
    decayed = dict.fromkeys(
        weight
        for module in model.modules()
        if isinstance(weight := module._parameters.get("weight"), nn.Parameter) and weight.dim() > 1
    )
    for module in model.modules():
        if is_quantized(module):
            decayed.pop(module.weight, None)
    apart = {*decayed, *of_others}
    others = [parameter for parameter in model.parameters() if parameter not in apart]
    groups = [(list(decayed), recipe.weight_decay), (others, 0.0)]
    found = [{"params": p, "weight_decay": decay} for p, decay in groups if p]
    return found or [{"params": []}]  # torch takes no empty list
