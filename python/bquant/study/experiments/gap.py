"""Why is gf-2 above ls-2 where both have trained to their end? One factor after the other, up to
the first with which gf-2 is no longer above."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..result import Result
from ..schemes import Scheme
from . import pairs
from .clamp import STARTS

if TYPE_CHECKING:
    from ..study import Study

SEEDS = 5
LONG = 5  # times as many epochs

# (name, start, times the epochs, options of the architecture); each factor beside the case without.
CASES = (
    ("scalars of a batch", "teacher", 1, {}),
    ("scalars of each image", "teacher", 1, {"scalars": "online"}),
    ("PReLU", "scratch", 1, {}),
    ("ReLU", "scratch", 1, {"nonlinearity": "relu"}),
    ("long, PReLU", "scratch", LONG, {}),
)


def run(study: Study) -> Result:
    rows, gaps, findings = [], {}, []
    is_open = True
    for name, start, times, options in CASES:
        epochs = times * study.setting.epochs
        scheme = Scheme(name, "", "ls-1", SEEDS, options=tuple(options.items()))
        setting = study.setting.of_students(epochs=epochs, start=start)
        columns = {"case": name, "start": STARTS[start], "epochs": epochs}
        case = pairs.Case(f"with {name}, from {STARTS[start]}", columns, setting, scheme)
        if is_open:
            gaps[case.name] = pairs.run(study, case, rows, SEEDS)
            findings.append(pairs.finding(case.name, gaps[case.name]))
            is_open = pairs.is_below(gaps[case.name])
        else:
            rows.append({**dict.fromkeys(rows[0], ""), **columns, "accuracy": "not run"})
            findings.append(pairs.not_run(case.name))
    return Result(
        "Why gf-2 is above ls-2 in training",
        "Test accuracy with weights ls-1. Differences are ls-2 less gf-2 of the same seed, with "
        "the 95 % interval of their mean. The authors' code solves the scalars of each image, in "
        "training and in evaluation; with scalars of a batch, evaluation has running averages. "
        "Cases are run in their order, up to the first in which gf-2 is not above by more than "
        "the interval.",
        rows,
        pairs.figure(gaps),
        findings,
    )
