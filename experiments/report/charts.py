"""Small charts as SVG text, to stand in a page that opens offline."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from markupsafe import Markup

from experiments.report.numbers import number


@dataclass(frozen=True)
class Scale:
    """Maps values from `low` to `high` to `width` pixels; values outside stop at the edge."""

    low: float
    high: float
    width: int

    def __call__(self, value: float) -> float:
        """The place of a value, in pixels with one digit."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.width * min(max(share, 0.0), 1.0), 1)


def whisker_scale(rows: Sequence[tuple[float, Sequence[float]]], width: int = 180) -> Scale:
    """A scale that holds every value with its interval, and 0."""
    known = [bound for value, bounds in rows for bound in (value, *bounds) if bound == bound]
    low, high = min([0.0, *known]), max([0.0, *known])
    margin = 0.03 * (high - low) or 1.0
    return Scale(low - margin, high + margin, width)


def whisker(value: float, bounds: Sequence[float], scale: Scale) -> Markup:
    """A dot with its interval; a thin line marks 0."""
    if value != value:
        return Markup("")
    height, zero = 14, scale(0.0)
    low, high = (bound if bound == bound else value for bound in bounds)
    return Markup(
        f'<svg class="whisker" viewBox="0 0 {scale.width} {height}" width="{scale.width}" height="{height}" '
        f'role="img" aria-label="{number(value)} from {number(low)} to {number(high)}">'
        f'<line class="zero" x1="{zero}" x2="{zero}" y1="0" y2="{height}"/>'
        f'<line class="span" x1="{scale(low)}" x2="{scale(high)}" y1="7" y2="7"/>'
        f'<circle cx="{scale(value)}" cy="7" r="3.5"/></svg>'
    )


def histogram(counts: Mapping[int, int], step: int, scale: Scale, height: int = 56) -> Markup:
    """Bars of counts by the lower bound of their step; the shape of one team's scores."""
    total, most = sum(counts.values()), max(counts.values(), default=1)
    bars = []
    for low, count in sorted(counts.items()):
        left, right = scale(low), scale(low + step)
        size = round((height - 2) * count / most, 1)
        share = f"{number(low)} to {number(low + step - 1)}: {100 * count / total:.1f}%"
        bars.append(
            f'<rect x="{left}" y="{height - size:.1f}" width="{max(right - left - 0.5, 0.5):.1f}" height="{size}">'
            f"<title>{share}</title></rect>"
        )
    zero = scale(0.0)
    return Markup(
        f'<svg class="histogram" viewBox="0 0 {scale.width} {height}" preserveAspectRatio="none" role="img">'
        f'<line class="zero" x1="{zero}" x2="{zero}" y1="0" y2="{height}"/>{"".join(bars)}</svg>'
    )


def common_steps(histograms: Sequence[Mapping[int, int]], step: int, width: int = 400) -> Scale:
    """A scale for all histograms that leaves out at most 1 hand in 200 at either end."""
    together: Counter[int] = Counter()
    for counts in histograms:
        together.update(counts)
    bounds = sorted(together) or [0]
    upto = list(accumulate(together[bound] for bound in bounds))
    inside = [
        bound
        for bound, count in zip(bounds, upto)
        if count > upto[-1] / 200 and count - together[bound] < upto[-1] * 199 / 200
    ]
    low, high = (inside or bounds)[0], (inside or bounds)[-1]
    return Scale(float(min(low, 0)), float(max(high + step, step)), width)


def axis(scale: Scale, steps: int = 5) -> list[tuple[float, str]]:
    """Round numbers along a scale: where (percent of the width) and what; none so near an edge that it would be cut."""
    sizes = [digit * 10**power for power in range(2, 5) for digit in (1, 2, 5)]
    size = next((size for size in sizes if (scale.high - scale.low) / size <= steps), sizes[-1])
    first = -(-int(scale.low) // size) * size
    places = [(round(100 * scale(value) / scale.width, 1), value) for value in range(first, int(scale.high) + 1, size)]
    return [(place, number(value)) for place, value in places if 4 <= place <= 96]
