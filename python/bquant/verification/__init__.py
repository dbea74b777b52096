"""`bquant.verify`: whether a compiled network computes what its model says.

inputs.py    calls of what is given, or of what is made up
outputs.py   models of ONNX and MLIR: outputs beside the reference route's and a runtime's
taps.py      a model compiled once more, with what passes between its modules as results
replay.py    the same model in torch, each module given what compiled code computed before it
rounding.py  how much rounding may make the two differ, operation by operation
steps.py     comparisons and quantizers, where rounding makes another code
result.py    what `verify` returns
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import frontends
from .._network import Network
from .._requirements import import_torch
from .inputs import calls_of, tensor
from .result import Verification

if TYPE_CHECKING:
    import torch

    from .._types import Model

    Array = np.ndarray[Any, Any] | torch.Tensor


def verify(
    net: Network,
    model: Model,
    inputs: Array | tuple[Array, ...] | Iterable[Array | tuple[Array, ...]] | None = None,
    assume: str | Sequence[str] | None = None,
    *,
    runtime: Callable[..., Any] | None = None,
) -> Verification:
    """Compares a compiled network with its model: a PyTorch model layer by layer, an ONNX model or
    an MLIR module by its outputs.

    Two right computations of a binary network may differ in every output: a sum in another order
    moves a value over a threshold by its last bit, and the code behind it is another. So the
    outputs are not asked whether they are close. The model is compiled once more, with all that
    passes from one module to another as further results ("taps"; compiled code has every bit with
    and without them), and

    - the outputs of `net` equal those of the tapped network in every bit, or `net` was compiled
      from something else;
    - each layer of the model, given what the compiled network computed before it, gives what the
      compiled network has behind it, up to rounding: exactly for what IEEE arithmetic leaves no
      choice (ReLU, a quantizer with stored scalars, an addition), the worst case of K roundings for
      a product of K terms, and what rounding.py says for the rest;
    - PyTorch runs by itself, but takes the codes of the compiled network wherever a comparison
      comes out differently: these are the values on thresholds.

    ONNX and MLIR have no such runtime beside them. Their outputs equal, in every bit, those of the
    model compiled on the reference route; and those of a runtime to 1e-4 of the largest.

    Args:
        net: what `bquant.compile` or `bquant.load` gave.
        model: what `bquant.compile` takes; an nn.Module in eval mode.
        inputs: a tensor, an array, or a tuple of them for a model of several inputs; any other
            iterable (a list, a generator) gives a call each. None: three calls with normally
            distributed floats and uniform bytes; a ValueError for inputs of other types.
        assume: as of `bquant.compile`, for a network that was loaded, which does not say what it
            was compiled with.
        runtime: for ONNX and MLIR: a function of the arrays of a call that gives the outputs, an
            array or a list of them. None: ONNX Runtime for ONNX, where it is installed
            and takes the model.
    """
    if not isinstance(net, Network):
        raise TypeError(f"expected a bquant.Network as net, but got {type(net).__name__}")
    frontend, path = frontends.find(model)
    if frontend is frontends.TORCH:
        if runtime is not None:
            raise ValueError(
                "expected runtime for an ONNX or MLIR model, since PyTorch runs its own, but got "
                f"{type(model).__name__}"
            )
        return _verify_layers(net, model, path, inputs, assume)
    from .outputs import verify_outputs

    return verify_outputs(net, model, frontend, inputs, _options(net, assume), runtime)


def _verify_layers(net, model, path, inputs, assume) -> Verification:
    torch = import_torch("bquant.verify")
    if path is not None:
        from ..frontends.torch import load

        model = load(path)
    if isinstance(model, torch.nn.Module):
        training = [name for name, module in model.named_modules() if module.training]
        if training:
            name = f"'{training[0]}'" if training[0] else "the model"
            raise ValueError(f"expected a model in eval mode, but {name} is in training mode")
    from .replay import compare
    from .taps import TappedModel

    result, tapped = Verification(), {}
    for sample, call in enumerate(calls_of(net, inputs)):
        tensors = tuple(tensor(torch, x) for x in call)
        outputs = net.flat(*tensors)  # says what is wrong with the inputs
        shapes = tuple(tuple(x.shape) for x in tensors)
        if any(0 in shape for shape in shapes):
            raise ValueError(f"expected inputs with elements, but got shapes {shapes}")
        if shapes not in tapped:
            tapped[shapes] = TappedModel(model, tensors, _options(net, assume))
        compare(tapped[shapes], tensors, outputs, sample, result)
    if not result.calls:
        raise ValueError("expected at least one input, but got none")
    return result


def _options(net, assume) -> dict:
    """How the tapped network is compiled: like `net`, as far as it says."""
    options = dict(net.options or {"strategy": "auto", "threads": 1, "assume": ""})
    if assume is not None:
        options["assume"] = assume if isinstance(assume, str) else ",".join(assume)
    if net.version:
        options["target_cpu"] = net.version
    return options
