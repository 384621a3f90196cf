"""Sequential test of two agents: stop as soon as the boards played decide between two effect sizes.

The effect size is t = mean / standard deviation of the points of a board. The test is the generalised sequential
probability ratio test on t, for normalised scores as chess engine testing uses it (Van den Bergh, "Normalized Elo",
2021): with t found on n boards,

    LLR = n / 2 * ln((1 + (t - t0)^2) / (1 + (t - t1)^2))

H1 (t >= t1) is accepted at ln((1 - beta) / alpha), H0 (t <= t0) at ln(beta / (1 - alpha)).

Boards are looked at in their order, every `EVERY` of them from `LEAST` on, and the first crossing decides. Boards are
played in waves of a fixed number of chunks, whatever the number of workers, and a wave is always finished: what is
played, and the decision, are functions of the settings alone.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from burako_env.errors import UserError

LEAST: Final = 32
EVERY: Final = 16

Decision = Literal["H0", "H1", "open"]


@dataclass(frozen=True)
class Plan:
    """The two effect sizes and how often either error may be made."""

    t0: float = 0.0
    t1: float = 0.1
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.t0 < self.t1:
            raise UserError(f"the sequential test needs t0 < t1, not {self.t0:g} and {self.t1:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """LLR at which H0, and H1, is accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class Verdict(NamedTuple):
    """The LLR and the boards it was found on: those of the first crossing, or all of them while it is open."""

    decision: Decision
    llr: float
    boards: int


def decide(points: npt.ArrayLike, plan: Plan) -> Verdict:
    """The verdict on points of boards in their order, `[n]`."""
    sample = np.asarray(points, dtype=np.float64)
    low, high = plan.bounds
    looks = list(range(LEAST, len(sample) + 1, EVERY))
    llr = 0.0
    for boards in looks:
        llr = log_ratio(sample[:boards], plan)
        if not low < llr < high:
            return Verdict("H1" if llr >= high else "H0", llr, boards)
    return Verdict("open", llr, looks[-1] if looks else 0)


def log_ratio(points: npt.ArrayLike, plan: Plan) -> float:
    """LLR of the boards, without a look at the bounds."""
    sample = np.asarray(points, dtype=np.float64)
    mean, spread = float(sample.mean()), float(sample.std())
    t = mean / spread if spread else math.copysign(math.inf, mean) if mean else 0.0
    # The ratio has its extremes here. Beyond them it would fall back towards 1, both sizes being equally far off, and
    # the clearest differences would take the most boards; it is kept at the extreme instead.
    middle, reach = (plan.t0 + plan.t1) / 2, math.sqrt(1 + (plan.t1 - plan.t0) ** 2 / 4)
    t = min(max(t, middle - reach), middle + reach)
    return len(sample) / 2 * math.log((1 + (t - plan.t0) ** 2) / (1 + (t - plan.t1) ** 2))
