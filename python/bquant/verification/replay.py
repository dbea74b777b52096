"""The model in torch, beside what compiled code computed: operation by operation, and at each tap
compared and continued with the compiled value."""

from __future__ import annotations

import dataclasses
import operator
import warnings

import numpy as np
import torch
from torch.utils import _pytree as pytree

from . import rounding, steps
from .products import Product, Reaches, arithmetic_of
from .result import Difference, Layer, Mismatch, OnThreshold, Verification
from .taps import is_float, layer_name


@dataclasses.dataclass
class State:
    """What is known of a value.

    value: from the taps before it; equals compiled code's up to a bound.
    smooth, total: the bounds, without and with other codes of values near thresholds; None for
        equality.
    torch: what torch has by itself, but for the codes, which are those of compiled code.
    near: of the steps between the taps before it and this value, by node: the operands, and where
        the code may be another.
    """

    value: torch.Tensor
    smooth: torch.Tensor | None
    total: torch.Tensor | None
    torch: torch.Tensor
    near: dict = dataclasses.field(default_factory=dict)


def compare(model, inputs, outputs, sample: int, result: Verification) -> None:
    """Adds a call to the result. `outputs` are those of the network that is verified."""
    expected, taps = model(*inputs)
    if not result.layers:
        result.layers = [_layer(node, taps[node].shape) for node in model.taps]
    if result.mismatch is None:
        result.mismatch = _mismatch(outputs, expected, sample)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of samples that are zero
        replay = _Replay(model, inputs, taps, sample, result)
        for node in model.nodes:
            replay.run(node)
    for node, y in zip(model.outputs, expected, strict=True):
        if node not in replay.states:
            continue
        if not y.is_floating_point():
            replay.compare_codes(node, y)
            continue
        if (largest := _magnitude(y)) > 0:
            apart = _magnitude(replay.states[node].torch - y)
            result.difference = max(result.difference, apart / largest)
    result.calls += 1


def _layer(node, shape) -> Layer:
    source = node.args[0] if node.target is operator.getitem else node
    name = str(source.target)
    op = "batch_norm" if name in rounding.NORMS else name.split(".")[-2]
    return Layer(layer_name(node), op, list(shape))


def _is_by_rank(node) -> bool:
    """Whether the places of equal elements are in a result of codes."""
    if str(node.target) in ("aten.topk.default", "aten.sort.default"):
        return True
    return any(not is_float(n) and _is_by_rank(n) for n in node.all_input_nodes)


def _magnitude(x) -> float:
    x = x[x.isfinite()].abs()
    return x.max().item() if x.numel() else 0.0


def _mismatch(outputs, expected, sample) -> Mismatch | None:
    """Bits are compared, but which NaN a NaN is."""
    if len(outputs) != len(expected):
        raise ValueError(
            f"expected a network compiled from this model, with {len(expected)} outputs, but got "
            f"{len(outputs)}"
        )
    for i, (y, z) in enumerate(zip(outputs, expected, strict=True)):
        if y.shape != z.shape:
            raise ValueError(
                f"expected a network compiled from this model, whose output {i} has the shape "
                f"{tuple(z.shape)}, but got {tuple(y.shape)}"
            )
        a, b = (t.contiguous().numpy() for t in (y, z))
        if y.dtype != z.dtype:
            raise ValueError(
                f"expected a network compiled from this model, whose output {i} is {z.dtype}, but "
                f"got {y.dtype}"
            )
        if a.dtype == np.float32:
            other = (a.view(np.int32) != b.view(np.int32)) & ~(np.isnan(a) & np.isnan(b))
        else:
            other = a != b
        if other.any():
            index = tuple(int(k[0]) for k in np.nonzero(other))
            return Mismatch(i, sample, list(index), float(a[index]), float(b[index]))
    return None


def _near(states) -> dict:
    return {step: what for state in states for step, what in state.near.items()}


