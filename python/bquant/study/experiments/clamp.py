"""What decides between ls-2 and gf-2 early: the clamp, the start, the gradient, the seed?"""

from __future__ import annotations

import itertools
from functools import partial
from typing import TYPE_CHECKING

from ... import nn
from ..result import Result
from ..schemes import Scheme
from . import pairs

if TYPE_CHECKING:
    from ..study import Study

EPOCHS = 2
STARTS = {"scratch": "random weights", "teacher": "the float network"}
# (clamp, gradient of the signs); the last clamp is the paper's for two planes.
QUANTIZERS = ((2.0, "hardtanh"), (3.0, "hardtanh"), (3.0, "identity"))


def _text(clamp: float, gradient: str) -> str:
    return f"within {clamp:g}" + ("" if gradient == "hardtanh" else f", {gradient}")


def run(study: Study) -> Result:
    rows, gaps = [], {}
    epochs = min(EPOCHS, study.setting.epochs)
    for start, (clamp, gradient) in itertools.product(STARTS, QUANTIZERS):
        text = _text(clamp, gradient)
        case = pairs.Case(
            f"{text}, from {STARTS[start]}",
            {"start": STARTS[start], "clamp": clamp, "gradient": gradient},
            study.setting.of_students(epochs=epochs, start=start),
            Scheme(text, "", "ls-1", 3, partial(nn.BinaryConv2d, gradient=gradient), clamp),
        )
        gaps[case.name] = pairs.run(study, case, rows)
    return Result(
        "What decides between ls-2 and gf-2",
        f"Test accuracy after {epochs} epochs with weights ls-1, for two clamps, starts and "
        "gradients. Differences are ls-2 less gf-2 of the same seed, with the 95 % interval of "
        "their mean.",
        rows,
        pairs.figure(gaps),
        [pairs.finding(case, values) for case, values in gaps.items()],
    )
