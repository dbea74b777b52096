"""Trained networks: each training is a checkpoint, which a row of trainings.csv follows in the end.

Trainings run side by side in processes of one thread each. What is stopped goes on from the last
epoch of each.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import torch
from tqdm import tqdm

from .. import train
from ..datasets import Dataset
from . import tables
from .evaluation import evaluate
from .schemes import FLOAT, Scheme
from .setting import Setting

COLUMNS = (
    "setting", "scheme", "activations", "weights", "seed", "epochs", "accuracy", "top5", "loss",
    "compiled_accuracy", "equal_predictions", "explained", "weight_bytes", "seconds_per_epoch",
)  # fmt: skip


@dataclass(frozen=True)
class Training:
    scheme: Scheme
    seed: int


def table_path(setting: Setting):
    return setting.output / "trainings.csv"


def rows(setting: Setting) -> list[dict]:
    """Of the trainings of this setting that have ended."""
    names = {FLOAT.name: setting.of(FLOAT).name}
    ended = tables.read(table_path(setting))
    if ended and tuple(ended[0]) != COLUMNS:
        raise ValueError(
            f"{table_path(setting)}: expected the columns {', '.join(COLUMNS)}, but got "
            f"{', '.join(ended[0])}"
        )
    return [row for row in ended if row["setting"] == names.get(row["scheme"], setting.name)]


def accuracies(setting: Setting, scheme: Scheme, column: str = "accuracy") -> dict[int, float]:
    """By seed, of the trainings of a scheme that have ended."""
    return {
        int(row["seed"]): float(row[column])
        for row in rows(setting)
        if row["scheme"] == scheme.name
    }


def is_done(setting: Setting, training: Training) -> bool:
    done = {(row["scheme"], int(row["seed"])) for row in rows(setting)}
    return (training.scheme.name, training.seed) in done


def trained(setting: Setting, data: Dataset, scheme: Scheme, seed: int) -> torch.nn.Module:
    """The network of a training that has ended."""
    model = setting.build(scheme, seed, data)
    state = train.read_checkpoint(setting.checkpoint(scheme, seed))
    model.load_state_dict(state["model"])
    return model.eval()


def run(setting: Setting, wanted: list[Training], workers: int) -> None:
    """Trains what has not ended yet, in the order of `wanted`; the float networks that are to teach
    the others come first."""
    missing = [training for training in wanted if not is_done(setting, training)]
    teachers = [_teacher(setting, training) for training in missing]
    teachers = [t for t in dict.fromkeys(teachers) if t is not None and not is_done(setting, t)]
    missing = list(dict.fromkeys(teachers + missing))
    if not missing:
        return
    total = sum(count for training in missing for _, count in setting.steps(training.scheme))
    context = multiprocessing.get_context("spawn")
    workers = min(workers, len(missing))
    epochs, places = context.Queue(), context.Queue()
    for place in range(workers):
        places.put(place)
    pool = ProcessPoolExecutor(workers, context, _initialize, (setting, epochs, places))
    bar = tqdm(total=total, unit="epoch", desc="trainings", smoothing=0.05)
    try:
        _run_all(setting, missing, pool, workers, epochs, bar)
    except BaseException:
        for process in pool._processes.values():
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    finally:
        bar.close()
    pool.shutdown()


def _teacher(setting: Setting, training: Training) -> Training | None:
    if training.scheme.is_float or setting.start == "scratch":
        return None
    return Training(FLOAT, training.seed)


def _run_all(setting, waiting, pool, workers: int, epochs, bar) -> None:
    running = set()
    while running or waiting:
        for training in list(waiting):
            teacher = _teacher(setting, training)
            if len(running) < workers and (teacher is None or is_done(setting, teacher)):
                running.add(pool.submit(_train, setting, training))
                waiting.remove(training)
        try:
            training, row = epochs.get(timeout=0.5)
            bar.set_postfix_str(f"{training.scheme.name} {training.seed}: {row['accuracy']:.2%}")
            bar.update(row.get("count", 1))
        except queue.Empty:
            pass
        for future in [future for future in running if future.done()]:
            running.remove(future)
            tables.append(table_path(setting), COLUMNS, future.result())


_data, _epochs, _device = None, None, None


def _initialize(setting: Setting, epochs, places) -> None:
    global _data, _epochs, _device
    _end_with_parent()
    _epochs, _device = epochs, torch.device(setting.device)
    if _device.type == "cuda" and _device.index is None:
        _device = torch.device("cuda", places.get() % torch.cuda.device_count())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    torch.set_num_threads(1)
    _data = setting.load()


def _end_with_parent() -> None:
    """Also where it was killed; it is to go on from the checkpoints."""

    def watch() -> None:
        multiprocessing.parent_process().join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _train(setting: Setting, training: Training) -> dict:
    scheme, seed, history = training.scheme, training.seed, []

    def epoch_done(row):
        history.append(row)
        _epochs.put((training, row))

    teacher = model = None
    if _teacher(setting, training) is not None:
        teacher = trained(setting, _data, FLOAT, seed)
        model = None if setting.start == "random" or scheme.network else teacher
    for part, count in setting.steps(scheme):
        start, model = model, setting.build(part, seed, _data)
        if start is not None:
            train.warm_start(model, start)
        checkpoint = setting.checkpoint(part, seed)
        if checkpoint.exists():
            done = train.read_checkpoint(checkpoint)["history"]
            history += done
            if done:
                _epochs.put((training, done[-1] | {"count": len(done)}))
        # Those of ImageNet would fill a disk.
        logits = None if setting.of_paper else checkpoint.parent / "logits"
        train.train(
            model, _data, setting.recipe_of(part, seed, count), teacher, checkpoint, epoch_done,
            logits=logits, device=_device, precision=setting.precision, loaders=setting.loaders,
        )  # fmt: skip
    return {
        "setting": setting.of(scheme).name,
        "scheme": scheme.name,
        "activations": scheme.activations,
        "weights": scheme.weights,
        "seed": seed,
        "epochs": len(history),
        "accuracy": history[-1]["accuracy"],
        "loss": history[-1]["loss"],
        **evaluate(model.cpu(), _data),
        "seconds_per_epoch": sum(row["seconds"] for row in history) / len(history),
    }


def hours(setting: Setting, trainings: list[Training]) -> float:
    """That the trainings would take on one core, by those that have ended."""
    seconds = [float(row["seconds_per_epoch"]) for row in rows(setting)]
    if not seconds:
        return float("nan")
    epochs = sum(count for training in trainings for _, count in setting.steps(training.scheme))
    return epochs * max(seconds) / 3600
