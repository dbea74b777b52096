"""Compiled networks: calling and reporting."""

from __future__ import annotations

import ctypes
import math
import operator
import os
import sys

import numpy as np

from ._library import Library

_MODELS = (".pt2", ".onnx", ".tflite", ".mlir", ".mlirbc")
_ALIGNMENT = 64
_CODES = {
    2: "expected a CPU with the features that it was compiled for, but this one lacks some",
    3: "expected LLVM's OpenMP runtime, libomp.so.5, for more than one thread, but found none: "
    "install it, by Debian's libomp5-19, or use one thread",
}


class Network:
    """A compiled network, called like the model it comes from: `y = net(x)`.

    NumPy arrays in, one array or a tuple of them out; torch tensors in, torch tensors out. Other
    arrays are taken by DLPack. A network with a dynamic batch takes any, the same for all inputs
    that have one. Inputs are read and outputs written in place; a wrong element type is a
    TypeError, a wrong shape or an array that is not contiguous a ValueError. Calls from several
    threads run side by side; these should pass `threads=1`, since each would else want all cores.

    Attributes:
        name: of the function.
        inputs, outputs: what goes in and out, a list of dicts with name, dtype and shape, where a
            leading None is a dynamic batch. One with `initial` is state, which an output with
            `updates`, its place among the inputs, gives for the next call (see `initial_state`).
        signature: all that the code says of its function, a dict; it has these lists.
        threads: the most that a call uses; `net(x, threads=n)` allows fewer, more count as so many.
            Results do not depend on it.
        version: of a library with a version for each of several CPUs, the CPU whose version runs;
            None where this machine supports none, and of a library for one CPU.
    """

    def __init__(self, library: Library, threads: int | None = None):
        signature = _choose(library.signatures)
        self.name, self.signature = signature["name"], signature
        self.inputs, self.outputs = signature["inputs"], signature["outputs"]
        most = min(signature.get("max_threads", 1), os.cpu_count() or 1)
        self.threads = most if threads is None else min(threads, most)
        self._inputs = [_Array(tensor) for tensor in self.inputs]
        self._outputs = [_Array(tensor) for tensor in self.outputs]
        self._has_batch = any(array.has_batch for array in self._inputs + self._outputs)
        self._library, symbol = library, signature["symbol"]
        pointer, batch = ctypes.c_void_p, [ctypes.c_int64] * self._has_batch
        self._entry = library.function(
            symbol, ctypes.c_int32, pointer, pointer, pointer, ctypes.c_int32, *batch
        )
        self.version = library.get_version(signature)
        arena_bytes = library.function(f"{symbol}_arena_bytes", ctypes.c_size_t, ctypes.c_int32)
        self._arena_bytes = arena_bytes(self.threads)
        # What calls use that are over: one for each call that ran at the same time.
        self._spaces = [_Space(self._arena_bytes, len(self._inputs), len(self._outputs))]

    def __call__(self, *inputs, threads: int | None = None, **keywords):
        """The results, of the arrays in the order of `inputs`, or of a dict of them by the names
        there."""
        if keywords:
            raise TypeError(
                "expected inputs in the order of the signature, since only networks compiled from "
                f"PyTorch here know keywords, but got {', '.join(keywords)}"
            )
        if len(inputs) == 1 and isinstance(inputs[0], dict):
            inputs = _in_order(inputs[0], self.inputs)
        results = self.flat(*inputs, threads=threads)
        return results if len(results) != 1 else results[0]

    def flat(self, *inputs, threads: int | None = None) -> tuple:
        """The results in the order of `outputs`, a tuple also of one."""
        if threads is None:
            threads = self.threads
        else:
            threads = min(check_threads(threads), self.threads)
        if len(inputs) != len(self._inputs):
            raise TypeError(f"expected {len(self._inputs)} inputs, but got {len(inputs)}")
        arrays = [array.check(x) for array, x in zip(self._inputs, inputs)]  # noqa: B905
        batch = self._get_batch(arrays) if self._has_batch else 0
        results = [array.make(batch) for array in self._outputs]
        self._run(arrays, results, batch, threads)
        torch = sys.modules.get("torch")
        if torch is not None and any(isinstance(x, torch.Tensor) for x in inputs):
            return tuple(map(torch.from_numpy, results))
        return tuple(results)

    def _run(self, arrays: list, results: list, batch: int, threads: int) -> None:
        try:
            space = self._spaces.pop()  # nobody else has it then
        except IndexError:
            space = _Space(self._arena_bytes, len(self._inputs), len(self._outputs))
        for i, x in enumerate(arrays):
            space.inputs[i] = _get_address(x)
        for i, y in enumerate(results):
            space.outputs[i] = _get_address(y)
        tail = (batch,) if self._has_batch else ()
        code = self._entry(*space.addresses, threads, *tail)
        self._spaces.append(space)
        if code:
            raise RuntimeError(_CODES.get(code, f"expected code 0 of a call, but got {code}"))

    def _get_batch(self, arrays: list) -> int:
        """The leading size of all inputs that have a batch; 0 without."""
        with_batch = [i for i, array in enumerate(self._inputs) if array.has_batch]
        for i in with_batch:
            first = with_batch[0]
            if len(arrays[i]) != len(arrays[first]):
                raise ValueError(
                    f"input '{self._inputs[i].name}': expected the batch {len(arrays[first])} of "
                    f"'{self._inputs[first].name}', but got {len(arrays[i])}"
                )
        return len(arrays[with_batch[0]]) if with_batch else 0

    def initial_state(self) -> tuple[np.ndarray, ...]:
        """What the inputs that are state hold at the first call; () for a network without.

        state = net.initial_state()
        for x in stream:
            y, *state = net(x, *state)
        """
        return tuple(
            np.broadcast_to(
                np.reshape(t["initial"], () if np.ndim(t["initial"]) == 0 else t["shape"]),
                t["shape"],
            ).astype(t["dtype"])
            for t in self.inputs
            if "initial" in t
        )

    def report(self, format: str = "text") -> str:  # noqa: A002
        """What every layer became, and why not: "text", "json" or "html". A library of an older
        version carries none, a ValueError."""
        if format not in ("text", "json", "html"):
            raise ValueError(f"expected text, json or html, but got {format!r}")
        return getattr(self._library.read_report(), f"to_{format}")()

    def _repr_html_(self) -> str | None:
        """The report, for a notebook; nothing for a library that carries none."""
        try:
            html = self.report("html")
        except ValueError:
            return None
        return html.split("<body>")[1].split("</body>")[0]

    def profile(self, *inputs, calls: int = 20):
        """A ValueError: layers are clocked where a network is compiled, by `bquant.compile`."""
        raise ValueError(
            "expected a network that was compiled here, since a library's code has no clocks, "
            "but got one that was loaded"
        )

    def __repr__(self) -> str:
        def text(tensors):
            return ", ".join(
                f"{t['name']}: {t['dtype']}"
                f"[{', '.join('?' if d is None else str(d) for d in t['shape'])}]"
                for t in tensors
            )

        return (
            f"<bquant_runtime.Network {self.name}({text(self.inputs)}) -> ({text(self.outputs)})>"
        )


