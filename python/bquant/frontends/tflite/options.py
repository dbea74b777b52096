"""What an operator says besides its operands, by name."""

from __future__ import annotations

import inspect

# A custom operator has a flexbuffer: Larq's are maps of up to ten numbers.
_MOST_BYTES, _MOST_ENTRIES = 4096, 32


def of_table(cls, table) -> dict:
    """The scalars of the options' table, by their names in the schema's Python."""
    options = cls()
    options.Init(table.Bytes, table.Pos)
    return {name: getattr(options, name)() for name in _scalars(cls)}


def _scalars(cls) -> list[str]:
    return [
        name
        for name in vars(cls)
        if name[0].isupper()
        and not name.endswith(("AsNumpy", "Length", "IsNone"))
        and not name.startswith("GetRoot")
        and list(inspect.signature(getattr(cls, name)).parameters) == ["self"]
    ]


def of_flexbuffer(content: bytes) -> dict:
    """The numbers of a map. Others are not looked at: what is in a vector may be the vector."""
    from flatbuffers import flexbuffers

    if len(content) > _MOST_BYTES:
        raise ValueError(f"options of {len(content)} bytes")
    try:
        root = flexbuffers.GetRoot(content)
        entries = root.AsMap
        if len(entries) > _MOST_ENTRIES:
            raise ValueError(f"{len(entries)} options")
        keys, values = entries.Keys, entries.Values
        pairs = [(keys[i].AsKey, values[i]) for i in range(len(entries))]
        return {str(key): value.Value for key, value in pairs if value.IsNumeric or value.IsBool}
    except AssertionError:
        raise ValueError("options that are no flexbuffer") from None
