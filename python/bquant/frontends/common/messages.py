"""Messages of one line and at most 200 characters, of texts that may be longer."""

from __future__ import annotations

import re

MOST = 200

# Where in a library's own source a condition does not hold.
_ASSERTED = re.compile(r"\S+:\d+: \w+: Assertion `.*?` failed: ")


def listed(start: str, names: list[str], most: int = MOST) -> str:
    """As many names as there is room for, at least one, and how many more there are."""
    shown = len(names)
    while True:
        rest = len(names) - shown
        text = start + ", ".join(names[:shown]) + (f" and {rest} more" if rest else "")
        if len(text) <= most or shown <= 1:
            return text
        shown -= 1


def because(start: str, error: Exception | str) -> str:
    """With what a library says of the reason, on one line, as far as there is room for it."""
    reason, room = " ".join(str(error).split()), max(40, MOST - len(start))
    reason = _ASSERTED.sub("", reason)
    return start + (reason if len(reason) <= room else reason[: room - 3] + "...")
