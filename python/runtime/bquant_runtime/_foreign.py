"""What a file of unknown origin says: JSON, and its quotation in a message. The twin of
lib/Compiler/JSON.cpp and lib/Support/ForeignText.h."""

from __future__ import annotations

import json
import math
import re

_MOST_CHARACTERS = 60
_MOST_LEVELS = 32
# Strings, of which no bracket counts; an open one goes on to the end.
_TOKENS = re.compile(rb'"(?:\\(?:.|\Z)|[^"\\])*(?:"|\Z)|[\[{\]}]', re.S)
_INT64 = range(-(2**63), 2**63)


def quote(text: bytes | str) -> str:
    """Printable ASCII, every other byte as `\\xff`, shortened."""
    if isinstance(text, str):
        text = text.encode()
    quoted = "".join(
        chr(c) if 32 <= c < 127 else f"\\x{c:02x}" for c in text[: _MOST_CHARACTERS + 1]
    )
    return quoted if len(quoted) <= _MOST_CHARACTERS else quoted[: _MOST_CHARACTERS - 3] + "..."


def parse(text: bytes):
    """The value of a JSON text; numbers that C++ has as doubles are doubles here."""
    depth = most = 0
    for token in _TOKENS.findall(text):
        if token in (b"[", b"{"):
            depth += 1
            most = max(most, depth)
        elif token in (b"]", b"}"):
            depth -= 1
    if most > _MOST_LEVELS:
        raise ValueError(f"expected JSON of at most {_MOST_LEVELS} levels, but got {most}")
    try:
        value = json.loads(
            text.decode(), parse_int=_integer, parse_float=_double, parse_constant=_refuse
        )
    except ValueError:
        raise ValueError(f"expected JSON, but got '{quote(text)}'") from None
    return _without_lone_surrogates(value) if b"\\u" in text else value


def dump(value, indent: int | None = None, level: int = 0) -> str:
    """JSON as LLVM writes it, with sorted keys."""
    if isinstance(value, str):
        return _quote_string(value)
    if isinstance(value, float):
        return f"{value:.17g}"
    if not isinstance(value, (list, dict)):
        return json.dumps(value)
    colon = ": " if indent else ":"
    if isinstance(value, dict):
        items = [
            _quote_string(key) + colon + dump(value[key], indent, level + 1)
            for key in sorted(value)
        ]
        opened, closed = "{}"
    else:
        items = [dump(item, indent, level + 1) for item in value]
        opened, closed = "[]"
    if not indent or not items:
        return opened + ",".join(items) + closed
    line = "\n" + " " * (indent * (level + 1))
    return opened + line + ("," + line).join(items) + line[:-indent] + closed


def quote_json(value) -> str:
    return quote(dump(value))


def whole(value) -> int | None:
    """A number that an i64 can be."""
    if not is_number(value) or value != int(value):
        return None
    return int(value) if int(value) in _INT64 else None


def count(value) -> int | None:
    """A whole number that is written as one, without an exponent."""
    result = whole(value)
    return result if dump(value) == str(result) else None


def is_number(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _integer(text: str) -> int | float:
    value = int(text) if len(text) <= 20 else None
    if value is not None and -(2**63) <= value < 2**64:
        return value
    return _double(text)


def _double(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse(text)


def _refuse(text: str):
    raise ValueError(text)


def _quote_string(text: str) -> str:
    short = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
    return (
        '"' + "".join(short.get(c) or (c if c >= " " else f"\\u{ord(c):04x}") for c in text) + '"'
    )


def _without_lone_surrogates(value):
    """What stands for half a character in UTF-16 is none; LLVM writes U+FFFD for it."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {
            _without_lone_surrogates(key): _without_lone_surrogates(item)
            for key, item in value.items()
        }
    return value
