"""Where the time of a call goes: what `Network.profile` returns."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, TypedDict

from . import _bquant
from ._requirements import import_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class _Measured(TypedDict):
    location: str
    operations: str
    kernel: str
    seconds: float
    share: float


class LayerTime(_Measured, total=False):
    """A row of `Profile.layers`; the last three where the kernel says them."""

    estimated_cycles: float
    limit_cycles: float
    limit_share: float


class Profile:
    """The time of each layer, measured inside of whole calls; print it for a table.

    Attributes:
        function: the name of the function that was called.
        calls: how often; all times are medians.
        seconds: of a call, as compiled for use; clocked_seconds: with clocks around the layers;
            rest_seconds: what of these is in no layer.
        clock_rate: cycles a second of the core.
        layers: in the order of the program, a list of dicts: location (the layer's name in the
            model), operations (what the report has there), kernel, seconds, share (of
            clocked_seconds), and where the kernel says them estimated_cycles, limit_cycles and
            limit_share (of the speed of the kernel's bare inner loop). What is fused into a
            layer's loops counts with that layer.
    """

    def __init__(self, profile: _bquant.Profile):
        self._profile = profile
        measured = json.loads(self.json())
        self.function: str = measured["function"]
        self.calls: int = measured["calls"]
        self.seconds: float = measured["seconds"]
        self.clocked_seconds: float = measured["clocked_seconds"]
        self.rest_seconds: float = measured["rest_seconds"]
        self.clock_rate: float = measured["clock_rate"]
        self.layers: list[LayerTime] = measured["layers"]

    def __str__(self) -> str:
        return self._profile.print("text")

    def __repr__(self) -> str:
        return f"<bquant.Profile of {self.function}: {1e3 * self.seconds:.3f} ms>"

    def json(self) -> str:
        """All attributes as JSON."""
        return self._profile.print("json")

    def html(self) -> str:
        """A page with a table and bars."""
        return self._profile.print("html")

    def _repr_html_(self) -> str:
        return self.html().split("<body>")[1].split("</body>")[0]

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A bar for each layer, by matplotlib: its Figure, also written to `path` (.png, .svg or
        .pdf) if that is given."""
        figure_type = import_matplotlib("a picture of a profile").figure.Figure
        rows = [*self.layers, {"location": "(outside of layers)", "seconds": self.rest_seconds}]
        figure = figure_type(figsize=(8, 1 + 0.25 * len(rows)), layout="constrained")
        axes = figure.subplots()
        bars = axes.barh(range(len(rows)), [1e3 * row["seconds"] for row in rows])
        axes.bar_label(bars, [row.get("kernel", "") for row in rows], padding=3, fontsize="small")
        axes.set_yticks(range(len(rows)), [row["location"] or "-" for row in rows])
        axes.invert_yaxis()
        axes.margins(x=0.15, y=0.02)
        axes.set_xlabel(f"ms of {1e3 * self.clocked_seconds:.3f} ms a call")
        axes.set_title(f"{self.function}: where the time goes")
        if path is not None:
            figure.savefig(os.fspath(path))
        return figure
