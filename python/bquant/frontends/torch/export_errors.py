"""What torch.export says of a model that it does not take, as one line with the user's own place.

Torch's messages have many lines, and it prints its graph and tracebacks of its own code beside
them. Its error stays the __cause__ of the one that is raised here.
"""

from __future__ import annotations

import contextlib
import linecache
import logging
import os
import sys
import sysconfig
import traceback

import torch

from ..common.messages import MOST
from ..common.shapes import UnsupportedOp

# Show what then is an error of one line.
_LOGGERS = (
    "torch.export",
    "torch._subclasses.fake_tensor",
    "torch.fx.experimental.symbolic_shapes",
)
_OTHERS = tuple(
    os.path.normcase(os.path.join(path, ""))
    for path in (
        os.path.dirname(torch.__file__),
        os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__)))),
        *(os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "platstdlib")),
    )
)
_PACKAGES = tuple(
    os.path.normcase(os.path.join(sysconfig.get_path(name), "")) for name in ("purelib", "platlib")
)


def of(error: Exception, model: torch.nn.Module, what: str = "a model") -> UnsupportedOp:
    """`what` was expected."""
    if (module := _in_brevitas(error, model)) is not None:
        told = (
            f"expected {what} that torch.export takes, but Brevitas checks values in '{module}': "
            "compile the file that brevitas.export.export_qonnx writes"
        )
        return UnsupportedOp(_cut(told, MOST))
    start = f"expected {what} that torch.export takes, but got: "
    reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    if not isinstance(error, RuntimeError) or not reason:
        reason = f"{type(error).__name__}: {reason}".removesuffix(": ")
    reason, where = reason.rstrip("."), _place(error, model)
    room = MOST - len(start)
    most = max(room - len(reason), room * 2 // 3)
    if len(where) > most:
        where = _place(error, model, directories=False)
    where = _cut(where, most)
    return UnsupportedOp(start + _cut(reason, room - len(where)) + where)


def _in_brevitas(error: Exception, model) -> str | None:
    """The innermost module of the model that ran where code of Brevitas has failed."""
    package = os.sep + "brevitas" + os.sep
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if not any(package in frame.f_code.co_filename for frame in frames):
        return None
    paths = {id(module): path for path, module in model.named_modules() if path}
    return next(
        (
            paths[place]
            for frame in reversed(frames)
            if (place := id(frame.f_locals.get("self"))) in paths
        ),
        type(model).__name__,
    )


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(0, room - 3)] + "..."


def _is_own(file: str) -> bool:
    """Whether it is neither torch's, nor bquant's, nor Python's."""
    file = os.path.normcase(file)
    if file.startswith("<") or file.startswith(_OTHERS[:2]):
        return False
    return file.startswith(_PACKAGES) or not file.startswith(_OTHERS[2:])


def _place(error: Exception, model, directories: bool = True) -> str:
    """The innermost module that was running, and the innermost line that is the user's."""
    paths = {id(module): path for path, module in model.named_modules()}
    module = line = ""
    for frame, number in traceback.walk_tb(error.__traceback__):
        module = paths.get(id(frame.f_locals.get("self")), module)
        file = frame.f_code.co_filename
        if _is_own(file):
            text = linecache.getline(file, number).strip()
            file = file if directories else os.path.basename(file)
            line = f"{file}:{number}: {text}".removesuffix(": ")
    return (f" in module '{module}'" if module else "") + (f", at {line}" if line else "")


@contextlib.contextmanager
def quiet():
    """Without what torch shows beside an error."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        with contextlib.redirect_stderr(_WithoutGraph(sys.stderr)):
            yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled


class _WithoutGraph:
    """A stream without the graph that torch prints of an error, and the end of its line."""

    def __init__(self, stream):
        self.stream, self.follows = stream, False

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        graph = getattr(sys.exc_info()[1], "partial_fx_graph", None)
        drops = graph is not None and (self.follows or text == str(graph))
        self.follows = drops and not self.follows
        return len(text) if drops or self.stream is None else self.stream.write(text)
