"""What a network is called with: what is given, or what is made up."""

from __future__ import annotations

import sys

import numpy as np

SEED = 0
CALLS = 3  # that are made up
BATCH = 2  # of what is made up for any size of it


def calls_of(net, inputs):
    """A tuple of tensors or arrays for each call."""
    if inputs is None:
        return _made_up(net)
    torch = sys.modules.get("torch")
    if isinstance(inputs, np.ndarray) or (torch and isinstance(inputs, torch.Tensor)):
        return [(inputs,)]
    if isinstance(inputs, tuple):
        return [inputs]
    try:
        calls = iter(inputs)
    except TypeError:
        raise TypeError(
            f"expected a tensor, an array, a tuple or an iterable of them as inputs, but got "
            f"{type(inputs).__name__}"
        ) from None
    return (call if isinstance(call, tuple) else (call,) for call in calls)


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
