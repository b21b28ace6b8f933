"""Draws time against size, both logarithmic, as SVG. Standard library only."""

import math
from dataclasses import dataclass, field
from html import escape

INK, SOFT, GRID, PAPER = "#24292f", "#57606a", "#e4e7eb", "#ffffff"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


@dataclass
class Series:
    """One line: points are (bytes, seconds)."""

    label: str
    color: str
    points: list[tuple[float, float]]
    ours: bool = False
    dashed: bool = False


@dataclass
class Panel:
    title: str
    series: list[Series] = field(default_factory=list)


def size_label(size: float) -> str:
    return f"{size / 1e3:g} KB" if size < 1e6 else f"{size / 1e6:g} MB"


def time_label(seconds: float) -> str:
    for unit, name in ((1e-6, "µs"), (1e-3, "ms"), (1.0, "s")):
        if seconds < unit * 999:
            return f"{seconds / unit:g} {name}"
    return f"{seconds:g} s"


def draw(title: str, subtitle: str, panels: list[Panel]) -> str:
    """The whole picture: a title, the panels side by side on the same scales, one legend."""
    width, plot_height, gap, left, top = 330, 340, 26, 74, 96
    sizes = sorted({round(x) for p in panels for s in p.series for x, _ in s.points})
    times = [y for p in panels for s in p.series for _, y in s.points]
    x_low, x_high = math.log10(sizes[0]) - 0.15, math.log10(sizes[-1]) + 0.15
    y_low, y_high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    total = left + len(panels) * width + (len(panels) - 1) * gap + 24

    legend: dict[str, Series] = {}
    for panel in panels:
        for series in panel.series:
            legend.setdefault(series.label, series)
    columns = 4
    rows = math.ceil(len(legend) / columns)
    legend_top = top + plot_height + 62
    height = legend_top + rows * 22 + 12

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" width="{total}" height="{height}" '
        f'font-family="{FONT}" font-size="12" role="img" aria-label="{escape(title)}">',
        f'<rect width="{total}" height="{height}" rx="8" fill="{PAPER}"/>',
        f'<text x="24" y="34" font-size="18" font-weight="600" fill="{INK}">{escape(title)}</text>',
        f'<text x="24" y="56" font-size="13" fill="{SOFT}">{escape(subtitle)}</text>',
    ]

    def y_of(seconds: float) -> float:
        return top + plot_height * (1 - (math.log10(seconds) - y_low) / (y_high - y_low))

    for number, panel in enumerate(panels):
        x0 = left + number * (width + gap)

        def x_of(size: float) -> float:
            return x0 + width * (math.log10(size) - x_low) / (x_high - x_low)

        out.append(f'<text x="{x0}" y="{top - 12}" font-weight="600" fill="{INK}">{escape(panel.title)}</text>')
        for power in range(y_low, y_high + 1):
            y = y_of(10**power)
            out.append(f'<path d="M{x0} {y:.1f}h{width}" stroke="{GRID}"/>')
            if number == 0:
                label = escape(time_label(10**power))
                out.append(f'<text x="{x0 - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{SOFT}">{label}</text>')
        for size in sizes:
            x = x_of(size)
            out.append(f'<path d="M{x:.1f} {top}v{plot_height}" stroke="{GRID}"/>')
            out.append(
                f'<text x="{x:.1f}" y="{top + plot_height + 18}" text-anchor="middle" fill="{SOFT}">{size_label(size)}</text>'
            )
        out.append(f'<rect x="{x0}" y="{top}" width="{width}" height="{plot_height}" fill="none" stroke="#c9ced4"/>')
        # ours last, so that it lies on top
        for series in sorted(panel.series, key=lambda s: s.ours):
            points = [(x_of(x), y_of(y)) for x, y in sorted(series.points)]
            path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            out.append(f'<path d="{path}" {stroke(series)}/>')
            radius = 4 if series.ours else 3
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{series.color}"/>' for x, y in points]
        middle = x0 + width / 2
        out.append(
            f'<text x="{middle}" y="{top + plot_height + 38}" text-anchor="middle" fill="{SOFT}">size of the document</text>'
        )
    y_middle = top + plot_height / 2
    out.append(
        f'<text x="18" y="{y_middle}" text-anchor="middle" fill="{SOFT}" transform="rotate(-90 18 {y_middle})">CPU time</text>'
    )
    for number, series in enumerate(sorted(legend.values(), key=lambda s: not s.ours)):
        x = left + (number % columns) * ((total - left - 24) / columns)
        y = legend_top + (number // columns) * 22
        weight = ' font-weight="600"' if series.ours else ""
        out.append(f'<path d="M{x:.1f} {y}h26" {stroke(series)}/>')
        out.append(f'<circle cx="{x + 13:.1f}" cy="{y}" r="3" fill="{series.color}"/>')
        out.append(f'<text x="{x + 34:.1f}" y="{y + 4}" fill="{INK}"{weight}>{escape(series.label)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def stroke(series: Series) -> str:
    dash = ' stroke-dasharray="5 4"' if series.dashed else ""
    return f'fill="none" stroke="{series.color}" stroke-width="{3 if series.ours else 1.8}" stroke-linejoin="round"{dash}'
