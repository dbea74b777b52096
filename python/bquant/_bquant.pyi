from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray


class Program:
    """Compiled code."""

    @staticmethod
    def load(path: str) -> Program: ...

    @property
    def signature(self) -> str:
        """The functions, as a JSON array."""

    def report(self, format: str) -> str: ...

    def version(self, name: str) -> str | None:
        """The CPU whose version of a function runs."""

    def save(self, path: str, name: str | None) -> None: ...

class Profile:
    """Where the time of a call goes."""

    def print(self, format: str) -> str: ...

class Function:
    """A compiled function: arrays to arrays."""

    def __init__(self, program: Program, name: str, inputs: Sequence[tuple[str, str, Sequence[int | None]]], outputs: Sequence[tuple[str, str, Sequence[int | None]]], threads: int) -> None: ...

    def __call__(self, *inputs: Any, threads: int) -> Any: ...

    def profile(self, clocked: Program, inputs: list[Any], calls: int) -> Profile: ...

def version() -> str: ...

def option_values(option: str) -> list[str]:
    """
    The values of an option, by its name on the command line, as float-precision.
    """

def format_report(json: str, format: str) -> str:
    """What `Module.compile` returned, as text, json or html."""

class Module:
    """An MLIR module."""

    @staticmethod
    def parse(source: bytes, name: str, resources: Mapping[str, numpy.typing.NDArray[Any]]) -> Module:
        """
        From text or bytecode; `resources` maps keys of dense_resource to arrays, which are kept, not copied.
        """

    @staticmethod
    def parse_file(path: str) -> Module: ...

    def print(self, elide: bool = False) -> str: ...

    def run(self, pipeline: str) -> None: ...

    def lower(self, stage: str, **options: Any) -> None:
        """The module itself, up to and including a stage."""

    def jit(self, **options: Any) -> Program: ...

    def compile(self, path: str, emit: str, **options: Any) -> str:
        """Writes a file; returns the report as JSON."""

def scheme_info(scheme: str) -> tuple[int, int]:
    """(planes, scalars of a group) of a scheme."""

def scheme_ratios(scheme: str) -> list[int]:
    """The integers m_i of planes with v_i = m_i v, else []."""

def solve(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], scheme: str, axes: Sequence[int], threads: int = 0, copy: bool = False) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.uint8], int, NDArray[numpy.float32] | None]:
    """
    (scalars, offsets, thresholds, codes, groups that are all zero, a copy of x or None): the arrays [rows, groups], with no rows where the scheme has none.
    """

def scheme_rows(scheme: str) -> tuple[int, int, int, int]:
    """(scalars, offsets, thresholds, codes) of a group."""

def nearest_levels(scalars: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.uint8]]:
    """(thresholds, codes) of the nearest of the values +-v_1 +- v_2 .."""

def cascade(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], scheme: str, scalars: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], clamp: float, out: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
    """
    Writes the cascade of clamped values, [groups * size], with scalars [rows, groups].
    """

def cascade_gradient(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], scheme: str, scalars: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], clamp: float, slope: str, gradient: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None:
    """Writes the gradient times the slope of `cascade`."""

def rank_one(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], xnor: bool) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], float]:
    """(scales of rows, scales of columns, energy) of a matrix."""

def check(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], scheme: str, axes: Sequence[int], scalars: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, thresholds: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, codes: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)] | None = None, threads: int = 0) -> None:
    """Raises a ValueError for values and parameters that cannot be applied."""

def fit(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], scheme: str, axes: Sequence[int], scalars: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, thresholds: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, codes: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)] | None = None, threads: int = 0) -> tuple[float, float]:
    """(error, angle)."""

def signs(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], scheme: str, axes: Sequence[int], scalars: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, thresholds: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, codes: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)] | None = None, threads: int = 0) -> NDArray[numpy.int8]:
    """Signs, [planes, *x.shape]."""

def words(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], scheme: str, axes: Sequence[int], scalars: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, thresholds: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, codes: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)] | None = None, threads: int = 0) -> NDArray[numpy.uint32]:
    """Packed planes [planes, *x.shape[:-1], ceil(x.shape[-1] / 32)]."""

def decode(x: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], scheme: str, axes: Sequence[int], scalars: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, thresholds: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None = None, codes: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)] | None = None, threads: int = 0) -> NDArray[numpy.float32]:
    """The decoded values, of x.shape."""

def run_tool(name: str, arguments: Sequence[str]) -> int:
    """
    The main of bquant-compile, bquant-opt or bquant-run; it may be called once in a process, before anything is compiled, and returns the exit code.
    """
