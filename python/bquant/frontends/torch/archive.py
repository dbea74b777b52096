"""What an archive is, by the names and sizes of its members, before torch reads it."""

from __future__ import annotations

import os
import zipfile

# torch.export.save compresses nothing. What unpacks to more than both is no model: bytes, and for
# each byte of the file.
FREE_BYTES = 1 << 28
FACTOR = 16


def check(path: str) -> None:
    """A ValueError for archives of torch.save and torch.jit.save, and for those that unpack to far
    more than they are. What is no archive at all, torch.export.load says."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return
    parts = [member.filename.split("/") for member in members]
    size = sum(member.file_size for member in members)
    reason = ""
    if any(part[1:2] == ["code"] for part in parts):
        reason = "it is a TorchScript program: give its nn.Module, or export that"
    elif any(part[1:] == ["data.pkl"] for part in parts):
        reason = (
            "it is of torch.save, such as a state dict, which has no operations: load it into its "
            "nn.Module, and give that"
        )
    elif size > FREE_BYTES + FACTOR * os.path.getsize(path):
        reason = f"it unpacks to {size} bytes"
    if reason:
        raise ValueError(
            f"expected a program that torch.export.save wrote, but got '{path}': {reason}"
        )
