"""Bars and rooflines as SVG, for a page that needs nothing from elsewhere."""

from __future__ import annotations

import math
from html import escape

from .results import TIMED, Layer, Limits, Row
from .table import time_text

_COLORS = {
    "bquant": "#4878a8",
    "openvino": "#c9873b",
    "onnxruntime": "#6f9a57",
    "torch": "#a3688f",
    "numpy": "#8a8a8a",
}
_KERNEL_COLORS = {
    "table": "#4878a8",
    "popcount": "#2f4f7a",
    "scalar": "#7fb0d8",
    "depthwise": "#6f9a57",
    "bytes": "#a3688f",
    "fma": "#c9873b",
}
_OTHER = "#8a8a8a"

_BAR, _GAP, _LABELS, _WIDTH, _TEXT = 18, 6, 190, 560, 150


def bars(rows: list[Row]) -> str:
    """A bar for each engine on each case of a group, as long as it takes."""
    longest = max((row.seconds_median for row in rows if row.status == TIMED), default=1)
    parts = []
    for i, row in enumerate(rows):
        y = i * (_BAR + _GAP)
        middle = y + _BAR - 5
        name = escape(f"{row.case}, {row.label}" if row.case else row.label)
        parts.append(f'<text x="{_LABELS - 8}" y="{middle}" text-anchor="end">{name}</text>')
        if row.status != TIMED:
            parts.append(f'<text x="{_LABELS}" y="{middle}" class="quiet">{row.status}</text>')
            continue
        width = max(1, _WIDTH * row.seconds_median / longest)
        parts.append(
            f'<rect x="{_LABELS}" y="{y}" width="{width:.1f}" height="{_BAR}" '
            f'fill="{_COLORS.get(row.engine, _OTHER)}"/>'
            f'<text x="{_LABELS + width + 6:.1f}" y="{middle}">{time_text(row.seconds_median)}'
            "</text>"
        )
    return _svg(_LABELS + _WIDTH + _TEXT, len(rows) * (_BAR + _GAP), parts)


_PLOT_WIDTH, _PLOT_HEIGHT, _LEFT, _BOTTOM, _TOP = 640, 360, 64, 44, 16


class _LogScale:
    """From values to pixels."""

    def __init__(self, values: list[float], first: float, last: float):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.first, self.last = first, last

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.first + share * (self.last - self.first)

    def ticks(self) -> list[float]:
        return [10.0**n for n in range(self.low, self.high + 1)]


def roofline(layers: list[Layer], limits: Limits) -> str:
    """Every layer by what it computes for each byte that it reads, and how fast; the roofs are what
    the kernels' bare loops do, and what the bytes allow that come from a cache or from memory."""
    layers = [layer for layer in layers if layer.bytes_read and layer.seconds > 0]
    roofs = {name: speed for name, speed in limits.gmac_per_s.items() if _is_roof(name, limits)}
    points = [
        (layer.macs / layer.bytes_read, layer.macs / layer.seconds / 1e9, layer) for layer in layers
    ]
    x = _LogScale([p[0] for p in points], _LEFT, _PLOT_WIDTH)
    y = _LogScale([p[1] for p in points] + [*roofs.values()], _PLOT_HEIGHT - _BOTTOM, _TOP)
    parts = [*_axes(x, y), *_roofs(x, y, roofs, limits.gbyte_per_s)]
    for intensity, speed, layer in points:
        color = _KERNEL_COLORS.get(layer.kernel, _OTHER)
        title = f"{layer.name}: {layer.kernel}, {time_text(layer.seconds)}, {speed:.0f} GMAC/s"
        parts.append(
            f'<circle cx="{x(intensity):.1f}" cy="{y(speed):.1f}" r="5" fill="{color}" '
            f'fill-opacity=".75"><title>{escape(title)}</title></circle>'
        )
    parts += _legend(dict.fromkeys(layer.kernel for layer in layers))
    return _svg(_PLOT_WIDTH + 170, _PLOT_HEIGHT, parts)


def _is_roof(name: str, limits: Limits) -> bool:
    """The best of those that count bits stands for all of them."""
    return name in ("fma", "bytes") or limits.gmac_per_s[name] == limits.bits


def _axes(x: _LogScale, y: _LogScale) -> list[str]:
    parts = []
    bottom = _PLOT_HEIGHT - _BOTTOM
    for value in x.ticks():
        at = f"{x(value):.1f}"
        parts.append(
            f'<line x1="{at}" y1="{_TOP}" x2="{at}" y2="{bottom}" class="grid"/>'
            f'<text x="{at}" y="{bottom + 16}" text-anchor="middle">{value:g}</text>'
        )
    for value in y.ticks():
        parts.append(
            f'<line x1="{_LEFT}" y1="{y(value):.1f}" x2="{_PLOT_WIDTH}" y2="{y(value):.1f}" '
            f'class="grid"/><text x="{_LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">'
            f"{value:g}</text>"
        )
    parts.append(
        f'<text x="{(_LEFT + _PLOT_WIDTH) / 2}" y="{_PLOT_HEIGHT - 8}" text-anchor="middle">'
        "MAC for each byte of input and weights</text>"
        f'<text transform="translate(14 {_PLOT_HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
        "GMAC a second</text>"
    )
    return parts


def _roofs(x: _LogScale, y: _LogScale, roofs: dict, bandwidths: dict) -> list[str]:
    highest, least, most = max(roofs.values()), 10.0**x.low, 10.0**x.high
    bottom = 10.0**y.low
    parts = []
    for place, speed in bandwidths.items():
        # speed * intensity between the frame's bottom and the highest roof.
        start, end = max(least, bottom / speed), min(most, highest / speed)
        if start >= end:
            continue
        parts.append(
            f'<line x1="{x(start):.1f}" y1="{y(start * speed):.1f}" x2="{x(end):.1f}" '
            f'y2="{y(end * speed):.1f}" class="roof"/><text x="{x(start) + 6:.1f}" '
            f'y="{y(start * speed) - 4:.1f}" class="quiet">{place}, {speed:.0f} GB/s</text>'
        )
    for name, speed in roofs.items():
        start = max(least, speed / max(bandwidths.values()))
        if start >= most:
            continue
        parts.append(
            f'<line x1="{x(start):.1f}" y1="{y(speed):.1f}" x2="{_PLOT_WIDTH}" y2="{y(speed):.1f}" '
            f'class="roof"/><text x="{_PLOT_WIDTH + 6}" y="{y(speed) + 4:.1f}" class="quiet">'
            f"{name}, {speed:.0f} GMAC/s</text>"
        )
    return parts


def _legend(kernels) -> list[str]:
    parts = []
    for i, kernel in enumerate(kernels):
        y = _PLOT_HEIGHT - _BOTTOM - 18 * (i + 1)
        parts.append(
            f'<circle cx="{_PLOT_WIDTH + 14}" cy="{y}" r="5" '
            f'fill="{_KERNEL_COLORS.get(kernel, _OTHER)}"/>'
            f'<text x="{_PLOT_WIDTH + 24}" y="{y + 4}">{escape(kernel)}</text>'
        )
    return parts


def _svg(width: int, height: int, parts: list[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        + "".join(parts)
        + "</svg>"
    )
