"""ls-2 against gf-2, case by case: trainings in pairs, which differ by the scheme alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .. import plots, trainings
from ..result import Finding
from ..schemes import Scheme
from ..setting import Setting
from ..statistics import mean_and_interval, text

if TYPE_CHECKING:
    from ..study import Study

ACTIVATIONS = ("ls-2", "gf-2")


@dataclass(frozen=True)
class Case:
    """One way to train both.

    name: what the case differs in.
    columns: the same, for the table.
    scheme: of both; its `activations` are replaced, and its name is completed by them.
    """

    name: str
    columns: dict[str, Any]
    setting: Setting
    scheme: Scheme

    @property
    def schemes(self) -> list[Scheme]:
        return [
            replace(self.scheme, name=f"{scheme} {self.scheme.name}", activations=scheme)
            for scheme in ACTIVATIONS
        ]


def run(study: Study, case: Case, rows: list[dict], seeds: int | None = None) -> list[float]:
    """Trains the case, adds a row for each of the two, and returns the points of ls-2 less those of
    gf-2, for each seed."""
    study.train(case.schemes, seeds, case.setting)
    accuracies = [trainings.accuracies(case.setting, scheme) for scheme in case.schemes]
    for scheme, own in zip(ACTIVATIONS, accuracies, strict=True):
        mean, interval = mean_and_interval(list(own.values()))
        rows.append(
            {
                **case.columns,
                "activations": scheme,
                "seeds": len(own),
                "accuracy": mean,
                "interval": interval,
                "least": min(own.values()),
                "greatest": max(own.values()),
            }
        )
    ls, gf = accuracies
    return [100 * (ls[seed] - gf[seed]) for seed in sorted(ls.keys() & gf.keys())]


def is_below(gaps: list[float]) -> bool:
    """Whether the mean over the seeds is below 0 by more than its 95 % interval; of one seed,
    whether that is below 0."""
    mean, interval = mean_and_interval(gaps)
    return mean < (0 if len(gaps) == 1 else -interval)


def finding(case: str, gaps: list[float]) -> Finding:
    """Seen where the mean over the seeds is above 0 by more than its 95 % interval (a paired t
    test); of one seed, where that is above 0."""
    mean, interval = mean_and_interval(gaps)
    each = ", ".join(f"{gap:+.2f}" for gap in gaps)
    found = f"{text(gaps, unit=' points')}, each seed: {each}"
    return Finding(_claim(case), found, mean > (0 if len(gaps) == 1 else interval))


def not_run(case: str) -> Finding:
    return Finding(_claim(case), "not run: a case before it decided", None)


def _claim(case: str) -> str:
    return f"ls-2 is above gf-2 {case}"


def figure(gaps: dict[str, list[float]]):
    made, axes = plots.figure(size=(8, 4))
    for i, values in enumerate(gaps.values()):
        axes.plot(values, [i] * len(values), "o", color=plots.color("ls"), alpha=0.6)
        axes.plot(mean_and_interval(values)[0], i, "|", color="k", ms=20)
    axes.axvline(0, color="0.6")
    axes.set_yticks(range(len(gaps)), list(gaps))
    axes.set_ylim(-0.5, len(gaps) - 0.5)
    axes.set_xlabel("points of accuracy, ls-2 less gf-2, each seed and the mean")
    return made
