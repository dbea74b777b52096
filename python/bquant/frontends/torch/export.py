"""A `torch.export` program of a model, with its batch static or of any size."""

from __future__ import annotations

import warnings

import torch
from torch.utils import _pytree

from ...nn.errors import with_path
from . import export_errors, quantized_modules
from .structure import order_keywords


def export_module(model, example_inputs, dynamic_batch, example_kwargs):
    """What `torch.export` makes of a model in eval mode. One call at a time: it keeps state of the
    whole process."""
    example_kwargs = order_keywords(model, example_kwargs)
    examples, shapes = _distinct((tuple(example_inputs), example_kwargs)), None
    given, model = model, quantized_modules.in_floats(model)
    if dynamic_batch:
        examples, shapes = _batched(examples)
    example_inputs, example_kwargs = examples
    modes = {module: module.training for module in model.modules()}
    try:
        model.eval()
        with warnings.catch_warnings(), torch.no_grad(), export_errors.quiet():
            warnings.simplefilter("ignore")  # of torch's, about its own internals
            made = torch.export.export(model, example_inputs, example_kwargs, dynamic_shapes=shapes)
        return made if model is given else quantized_modules.round_between(made)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # of torch, or of the model's own code
        if (named := with_path(error, model)) is not error:
            raise named from None
        what = "a model for any size of the batch" if shapes else "a model"
        raise export_errors.of(error, model, what) from error
    finally:
        for module, mode in modes.items():
            module.training = mode


def _distinct(examples):
    """Torch takes one tensor given twice for one input."""
    seen: set[int] = set()
    return _pytree.tree_map_only(
        torch.Tensor, lambda x: x.clone() if id(x) in seen else seen.add(id(x)) or x, examples
    )


def _batched(examples):
    """Example inputs of at least two samples (torch takes one as a promise), and what torch.export
    is to take for dynamic."""
    inputs = [x for x in _pytree.tree_leaves(examples) if isinstance(x, torch.Tensor)]
    sizes = {x.shape[0] if x.dim() else None for x in inputs}
    if len(sizes) != 1 or None in sizes:
        raise ValueError(
            "expected example_inputs that agree in their leading dimension, the batch, but got "
            + ", ".join(str(tuple(x.shape)) for x in inputs)
        )
    batch = torch.export.Dim("batch")
    several = _pytree.tree_map_only(
        torch.Tensor, lambda x: x if len(x) > 1 else x.new_zeros((2, *x.shape[1:])), examples
    )
    shapes = torch.export.ShapesCollection()  # Whatever the parameters of `forward` are.
    for x in _pytree.tree_leaves(several):
        if isinstance(x, torch.Tensor):
            shapes[x] = {0: batch}
    return several, shapes