class _Replay:
    def __init__(self, model, inputs, taps: dict, sample: int, result: Verification):
        self.model, self.taps, self.sample, self.result = model, taps, sample, result
        self.rows = {node: row for node, row in zip(model.taps, result.layers, strict=True)}
        self.states = {
            node: State(value, None, None, value)
            for node, value in (*model.constants.items(), *zip(model.inputs, inputs, strict=True))
        }
        self.reaches = Reaches(model.constants, lambda n: self.states[n].value, self._function)
        self.recorded = set()  # what is on a threshold: step and index

    def run(self, node) -> None:
        if node.target is operator.getitem:
            self._pick(node, self.states[node.args[0]])
        else:
            self._call(node)
        if node in self.taps:
            self._compare(node)

    def _function(self, node):
        """The operation as a function of the tensors that it takes, and the nodes of these."""
        arguments, spec = pytree.tree_flatten((node.args, node.kwargs))
        places = []
        for i, argument in enumerate(arguments):
            state = self.states.get(argument) if isinstance(argument, torch.fx.Node) else None
            if state is not None and isinstance(state.value, torch.Tensor):
                places.append(i)
            elif state is not None:  # a size of a dynamic batch
                arguments[i] = state.value

        def function(*operands):
            values = list(arguments)
            for i, operand in zip(places, operands, strict=True):
                values[i] = operand
            args, kwargs = pytree.tree_unflatten(values, spec)
            return node.target(*args, **kwargs)

        return function, [arguments[i] for i in places]

    def _call(self, node) -> None:
        function, nodes = self._function(node)
        states = [self.states[n] for n in nodes]
        if node not in self.model.varying:
            value = function(*(s.value for s in states))
            self.states[node] = State(value, None, None, value)
            return
        if str(node.target) in steps.STEPS:
            self._step(node, function, states)
        else:
            self._smooth(node, function, nodes, states)

    def _pick(self, node, state) -> None:
        """One of several results."""
        fields = (
            None if x is None else x[node.args[1]]
            for x in (state.value, state.smooth, state.total, state.torch)
        )
        self.states[node] = State(*fields, state.near)

    def _smooth(self, node, function, nodes, states) -> None:
        name, operands = str(node.target), [s.value for s in states]
        inexact, product = self.model.inexact_sums, None
        if name in rounding.PRODUCTS:
            reaches = [self.reaches(n) for n in nodes]
            kinds = arithmetic_of(node, self.model.arithmetics)
            product = Product(node, function, operands, reaches).bound(kinds)
        bounds = [s.smooth for s in states]
        value, smooth = rounding.evaluate(node, function, operands, bounds, inexact, product)
        total = smooth
        if any(s.total is not s.smooth for s in states):
            bounds = [s.total for s in states]
            _, total = rounding.evaluate(node, function, operands, bounds, inexact, product)
        own = function(*(s.torch for s in states))
        if name in rounding.NORMS and isinstance(own, (tuple, list)):
            own, *_ = own
            value, smooth, total, own = ((x,) for x in (value, smooth, total, own))
        self.states[node] = State(value, smooth, total, own, _near(states))

    def _step(self, node, function, states) -> None:
        name, operands = str(node.target), [s.value for s in states]
        scheme = node.args[1] if name == steps.ONLINE else None
        value, smooth, total = steps.evaluate(
            name, function, operands, [s.smooth for s in states], [s.total for s in states], scheme
        )
        own = function(*(s.torch for s in states))
        here = steps.codes(name, value, operands[0], scheme)
        there = steps.codes(name, own, states[0].torch, scheme)
        other = (here != there) & ~((here != here) & (there != there))
        if other.any():
            self._record(node, operands, states[0].torch, other)
            own = torch.where(other, value, own)
        near = _near(states)
        if total is not None:
            here = total if total.dtype == torch.bool else total > (0 if smooth is None else smooth)
            if here.any():
                near[node] = operands, here
        self.states[node] = State(value, smooth, total, own, near)

    def _record(self, node, operands, own, where) -> None:
        """Values on thresholds. torch's own is that of the comparison's first operand."""
        x, limit = steps.threshold(node, operands, lambda n: self.states[n].value, where.shape)
        # What torch compares differs from the compiled value by as much as the operand does.
        apart = (own.double() - operands[0].double()).expand(x.shape)
        ulp = 2.0**-23 * max(_magnitude(x), _magnitude(limit), 2.0**-103)
        name = layer_name(node)
        for index in where.nonzero().tolist():
            at = tuple(index)
            if (node, at) in self.recorded:
                continue
            self.recorded.add((node, at))
            value, edge = x[at].item(), limit[at].item()
            self.result.on_thresholds.append(
                OnThreshold(
                    name, self.sample, index, value, value + apart[at].item(), edge,
                    abs(value - edge) / ulp,
                )
            )  # fmt: skip

    def _compare(self, node) -> None:
        state, compiled, row = self.states[node], self.taps[node], self.rows[node]
        apart = (compiled.double() - state.value.double()).abs()
        same = (compiled == state.value) | (compiled.isnan() & state.value.isnan())
        apart = torch.where(same, 0.0, apart)
        zero = torch.zeros((), dtype=torch.float64)
        smooth, total = (zero if b is None else b for b in (state.smooth, state.total))
        differs = ~same & ~(apart <= total) & ~total.isinf()  # also of NaN
        jumps = (apart > smooth) & ~differs
        if jumps.any():
            for step, (operands, near) in state.near.items():
                same_place = near & jumps if near.shape == jumps.shape else near
                self._record(step, operands, self.states[step.args[0]].torch, same_place)
        self._add(row, compiled, apart, total)
        if differs.any() and self.result.first_difference is None:
            at = tuple(differs.nonzero()[0].tolist())
            self.result.first_difference = Difference(
                row.name, row.op, self.sample, list(at), compiled[at].item(),
                state.value[at].item(), total.expand(apart.shape)[at].item(),
                int(differs.sum()), differs.numel(),
            )  # fmt: skip
        own = torch.where(jumps | differs | ~apart.isfinite(), compiled, state.torch)
        self.states[node] = State(compiled, None, None, own)

    def compare_codes(self, node, compiled) -> None:
        """An output of integers or bools. The floats that it comes from are taps, so it is exact;
        but which of equal elements comes first, torch leaves open."""
        state = self.states[node]
        differs = compiled != state.value
        if state.total is not None:
            differs &= state.total == 0
        if self.result.first_difference is not None or not differs.any() or _is_by_rank(node):
            return
        at = tuple(differs.nonzero()[0].tolist())
        row = _layer(node, compiled.shape)
        self.result.first_difference = Difference(
            row.name, row.op, self.sample, list(at), float(compiled[at]), float(state.value[at]),
            0.0, int(differs.sum()), differs.numel(),
        )  # fmt: skip

    def _add(self, row, compiled, apart, allowed) -> None:
        share = torch.where(apart == 0, 0.0, apart / allowed).nan_to_num(torch.inf, torch.inf)
        share = torch.where(allowed.isinf(), 0.0, share)
        row.largest = max(row.largest, _magnitude(compiled))
        at = torch.unravel_index(share.argmax(), share.shape)
        if share[at] >= row.share:
            row.share, row.difference = share[at].item(), apart[at].item()
            row.allowed = allowed.expand(apart.shape)[at].item()
