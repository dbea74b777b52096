"""What a model takes and returns, beside the flat lists of tensors that compiled code does."""

from __future__ import annotations

import inspect
from typing import Any

import torch
from torch.utils import _pytree

_MOST = 120  # characters of a structure in a message


class Structure:
    """The lists, dicts and keywords of an ExportedProgram's call. `forward` is the signature of
    the nn.Module that it comes from; None where it is not known."""

    def __init__(
        self, exported: torch.export.ExportedProgram, forward: inspect.Signature | None = None
    ):
        call = exported.call_spec
        self._inputs, self._outputs = call.in_spec, call.out_spec
        count = self._outputs.num_leaves
        flat = _pytree.tree_structure(0 if count == 1 else (0,) * count)
        self._is_flat = self._outputs == flat
        self._is_none = _find_nones(exported.graph_signature)
        self._count = self._is_none.count(False)

        positional, keywords = self._inputs.children()
        self._keywords = list(keywords.context)
        self._is_plain = not any(self._is_none) and self._inputs == _pytree.tree_structure(
            ((0,) * self._count, {})
        )
        self._parameters = None if forward is None else forward.parameters
        self._names = _positional_names(exported, forward)  # what positional inputs are called
        # Whether each input of the example is None; False for a list or dict.
        rest = iter(self._is_none)
        whole = [
            all([next(rest) for _ in range(spec.num_leaves)]) and spec.is_leaf()
            for spec in (*positional.children(), *keywords.children())
        ]
        self._positional_none = whole[: positional.num_children]
        self._keyword_none = dict(
            zip(self._keywords, whole[positional.num_children :], strict=True)
        )
        # Tensors alone mean what they would to the model: none would go to another parameter.
        others = self._names[positional.num_children :]
        self._takes_tensors = self._is_none == sorted(self._is_none) and all(
            name == keyword for name, keyword in zip(others, self._keywords, strict=False)
        )

    def flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """The tensors in the order of the signature. Tensors alone are taken as they come, unless
        the model would take them otherwise; TypeError for what has another structure than the
        example."""
        if not keywords and all(map(_is_leaf, inputs)):
            if self._takes_tensors and len(inputs) == self._count:
                return inputs
            if self._is_plain and len(inputs) < self._count:
                raise TypeError(f"expected {self._count} inputs, but got {len(inputs)}")
        inputs, keywords = self._bind(inputs, keywords)
        if set(keywords) != set(self._keywords):
            raise TypeError(
                f"expected the keyword inputs {', '.join(self._keywords) or '(none)'}, but got "
                f"{', '.join(keywords) or '(none)'}"
            )
        call = inputs, {name: keywords[name] for name in self._keywords}
        try:
            leaves = self._inputs.flatten_up_to(call)  # whatever the order of keys
        except ValueError:
            leaves = None
        if leaves is None or not all(
            x is None if is_none else _is_leaf(x)
            for x, is_none in zip(leaves, self._is_none, strict=True)
        ):
            example = _pytree.tree_unflatten(
                [None if is_none else torch.Tensor for is_none in self._is_none], self._inputs
            )
            raise TypeError(
                "expected inputs of the structure that was exported, "
                f"{_text(example)}, but got {_text(call)}"
            )
        return tuple(x for x, is_none in zip(leaves, self._is_none, strict=True) if not is_none)

    @property
    def only_keywords(self) -> bool:
        return bool(self._keywords) and not self._positional_none

    def unflatten(self, tensors: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The positional and the keyword inputs that the model takes, of what `flatten` gives."""
        rest = iter(tensors)
        leaves = [None if is_none else next(rest) for is_none in self._is_none]
        return _pytree.tree_unflatten(leaves, self._inputs)

    def restore(self, results: tuple[Any, ...]) -> Any:
        """What the model returns."""
        if self._is_flat:
            return results if len(results) != 1 else results[0]
        return _pytree.tree_unflatten(results, self._outputs)

    def _bind(self, inputs, keywords) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """As many positional inputs as the example has, others by name; None where it may be left
        out."""
        count, keywords = len(self._positional_none), dict(keywords)
        others = self._names[count:]
        if count < len(inputs) <= count + len(others):
            for name, value in zip(others, inputs[count:], strict=False):
                if name in keywords:
                    raise TypeError(f"expected one value of the input {name}, but got two")
                keywords[name] = value
            inputs = inputs[:count]
        inputs = list(inputs)
        for name, is_none in list(zip(self._names, self._positional_none, strict=False))[
            len(inputs) :
        ]:
            if name not in keywords and not (is_none and self._may_omit(name)):
                break
            inputs.append(keywords.pop(name, None))
        for name, is_none in self._keyword_none.items():
            if is_none and self._may_omit(name):
                keywords.setdefault(name, None)
        for name in [name for name in keywords if name not in self._keywords]:
            if keywords[name] is None and self._is_default(name):
                del keywords[name]
        return tuple(inputs), keywords

    def _may_omit(self, name: str) -> bool:
        return self._parameters is None or self._is_default(name)

    def _is_default(self, name: str) -> bool:
        """Whether the model takes None where that is left out."""
        parameter = (self._parameters or {}).get(name)
        return parameter is not None and parameter.default is None


def signature_of(model: torch.nn.Module) -> inspect.Signature | None:
    """That of `forward`; None where Python does not know it."""
    try:
        return inspect.signature(model.forward)
    except (TypeError, ValueError):
        return None


def order_keywords(model: torch.nn.Module, keywords: dict[str, Any]) -> dict[str, Any]:
    """In the order of the parameters, those of **keywords last."""
    forward = signature_of(model)
    names = [name for name in (forward.parameters if forward else ()) if name in keywords]
    return {name: keywords[name] for name in (*names, *(k for k in keywords if k not in names))}


def _find_nones(signature) -> list[bool]:
    """Of each leaf of the inputs, whether it is None."""
    specs = (spec for spec in signature.input_specs if spec.kind.name == "USER_INPUT")
    return [getattr(spec.arg, "value", 0) is None for spec in specs]


def _positional_names(exported, forward) -> list[str]:
    """What the model calls its positional inputs; of a program those that are positional there."""
    if forward is not None:
        kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
        return [name for name, p in forward.parameters.items() if p.kind in kinds]
    signature = exported.module_call_graph[0].signature
    names = getattr(signature, "forward_arg_names", None) or []
    return names[: exported.call_spec.in_spec.child(0).num_children]


def _is_leaf(value) -> bool:
    return isinstance(value, torch.Tensor) or not (
        value is None or isinstance(value, (list, tuple, dict))
    )


def _text(call) -> str:
    """A call with dots for tensors."""
    inputs, keywords = _pytree.tree_map(lambda x: None if x is None else _Dot(), call)
    text = ", ".join([*map(str, inputs), *(f"{k}={v}" for k, v in keywords.items())])
    return (text if len(text) <= _MOST else text[: _MOST - 3] + "...") or "nothing"


class _Dot:
    def __repr__(self) -> str:
        return "."
