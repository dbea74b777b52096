"""Whether a compiled TensorFlow Lite file agrees with the interpreter of Larq's compute engine,
where .venv-outside-larq is (`./dev fixtures`)."""

import pickle
import subprocess
from pathlib import Path

import numpy as np

from . import judge_files

ROOT = Path(__file__).resolve().parents[3]
ENVIRONMENT = ROOT / ".venv-outside-larq"
LIBRARY = "lib/python*/site-packages/larq_compute_engine/tflite/python/interpreter_wrapper_lite*.so"
STEPS = {
    "ARG_MAX", "ARG_MIN", "CAST", "CEIL", "EQUAL", "FLOOR", "FLOOR_DIV", "FLOOR_MOD", "GREATER",
    "GREATER_EQUAL", "LESS", "LESS_EQUAL", "LceQuantize", "NOT_EQUAL", "QUANTIZE", "ROUND", "SIGN",
}  # fmt: skip


class Interpreter:
    """A process of that environment."""

    def __init__(self, library):
        script = ROOT / "test" / "Fuzz" / "lite_interpreter.py"
        self.process = subprocess.Popen(
            [ENVIRONMENT / "bin" / "python", "-I", script, library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def run(self, content, call, xnnpack):
        arrays = [(x.dtype.str, x.shape, x.tobytes()) for x in call]
        pickle.dump((content, [arrays], xnnpack), self.process.stdin)
        self.process.stdin.flush()
        try:
            answer = pickle.load(self.process.stdout)
        except EOFError:
            global interpreter
            interpreter = Interpreter(self.process.args[-1])
            raise RuntimeError(f"ended with {self.process.wait()}") from None
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return [np.frombuffer(b, dtype).reshape(shape) for dtype, shape, b in answer[0]]


library = next(ENVIRONMENT.glob(LIBRARY), None)
interpreter = library and Interpreter(library)
RUNTIMES = {"Larq's interpreter (./dev fixtures)": library is not None}


def leaves_out(step):
    """Whether strides leave out the end of an image that is padded as SAME."""
    d = step.letters
    return "Padding=SAME" in step.template and (
        (d["i"] - 1) * d["s"] + d["p"] < d["h"] or (d["j"] - 1) * d["t"] + d["q"] < d["w"]
    )


def judge(program, in_all_ways=False):
    writer = program.level.open(program)
    content = writer.write()
    runtimes = {}
    # Of codes the frontend has XNNPACK's arithmetic, which is wrong where an end is left out.
    has_codes = any(type_ == "INT8" for _, type_, *_ in writer.file.tensors)
    is_wrong = has_codes and any(map(leaves_out, program.steps))
    # Choices of five dimensions abort the interpreter.
    if interpreter and not writer.dynamic and not is_wrong and writer.rank <= 4:
        runtimes["TensorFlow Lite"] = lambda *call: interpreter.run(content, call, has_codes)
    steps = not STEPS.isdisjoint(writer.operators)
    file = judge_files.File(content, runtimes, steps, writer.dynamic)
    return judge_files.judge(program, file, in_all_ways)
