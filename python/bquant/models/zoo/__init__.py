"""Trained networks, each a file of quantized weights, scalars and what stays float.

    model = bquant.models.load("fashion-resnet-ls-2")
    model.card["accuracy"], model.card["command"]

A file is a NumPy archive: for each quantized layer `LAYER.signs`, the bits of its planes (1 for +1,
in the order of memory, packed to bytes), and `LAYER.weight_scalars`; every other parameter and
average in float32; and the card, JSON, which says how the network is built, too.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ... import _bquant
from ...nn.layers import is_quantized
from ..common import Model
from ..resnet import resnet18
from ..vgg import vgg

FOLDER = Path(__file__).parent
_CONSTRUCTORS = {"resnet18": resnet18, "vgg": vgg}
_IDEMPOTENT = ("bwn", "ls-1", "ls-2", "ls-T")


def names() -> list[str]:
    """What `load` takes."""
    return sorted(path.stem for path in FOLDER.glob("*.npz"))


def load(name: str) -> Model:
    """A trained network, in eval mode; its attribute `card` says what it is.

    Raises:
        ValueError: there is no such network; the names are in the message.
    """
    if name not in names():
        raise ValueError(f"expected one of {', '.join(names())}, but got {name!r}")
    return read(FOLDER / f"{name}.npz")


def read(path: Path) -> Model:
    """The network of a file that `write` made."""
    try:
        with np.load(path) as archive:
            arrays = dict(archive)
        card = json.loads(arrays.pop("card").item())
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ValueError(f"{path}: expected a network of the zoo, but {error}") from None
    options = {key: tuple(v) if isinstance(v, list) else v for key, v in card["options"].items()}
    model = _CONSTRUCTORS[card["constructor"]](**options)
    state = {}
    for key, value in arrays.items():
        if key.endswith(".signs"):
            layer = key.removesuffix(".signs")
            scalars = arrays[f"{layer}.weight_scalars"]
            module = model.get_submodule(layer)
            state[f"{layer}.weight"] = _weight(module, value, scalars)
        else:
            state[key] = torch.from_numpy(value)
    model.load_state_dict(state, strict=False)
    model.card = card | {"bytes": path.stat().st_size}
    return model.eval()


def _weight(module, packed: np.ndarray, scalars: np.ndarray) -> torch.Tensor:
    """The weights that quantize to these signs and scalars: themselves quantized."""
    planes, _ = _bquant.scheme_info(module.weights)
    shape = (planes, *module.weight.shape)
    bits = np.unpackbits(packed, count=int(np.prod(shape))).reshape(shape)
    if len(scalars) != planes:  # ternary: one for both
        scalars = np.repeat(scalars, planes, 0)
    scalars = scalars.reshape(planes, -1, *[1] * (len(shape) - 2))
    signs = 2 * bits.astype(np.float32) - 1
    return torch.from_numpy(sum(v * s for v, s in zip(scalars, signs, strict=True)))


def write(path: Path, model: torch.nn.Module, card: dict[str, Any]) -> None:
    """Writes a network with weights of ls-1, ls-2 or ls-T, which quantize to themselves. `card` has
    "constructor", a name of `bquant.models`, and its "options"."""
    arrays = {"card": np.array(json.dumps(card))}
    quantized = {name: m for name, m in model.named_modules() if is_quantized(m)}
    for name, module in quantized.items():
        if module.weights not in _IDEMPOTENT:
            raise ValueError(
                f"expected weights of {', '.join(_IDEMPOTENT)}, but those of '{name}' are of "
                f"{module.weights}"
            )
        planes = _signs(module)
        arrays[f"{name}.signs"] = np.packbits(planes)
        arrays[f"{name}.weight_scalars"] = module.weight_scalars.numpy()
    latent = {f"{name}.weight" for name in quantized}
    for key, value in model.state_dict().items():
        if key not in latent and key not in arrays and not key.endswith("num_batches_tracked"):
            arrays[key] = value.contiguous().numpy()
    np.savez_compressed(path, **arrays)


def _signs(module) -> np.ndarray:
    weight = module.weight.detach().contiguous()
    scalars = module.weight_scalars.numpy()
    return _bquant.signs(weight.numpy(), module.weights, (0,), scalars) > 0
