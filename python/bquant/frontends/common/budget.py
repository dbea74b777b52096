"""How much memory the constants may take that are computed while importing.

A few bytes of a model may ask for any number of elements, all at once or by many nodes.
"""

from __future__ import annotations

from .shapes import UnsupportedOp

FREE_BYTES = 1 << 28
FACTOR = 8  # for each byte that the model has itself


class Budget:
    """`given`: the bytes of the model's own constants."""

    def __init__(self, given: int):
        self._left = FREE_BYTES + FACTOR * given

    def take(self, size: int, operands: int, what: str) -> None:
        """Bytes of a result; those of its operands are free. UnsupportedOp where there are not so
        many."""
        self._left -= max(0, size - operands)
        if self._left < 0:
            raise UnsupportedOp(f"expected constants of less size than {what}")
