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
    Call = tuple[Any, ...] | dict[str, Any]


def verify(
    net: Network,
    model: Model,
    inputs: Array | Call | Iterable[Array | Call] | None = None,
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
        inputs: a tensor, an array, or a tuple of what a model of several inputs takes, of keywords
            the tensors in the order of `net.inputs`; a dict is an input of a model that takes one,
            or the keywords of one that takes these alone. Any other iterable (a list, a generator)
            gives a call each. (Of a loaded network, which knows no structure, the keys of a dict
            are in the order of the example.) None: three calls with normally distributed floats and
            uniform bytes; a ValueError for inputs of other types.
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
    from ..frontends.torch.structure import Structure
    from .replay import compare

    structure = net._structure  # a library knows none
    if structure is None and not isinstance(model, torch.nn.Module):
        structure = Structure(model)
    result, tapped = Verification(), {}
    for sample, (args, keywords) in enumerate(calls_of(net, inputs, structure)):
        if structure is None:
            args, tensors = _as_tensors(torch, net, model, args)
        else:
            flat = structure.flatten(args, keywords)
            tensors = tuple(tensor(torch, x) for x in flat)
            args, keywords = structure.unflatten(tensors)
        outputs = net.flat(*tensors)  # says what is wrong with the inputs
        shapes = tuple(tuple(x.shape) for x in tensors)
        if any(0 in shape for shape in shapes):
            raise ValueError(f"expected inputs with elements, but got shapes {shapes}")
        if shapes not in tapped:
            tapped[shapes] = _tap(net, model, args, keywords, _options(net, assume))
        tensors = tapped[shapes].structure.flatten(args, keywords)
        compare(tapped[shapes], tensors, outputs, sample, result)
    if not result.calls:
        raise ValueError("expected at least one input, but got none")
    return result


def _tap(net, model, args, keywords, options):
    from .taps import TappedModel

    try:
        return TappedModel(model, args, options, keywords, net._image)
    except frontends.UnsupportedOp as error:
        of_bytes = net._structure is None and net.inputs[0]["dtype"] == "uint8"
        if not of_bytes or args[0].dim() != 4:
            raise
        raise ValueError(
            'expected a network that was compiled here, since of one with input="uint8" a library '
            f"does not know mean and std, but got one that was loaded: {error}"
        ) from None


def _as_tensors(torch, net, model, args):
    """The inputs of a module as tensors, in lists and dicts as they are and one by one."""
    from ..frontends.torch.structure import signature_of

    if len(args) == 1 and isinstance(args[0], dict):
        names = [x["name"] for x in net.inputs]
        if set(args[0]) == set(names):
            args = tuple(args[0][name] for name in names)
    pytree = torch.utils._pytree
    args = pytree.tree_map(lambda x: None if x is None else tensor(torch, x), args)
    tensors = tuple(x for x in pytree.tree_leaves(args) if x is not None)
    try:
        if (forward := signature_of(model)) is not None:
            forward.bind(*args)
    except TypeError as error:
        raise ValueError(
            "expected inputs as the model takes them, which a loaded network does not know, but "
            f"got {len(args)}: {error}"
        ) from None
    return args, tensors


def _options(net, assume) -> dict:
    """How the tapped network is compiled: like `net`, as far as it says."""
    options = dict(net.options or {"strategy": "auto", "threads": 1, "assume": ""})
    if assume is not None:
        options["assume"] = assume if isinstance(assume, str) else ",".join(assume)
    if net.version:
        options["target_cpu"] = net.version
    return options
