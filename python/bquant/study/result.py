"""What an experiment gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Finding:
    """A claim of the paper, what was found, and whether it is seen; None: it was not run."""

    claim: str
    found: str
    seen: bool | None

    @property
    def verdict(self) -> str:
        return "not run" if self.seen is None else "seen" if self.seen else "not seen"


@dataclass
class Result:
    title: str
    text: str  # what was done
    rows: list[dict[str, Any]]
    figure: Any  # of matplotlib
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
