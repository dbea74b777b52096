"""Reads a `torch.export` program (training IR: whole operations) and writes MLIR on tensors.

Layouts stay torch's own (NCHW). What depends on parameters alone is computed here, by torch itself,
with one exception: quantized filters. From the first sign of a parameter on, operations are written
out, so that `--bquant-raise` recognises the filter's quantization; what is smaller than the filter
(a scale computed from it) is a constant again.

One function for each operation, in `common.operators`, or here in `elementwise`, `products`,
`pooling`, `quantize` and `shapes`.
An operation without one is decomposed by torch if it can be, else an error.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import logging
import operator
import threading
import warnings
from collections.abc import Iterable
from typing import Any

import sympy
import torch
from torch.utils import _pytree

from ..common import mlir, names
from ..common.importer import GraphImporter, live, mark_signs
from ..common.messages import MOST, because, listed
from ..common.operators.context import Context, Node, Operand
from ..common.shapes import INTEGERS, Batch, TensorType, UnsupportedOp, element_type
from ..common.table import TORCH
from . import archive, bounds, codes, elementwise, places, pooling, products, quantize, shapes  # noqa: F401
from .context import ALIASES, SIGNS, constant, to_torch
from .contexts import inline_blocks
from .export import export_module
from .sources import location, place, root_class
from .structure import Structure, signature_of

# What goes in and comes out; between, bytes are whole floats.
INPUTS = (torch.float32, *codes.BYTES, torch.int32, torch.int64, torch.bool)
OUTPUTS = ("f32", "i1", *codes.BYTES.values(), *INTEGERS)

# What decodes codes of 8 bits.
DECODED = ("quantized_decomposed.dequantize", "aten.fake_quantize")

# What gives codes of 8 bits.
CODES = {
    *bounds.CASTS,
    *(name for name in TORCH if name.startswith("quantized_decomposed.quantize")),
}

# torch.export and what rewrites its programs keep state of the whole process, and a model is
# switched to eval mode meanwhile: one import at a time.
_importing = threading.RLock()


def import_module(
    model: torch.nn.Module,
    example_inputs: Iterable[Any],
    dynamic_batch: bool = False,
    example_kwargs: dict[str, Any] | None = None,
) -> mlir.Program:
    """An nn.Module, as `export` does it; the function is called after its class."""
    exported = export(model, example_inputs, dynamic_batch, example_kwargs)
    return import_exported(exported, names.of_class(type(model).__name__), signature_of(model))


def export(
    model: torch.nn.Module,
    example_inputs: Iterable[Any],
    dynamic_batch: bool = False,
    example_kwargs: dict[str, Any] | None = None,
) -> torch.export.ExportedProgram:
    """The ExportedProgram of an nn.Module in eval mode; its own mode is restored. With
    `dynamic_batch` the leading dimension of every input is the batch, of any size."""
    with _importing:
        return export_module(model, example_inputs, dynamic_batch, example_kwargs or {})


def import_file(path: str) -> mlir.Program:
    """What torch.export.save wrote; the function is called after the file."""
    exported = load(path)
    try:
        return import_exported(exported, names.of_file(path))
    except (ValueError, UnsupportedOp, OSError, ImportError, MemoryError):
        raise
    except Exception as error:  # torch loads calls that fit no operation, and nodes of any metadata
        raise _no_program(path, error) from error


def _no_program(path: str, error: Exception) -> ValueError:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    start = f"expected a program that torch.export.save wrote, but got '{path}': "
    return ValueError(because(start, reason))


def load(path: str) -> torch.export.ExportedProgram:
    """The ExportedProgram of a file."""
    archive.check(path)
    with _importing, _quiet("torch.export"):
        try:
            return torch.export.load(path)
        except OSError:
            raise  # names the file
        except Exception as error:  # of zipfile, json, pickle, torch: whatever meets the fault
            raise _no_program(path, error) from error


@contextlib.contextmanager
def _quiet(name: str):
    """Without that logger, which shows a traceback of what then is an error of one line."""
    logger = logging.getLogger(name)
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def import_exported(
    exported: torch.export.ExportedProgram,
    name: str | None = None,
    forward: inspect.Signature | None = None,
) -> mlir.Program:
    """An ExportedProgram with static shapes, but for the leading dimension of inputs: where it is
    dynamic, it is the batch, of one size for all. Without a name the function is called after the
    class of the module that was exported. `forward` is the signature of that, where it is known."""
    if name is None:
        name = names.of_class(root_class(exported.graph))
    program = write(simplify(exported), names.function_name(name))
    program.structure = Structure(exported, forward)
    return program


def write(
    exported: torch.export.ExportedProgram,
    name: str = names.FALLBACK,
    more: Iterable[torch.fx.Node] = (),
) -> mlir.Program:
    """What `simplify` made. `more` are nodes of its graph that are results, too."""
    signature = exported.graph_signature
    if mutated := signature.buffers_to_mutate:
        raise UnsupportedOp(
            f"expected a model that leaves its buffers alone, but it writes to "
            f"'{next(iter(mutated.values()))}' (exported in training mode?)"
        )
    if mutated := signature.user_inputs_to_mutate:
        raise UnsupportedOp(
            f"expected a model that leaves its inputs alone, but it writes to "
            f"'{next(iter(mutated.values()))}'"
        )
    try:
        return _Importer(exported, more).run(name)
    except (UnsupportedOp, ValueError) as error:
        if len(str(error)) <= MOST:
            raise
        # The end is the user's own line.
        raise type(error)(str(error)[: MOST - 3] + "...") from error.__cause__


def _name(node) -> str:
    return str(node.target)


def _calls(exported):
    return [node for node in exported.graph.nodes if node.op == "call_function"]


def _is_known(node) -> bool:
    name = _name(node)
    return name in TORCH or name in ALIASES or node.target is operator.getitem


def _unknown(exported):
    """Operations that results depend on; sizes are none."""
    live = live_nodes(exported.graph)
    calls = [node for node in _calls(exported) if node in live and not _is_known(node)]
    return [node for node in calls if not isinstance(node.meta.get("val"), torch.SymInt)]


def _is_composite(target) -> bool:
    key = torch._C.DispatchKey.CompositeImplicitAutograd
    return isinstance(target, torch._ops.OpOverload) and target.has_kernel_for_dispatch_key(key)


def simplify(exported: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """In-place operations made functional, unknown ones decomposed as far as torch can, and blocks
    inlined."""
    with _importing:
        exported = inline_blocks(exported)
        for _ in range(4):
            in_place = any(
                getattr(getattr(node.target, "_schema", None), "is_mutable", False)
                for node in _calls(exported)
            )
            unknown = {node.target for node in _unknown(exported)}
            known = torch.export.default_decompositions() if unknown else {}
            table = {target: known[target] for target in unknown if target in known}
            # Views that are made of others, `movedim`, are so whatever the table says.
            if not in_place and not table and not any(map(_is_composite, unknown)):
                break
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exported = exported.run_decompositions(table)
        return exported


def live_nodes(graph: torch.fx.Graph) -> set[torch.fx.Node]:
    """What the outputs depend on; checks that torch leaves behind are not among it."""
    outputs = [node for node in graph.nodes if node.op == "output"]
    found = live(graph.nodes, outputs, lambda node: [node], lambda node: node.all_input_nodes)
    return set(found) - set(outputs)


def _check_known(exported, alive) -> None:
    """An UnsupportedOp that names all operations on inputs that are unknown."""
    varying = set(exported.graph_signature.user_inputs)
    unknown: dict[str, str] = {}  # and its first place
    for node in exported.graph.nodes:
        if node not in alive or varying.isdisjoint(n.name for n in node.all_input_nodes):
            continue
        varying.add(node.name)
        is_tensor = isinstance(node.meta.get("val"), (torch.Tensor, tuple, list))
        if node.op == "call_function" and is_tensor and not _is_known(node):
            unknown.setdefault(_name(node), place(node))
    if unknown:
        (first, where), several = next(iter(unknown.items())), len(unknown) > 1
        where = f"; {first}{where}" if several else where
        start = "unsupported operations " if several else "unsupported operation "
        room = MOST - min(len(where), MOST // 2)
        raise UnsupportedOp(listed(start, list(unknown), room) + where)


def _is_random(node) -> bool:
    """Whether each call may give another result; what drops nothing does not."""
    if torch.Tag.nondeterministic_seeded not in getattr(node.target, "tags", ()):
        return False
    given = {a.name: a.default_value for a in node.target._schema.arguments}
    given |= dict(zip(given, node.args, strict=False)) | node.kwargs
    return given.get("train") is not False and 0 not in (given.get("p"), given.get("dropout_p"))


def _typed(node, operand):
    """What a node gives, which knows whether its codes have a sign."""
    if not isinstance(operand, Operand):
        return operand
    unsigned = getattr(node.meta.get("val"), "dtype", None) == torch.uint8
    if unsigned == operand.unsigned:
        return operand
    return dataclasses.replace(operand, unsigned=unsigned)


class _Importer(GraphImporter):
    def __init__(self, exported, more):
        owned = (*exported.state_dict.values(), *exported.constants.values())
        super().__init__(sum(t.nbytes for t in owned if isinstance(t, torch.Tensor)))
        self.exported, self.more = exported, more
        self.values: dict[torch.fx.Node, Operand | list[Operand] | None] = {}
        self.batches = _batches(exported)

    def run(self, name: str) -> mlir.Program:
        inputs = {spec.arg.name: spec for spec in self.exported.graph_signature.input_specs}
        alive = live_nodes(self.exported.graph)
        _check_known(self.exported, alive)
        result = None
        for node in self.exported.graph.nodes:
            if node.op == "placeholder":
                self._placeholder(node, inputs[node.name])
            elif node.op == "output":
                result = self._output(node)
            elif node not in alive:
                continue
            elif node.op == "get_attr":  # a branch of control flow, an operation that is not known
                self.values[node] = None
            else:
                self.values[node] = _typed(node, self._call(node))
        return self.writer.finish(name, self.arguments, result)

    def _placeholder(self, node, spec) -> None:
        kind = spec.kind.name
        if kind == "USER_INPUT":
            tensor = node.meta["val"]
            if tensor is None:
                self.values[node] = None
                return
            if not isinstance(tensor, torch.Tensor):
                raise UnsupportedOp(
                    f"expected tensors as inputs, but '{node.name}' is {type(tensor).__name__}"
                )
            if tensor.dtype not in INPUTS:
                raise UnsupportedOp(
                    "expected inputs of float32, uint8, int8, int32, int64 or bool, but "
                    f"'{node.name}' is {tensor.dtype}"
                )
            type_ = self._tensor_type(tensor, f"input '{node.name}'")
            if tensor.dtype in codes.BYTES:
                argument = self.argument(TensorType(type_.shape, codes.BYTES[tensor.dtype]))
                self.values[node] = codes.of_argument(Context(self.writer, type_), argument)
            else:
                self.values[node] = _operand(self.argument(type_))
        elif kind in ("PARAMETER", "BUFFER", "CONSTANT_TENSOR"):
            tensor = self.exported.state_dict.get(spec.target)
            if tensor is None:
                tensor = self.exported.constants[spec.target]
            self.values[node] = constant(tensor.detach(), spec.target)
        else:
            raise UnsupportedOp(
                f"expected tensors as inputs, but '{node.name}' is a {kind.lower()}"
            )

    def _output(self, node) -> list[mlir.Value]:
        results = []
        for result in (*node.args[0], *self.more):
            operand = self.values.get(result) if isinstance(result, torch.fx.Node) else None
            if operand is None:
                raise UnsupportedOp(f"expected tensors as outputs, but got {result}")
            dtype = result.meta["val"].dtype
            element = codes.BYTES.get(dtype, operand.element)
            if element not in OUTPUTS:
                raise UnsupportedOp(
                    "expected outputs of float32, uint8, int8, int32, int64 or bool, but "
                    f"'{result.name}' is {element}"
                )
            c = self._context(result)
            is_byte = dtype in codes.BYTES
            results.append(codes.to_result(c, operand, dtype) if is_byte else c.value(operand))
        if not results:
            raise UnsupportedOp("expected at least one output, but got none")
        return results

    def _call(self, node) -> Operand:
        name = _name(node)
        args = torch.fx.node.map_arg(node.args, lambda n: self.values[n])
        kwargs = torch.fx.node.map_arg(node.kwargs, lambda n: self.values[n])
        operands = [self.values[n] for n in node.all_input_nodes]
        if _is_random(node):
            where = place(node)
            raise UnsupportedOp(f"expected the same result of each call, but got {name}{where}")
        if name in ALIASES:
            return operands[0]
        if node.target is operator.getitem and isinstance(args[0], list):
            return args[0][args[1]]
        if node.target is operator.getitem:
            if node.args[1] != 0:
                raise UnsupportedOp(
                    f"expected the first result only of {_name(node.args[0])}, but result "
                    f"{node.args[1]} is used{place(node.args[0])}"
                )
            return operands[0]
        if isinstance(node.meta.get("val"), torch.SymInt):
            return self._size(node.meta["val"], f"{name}{place(node)}")
        if "val" in node.meta and not isinstance(node.meta["val"], (torch.Tensor, tuple, list)):
            raise UnsupportedOp(f"expected a tensor from {name}{place(node)}")
        folded = self._fold(node, args, kwargs, operands)
        if folded is not None:
            return folded
        if name not in TORCH:
            raise UnsupportedOp(f"unsupported operation {name}{place(node)}")
        result = self._write(node, args, kwargs)
        if isinstance(result, list):
            return [_operand(value) for value in result]
        return _operand(result)

    def _write(self, node, args, kwargs):
        """An operation written out: a value, or an operand where there was nothing to do."""
        name, context = _name(node), self._context(node)
        operator = TORCH[name]
        dtype = getattr(node.meta["val"], "dtype", None)
        given = None
        if dtype in codes.BYTES and not (operator.moves or name in CODES):
            given = str(dtype).removeprefix("torch.")
        elif context.type.element in INTEGERS and not (operator.moves or operator.integers):
            given = context.type.element
        if given is not None:
            raise UnsupportedOp(f"expected float32 or bool, but {name} gives {given}{place(node)}")
        if dtype in codes.BYTES and name in bounds.CASTS:
            fits = bounds.fits(node.all_input_nodes[0], dtype)
            context.options = {"code": dtype, "fits": fits}
        with self.node(name, *location(node), where=place(node)):
            operands = [self.values[n] for n in node.all_input_nodes]
            moved = codes.move(context, operands, args, kwargs, operator.write)
            if moved is not None:
                return moved
            call = inspect.signature(operator.write).bind(context, *args, **kwargs)
            return operator.write(*call.args, **call.kwargs)

    def _fold(self, node, args, kwargs, operands) -> Operand | list[Operand] | None:
        """The value of an operation on constants. With `signs` it is to be written out, too."""
        if any(not isinstance(o, Operand) or o.constant is None for o in operands):
            return None

        def known(argument):
            return to_torch(argument) if isinstance(argument, Operand) else argument

        outputs, _ = _pytree.tree_flatten(node.meta.get("val"))
        for tensor in outputs:
            if isinstance(tensor, torch.Tensor):
                if any(isinstance(d, torch.SymInt) for d in tensor.shape):
                    raise UnsupportedOp(
                        f"expected static sizes of constants, but {_name(node)} has "
                        f"{tuple(tensor.shape)}{place(node)}"
                    )
                size = tensor.numel() * tensor.element_size()
                shape = tuple(tensor.shape)
                have = sum(o.constant.nbytes for o in operands)
                self.budget.take(size, have, f"{shape} of {_name(node)}{place(node)}")
        with torch.no_grad():
            value = node.target(
                *_pytree.tree_map(known, args),
                **_pytree.tree_map(known, kwargs),
            )
        several = isinstance(value, (tuple, list))
        hint = next((o.hint for o in operands if o.hint), node.name)
        folded = [constant(v, hint) for v in (value if several else [value])]
        known = _name(node) in TORCH

        def write():
            result = self._write(node, args, kwargs)
            return result[0] if isinstance(result, list) else result

        begins = _name(node) in SIGNS
        mark_signs(folded[0], operands, begins, write if known else None)
        if known and _name(node).startswith(DECODED) and not several:
            with contextlib.suppress(UnsupportedOp):  # no codes, but floats
                folded[0].coded = getattr(self._write(node, args, kwargs), "coded", None)
        return folded if several else folded[0]

    def _context(self, node) -> Node:
        values, what = node.meta["val"], f"{_name(node)}{place(node)}"
        types = [
            self._tensor_type(value, what) if isinstance(value, torch.Tensor) else None
            for value in (values if isinstance(values, (tuple, list)) else [values])
        ]
        return Node(self.writer, types, _name(node))

    def _tensor_type(self, tensor, what: str) -> TensorType:
        shape = tuple(self._size(size, what) for size in tensor.shape)
        if tensor.dtype in codes.BYTES:
            return TensorType(shape)  # an image, which is made float at once, or codes
        try:
            return TensorType(shape, element_type(tensor.dtype))
        except TypeError as error:
            raise UnsupportedOp(f"{what}: {error}") from None

    def _size(self, size, what: str) -> int | Batch:
        """A number, or a multiple of the batch; torch has it as an expression of sympy's."""
        if isinstance(size, int):
            return size
        factor, rest = size.node.expr.as_coeff_Mul()
        if rest in self.batches and factor.is_Integer and factor > 0:
            return Batch(int(factor))
        raise UnsupportedOp(
            f"expected static sizes, or multiples of a leading dimension of the inputs, but {what} "
            f"has {size}"
        )


def _operand(result) -> Operand:
    if isinstance(result, Operand):
        return result
    return Operand(result.shape, result.type.element, value=result)


def _batches(exported) -> set[sympy.Symbol]:
    """What torch calls the leading dimensions of inputs that are dynamic: all stand for the one
    size of the batch."""
    user = set(exported.graph_signature.user_inputs)
    tensors = [
        node.meta["val"]
        for node in exported.graph.nodes
        if node.op == "placeholder" and node.name in user
    ]
    return {
        t.shape[0].node.expr
        for t in tensors
        if isinstance(t, torch.Tensor) and t.dim() and isinstance(t.shape[0], torch.SymInt)
    }
