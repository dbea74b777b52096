"""Compiled networks: calling, reporting, saving, loading."""

from __future__ import annotations

import json
import operator
import os
import sys
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from . import _bquant, frontends
from ._profile import Profile

if TYPE_CHECKING:
    from .frontends.torch.structure import Structure


class _Tensor(TypedDict):
    name: str
    dtype: str
    shape: list[int | None]


class Tensor(_Tensor, total=False):
    """One of `Network.inputs` or `Network.outputs`; the last two where it is state."""

    initial: float | list[float]
    updates: int


class Network:
    """A compiled network, called like the model it comes from: `y = net(x)`.

    NumPy arrays or torch tensors in, the same out, in the model's own layout, element type and
    batch size. Results come in the lists, dicts and tuples in which a torch model returns them; of
    MLIR and of a loaded library, which knows nothing of these, as one array or a tuple. A network
    with a dynamic batch takes any, the same for all inputs that have one.
    Inputs are read and outputs written in place; a wrong element type is a TypeError, a wrong
    shape or an array that is not contiguous a ValueError. Calls from several threads run side by
    side; these should pass `threads=1`, since each would else want all cores.

    Attributes:
        name: what its function is called in C, `<name>_net` where C reserves that.
        inputs, outputs: what goes in and out, a list of dicts with name, dtype and shape, where a
            leading None is a dynamic batch. One with `initial` is state, which an output with
            `updates`, its place among the inputs, gives for the next call (see `initial_state`).
        signature: all that the code says of its function, a dict; it has these lists.
        threads: the most that a call uses; `net(x, threads=n)` allows fewer, more count as so many.
            Results do not depend on it.
        version: of a network with a version for each of several CPUs, the CPU whose version runs;
            None where this machine supports none, and of a network for one CPU.
    """

    name: str
    signature: dict[str, Any]
    inputs: list[Tensor]
    outputs: list[Tensor]
    options: dict[str, Any] | None
    threads: int
    version: str | None

    def __init__(
        self,
        program: _bquant.Program,
        threads: int | None = None,
        module: _bquant.Module | None = None,
        options: dict[str, Any] | None = None,
        structure: Structure | None = None,
        image: frontends.Image | None = None,
    ):
        signature = _choose(json.loads(program.signature))
        self.name, self.signature = signature["name"], signature
        self.inputs, self.outputs = signature["inputs"], signature["outputs"]
        self._program, self._module, self.options = program, module, options
        self._structure = structure  # the lists, dicts and keywords of the model, if it has such
        self._image = image  # how the first input is made of bytes, if it is
        # Libraries of older versions say nothing, and use one. More threads than cores are never
        # used, but would get memory.
        most = min(signature.get("max_threads", 1), os.cpu_count() or 1)
        self.threads = most if threads is None else min(threads, most)
        # Of another machine's network there is none: an error once it is called.
        foreign = options is not None and "target_triple" in options
        self._function = None if foreign else self._bind()
        versions = None if foreign else signature.get("versions")
        self.version = program.version(self.name) if versions else None

    def _bind(self) -> _bquant.Function:
        inputs, outputs = _describe(self.inputs), _describe(self.outputs)
        return _bquant.Function(self._program, self.name, inputs, outputs, self.threads)

    def __call__(self, *inputs: Any, threads: int | None = None, **keywords: Any) -> Any:
        """What the model returns, of what it takes; the tensors in the order of `inputs` do as
        well, unless the model takes them otherwise, and, of MLIR and of a loaded library, a dict of
        them by the names there."""
        results = self.flat(*self._flatten(inputs, keywords), threads=threads)
        if self._structure is not None:
            return self._structure.restore(results)
        return results if len(results) != 1 else results[0]

    def _flatten(self, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """The tensors of a call in the order of `inputs`."""
        if self._structure is not None:
            return self._structure.flatten(inputs, keywords)
        if keywords:
            raise TypeError(
                "expected inputs in the order of the signature, since only networks compiled from "
                f"PyTorch here know keywords, but got {', '.join(keywords)}"
            )
        if len(inputs) == 1 and isinstance(inputs[0], dict):
            return tuple(_in_order(inputs[0], self.inputs))
        return inputs

    def flat(self, *inputs: Any, threads: int | None = None) -> tuple[Any, ...]:
        """The results in the order of `outputs`, whatever structure the model returns them in."""
        if threads is None:
            threads = self.threads
        else:
            threads = min(check_threads(threads), self.threads)
        if self._function is None:
            self._function = self._bind()
        torch = sys.modules.get("torch")
        if torch is None or not any(isinstance(x, torch.Tensor) for x in inputs):
            results = self._function(*inputs, threads=threads)
            return results if isinstance(results, tuple) else (results,)
        results = self._function(*(_as_array(torch, x) for x in inputs), threads=threads)
        results = results if isinstance(results, tuple) else (results,)
        return tuple(torch.from_numpy(y) for y in results)

    def initial_state(self) -> tuple[NDArray[Any], ...]:
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
        """What every layer became, and why not: "text", "json" or "html"; of several versions in
        that which runs, or in each of them where none does. A library carries the report of its
        compilation; one of an older version carries none, a ValueError."""
        if format not in ("text", "json", "html"):
            raise ValueError(f"expected text, json or html, but got {format!r}")
        return self._program.report(format)

    def _repr_html_(self) -> str | None:
        """The report, for a notebook; nothing for a library that carries none."""
        try:
            html = self.report("html")
        except ValueError:
            return None
        return html.split("<body>")[1].split("</body>")[0]

    def profile(self, *inputs: Any, calls: int = 20, **keywords: Any) -> Profile:
        """Where the time of a call with these inputs goes, layer by layer: medians of `calls`
        calls on one thread. The network is compiled once more for it, with clocks around its
        layers; a network that was loaded cannot be, a ValueError."""
        if self._module is None:
            raise ValueError(
                "expected a network that was compiled here, since a library's code has no clocks, "
                "but got one that was loaded"
            )
        if not isinstance(calls, int) or calls < 1:
            raise ValueError(f"expected at least 1 call, but got {calls!r}")
        options = {**self.options, "target_cpu": self.version} if self.version else self.options
        inputs = self._flatten(inputs, keywords)
        clocked = self._module.jit(**options, clock_layers=True)
        torch = sys.modules.get("torch")
        arrays = [x if torch is None else _as_array(torch, x) for x in inputs]
        return Profile(self._function.profile(clocked, arrays, calls))

    def save(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        """A shared library `NAME.so` for `bquant.load` or for C, with a header `NAME.h` beside it,
        linked of what was compiled, with its function under another `name` if there is one. Of a
        network that was loaded it is the library as it was then, and a `name` is a ValueError.
        For another machine's the linker needs that machine's C library, e.g. by Debian's
        gcc-aarch64-linux-gnu. For Android it is a ValueError: its NDK links objects."""
        check_name(name)
        path = os.fspath(path)
        if os.path.splitext(path)[1] != ".so":
            raise ValueError(
                "expected a path that ends in .so, since save writes a shared library, but got "
                f"'{path}'"
            )
        self._program.save(path, name)

    def __repr__(self) -> str:
        def text(tensors: list[Tensor]) -> str:
            return ", ".join(
                f"{t['name']}: {t['dtype']}"
                f"[{', '.join('?' if d is None else str(d) for d in t['shape'])}]"
                for t in tensors
            )

        return f"<bquant.Network {self.name}({text(self.inputs)}) -> ({text(self.outputs)})>"


def check_threads(threads: Any) -> int:
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


def check_name(name: str | None) -> None:
    """The compiler says what is wrong with others; to it none is as an empty one."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"expected the name of a function, but got {name!r}")
    if name == "":
        raise ValueError("expected a name that C takes and nothing reserves, as 'net', but got ''")


def load(path: str | os.PathLike[str], threads: int | None = None) -> Network:
    """A library that `Network.save` or `bquant-compile` wrote; a call uses at most `threads`, or as
    many as it was compiled for."""
    if threads is not None:
        threads = check_threads(threads)
    path = os.fspath(path)
    if not os.path.exists(path):
        raise FileNotFoundError(f"expected a compiled network, but there is no file '{path}'")
    if os.path.splitext(path)[1] in frontends.SUFFIXES:
        raise ValueError(
            f"expected a library that Network.save or bquant-compile wrote, but got '{path}', a "
            "model: bquant.compile takes it"
        )
    # A path without a slash would be searched for in the system's directories.
    return Network(_bquant.Program.load(os.path.abspath(path)), threads)


def _as_array(torch, x):
    """The NumPy view of a tensor; far quicker than what a tensor itself offers."""
    if not isinstance(x, torch.Tensor):
        return x
    try:
        return x.detach().numpy() if x.requires_grad else x.numpy()
    except TypeError:  # on another device or of a type that NumPy lacks: say what it is
        return x.detach()
    except RuntimeError:  # a view that negates what is in memory
        return x.detach().resolve_neg().numpy()


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


def _describe(tensors: list) -> list:
    for t in tensors:
        if t["dtype"] == "bfloat16":
            raise ValueError(
                f"expected an element type that NumPy has for '{t['name']}', but got bfloat16"
            )
    return [(t["name"], t["dtype"], t["shape"]) for t in tensors]
