"""The experiments by name; another one joins by a line. Each module has `run(study) -> Result`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ..result import Result
from . import (
    angles,
    clamp,
    gap,
    ingredients,
    online,
    optimality,
    pareto,
    post_training,
    recipe,
    scaling,
    solvers,
    table2,
    training,
)

if TYPE_CHECKING:
    from ..study import Study


class Experiment(Protocol):
    """A module of this folder."""

    def run(self, study: Study) -> Result: ...


EXPERIMENTS: dict[str, Experiment] = {
    "scaling": scaling,
    "optimality": optimality,
    "angles": angles,
    "solvers": solvers,
    "post-training": post_training,
    "training": training,
    "table2": table2,
    "pareto": pareto,
    "online": online,
    "clamp": clamp,
    "gap": gap,
    "ingredients": ingredients,
    "recipe": recipe,
}

# Their networks start as the float one, which those of the paper's recipe do not.
WARM_STARTS = ("clamp", "gap", "recipe")
