"""What all pictures share."""

from __future__ import annotations

COLORS = {
    "ls": "#2f6f9f", "gf": "#c9772b", "uniform": "#6f9a57", "dorefa": "#6f9a57",
    "hwgq": "#3f7a6b", "twn": "#a3688f", "fp": "#444444",
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


def log_axis(axis) -> None:
    """Numbers at 1, 2 and 5 of each decade, written out; of less than one at each digit."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high > 10 * low else range(1, 10)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.9g}"))
    axis.set_minor_formatter(NullFormatter())
