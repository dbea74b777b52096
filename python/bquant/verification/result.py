"""What `bquant.verify` returns: an object, a text of one screen, a table."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

ROWS = 20  # of the table in a text
LISTED = 5  # of the values on thresholds in a text


_HEAD = ("layer", "op", "shape", "largest", "difference", "allowed", "share", "on thresholds")


@dataclass
class Layer:
    """One value that passes from a module to another, over all calls of `verify`."""

    name: str  # the module's path, with #2 for its second call; "" is the model itself
    op: str  # the operation that computes it
    shape: list[int]
    largest: float = 0.0  # magnitude
    # Where the difference of compiled code and torch, on the same input, is the largest share of
    # what rounding allows (0 for equal, inf where nothing is allowed):
    difference: float = 0.0
    allowed: float = 0.0
    share: float = 0.0

    @property
    def ok(self) -> bool:
        return self.share <= 1


@dataclass
class Difference:
    """Where compiled code and torch first differ by more than rounding."""

    layer: str
    op: str
    sample: int  # the call of `verify` that shows it
    index: list[int]
    compiled: float
    expected: float
    allowed: float
    count: int  # of elements that do
    size: int  # of all

    def __str__(self) -> str:
        return (
            f"{self.layer}, {self.op}: input {self.sample}, {self.index}: expected "
            f"{self.expected:.9g} up to {self.allowed:.2g}, but got {self.compiled:.9g} "
            f"({self.count} of {self.size} elements)"
        )


@dataclass
class OnThreshold:
    """A value that lies within rounding of a threshold, so that torch and compiled code have other
    codes."""

    layer: str
    sample: int
    index: list[int]
    compiled: float  # the value as compiled code has it, inside a module up to rounding
    torch: float
    threshold: float  # between the two; of cascades the sum of v_j s_j before this plane
    ulps: float  # |compiled - threshold| in ulps of the largest value that is compared there

    def __str__(self) -> str:
        return (
            f"{self.layer}: input {self.sample}, {self.index}: {self.compiled:.9g} (torch "
            f"{self.torch:.9g}) lies {self.ulps:.2g} ulps from the threshold {self.threshold:.9g}"
        )


@dataclass
class Mismatch:
    """Where the network differs from what its model compiles to."""

    output: int
    sample: int
    index: list[int]
    network: float
    model: float

    def __str__(self) -> str:
        return (
            f"input {self.sample}, output {self.output}, {self.index}: expected {self.model:.9g}, "
            f"but got {self.network:.9g}"
        )


@dataclass
class Verification:
    """True if the compiled network computes what the model says.

    Attributes:
        equal: every layer equals torch's up to rounding, and so does every code.
        ok: the same, but for codes of values on thresholds. What `bool` gives.
        mismatch: where outputs differ from those that the model compiles to, or None.
        first_difference: the first layer, in the model's order, that differs, or None.
        on_thresholds: the values whose codes differ from torch's by rounding alone.
        layers: what passes between modules, in the model's order.
        difference: of the outputs, the largest between compiled code and torch (which takes the
            compiled codes of values on thresholds), relative to the largest output.
        calls: how many inputs were compared.
        against: what with: "PyTorch", layer by layer; else (outputs.py) "the reference route" and
            runtimes, whose rows in `layers` are the outputs.
    """

    calls: int = 0
    against: list[str] = field(default_factory=lambda: ["PyTorch"])
    difference: float = 0.0
    mismatch: Mismatch | None = None
    first_difference: Difference | None = None
    on_thresholds: list[OnThreshold] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.mismatch is None and self.first_difference is None

    @property
    def equal(self) -> bool:
        return self.ok and not self.on_thresholds

    def __bool__(self) -> bool:
        return self.ok

    def to_dict(self) -> dict[str, Any]:
        """All of it in lists, dicts, strings and numbers, as json.dumps takes them; None for what
        is infinite or NaN, which JSON lacks."""
        return _plain({"ok": self.ok, "equal": self.equal, **dataclasses.asdict(self)})

    def _verdict(self) -> str:
        if self.mismatch is not None and self.against != ["PyTorch"]:
            return (
                "differs: net was compiled from another model or other weights, or computes "
                f"something else than {self.against[0]} does; {self.mismatch}"
            )
        if self.mismatch is not None:
            return (
                "differs: net was compiled from another model or other weights: its outputs are "
                f"not what the model compiles to; {self.mismatch}"
            )
        if self.first_difference is not None:
            return f"differs first at {self.first_difference}"
        if self.against != ["PyTorch"]:
            what = f"equal: {' and '.join(self.against)}, inputs: {self.calls}"
            return f"{what}; outputs within {self.difference:.2g} of the largest"
        what = f"{len(self.layers)} layers, inputs: {self.calls}"
        rest = f"outputs within {self.difference:.2g} of the largest"
        if self.on_thresholds:
            n = len(self.on_thresholds)
            return f"equal but for {n} value{'s'[: n > 1]} on thresholds: {what}; then {rest}"
        return f"equal: {what}, each within rounding, all codes the same; {rest}"

    def __str__(self) -> str:
        lines = [self._verdict()]
        lines += [f"  {value}" for value in self.on_thresholds[:LISTED]]
        if len(self.on_thresholds) > LISTED:
            lines.append(f"  and {len(self.on_thresholds) - LISTED} more")
        shown = self._shown()
        rows = [_HEAD, *(self._cells(layer) for layer in shown)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [
                cell.ljust(w) if i < 2 else cell.rjust(w)
                for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  ".join(cells).rstrip())
        if len(shown) < len(self.layers):
            lines.append(f"and {len(self.layers) - len(shown)} more, of no larger share")
        return "\n".join(lines)

    def _cells(self, layer: Layer) -> tuple[str, ...]:
        codes = sum(value.layer == layer.name for value in self.on_thresholds)
        return (
            layer.name,
            layer.op,
            "x".join(map(str, layer.shape)) or "()",
            f"{layer.largest:.3g}",
            f"{layer.difference:.2g}",
            f"{layer.allowed:.2g}",
            f"{layer.share:.2g}",
            str(codes or ""),
        )

    def _shown(self) -> list[Layer]:
        """The first that differs, and those that are nearest to it, in the model's order."""
        first = next((i for i, layer in enumerate(self.layers) if not layer.ok), -1)
        shares = [(i != first, -layer.share, i) for i, layer in enumerate(self.layers)]
        return [self.layers[i] for i in sorted(i for _, _, i in sorted(shares)[:ROWS])]

    def _repr_html_(self) -> str:
        import html  # with a table of all entities

        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

        notes = [self._verdict(), *map(str, self.on_thresholds[:LISTED])]
        body = "".join(row(self._cells(layer), "td") for layer in self.layers)
        text = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
        return f"{text}<table>{row(_HEAD, 'th')}{body}</table>"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, list):
        return [_plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
