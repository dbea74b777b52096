"""What a model takes and returns, beside the flat lists of tensors that compiled code does."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree


class Structure:
    """The lists, dicts and keywords of an ExportedProgram's call."""

    def __init__(self, call_spec: Any):
        self._inputs, self._outputs = call_spec.in_spec, call_spec.out_spec
        count = self._outputs.num_leaves
        flat = _pytree.tree_structure(0 if count == 1 else (0,) * count)
        self._is_flat = self._outputs == flat

    def flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """The tensors in the order of the signature. Tensors alone are taken as they come;
        TypeError for what has another structure than the example."""
        if not keywords and len(inputs) == self._inputs.num_leaves and all(map(_is_leaf, inputs)):
            return inputs
        expected = list(self._inputs.child(1).context)
        if set(keywords) != set(expected):
            raise TypeError(
                f"expected the keyword inputs {', '.join(expected) or '(none)'}, but got "
                f"{', '.join(keywords) or '(none)'}"
            )
        leaves, spec = _pytree.tree_flatten((inputs, {name: keywords[name] for name in expected}))
        if spec != self._inputs:
            raise TypeError(
                "expected inputs of the structure that was exported, "
                f"{_text(self._inputs)}, but got {_text(spec)}"
            )
        return tuple(leaves)

    def restore(self, results: tuple[Any, ...]) -> Any:
        """What the model returns."""
        if self._is_flat:
            return results if len(results) != 1 else results[0]
        return _pytree.tree_unflatten(results, self._outputs)


def _is_leaf(value) -> bool:
    return isinstance(value, torch.Tensor) or not isinstance(value, (list, tuple, dict))


def _text(spec) -> str:
    inputs, keywords = _pytree.tree_unflatten(["."] * spec.num_leaves, spec)
    return ", ".join([*map(str, inputs), *(f"{k}={v}" for k, v in keywords.items())]).replace(
        "'.'", "."
    )
