"""What all pictures share."""

from __future__ import annotations

COLORS = {
    "ls": "#2f6f9f", "gf": "#c9772b", "uniform": "#6f9a57", "dorefa": "#6f9a57",
    "twn": "#a3688f", "fp": "#444444",
}  # fmt: skip


def figure(rows: int = 1, columns: int = 1, size=(7, 4.5)):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    made = Figure(figsize=size, constrained_layout=True)
    return made, made.subplots(rows, columns)


def shade(i: int, count: int):
    from matplotlib import colormaps

    return colormaps["viridis"](0.9 * i / max(count - 1, 1))


def color(scheme: str) -> str:
    return COLORS.get(scheme.split("-")[0], "#888888")
