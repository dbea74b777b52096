"""What is the same in the importers of all frameworks."""

from __future__ import annotations

import contextlib

from . import mlir
from .budget import Budget
from .messages import because
from .operators.context import Operand
from .shapes import Batch, TensorType, UnsupportedOp

# What a library raises of operands and options that its own checks let through.
INVALID = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError)


class GraphImporter:
    """Writes a graph as a function. `own_bytes`: those of the model's own constants, by which it
    may have as much memory for others as is in proportion (`Budget`)."""

    def __init__(self, own_bytes: int):
        self.writer = mlir.Writer()
        self.arguments: list[mlir.Value] = []
        self.budget = Budget(own_bytes)

    def argument(self, type_: TensorType) -> mlir.Value:
        """One more; the first leading dimension that is a batch is that of all."""
        argument = mlir.Value(f"%arg{len(self.arguments)}", type_)
        self.arguments.append(argument)
        if isinstance(next(iter(type_.shape), None), Batch):
            self.writer.take_batch(argument)
        return argument

    @contextlib.contextmanager
    def node(self, what: str, *location, where: str = "", invalid=()):
        """Operations inside carry the location (`Writer.at`), if there is one, and errors say which
        node they are of, and where it is; what is `invalid` is a ValueError. So is what else a
        function meets that takes a graph for a good one, but its traceback is kept."""
        try:
            with self.writer.at(*location) if location else contextlib.nullcontext():
                yield
        except UnsupportedOp as error:
            raise UnsupportedOp(f"{what}: {error}{where}") from None
        except invalid as error:
            raise ValueError(because(f"expected a valid {what}, but got: ", error)) from None
        except ValueError:  # which says what it is about
            raise
        except INVALID as error:
            raise ValueError(f"{what}: {error}{where}") from error


def live(nodes, wanted, gives, takes) -> list:
    """Those of the nodes that what is wanted depends on, in their order. `gives` and `takes` say
    what a node computes, and of what."""
    wanted, found = set(wanted), []
    for node in reversed(nodes):
        if not wanted.isdisjoint(gives(node)):
            wanted.update(takes(node))
            found.append(node)
    return found[::-1]


def mark_signs(folded: Operand, operands, begins: bool, write) -> Operand:
    """A constant that was computed of others. From the first sign on (`begins`) it is written out,
    too, where it is wanted: most constants of this kind are only steps towards smaller ones."""
    signs = begins or any(o.signs and folded.size >= o.size for o in operands)
    folded.signs = signs and any(o.size > 1 for o in operands)
    if folded.signs:
        folded.write = write
    return folded
