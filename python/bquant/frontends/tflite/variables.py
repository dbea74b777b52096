"""What a network keeps from one call to the next.

A variable is a tensor that says so (of SVDF), or has a name of its own by which VAR_HANDLE,
READ_VARIABLE and ASSIGN_VARIABLE know it. One that is read before it is written, and written, is a
state of the compiled function: an argument, and a result. One that is never written is a constant.
It starts with zeros, or with what the graph assigns that CALL_ONCE names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.shapes import UnsupportedOp
from . import svdf
from .context import Lite
from .load import Graph, Model, Operator, Tensor

OPERATORS = ("VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE", "CALL_ONCE")


@dataclass
class Variable:
    """`tensor`: the first one that reads or writes it, of its type. `value`: what it holds at the
    moment; None before it is read or written."""

    name: str
    is_written: bool
    initial: np.ndarray | None = None
    tensor: int | None = None
    value: Lite | None = None
    type: tuple | None = None

    def begin(self, index: int, tensor: Tensor) -> None:
        """With a tensor that reads or writes it. ValueError for one of another type."""
        codes = None if tensor.scale is None else (tensor.scale.tolist(), tensor.zero.tolist())
        type_ = (tensor.type, tensor.shape, codes)
        if self.tensor is not None:
            if type_ != self.type:
                raise ValueError(f"'{tensor.name}' of another type than its variable's")
            return
        self.tensor, self.type = index, type_
        if self.initial is None:
            zero = int(tensor.zero[0]) if tensor.type == "int8" and tensor.zero is not None else 0
            self.initial = np.full(tensor.shape, zero, tensor.type)
        if self.initial.dtype != tensor.type or self.initial.shape != tensor.shape:
            raise ValueError(f"'{tensor.name}' of another type than what its variable starts with")


class Variables:
    """Those of a model. `states`: those that are, in the order in which they are read first."""

    def __init__(self, model: Model):
        self.states: list[Variable] = []
        self._of_tensors: dict[int, Variable] = {}
        self._handles = _handles(model)
        initial: dict[tuple, np.ndarray] = {}
        for op in model.operators:
            if op.name == "CALL_ONCE":
                initial |= _assigned(model, op)
        assigned = {self._key(op) for op in model.operators if op.name == "ASSIGN_VARIABLE"}
        self._named = {
            key: Variable(key[-1], key in assigned, initial.get(key))
            for key in self._handles.values()
        }
        places = {i for op in model.operators for i in op.outputs} | {
            op.inputs[svdf.STATE]
            for op in model.operators
            if op.name == "SVDF" and len(op.inputs) > svdf.STATE
        }
        for i, tensor in enumerate(model.tensors):
            if tensor.is_variable:
                self._of_tensors[i] = Variable(tensor.name, i in places)
        every = (*self._named.values(), *self._of_tensors.values())
        self.written = [variable for variable in every if variable.is_written]

    def _key(self, operator: Operator) -> tuple | None:
        return self._handles.get(operator.inputs[0]) if operator.inputs else None

    def of_tensor(self, index: int) -> Variable:
        if index not in self._of_tensors:
            raise ValueError("expected a variable as state, but got another tensor")
        return self._of_tensors[index]

    def of_handle(self, index: int) -> Variable:
        if index not in self._handles:
            raise ValueError("expected what VAR_HANDLE gives as a variable")
        return self._named[self._handles[index]]


def _handles(graph: Graph) -> dict[int, tuple]:
    """The container and the name that a tensor stands for."""
    found = {}
    for op in graph.operators:
        if op.name == "VAR_HANDLE" and op.outputs:
            parts = [op.options.get(key) or b"" for key in ("Container", "SharedName")]
            key = tuple(part.decode() for part in parts)
            if not key[-1].isprintable():
                raise ValueError(f"expected a printable name of a variable, but got {key[-1]!a}")
            found[op.outputs[0]] = key
    return found


def _assigned(model: Model, call: Operator) -> dict[tuple, np.ndarray]:
    """What the graph of a CALL_ONCE assigns."""
    graph = model.others.get(call.options.get("InitSubgraphIndex", 0))
    if graph is None:
        raise ValueError("expected a graph that CALL_ONCE calls, but got none")
    handles, found = _handles(graph), {}
    for op in graph.operators:
        if op.name == "VAR_HANDLE":
            continue
        if op.name != "ASSIGN_VARIABLE":
            raise UnsupportedOp(f"expected constants that variables start with, but got {op.name}")
        handle, value = op.inputs
        array = graph.tensors[value].array if value >= 0 else None
        if handle not in handles or array is None:
            raise UnsupportedOp("expected constants that variables start with, but got others")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise UnsupportedOp("expected finite numbers that variables start with, but got others")
        found[handles[handle]] = array
    return found
