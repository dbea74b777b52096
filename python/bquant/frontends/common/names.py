"""What the function of a network is called where nobody says it: after the model, as C allows.

A name that C reserves stays one here: the compiler gives it another symbol (`toCName`).
"""

from __future__ import annotations

import os
import re

# Where there is nothing to call it after.
FALLBACK = "forward"


def function_name(*candidates: str) -> str:
    """The first of the candidates of which a C identifier can be made, as one."""
    return next(filter(None, map(_identifier, candidates)), FALLBACK)


def of_class(name: str) -> str:
    """`ResNet18`, perhaps with its module before it, as `res_net18`."""
    name = name.rpartition(".")[2]
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def of_file(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def _identifier(text: str) -> str:
    """Empty where nothing of the text can be part of one."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    return f"net_{name}" if name[:1].isdigit() else name
