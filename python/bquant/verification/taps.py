"""A model compiled with further results: what passes from one module to another.

Of a Sequential(conv, norm, act), in the graph that torch exports:

    %y = conv2d(%x, ..)       # nn_module_stack: .., conv
    %z = batch_norm(%y, ..)   # nn_module_stack: .., norm
    %r = relu(%z)
    return %r                 # becomes: return %r, %y, %z

Each value is a tap that another module than its own takes, or that is a result; of results that are
no floats the floats that they are computed from. Functions that a module calls between its own
modules are tapped where their result goes to one of them.
"""

from __future__ import annotations

import json

import torch

from .._network import Network
from ..frontends import Image, parse
from ..frontends.torch import export, live_nodes, simplify, write
from ..frontends.torch.image import takes_image
from ..frontends.torch.sources import module_path
from ..frontends.torch.structure import Structure
from .products import read_remarks


def _export(model, inputs, keywords, image):
    if not isinstance(model, torch.nn.Module):
        return model
    if image is None:
        return export(model, inputs, False, keywords)
    with takes_image(model, image.mean, image.std, inputs if image.byte_weights else None):
        return export(model, inputs, False, keywords)


class TappedModel:
    """A model for inputs of one shape.

    Attributes:
        nodes: the operations, of those that the importer knows, in order.
        structure: what it takes.
        inputs: placeholders of the inputs.
        varying: all nodes that depend on inputs.
        outputs, taps: the nodes that the compiled network gives, in its order.
        constants: the value of each parameter and buffer.
        inexact_sums: whether (q - x) + x was compiled as q, which rounds in torch.
        arithmetics: what the products of each location became.
    """

    def __init__(
        self, model, inputs, options: dict, keywords: dict | None = None, image: Image | None = None
    ):
        exported = _export(model, inputs, keywords, image)
        self.structure = Structure(exported)
        program = simplify(exported)
        graph, signature = program.graph, program.graph_signature
        live = live_nodes(graph)
        self.nodes = [n for n in graph.nodes if n in live and n.op == "call_function"]
        specs = {spec.arg.name: spec for spec in signature.input_specs}
        self.inputs, self.constants = [], {}
        for node in graph.nodes:
            if node.op != "placeholder":
                continue
            spec = specs[node.name]
            if spec.kind.name == "USER_INPUT":
                if isinstance(node.meta["val"], torch.Tensor):
                    self.inputs.append(node)
            else:
                tensor = program.state_dict.get(spec.target)
                if tensor is None:
                    tensor = program.constants[spec.target]
                self.constants[node] = tensor.detach()
        self.varying = set(self.inputs)
        for node in self.nodes:
            if self.varying.intersection(node.all_input_nodes):
                self.varying.add(node)
        (output,) = (n for n in graph.nodes if n.op == "output")
        self.outputs = list(output.args[0])
        self.read_by_codes = self._floats_before_codes()
        self.taps = [n for n in self.nodes if self._is_tap(n)]
        module = parse(write(program, more=self.taps))
        self._network = Network(module.jit(**options), options["threads"])
        remarks = json.loads(self._network.report("json"))["remarks"]
        self.inexact_sums = any(
            "straight-through residue" in remark["text"] and "is taken for" in remark["text"]
            for remark in remarks
        )
        self.arithmetics = read_remarks(remarks)

    def __call__(self, *inputs) -> tuple[list[torch.Tensor], dict]:
        """The outputs, and the value of each tap."""
        results = list(self._network.flat(*inputs))
        count = len(self.outputs)
        return results[:count], dict(zip(self.taps, results[count:], strict=True))

    def _floats_before_codes(self) -> set[torch.fx.Node]:
        """What results that are integers or bools are computed from."""
        found, seen = set(), set()
        front = [node for node in self.outputs if not is_float(node)]
        while front:
            for node in front.pop().all_input_nodes:
                if is_float(node):
                    found.add(node)
                elif node not in seen:
                    front.append(node)
                    seen.add(node)
        return found

    def _is_tap(self, node) -> bool:
        return (
            node in self.varying
            and is_float(node)
            and (
                node in self.read_by_codes
                or any(user.op == "output" or _module(user) != _module(node) for user in node.users)
            )
        )


def is_float(node) -> bool:
    value = node.meta.get("val")
    return isinstance(value, torch.Tensor) and value.dtype == torch.float32


def _module(node) -> str:
    """The call of a module: torch has `layer@1` for the second."""
    return next(reversed(node.meta.get("nn_module_stack") or {}), "")


def layer_name(node) -> str:
    """`block.conv`, `block.conv#2` for its second call."""
    _, _, call = _module(node).partition("@")
    path = module_path(node) or "(model)"
    return f"{path}#{int(call) + 1}" if call.isdigit() else path
