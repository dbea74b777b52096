"""Faults that are seeded into what the importer of PyTorch reads, so that compiled code computes
something else than the model says."""

import contextlib

import torch
from bquant.frontends.torch import reader as importer
from bquant.verification.taps import layer_name

PRODUCTS = ("aten.conv2d.", "aten.convolution.", "aten.linear.")


class Fault:
    """kind, node: what is wrong with which operation; change: of an exported program, undone at
    the end of a `with`."""

    def __init__(self, kind, node, change):
        self.kind, self.node, self.change = kind, node, change

    def __str__(self):
        return f"{self.kind} of {self.node}"

    def seed(self, monkeypatch):
        """From here on all that is compiled has the fault."""
        right = importer._Importer.run

        def run(reader, name):
            with self.change(reader.exported):
                return right(reader, name)

        monkeypatch.setattr(importer._Importer, "run", run)

    def layers(self, model):
        """Where it can show first: the taps of a TappedModel that follow the operation, none of
        them after another."""
        node = next(n for n in (*model.constants, *model.nodes) if n.name == self.node)
        found, front = set(), [node]
        while front:
            node = front.pop()
            if node in model.taps:
                found.add(layer_name(node))
            else:
                front += [user for user in node.users if user.op != "output"]
        return found


def _parameter(exported, node):
    """Its name, through what torch puts between; None if it is none."""
    while isinstance(node, torch.fx.Node) and node.op == "call_function" and node.all_input_nodes:
        node = node.all_input_nodes[0]
    names = {
        spec.arg.name: spec.target
        for spec in exported.graph_signature.input_specs
        if spec.kind.name in ("PARAMETER", "BUFFER")
    }
    return names.get(getattr(node, "name", None))


@contextlib.contextmanager
def _of_parameter(exported, name, function):
    right = exported.state_dict[name]
    exported.state_dict[name] = function(right.detach().clone())
    try:
        yield
    finally:
        exported.state_dict[name] = right


@contextlib.contextmanager
def _of_node(exported, name, target=None, args=None):
    node = next(n for n in exported.graph.nodes if n.name == name)
    right = node.target, node.args
    node.target, node.args = target or node.target, args(node) if args else node.args
    try:
        yield
    finally:
        node.target, node.args = right


@contextlib.contextmanager
def _of_input(exported, name, target, args, shape=None):
    """What the node reads first, as another operation gives it."""
    node = next(n for n in exported.graph.nodes if n.name == name)
    right, source = node.args, node.args[0]
    with exported.graph.inserting_before(node):
        other = exported.graph.call_function(target, (source, *args))
    value = source.meta["val"]
    other.meta = {**source.meta, "val": value if shape is None else value.new_empty(shape(value))}
    node.args = (other, *right[1:])
    try:
        yield
    finally:
        node.args = right
        exported.graph.erase_node(other)


def _code(w, rng):
    """One element becomes another of its row's levels, or its opposite."""
    row = w.reshape(len(w), -1)[rng.integers(len(w))]
    place = rng.integers(len(row))
    others = row[row != row[place]]
    step = (others - row[place]).abs()
    row[place] = others[step.argmin()] if len(others) and rng.random() < 0.7 else -row[place]
    return w


def _swapped(w, rng):
    i = rng.integers(len(w) - 1)
    order = list(range(len(w)))
    order[i], order[i + 1] = order[i + 1], order[i]
    return w[order].contiguous()


def _one(w, rng):
    w[rng.integers(len(w))] += 0.01
    return w


def _of_weight(function, least=1):
    """Of at least so many filters."""

    def draw(exported, node, rng):
        if not str(node.target).startswith(PRODUCTS) or len(node.args[1].meta["val"]) < least:
            return None
        name, seed = _parameter(exported, node.args[1]), int(rng.integers(2**31))
        if name is None:
            return None
        return lambda e: _of_parameter(e, name, lambda w: function(w, _generator(seed)))

    return draw


def _generator(seed):
    import numpy as np

    return np.random.default_rng(seed)


def _of_bias(exported, node, rng):
    if not str(node.target).startswith(PRODUCTS) or len(node.args) < 3 or node.args[2] is None:
        return None
    name, seed = _parameter(exported, node.args[2]), int(rng.integers(2**31))
    return lambda e: _of_parameter(e, name, lambda b: _one(b, _generator(seed)))


def _shifted(exported, node, rng):
    """As with a pad on the other side."""
    if (
        not str(node.target).startswith("aten.conv2d")
        or min(node.args[1].meta["val"].shape[2:]) < 2
    ):
        return None
    roll = torch.ops.aten.roll.default
    return lambda e: _of_input(e, node.name, roll, ([1], [3]))


