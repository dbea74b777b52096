"""Inlines what torch.export keeps of `with` blocks, `torch.no_grad()` and `torch.autocast(..)`.

    submod = get_attr[submod_1]                       conv2d = aten.conv2d(x, w)
    wrap = wrap_with_autocast("cpu", .., submod, x)   return conv2d
    conv2d = getitem(wrap, 0)                  ->
    return conv2d

Gradients do not change a result. Autocast changes the element types of some: these are values of
the block, and where there is one the block is refused.
"""

from __future__ import annotations

import dataclasses
import operator

import torch
from torch.export.graph_signature import TensorArgument

from ..common.shapes import UnsupportedOp
from .sources import place

# The operation's name, and which of its arguments is the block; the operands come after it.
BLOCKS = {"wrap_with_set_grad_enabled": 1, "wrap_with_autocast": 4}

_LOW_PRECISION = (torch.bfloat16, torch.float16)


def inline_blocks(exported):
    """The program without blocks; itself where it has none."""
    if not any(map(_is_block, exported.graph.nodes)):
        return exported
    inliner = _Inliner()
    inliner.copy(exported.graph_module, {})
    signature = exported.graph_signature
    specs = {
        key: [_renamed(spec, inliner.names) for spec in getattr(signature, key)]
        for key in ("input_specs", "output_specs")
    }
    return torch.export.ExportedProgram(
        root=inliner.attributes,
        graph=inliner.graph,
        graph_signature=dataclasses.replace(signature, **specs),
        state_dict=exported.state_dict,
        range_constraints=exported.range_constraints,
        module_call_graph=exported.module_call_graph,
        example_inputs=exported.example_inputs,
        constants=exported.constants,
        verifiers=exported.verifiers,
    )


def _is_block(node) -> bool:
    return node.op == "call_function" and str(node.target) in BLOCKS


def _renamed(spec, names):
    if not isinstance(spec.arg, TensorArgument) or spec.arg.name not in names:
        return spec
    return dataclasses.replace(spec, arg=TensorArgument(names[spec.arg.name]))


class _Inliner:
    """Copies a graph and those of its blocks into one. `names`: what the nodes of the first graph
    are called there; `attributes`: what the new graph's get_attr nodes name."""

    def __init__(self):
        self.graph = torch.fx.Graph()
        self.names: dict[str, str] = {}
        self.depth = 0
        self.attributes: dict[str, object] = {}

    def copy(self, module, known: dict):
        """The nodes of a module's graph, but for those of `known`, and what its output is."""
        for node in module.graph.nodes:
            if node in known:
                continue
            if _is_block(node):
                known[node] = self._block(module, node, known)
            elif node.op == "get_attr":
                if not all(map(_is_block, node.users)):
                    known[node] = self._attribute(module, node)
            elif node.target is operator.getitem and isinstance(known.get(node.args[0]), tuple):
                known[node] = known[node.args[0]][node.args[1]]
            else:
                known[node] = self.graph.node_copy(node, lambda n: known[n])
            # Nodes of a block may have the names of others outside.
            if self.depth == 0 and isinstance(known.get(node), torch.fx.Node):
                self.names[node.name] = known[node].name
        return known[node]

    def _block(self, module, node, known: dict) -> tuple:
        at = BLOCKS[str(node.target)]
        block = getattr(module, node.args[at].target)
        if str(node.target) == "wrap_with_autocast":
            _check_autocast(block, node)
        inputs = [n for n in block.graph.nodes if n.op == "placeholder"]
        given = torch.fx.node.map_arg(node.args[at + 1 :], lambda n: known[n])
        inside = dict(zip(inputs, given, strict=True))
        (output,) = [n for n in block.graph.nodes if n.op == "output"]
        inside[output] = None
        self.depth += 1
        self.copy(block, inside)
        self.depth -= 1
        results = torch.fx.node.map_arg(output.args[0], lambda n: inside[n])
        return tuple(results) if isinstance(results, (tuple, list)) else (results,)

    def _attribute(self, module, node):
        name = f"{node.target}_{len(self.attributes)}"
        self.attributes[name] = getattr(module, node.target)
        made = self.graph.get_attr(name)
        made.meta = dict(node.meta)
        return made


def _check_autocast(block, node) -> None:
    """That the block computes in the types in which it would without it."""
    if not node.args[2]:
        return
    for inner in block.graph.nodes:
        dtype = getattr(inner.meta.get("val"), "dtype", None)
        if inner.op == "call_function" and dtype in _LOW_PRECISION:
            raise UnsupportedOp(
                f"expected float32, but torch.autocast makes {inner.target} one of "
                f"{str(dtype)[6:]}{place(inner)}"
            )
