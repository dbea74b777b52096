"""The table of operators: what each framework calls an operation, and the function that writes it.

    @operator(torch="aten.relu.default", onnx="Relu", tflite="RELU", integers=True)
    def relu(n: Node, x): ...

What frameworks share is one function for all of them, in `common/operators`; where they differ,
each has its own in its folder, or a parameter says how. The function gets the node and its operands
(None for one left out; of torch the arguments as in ATen's schema), and gives a value of the
program, an operand where there was nothing to do, or a list of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Operator:
    """`integers`: written for results of integers, too. `codes`: and of codes, which are whole
    floats, none of which leaves their range; `wraps`: what is computed wraps in their type.
    `moves`: moves elements of any type, and computes none."""

    write: Callable
    integers: bool = False
    codes: bool = False
    wraps: bool = False
    moves: bool = False


TORCH: dict[str, Operator] = {}
ONNX: dict[str, Operator] = {}
TFLITE: dict[str, Operator] = {}


def operator(*, torch=(), onnx=(), tflite=(), **flags: bool):
    """Registers a function under its names, a string or several; `flags` of `Operator`."""

    def register(function):
        for table, names in ((TORCH, torch), (ONNX, onnx), (TFLITE, tflite)):
            for name in (names,) if isinstance(names, str) else names:
                table[name] = Operator(function, **flags)
        return function

    return register


def register_all(rows, make, **flags: bool) -> None:
    """`make(what)` for each row of `what`, and its names in torch, ONNX and TensorFlow Lite."""
    for what, torch, onnx, tflite in rows:
        operator(torch=torch, onnx=onnx, tflite=tflite, **flags)(make(what))
