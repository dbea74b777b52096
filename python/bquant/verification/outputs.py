"""Models that are compared by their outputs alone: of ONNX and MLIR.

The reference route computes with the formulas of the operations, without words, tiles and vectors,
and has the bits of every other route. Runtimes add floats in another order: a value on a threshold
may have another code there, which `bquant.verify` cannot tell from a difference, since it does not
see into them.
"""

from __future__ import annotations

import os
import sys

import numpy as np

from .. import frontends
from .._network import Network
from .inputs import array, calls_of
from .result import Difference, Layer, Mismatch, Verification

TOLERANCE = 1e-4  # of the largest output of a runtime

REFERENCE, ORT, RUNTIME = "the reference route", "ONNX Runtime", "the runtime"


def verify_outputs(net, model, frontend, inputs, options: dict, runtime) -> Verification:
    """`options`: how the model is compiled, but for the strategy."""
    module, _ = frontends.read(model)
    program = module.jit(**{**options, "strategy": "reference"})
    reference = Network(program, options["threads"])
    name = RUNTIME
    if runtime is None and frontend is frontends.ONNX:
        runtime, name = _onnx_runtime(model), ORT
    result = Verification(against=[REFERENCE] if runtime is None else [REFERENCE, name])
    for sample, (args, keywords) in enumerate(calls_of(net, inputs, net._structure)):
        arrays = tuple(array(x) for x in net._flatten(args, keywords))
        results = net.flat(*arrays)  # says what is wrong with the inputs
        if any(x.size == 0 for x in arrays):
            shapes = tuple(x.shape for x in arrays)
            raise ValueError(f"expected inputs with elements, but got shapes {shapes}")
        expected = reference.flat(*arrays)
        _check(results, expected, "the model's")
        names = [y["name"] for y in reference.outputs]
        if result.mismatch is None:
            result.mismatch = _mismatch(results, expected, sample)
        if runtime is not None:
            expected = _list(runtime(*arrays))
            _check(results, expected, f"{name}'s")
        _compare(result, name if runtime else REFERENCE, names, results, expected, sample)
        result.calls += 1
    if not result.calls:
        raise ValueError("expected at least one input, but got none")
    return result


def _onnx_runtime(model):
    """A function of the inputs; None where onnxruntime is not installed, or does not take the
    model, as those of QONNX."""
    try:
        import onnxruntime
    except ModuleNotFoundError:
        return None
    if isinstance(model, os.PathLike):
        model = os.fspath(model)
    elif not isinstance(model, (str, bytes)):
        model = model.SerializeToString()
    try:
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    except Exception:  # its own have no class in common
        return None
    names = [x.name for x in session.get_inputs()]
    return lambda *arrays: session.run(None, dict(zip(names, arrays, strict=True)))


def _list(results) -> list[np.ndarray]:
    several, torch = isinstance(results, (list, tuple)), sys.modules.get("torch")
    return [
        y.detach().numpy() if torch and isinstance(y, torch.Tensor) else np.asarray(y)
        for y in (results if several else [results])
    ]


def _check(results, expected, whose: str) -> None:
    shapes, others = ([tuple(y.shape) for y in ys] for ys in (results, expected))
    if shapes != others:
        raise ValueError(
            f"expected a network with {whose} outputs, of the shapes {others}, but got {shapes}"
        )


def _equal(y, z) -> np.ndarray:
    """In every bit, but for which NaN a NaN is."""
    same = y == z
    if y.dtype.kind == "f":
        same = (same & (np.signbit(y) == np.signbit(z))) | (np.isnan(y) & np.isnan(z))
    return same


def _mismatch(results, expected, sample: int) -> Mismatch | None:
    for i, (y, z) in enumerate(zip(results, expected, strict=True)):
        other = np.argwhere(~_equal(y, z))
        if len(other):
            at = tuple(map(int, other[0]))
            return Mismatch(i, sample, list(at), float(y[at]), float(z[at]))
    return None


def _compare(result, against: str, names, results, expected, sample: int) -> None:
    if not result.layers:
        result.layers = [
            Layer(name, against, list(y.shape)) for name, y in zip(names, results, strict=True)
        ]
    for row, y, z in zip(result.layers, results, expected, strict=True):
        finite = np.abs(z[np.isfinite(z)].astype(np.float64))
        largest = finite.max() if finite.size else 0.0
        allowed = 0.0 if against == REFERENCE else TOLERANCE * largest
        same = _equal(y, z)
        with np.errstate(invalid="ignore"):
            apart = np.where(same | (y == z), 0.0, np.abs(y.astype(np.float64) - z))
        differs = ~(apart <= allowed)
        most = float(np.nan_to_num(apart, nan=np.inf).max(initial=0.0))
        share = most / allowed if allowed else np.inf if most else 0.0
        row.largest = max(row.largest, float(largest))
        if share >= row.share:
            row.share, row.difference, row.allowed = float(share), most, float(allowed)
        if largest:
            result.difference = max(result.difference, most / float(largest))
        if differs.any() and result.first_difference is None:
            at = tuple(map(int, np.argwhere(differs)[0]))
            result.first_difference = Difference(
                row.name, against, sample, list(at), float(y[at]), float(z[at]),
                float(allowed), int(differs.sum()), differs.size,
            )  # fmt: skip
