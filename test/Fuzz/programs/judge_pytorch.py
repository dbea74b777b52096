"""Whether a compiled module of PyTorch agrees with PyTorch, and the ways to compile it with each
other."""

import sys
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
from .judge_files import difference, draw_input, equal, equal_in_bits

sys.path.append(str(Path(__file__).resolve().parents[2] / "Python"))
from verify_faults import faults  # noqa: E402

STRATEGIES = ("auto", "scalar")
OPTIONS = {"strategy": "auto", "threads": 1, "assume": ""}


def build(program):
    """The module, and arguments for it."""
    writer = pytorch.Writer(program)
    names = {"torch": torch, "nn": nn, "F": F}
    exec(writer.write(), names)
    rng = np.random.default_rng(program.seed)
    arguments = [draw_input(rng, value, program.batch) for value in program.arguments]
    return names["Program"](writer.buffers).eval(), tuple(map(torch.from_numpy, arguments))


def arrays(results):
    return [y.numpy() for y in (results if isinstance(results, tuple) else (results,))]


def judge(program):
    """None, or what is wrong."""
    model, arguments = build(program)
    with torch.no_grad():
        expected = arrays(model(*arguments))
    # As MLIR has it, a batch is of all inputs alike, and of all outputs.
    dynamic = program.may_be_dynamic and all(v.batched for v in program.arguments)
    reference = bquant.compile(model, arguments, strategy="reference")
    numbers = arrays(reference(*arguments))
    if program.exact:
        for i, (right, got) in enumerate(zip(expected, numbers, strict=True)):
            if told := difference(right, got, equal):
                return f"differs from PyTorch by reference, result {i}, {told}"
    strategy = STRATEGIES[program.seed % 2]
    threads = program.seed % 3 + 1
    network = bquant.compile(
        model, arguments, strategy=strategy, threads=threads, dynamic_batch=dynamic
    )
    for i, (right, got) in enumerate(zip(numbers, arrays(network(*arguments)), strict=True)):
        if told := difference(right, got, equal_in_bits):
            return f"differs by {strategy} on {threads} threads, result {i}, {told}"
    if not program.exact or program.seed % 4 == 0:
        result = bquant.verify(network, model, [arguments])
        if not result.ok:
            return f"alarm of verify: {str(result).splitlines()[0]}"
    if program.exact and program.seed % 8 == 1:
        return seed_fault(program, model, arguments, expected)
    return None


def seed_fault(program, model, arguments, expected):
    """What verify misses of a fault in compiled code: any other number is wrong, as none is
    rounded."""
    exported = importer.simplify(importer.export(model, arguments))
    for fault in faults(exported, np.random.default_rng(program.seed)):
        with pytest.MonkeyPatch.context() as patches:
            fault.seed(patches)
            wrong = TappedModel(model, arguments, OPTIONS)
        outputs = wrong(*arguments)[0]
        pairs = zip(expected, (y.numpy() for y in outputs), strict=True)
        if any(difference(right, got, equal) for right, got in pairs):
            result = Verification()
            replay.compare(wrong, arguments, outputs, 0, result)
            # A value that lies on the right threshold is told as one, not as a difference.
            is_told = fault.kind == "another threshold" and result.on_thresholds
            if not result.first_difference and not is_told:
                return f"verify misses a fault: {fault}"
            return None
    return None
