"""The experiments by name; another one joins by a line. Each module has `run(study) -> Result`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ..result import Result
from . import angles, clamp, online, optimality, pareto, post_training, recipe, scaling, training

if TYPE_CHECKING:
    from ..study import Study


class Experiment(Protocol):
    """A module of this folder."""

    def run(self, study: Study) -> Result: ...


EXPERIMENTS: dict[str, Experiment] = {
    "scaling": scaling,
    "optimality": optimality,
    "angles": angles,
    "post-training": post_training,
    "training": training,
    "pareto": pareto,
    "online": online,
    "clamp": clamp,
    "recipe": recipe,
}
