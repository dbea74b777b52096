"""What a network is called with: what is given, or what is made up."""

from __future__ import annotations

import sys

import numpy as np

SEED = 0
CALLS = 3  # that are made up
BATCH = 2  # of what is made up for any size of it


def calls_of(net, inputs, structure):
    """The positional and the keyword inputs of each call; `structure` is that of what the model
    takes, if it is known."""
    if inputs is None:
        return [structure.unflatten(call) if structure else (call, {}) for call in _made_up(net)]
    return (_call(call, structure) for call in _given(inputs))


def _call(call, structure):
    if not isinstance(call, tuple):
        call = (call,)
    if structure and structure.only_keywords and len(call) == 1 and isinstance(call[0], dict):
        return (), call[0]
    return call, {}


def _given(inputs):
    torch = sys.modules.get("torch")
    if isinstance(inputs, (tuple, dict, np.ndarray)) or (
        torch and isinstance(inputs, torch.Tensor)
    ):
        return [inputs]
    try:
        return iter(inputs)
    except TypeError:
        raise TypeError(
            f"expected a tensor, an array, a tuple or an iterable of them as inputs, but got "
            f"{type(inputs).__name__}"
        ) from None


def tensor(torch, x):
    if isinstance(x, np.ndarray):
        x = torch.from_numpy(x)
    if not isinstance(x, torch.Tensor):
        raise _no_array(x)
    return x.detach()


def array(x) -> np.ndarray:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return x.detach().numpy()
    if not isinstance(x, np.ndarray):
        raise _no_array(x)
    return x


def _no_array(x) -> TypeError:
    return TypeError(f"expected tensors or arrays as inputs, but got {type(x).__name__}")


def _made_up(net) -> list[tuple[np.ndarray, ...]]:
    generator = np.random.default_rng(SEED)
    return [tuple(_array(x, generator) for x in net.inputs) for _ in range(CALLS)]


def _array(x: dict, generator) -> np.ndarray:
    shape = [BATCH if size is None else size for size in x["shape"]]
    if x["dtype"] == "float32":
        return generator.standard_normal(shape, np.float32)
    if x["dtype"] in ("uint8", "int8", "uint16", "int16"):
        type_ = np.iinfo(x["dtype"])
        return generator.integers(type_.min, type_.max + 1, shape, type_.dtype)
    if x["dtype"] in ("int32", "int64", "bool"):  # places in a table have to be small
        return generator.integers(0, 2, shape).astype(x["dtype"])
    raise ValueError(
        "expected inputs, since only float32, bool and integers of 8 to 64 bits are made up, "
        f"but input '{x['name']}' is {x['dtype']}"
    )
