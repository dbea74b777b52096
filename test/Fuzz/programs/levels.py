"""The levels at which programs are written, and what each is compared with."""

import dataclasses
import importlib
import shutil
import sys
from pathlib import Path

from . import (
    framework_rows,
    generic_rows,
    mlir,
    onnx,
    onnx_rows,
    pytorch,
    rows,
    tflite,
    tflite_rows,
    torch_rows,
    tosa,
    tosa_rows,
)
from .draw import Program
from .grammar import Reject

ROWS = [
    *rows.ROWS,
    *generic_rows.ROWS,
    *tosa_rows.ROWS,
    *framework_rows.ROWS,
    *onnx_rows.ROWS,
    *tflite_rows.ROWS,
    *torch_rows.ROWS,
]
# That of the build whose tests these are; else of the release.
RELEASE = Path(__file__).resolve().parents[3] / "build" / "bin"
JUDGE = shutil.which("bquant-test-judge") or RELEASE / "bquant-test-judge"


@dataclasses.dataclass
class Level:
    """`columns` of the rows, of which the first that a row has counts; the operations that
    expressions may have; the share of steps that are expressions."""

    name: str
    columns: tuple[str, ...]
    operations: set[str]
    share_of_idioms: float
    channels_last: bool = True
    quantizers: tuple[str, ...] = ()
    windows_may_skip: bool = True  # rows and columns at the end of an image
    pools_are_dilated: bool = True
    may_be_dynamic: bool = True
    suffix: str = ".mlir"
    batch: int = 40

    def __post_init__(self):
        self.rows = [row for row in ROWS if self.column(row)]
        self._by_name = {row.name: row for row in self.rows}

    def column(self, row):
        return next((name for name in self.columns if name in row.columns), None)

    def row(self, name):
        return self._by_name[name]

    def missing(self):
        return []

    def draw(self, seeds):
        """Their programs, but for those that cannot be written."""
        programs = []
        for seed in seeds:
            program = Program(self, seed)
            try:
                self.write([program])
            except Reject:
                continue
            programs.append(program)
        return programs


@dataclasses.dataclass
class MLIRLevel(Level):
    """By the judge: upstream's own lowering, the reference and the fast routes, kernels, threads,
    CPUs, a drawn pass, locations, a dynamic batch."""

    writer: type = mlir.Writer

    def write(self, programs, dynamic=False):
        return "\n".join(self.writer(program, dynamic).write() for program in programs) + "\n"

    def save(self, programs, stem):
        """The paths of what `command` takes; the second file has a dynamic batch."""
        paths = [stem.with_name(stem.name + ".mlir")]
        paths[0].write_text(self.write(programs))
        if dynamic := [program for program in programs if program.may_be_dynamic]:
            paths.append(stem.with_name(stem.name + ".dynamic.mlir"))
            paths[1].write_text(self.write(dynamic, dynamic=True))
        return paths

    def command(self, programs, paths, seed, in_all_ways):
        """By `seed` arguments, kernels and threads are drawn, and a way to compile."""
        file, *dynamic = paths
        options = [f"--seed={seed}", *["--all"] * in_all_ways]
        return [JUDGE, *options, file, *(f"--dynamic={path}" for path in dynamic)]


@dataclasses.dataclass
class PythonLevel(Level):
    """By a process of Python: the framework itself, the reference and the fast route, threads, a
    dynamic batch, `verify`."""

    writer: type = None
    judged_by: str = ""

    def write(self, programs):
        return "\n".join(self.writer(program).write() for program in programs)

    def save(self, programs, stem):
        """For the reader: the worker draws programs itself."""
        path = stem.with_name(stem.name + self.suffix)
        path.write_text(self.write(programs))
        return [path]

    def command(self, programs, paths, seed, in_all_ways):
        """All there is to draw for a program is drawn by its own seed."""
        worker = Path(__file__).resolve().parents[1] / "worker.py"
        options = ["--all"] * in_all_ways
        return [sys.executable, worker, *options, self.name, *(str(p.seed) for p in programs)]

    def judge(self, program, in_all_ways=False):
        """None, or what is wrong. Campaigns compile each in one way beside the reference."""
        return self._judge.judge(program, in_all_ways)

    def missing(self):
        """What programs would be compared with, too, were it here."""
        runtimes = getattr(self._judge, "RUNTIMES", {})
        return [name for name, is_here in runtimes.items() if not is_here]

    @property
    def _judge(self):
        return importlib.import_module(self.judged_by, __package__)


@dataclasses.dataclass
class FileLevel(PythonLevel):
    """Of a format whose files are no text, a file for each program."""

    def write(self, programs):
        (program,) = programs
        return self.open(program).write()

    def save(self, programs, stem):
        paths = [stem.with_name(f"{stem.name}-{p.seed}{self.suffix}") for p in programs]
        for path, program in zip(paths, programs, strict=True):
            path.write_bytes(self.write([program]))
        return paths

    def is_dynamic(self, program):
        """Half of those that can have a batch of any size do."""
        return program.may_be_dynamic and program.seed % 2 == 1

    def open(self, program):
        return self.writer(program, self.is_dynamic(program))


@dataclasses.dataclass
class LiteLevel(FileLevel):
    def is_dynamic(self, program):
        """A batch of any size has one sample in the file."""
        return super().is_dynamic(program) and program.batch == 1


LEVELS = {
    level.name: level
    for level in [
        MLIRLevel(
            "bquant",
            ("bquant", "mlir"),
            mlir.OPERATIONS,
            0.3,
            quantizers=(
                "quantize_by_scalars",
                "quantize_by_thresholds",
                "quantize_with_offset",
                "quantize_by_scheme",
                "constant",
            ),
        ),
        MLIRLevel("linalg", ("mlir",), mlir.OPERATIONS, 0.5),
        MLIRLevel(
            "tosa",
            ("tosa",),
            tosa.OPERATIONS,
            0.5,
            windows_may_skip=False,
            pools_are_dilated=False,
            may_be_dynamic=False,
            writer=tosa.Writer,
        ),
        PythonLevel(
            "torch",
            ("torch",),
            pytorch.OPERATIONS,
            0.5,
            channels_last=False,
            suffix=".py",
            writer=pytorch.Writer,
            judged_by=".judge_pytorch",
        ),
        FileLevel(
            "onnx",
            ("onnx",),
            onnx.OPERATIONS,
            0.3,
            channels_last=False,
            suffix=".onnx",
            writer=onnx.Writer,
            judged_by=".judge_onnx",
        ),
        LiteLevel(
            "tflite",
            ("tflite",),
            tflite.OPERATIONS,
            0.3,
            pools_are_dilated=False,
            suffix=".tflite",
            writer=tflite.Writer,
            judged_by=".judge_tflite",
        ),
    ]
}
