"""The package index has another project by the name of this package, `bquant`, and pip lets two
distributions write to one folder."""

from __future__ import annotations

import os
import re
import warnings


def check_name(folder: str = os.path.dirname(os.path.abspath(__file__))) -> None:
    """A warning where that has happened, since whichever is uninstalled takes files of the other
    with it; an ImportError where files of this package are no longer its own."""
    site = os.path.dirname(folder)
    names = os.listdir(site)
    other = next((n for n in names if re.match(r"bquant-\d.*\.dist-info$", n, re.I)), None)
    if other is None:
        return
    theirs = _record(os.path.join(site, other))
    shared = [path for path in theirs if path.startswith("bquant/")]
    if not shared:
        return
    whose = f"another project's bquant {other[len('bquant-') : -len('.dist-info')]}"
    again = "uninstall both, then install the wheel of bquant-mlir again"
    own = next((n for n in names if re.match(r"bquant_mlir-\d.*\.dist-info$", n)), None)
    ours = {} if own is None else _record(os.path.join(site, own))
    for path in shared:
        if ours.get(path) and ours[path] != _digest(os.path.join(site, path)):
            raise ImportError(f"expected {path} of bquant-mlir, but {whose} owns it: {again}")
    warnings.warn(
        f"expected bquant-mlir alone in the folder bquant, but {whose} is there, too: {again}",
        RuntimeWarning,
        stacklevel=3,
    )


def _record(folder: str) -> dict[str, str]:
    """The files of a distribution, and their digests."""
    import csv

    try:
        with open(os.path.join(folder, "RECORD"), newline="", encoding="utf-8") as file:
            return {row[0]: row[1] for row in csv.reader(file) if len(row) > 1}
    except FileNotFoundError:  # it was not installed by pip
        return {}


def _digest(path: str) -> str:
    """As RECORD has it; empty for one that is gone."""
    import base64
    import hashlib

    try:
        with open(path, "rb") as file:
            digest = hashlib.sha256(file.read()).digest()
    except FileNotFoundError:
        return ""
    return "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