def _pad_of_others(exported, node, rng):
    arguments = _arguments(node)
    if str(node.target) != "aten.conv2d.default" or not any(arguments[4]):
        return None
    (h, w) = arguments[4] if len(arguments[4]) == 2 else arguments[4] * 2

    def shape(v):
        return (*v.shape[:2], v.shape[2] + 2 * h, v.shape[3] + 2 * w)

    @contextlib.contextmanager
    def change(e):
        def bare(n):
            return (*_arguments(n)[:4], [0, 0], *_arguments(n)[5:])

        pad = torch.ops.aten.constant_pad_nd.default
        with (
            _of_node(e, node.name, args=bare),
            _of_input(e, node.name, pad, ([w, w, h, h], 0.25), shape),
        ):
            yield

    return change


def _arguments(conv):
    """x, filter, bias, strides, pads, and what else is written."""
    return (*conv.args, *(None, [1, 1], [0, 0])[len(conv.args) - 2 :])


def _channels(exported, node, rng):
    if not str(node.target).startswith("aten.conv2d") or node.args[0].meta["val"].shape[1] < 2:
        return None
    roll = torch.ops.aten.roll.default
    return lambda e: _of_input(e, node.name, roll, ([1], [1]))


def _without(*targets):
    """The operation gives what it takes."""

    def draw(exported, node, rng):
        if not str(node.target).startswith(targets):
            return None
        clone = torch.ops.aten.clone.default
        return lambda e: _of_node(e, node.name, clone, lambda n: n.args[:1])

    return draw


def _as(target, other):
    def draw(exported, node, rng):
        if str(node.target) != target:
            return None
        return lambda e: _of_node(e, node.name, other)

    return draw


def _number(targets, place, change):
    """A constant operand is another one."""

    def draw(exported, node, rng):
        if not str(node.target).startswith(targets) or len(node.args) <= place:
            return None
        if not isinstance(node.args[place], (int, float)):
            return None

        def args(n):
            return (*n.args[:place], change(n.args[place]), *n.args[place + 1 :])

        return lambda e: _of_node(e, node.name, args=args)

    return draw


def _of_norm(place, function, least=1):
    """Of at least so many channels."""

    def draw(exported, node, rng):
        if "batch_norm" not in str(node.target):
            return None
        made = node.meta["val"]  # With the statistics, or by itself.
        if (made if isinstance(made, torch.Tensor) else made[0]).shape[1] < least:
            return None
        name, seed = _parameter(exported, node.args[place]), int(rng.integers(2**31))
        return lambda e: _of_parameter(e, name, lambda p: function(p, _generator(seed)))

    return draw


def _turned(exported, node, rng):
    if str(node.target) != "aten.cat.default" or len(node.args[0]) != 2:
        return None
    first, second = (n.meta["val"].shape for n in node.args[0])
    if first != second:
        return None
    return lambda e: _of_node(e, node.name, args=lambda n: (list(n.args[0])[::-1], *n.args[1:]))


KINDS = {
    "another code": _of_weight(_code),
    "swapped filters": _of_weight(_swapped, least=2),
    "a filter turned round": _of_weight(lambda w, rng: w.flip(-1).contiguous()),
    "another bias": _of_bias,
    "a pad on the other side": _shifted,
    "a pad of other values": _pad_of_others,
    "rolled channels": _channels,
    "no ReLU": _without("aten.relu."),
    "no clamp": _without("aten.clamp.", "aten.hardtanh."),
    "floor for round": _as("aten.round.default", torch.ops.aten.floor.default),
    "gt for le": _as("aten.lt.Scalar", torch.ops.aten.ge.Scalar),
    "another threshold": _number(("aten.ge.Scalar", "aten.gt.Scalar"), 1, lambda t: t + 0.06),
    "another level": _number(("aten.mul.Tensor", "aten.mul.Scalar"), 1, lambda v: v * 1.001),
    "a level less": _number(("aten.clamp.",), 2, lambda v: v - 1),
    "another mean": _of_norm(3, _one),
    "swapped scales": _of_norm(1, _swapped, least=2),
    "a difference for a sum": _as("aten.add.Tensor", torch.ops.aten.sub.Tensor),
    "turned parts": _turned,
}


def faults(exported, rng):
    """One of each kind that the program has, at an operation that is drawn; in a drawn order."""
    nodes = [n for n in importer.live_nodes(exported.graph) if n.op == "call_function"]
    nodes.sort(key=lambda n: n.name)
    rng.shuffle(kinds := list(KINDS.items()))
    for kind, draw in kinds:
        places = [(n, c) for n in nodes if (c := draw(exported, n, rng)) is not None]
        if places:
            node, change = places[rng.integers(len(places))]
            yield Fault(kind, node.name, change)