class _Array:
    """An input or an output: what it has to be."""

    def __init__(self, tensor: dict):
        self.name = tensor["name"]
        if tensor["dtype"] == "bfloat16":
            raise ValueError(
                f"expected an element type that NumPy has for '{self.name}', but got bfloat16"
            )
        self.dtype = np.dtype(tensor["dtype"])
        self.shape = tuple(tensor["shape"])
        self.has_batch = self.shape[:1] == (None,)
        self.sample = self.shape[self.has_batch :]

    def check(self, x) -> np.ndarray:
        """The array of an argument, in place."""
        array = x if type(x) is np.ndarray else _view(x)
        if array is None or array.dtype != self.dtype:
            raise TypeError(f"input '{self.name}': expected {self._explain_type(x, array)}")
        if array.shape[self.has_batch :] != self.sample or array.ndim != len(self.shape):
            sizes = ", ".join("batch" if size is None else str(size) for size in self.shape)
            comma = "," if len(self.shape) == 1 else ""
            raise ValueError(
                f"input '{self.name}': expected the shape ({sizes}{comma}), but got {array.shape}"
            )
        if not array.flags.c_contiguous:
            raise ValueError(
                f"input '{self.name}': expected a contiguous array, but got one with strides"
            )
        return array

    def _explain_type(self, x, array: np.ndarray | None) -> str:
        """By the types of DLPack; NumPy has others, and lacks one."""
        if array is None and str(getattr(x, "dtype", None)) == "torch.bfloat16":
            return f"{self.dtype}, but got bfloat16"
        if array is None or not array.dtype.isnative or array.dtype.kind not in "biufc":
            return f"an array in this machine's memory, but got {type(x).__name__}"
        return f"{self.dtype}, but got {array.dtype}"

    def make(self, batch: int) -> np.ndarray:
        shape = (batch, *self.sample) if self.has_batch else self.shape
        try:
            return np.empty(shape, self.dtype)
        except (MemoryError, ValueError):
            count = math.prod(shape) * self.dtype.itemsize
            raise _no_memory(f"'{self.name}'", count if count < 2**64 else "2^64") from None


