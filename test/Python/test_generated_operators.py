"""The generator of programs (test/Fuzz/programs) has a row for each operator that the frontends of
PyTorch, ONNX and TensorFlow Lite name, but for those of the lists here."""

import csv
import dataclasses
import itertools
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("tflite")
pytest.importorskip("flatbuffers")
FUZZ = Path(__file__).resolve().parents[1] / "Fuzz"
sys.path.append(str(FUZZ))

import bquant  # noqa: E402
from bquant.frontends.common import table  # noqa: E402
from bquant.frontends.onnx import context as onnx_context  # noqa: E402
from bquant.frontends.onnx import functions, qlinear, qonnx  # noqa: E402
from bquant.frontends.onnx import reader as onnx_reader  # noqa: E402
from bquant.frontends.tflite import reader as tflite_reader  # noqa: E402
from bquant.frontends.tflite import variables  # noqa: E402
from bquant.frontends.torch import context as torch_context  # noqa: E402
from bquant.frontends.torch import reader as torch_reader  # noqa: E402
from bytes.targets import MOST_BYTES  # noqa: E402
from programs import judge_files, judge_pytorch, onnx, tflite  # noqa: E402
from programs.draw import Program  # noqa: E402
from programs.grammar import Reject  # noqa: E402
from programs.levels import LEVELS  # noqa: E402

# Without a row, and why.
MISSING = {
    "torch": {
        "aten._adaptive_avg_pool2d.default": "as adaptive_avg_pool2d, in core ATen alone",
        "aten.contiguous.default": "as clone; torch leaves it out where nothing is to be done",
        "aten.detach.default": "as alias, which torch writes for it or not",
        "aten.log_sigmoid_forward.default": "as log_sigmoid; torch decomposes it further",
    },
    "onnx": {
        "IntQuant": "another name of Quant",
        "Range": "of constants alone",
        "Trunc": "of the codes of a Quant alone; test_qonnx",
    },
    "tflite": {
        "ASSIGN_VARIABLE": "of states; test_tflite_states",
        "CALL_ONCE": "of states; test_tflite_states",
        "RANK": "of shapes alone",
        "READ_VARIABLE": "of states; test_tflite_states",
        "SQUEEZE": "as RESHAPE, by the shape of its result",
        "SVDF": "of states; test_tflite_states",
        "VAR_HANDLE": "of states; test_tflite_states",
    },
}
# Of expressions (idioms.py).
WRITTEN = {
    "onnx": {*onnx.UNARY.values(), *onnx.BINARY.values()},
    "tflite": {*tflite.UNARY.values(), *tflite.BINARY.values(), *tflite.COMPARISONS.values()},
}


def named(level):
    if level == "torch":
        return {*table.TORCH, *torch_context.ALIASES}
    if level == "onnx":
        own = {*table.ONNX, *onnx_context.ALIASES, *onnx_reader.SIZES, *functions.KEPT}
        codes = {op for operators in qlinear.OPERATORS.values() for op in operators}
        return own | codes | {*qonnx.OPERATORS, *qonnx.LOWERED}
    return {*table.TFLITE, *tflite_reader.KNOWN, *variables.OPERATORS}


def written(level):
    if level == "torch":
        return exported(program_of_all(LEVELS["torch"]))
    columns = [
        text for row in LEVELS[level].rows for text in row.columns[LEVELS[level].column(row)]
    ]
    return set(re.findall(r"[A-Z]\w+", " ".join(columns))) | WRITTEN[level]


def program_of_all(level):
    """One program with each template of each row."""
    programs = (Program(level, seed) for seed in itertools.count())
    program = next(p for p in programs if not p.exact and p.batch > 1)
    for sizes in [(4, 6, 6), (8, 6), (8,), (4, 1, 6)]:
        program.add_argument((program.batch, *sizes))
        program.add_argument((program.batch, *sizes))
    todo = [
        dataclasses.replace(row, columns={level.name: (form,)})
        for row in level.rows
        for form in row.columns[level.name]
    ]
    for _ in range(100):
        todo = [row for row in todo if not draw(program, row)]
        if not todo:
            break
        # Others to draw operands from.
        program.extend()
        wanted = set().union(*(row.kinds for row in todo)) - {"f32"}
        for row in level.rows:
            if row.result.kind in wanted:
                draw(program, row)
    assert not todo
    program._finish()
    return program


def draw(program, row):
    """Whether the row became a step."""
    try:
        steps = program._draw_row(row)
    except Reject:
        return False
    for step in steps:
        program._append(step)
    return True


def exported(program):
    """The operations of torch.export's program, as it is, as the importer reads it, and as core
    ATen."""
    model, arguments = judge_pytorch.build(program)
    whole = torch_reader.export(model, arguments)
    forms = whole, torch_reader.simplify(whole), torch_reader.simplify(whole.run_decompositions())
    return {str(node.target) for form in forms for node in form.graph.nodes}


@pytest.mark.parametrize("level", MISSING)
def test_every_operator_has_a_row(level):
    assert named(level) - written(level) <= set(MISSING[level]) <= named(level)


@pytest.mark.parametrize("level", MISSING)
def test_programs_agree(level):
    """Of the first seeds; `./dev fuzz` takes others."""
    for program in LEVELS[level].draw(range(4)):
        assert LEVELS[level].judge(program, in_all_ways=True) is None, program.seed


def test_campaigns_have_seeds_of_their_own():
    ends = {}
    for row in csv.DictReader((FUZZ / "campaigns.csv").open()):
        first, seeds = int(row["first"]), int(row["seeds"])
        assert first == ends.get(row["level"], first), row
        ends[row["level"]] = first + seeds


def test_corpora_are_small():
    """A target that is run by hand writes what it finds beside what it starts from."""
    for corpus in (FUZZ / "bytes" / "corpus").iterdir():
        assert sum(path.stat().st_size for path in corpus.iterdir()) <= MOST_BYTES, corpus


def test_the_judge_sees_what_differs(monkeypatch):
    """One element, and of the ways to compile a program its sign, too."""
    level = LEVELS["onnx"]
    program = next(p for p in level.draw(range(9)) if p.exact and p.seed % 2 == 0)
    content = level.write([program])
    network = bquant.compile(content, strategy="reference")

    def wrong(*call):
        first, *others = (y.copy() for y in network.flat(*call))
        first.flat[-1] += 1
        return [first, *others]

    def judge(runtime):
        return judge_files.judge(program, judge_files.File(content, {"another": runtime}))

    assert judge(network.flat) is None
    assert judge(wrong).startswith("differs from another, call 0, result 0, element (")
    other = SimpleNamespace(flat=lambda *call: [-y for y in network.flat(*call)])
    ways = {"reference": network, "auto": other}
    monkeypatch.setattr(judge_files, "compile_all", lambda *_: ways)
    assert judge(network.flat).startswith("differs by auto, call 0, result 0, element (")
    zeros = [np.zeros(2, np.float32)], [-np.zeros(2, np.float32)]
    assert judge_files.compare([zeros[0]], [zeros[1]], judge_files.equal) is None
    assert judge_files.compare([zeros[0]], [zeros[1]], judge_files.equal_in_bits)
