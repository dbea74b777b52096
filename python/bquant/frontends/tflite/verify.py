"""Whether a flatbuffer is whole, before any of it is read.

The accessors that its schema generates follow whatever offset they find. In Python none reads past
the end of the file, but a place below 0 counts from the end, and many offsets to one part make a
small file take any amount of time. So each table, vector and string that the reader takes lies
inside of the file, and all of them together are not much larger than it: writers store each once.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class Numbers:
    """A vector of scalars of so many bytes, or a string."""

    size: int


@dataclass(frozen=True)
class Tables:
    """A vector of tables."""

    fields: dict


@dataclass(frozen=True)
class Options:
    """A table of scalars, but for those kinds that have more; the field `kind` says which it is."""

    kind: int
    fields: dict

    def of(self, kind: int | None) -> dict:
        return self.fields.get(kind, _TABLE_OF_SCALARS)


# A table has, by the numbers of its fields, the bytes of a scalar, a vector or another table; what
# is not listed is not read.
_TABLE_OF_SCALARS: dict = {}
_QUANTIZATION = {2: Numbers(4), 3: Numbers(8), 6: 4}
_TENSOR = {
    0: Numbers(4),  # shape
    1: 1,
    2: 4,
    3: Numbers(1),  # name
    4: _QUANTIZATION,
    5: 1,
    6: _TABLE_OF_SCALARS,  # sparsity, of which only whether there is one
    7: Numbers(4),  # shape signature
}
_OPERATOR = {
    0: 4,
    1: Numbers(4),  # inputs
    2: Numbers(4),  # outputs
    3: 1,
    4: Options(3, {111: {0: Numbers(1), 1: Numbers(1)}}),  # names of VarHandleOptions
    5: Numbers(1),  # options of a custom operator
}
_GRAPH = {0: Tables(_TENSOR), 1: Numbers(4), 2: Numbers(4), 3: Tables(_OPERATOR)}
_CODE = {0: 1, 1: Numbers(1), 2: 4, 3: 4}
_BUFFER = {0: Numbers(1), 1: 8, 2: 8}
MODEL = {0: 4, 1: Tables(_CODE), 2: Tables(_GRAPH), 4: Tables(_BUFFER)}

# How many times its size a file may have in parts.
_SHARED = 4


def verify(content: bytes) -> None:
    """ValueError where a model is not whole."""
    file = _File(content)
    file.table(file.offset(0), MODEL)


class _File:
    def __init__(self, content: bytes):
        self.content, self.left = content, _SHARED * len(content)

    def _number(self, layout: str, at: int) -> int:
        self._inside(at, struct.calcsize(layout))
        return struct.unpack_from(layout, self.content, at)[0]

    def _inside(self, at: int, size: int) -> None:
        if at < 0 or at + size > len(self.content):
            raise ValueError(f"{size} bytes at {at} of {len(self.content)}")

    def _spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise ValueError(f"parts of more than {_SHARED} times its size")

    def offset(self, at: int) -> int:
        """Where the offset at a place leads to."""
        return at + self._number("<I", at)

    def table(self, at: int, fields: dict) -> None:
        places = at - self._number("<i", at)
        listed, size = self._number("<H", places), self._number("<H", places + 2)
        self._inside(places, listed)
        self._inside(at, size)
        self._spend(size)
        for number, kind in fields.items():
            entry = 4 + 2 * number
            if entry + 2 > listed:
                continue  # of a later version of the schema
            field = self._number("<H", places + entry)
            if not field:
                continue
            if isinstance(kind, Options):
                kind = kind.of(self._byte(at, places, listed, kind.kind))
            width = kind if isinstance(kind, int) else 4
            if field + width > size:
                raise ValueError(f"field {number} behind the end of a table at {at}")
            self._field(at + field, kind)

    def _byte(self, at: int, places: int, listed: int, number: int) -> int:
        """A field of a table that is one byte, 0 where it is left out."""
        entry = 4 + 2 * number
        field = self._number("<H", places + entry) if entry + 2 <= listed else 0
        return self._number("<B", at + field) if field else 0

    def _field(self, at: int, kind) -> None:
        if isinstance(kind, int):
            return
        place = self.offset(at)
        if isinstance(kind, dict):
            self.table(place, kind)
            return
        count = self._number("<I", place)
        size = count * (kind.size if isinstance(kind, Numbers) else 4)
        self._inside(place + 4, size)
        self._spend(4 + size)
        if isinstance(kind, Tables):
            for i in range(count):
                self.table(self.offset(place + 4 + 4 * i), kind.fields)
