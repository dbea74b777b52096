"""What a signature says, checked as by lib/Compiler/Program.cpp: who wrote it is not known."""

from __future__ import annotations

from ._elf import SIGNATURE_SUFFIX
from ._foreign import count, is_number, parse, quote, quote_json

_ELEMENT_BYTES = {
    "bool": 1, "int8": 1, "uint8": 1, "float16": 2, "bfloat16": 2, "int16": 2, "uint16": 2,
    "float32": 4, "int32": 4, "uint32": 4, "float64": 8, "int64": 8, "uint64": 8,
}  # fmt: skip
_MOST_SIZES = 32


def read_signatures(exports) -> list[dict]:
    """The signatures of all functions of a library, by their symbols."""
    functions: list[dict] = []
    for name in sorted(exports.signatures):
        function = _read_function(get_text(exports.signatures[name], name), functions)
        symbol = function["symbol"].encode()
        if symbol + SIGNATURE_SUFFIX != name:
            raise ValueError(f"expected the symbol of '{quote(name)}', but got '{quote(symbol)}'")
        for suffix in entry_suffixes(function):
            if symbol + suffix.encode() not in exports.functions:
                raise ValueError(
                    f"expected a function '{quote(symbol + suffix.encode())}', but got none"
                )
        functions.append(function)
    return functions


def get_text(content: bytes, place: bytes) -> bytes:
    """Without the zero at the end of all bytes at a place."""
    if not content or content.find(b"\0") != len(content) - 1:
        raise ValueError(f"expected a text that ends in a zero at '{quote(place)}', but got none")
    return content[:-1]


def entry_suffixes(function: dict) -> list[str]:
    """Of the symbols of a function."""
    several = function.get("max_threads", 1) > 1
    optional = ["_set_parallel"] * several + ["_version"] * ("versions" in function)
    return ["", "_arena_bytes", "_supported", *optional]


def _read_function(text: bytes, others: list[dict]) -> dict:
    function = parse(text)
    if not isinstance(function, dict) or any(
        not isinstance(function.get(key), str) or "\0" in function[key]
        for key in ("name", "symbol")
    ):
        raise ValueError(f"expected the signature of a compiled function, but got '{quote(text)}'")
    for key in ("inputs", "outputs"):
        if not isinstance(function.get(key), list):
            raise ValueError(f"expected a list of '{key}' in a signature, but got none")
        for tensor in function[key]:
            _check_array(tensor)
    _check_state(function)
    name, symbol = function["name"], function["symbol"]
    if any({name, symbol} & {other["name"], other["symbol"]} for other in others):
        raise ValueError(f"expected different names, but got '{quote(name)}' twice")
    if "max_threads" in function:
        threads = count(function["max_threads"])
        if threads is None or not 1 <= threads < 2**31:
            raise ValueError(
                f"expected at least 1 thread for '{quote(name)}', but got "
                f"{quote_json(function['max_threads'])}"
            )
        function["max_threads"] = threads
    versions = function.get("versions", [""])
    if (
        not isinstance(versions, list)
        or not versions
        or not all(isinstance(cpu, str) for cpu in versions)
    ):
        raise ValueError(
            f"expected a list of the CPUs that '{quote(name)}' has versions for, but got "
            f"{quote_json(versions)}"
        )
    return function


def _check_array(tensor) -> None:
    if not isinstance(tensor, dict) or not (
        isinstance(tensor.get("name"), str)
        and isinstance(tensor.get("dtype"), str)
        and isinstance(tensor.get("shape"), list)
    ):
        raise ValueError(
            f"expected name, dtype and shape of an array, but got '{quote_json(tensor)}'"
        )
    name, dtype, shape = quote(tensor["name"]), tensor["dtype"], tensor["shape"]
    if dtype not in _ELEMENT_BYTES:
        raise ValueError(
            f"expected an element type of compiled functions for '{name}', but got '{quote(dtype)}'"
        )
    for i, size in enumerate(shape):
        if size is None and i == 0:
            continue
        if (count(size) or 0) < 1:
            raise ValueError(
                f"expected sizes of at least 1 for '{name}', but got {quote_json(size)}"
            )
        shape[i] = count(size)
    if len(shape) > _MOST_SIZES:
        raise ValueError(f"expected at most {_MOST_SIZES} sizes for '{name}', but got {len(shape)}")
    if count_elements(tensor) * _ELEMENT_BYTES[dtype] >= 2**63:
        sizes = "x".join(str(size or 1) for size in shape)
        raise ValueError(
            f"expected fewer than 2^63 bytes for '{name}', but got {quote(sizes)} of {dtype}"
        )


def count_elements(tensor: dict) -> int:
    """Of one sample, where there is a batch."""
    result = 1
    for size in tensor["shape"]:
        result *= size or 1
    return result


def _check_state(function: dict) -> None:
    """That state has as many numbers as elements, and that what updates it is of its type and
    shape."""
    inputs = function["inputs"]
    for tensor in inputs:
        if "initial" not in tensor:
            continue
        value = tensor["initial"]
        numbers = value if isinstance(value, list) else None
        if (
            None in tensor["shape"]
            or not (is_number(value) or numbers is not None)
            or (numbers is not None and len(numbers) != count_elements(tensor))
            or (numbers is not None and not all(map(is_number, numbers)))
        ):
            raise ValueError(
                "expected a number, or one for each element, as the initial value of "
                f"'{quote(tensor['name'])}', but got another value"
            )
    for tensor in function["outputs"]:
        if "updates" not in tensor:
            continue
        index = count(tensor["updates"])
        updated = inputs[index] if index is not None and 0 <= index < len(inputs) else {}
        if any(updated.get(key) != tensor[key] for key in ("dtype", "shape")):
            raise ValueError(
                f"expected '{quote(tensor['name'])}' to update an input of its type and shape, "
                f"but got input {quote_json(tensor['updates'])}"
            )
        tensor["updates"] = index
