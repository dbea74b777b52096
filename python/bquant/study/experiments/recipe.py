"""What a longer training brings, a warm start with a teacher, a step with float weights first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import plots, trainings
from ..result import Finding, Result
from ..schemes import by_name
from ..statistics import mean_and_interval

if TYPE_CHECKING:
    from ..study import Study

ROWS = ("2/1 ls", "1/1 ls")


def _recipes(setting) -> dict:
    half = max(setting.epochs // 2, 1)
    return {
        "as it is": setting,
        "half of the epochs": setting.of_students(epochs=half),
        "float weights in the first half": setting.of_students(start="two-step"),
        "random weights, labels alone": setting.of_students(start="scratch"),
    }


def run(study: Study) -> Result:
    schemes = [by_name(name) for name in ROWS]
    rows, accuracies = [], {}
    for recipe, setting in _recipes(study.setting).items():
        study.train(schemes, 1, setting)
        for scheme in schemes:
            ended = trainings.accuracies(setting, scheme)
            seeds = study.seeds(scheme, 1)
            accuracy, interval = mean_and_interval([ended[seed] for seed in range(seeds)])
            accuracies[recipe, scheme.name] = accuracy
            rows.append(
                {
                    "recipe": recipe,
                    "epochs": setting.epochs,
                    "scheme": scheme.name,
                    "seeds": seeds,
                    "accuracy": accuracy,
                    "interval": interval,
                }
            )
    return Result(
        "What a recipe brings",
        f"Test accuracy. As it is: {study.setting.epochs} epochs from the float network, which is "
        "the teacher, too.",
        rows,
        _figure(accuracies),
        [_finding(accuracies, *claim) for claim in _CLAIMS],
    )


# (claim, the recipe that it names, whether that is to be the worse one)
_CLAIMS = (
    ("twice the epochs are better", "half of the epochs", True),
    ("float weights in the first half are better", "float weights in the first half", False),
    ("a warm start with a teacher is better", "random weights, labels alone", True),
)


def _finding(accuracies: dict, claim: str, recipe: str, is_worse: bool) -> Finding:
    sign = -100 if is_worse else 100
    gains = {
        name: sign * (accuracies[recipe, name] - accuracies["as it is", name]) for name in ROWS
    }
    found = ", ".join(f"{name}: {gain:+.2f} points" for name, gain in gains.items())
    return Finding(claim, found, min(gains.values()) > 0)


def _figure(accuracies: dict):
    figure, axes = plots.figure(size=(7, 3.5))
    recipes = list(dict.fromkeys(recipe for recipe, _ in accuracies))
    for i, name in enumerate(ROWS):
        values = [100 * accuracies[recipe, name] for recipe in recipes]
        places = range(len(recipes))
        axes.plot(values, places, "o", color=plots.shade(i, len(ROWS)), label=name)
    axes.set_yticks(range(len(recipes)), recipes)
    axes.set_xlabel("test accuracy (%)")
    axes.grid(axis="x", color="0.9")
    axes.legend()
    return figure
