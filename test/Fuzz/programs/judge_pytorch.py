"""Whether a compiled module of PyTorch agrees with PyTorch, and the ways to compile it with each
other."""

import sys
import warnings
from pathlib import Path

import bquant
import numpy as np
import pytest
import torch
from bquant.frontends.torch import reader as importer
from bquant.verification import Verification, replay
from bquant.verification.taps import TappedModel
from torch import nn
from torch.nn import functional as F

from . import pytorch
from .judge_files import ANOTHER_BATCH, compare, difference, draw_input, equal, equal_in_bits

sys.path.append(str(Path(__file__).resolve().parents[2] / "Python"))
from verify_faults import faults  # noqa: E402

WAYS = [{"strategy": s, "threads": t} for s in ("auto", "scalar") for t in (1, 3)]
OPTIONS = {"strategy": "auto", "threads": 1, "assume": ""}


def build(program):
    """The module, and arguments for it."""
    writer = pytorch.Writer(program)
    names = {
        "torch": torch,
        "nn": nn,
        "F": F,
        **{name: getattr(torch.ops, name) for name in pytorch.OPERATORS},
    }
    exec(writer.write(), names)
    return names["Program"](writer.buffers).eval(), draw_arguments(program, program.batch)


def draw_arguments(program, batch):
    rng = np.random.default_rng([program.seed, batch])
    arguments = [draw_input(rng, value, batch) for value in program.arguments]
    return tuple(torch.from_numpy(np.asarray(x)) for x in arguments)


def arrays(results):
    return [y.numpy() for y in (results if isinstance(results, tuple) else (results,))]


def export(program, model, arguments, rng):
    """The program of torch.export that is handed in, and whether its batch has no size. Of some it
    is one of core ATen operations alone."""
    # A batch is of all inputs alike.
    dynamic = program.may_be_dynamic and all(v.batched for v in program.arguments)
    dynamic = dynamic and rng.random() < 0.5
    exported = importer.export(model, arguments, dynamic_batch=dynamic)
    if rng.random() < 0.1:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exported = exported.run_decompositions()
    return importer.simplify(exported), dynamic


def judge(program, in_all_ways=False):
    """None, or what is wrong."""
    rng = np.random.default_rng(program.seed)
    model, arguments = build(program)
    exported, dynamic = export(program, model, arguments, rng)
    calls = [arguments]
    if dynamic:
        calls.append(draw_arguments(program, ANOTHER_BATCH))
    reference = bquant.compile(exported, strategy="reference")
    with torch.no_grad():
        expected = [arrays(model(*call)) for call in calls]
    numbers = [arrays(reference(*call)) for call in calls]
    if program.exact and (told := compare(expected, numbers, equal)):
        return f"differs from PyTorch by reference, {told}"
    for way in WAYS if in_all_ways else [WAYS[rng.integers(len(WAYS))]]:
        network = bquant.compile(exported, **way)
        if told := compare(numbers, [arrays(network(*call)) for call in calls], equal_in_bits):
            return f"differs by {way}, {told}"
    if in_all_ways or not program.exact or rng.random() < 0.15:
        result = bquant.verify(network, exported, calls)
        if not (result.equal if program.exact else result.ok):
            return f"alarm of verify: {str(result).splitlines()[0]}"
    if program.exact and not dynamic and (in_all_ways or rng.random() < 0.15):
        return seed_fault(program, exported, arguments, expected[0])
    return None


def seed_fault(program, exported, arguments, expected):
    """What verify misses of a fault in compiled code: any other number is wrong, as none is
    rounded."""
    for fault in faults(exported, np.random.default_rng(program.seed)):
        with pytest.MonkeyPatch.context() as patches:
            fault.seed(patches)
            wrong = TappedModel(exported, arguments, OPTIONS)
        outputs = wrong(*arguments)[0]
        pairs = zip(expected, (y.numpy() for y in outputs), strict=True)
        if any(difference(right, got, equal) for right, got in pairs):
            result = Verification()
            replay.compare(wrong, arguments, outputs, 0, result)
            # What a value on a threshold may explain is told as one; of the right program none is.
            if not result.first_difference and not result.on_thresholds:
                return f"verify misses a fault: {fault}"
            return None
    return None