class _Space:
    """What one call at a time needs: an arena, and the lists of pointers to arrays."""

    def __init__(self, arena_bytes: int, inputs: int, outputs: int):
        try:
            self._memory = np.empty(arena_bytes + _ALIGNMENT - 1 if arena_bytes else 0, np.uint8)
        except (MemoryError, ValueError, OverflowError):
            raise _no_memory("the arena", arena_bytes) from None
        self.inputs = (ctypes.c_void_p * inputs)()
        self.outputs = (ctypes.c_void_p * outputs)()
        start = self._memory.ctypes.data
        arena = (start + _ALIGNMENT - 1) & -_ALIGNMENT if arena_bytes else None
        self.addresses = ctypes.addressof(self.inputs), ctypes.addressof(self.outputs), arena


def load(path: str | os.PathLike, threads: int | None = None) -> Network:
    """A library that `Network.save` or `bquant-compile` wrote; a call uses at most `threads`, or as
    many as it was compiled for."""
    if threads is not None:
        threads = check_threads(threads)
    path = os.fspath(path)
    if not os.path.exists(path):
        raise FileNotFoundError(f"expected a compiled network, but there is no file '{path}'")
    if os.path.splitext(path)[1] in _MODELS:
        raise ValueError(
            f"expected a library that Network.save or bquant-compile wrote, but got '{path}', a "
            "model: bquant.compile takes it"
        )
    return Network(Library(os.path.abspath(path)), threads)


def check_threads(threads) -> int:
    """A number of threads; ValueError for what is none."""
    try:
        count = 0 if isinstance(threads, bool) else operator.index(threads)
    except TypeError:
        count = 0
    if count < 1:
        raise ValueError(f"expected at least 1 thread, but got {threads!r}")
    if count >= 2**31:
        raise ValueError(f"expected fewer than 2^31 threads, but got {threads}")
    return count


def _no_memory(what: str, count) -> MemoryError:
    return MemoryError(f"expected memory for {what}, but there are no {count} bytes")


def _view(x) -> np.ndarray | None:
    """The array of a tensor or of what DLPack or a buffer gives, without a copy; None of what is no
    array, or on another device."""
    if isinstance(x, np.ndarray):
        return x
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        x = x.detach()
    try:
        return np.from_dlpack(x) if hasattr(x, "__dlpack__") else np.asarray(memoryview(x))
    except (TypeError, ValueError, RuntimeError, BufferError):
        return None


def _get_address(array: np.ndarray) -> int:
    """As `array.ctypes.data`, which takes several times as long."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError):  # read-only, or without elements
        return array.ctypes.data


def _choose(functions: list) -> dict:
    if len(functions) == 1:
        return functions[0]
    names = ", ".join(function["name"] for function in functions) or "none"
    raise ValueError(f"expected one public function, but got {names}")


def _in_order(arrays: dict, tensors: list) -> list:
    """The arrays of a dict in the order of a signature, which has these names."""
    names = [t["name"] for t in tensors]
    if set(names) != set(arrays):
        raise TypeError(
            f"expected a dict of the inputs {', '.join(names)}, but got one of "
            f"{', '.join(map(str, arrays)) or 'none'}"
        )
    return [arrays[name] for name in names]
