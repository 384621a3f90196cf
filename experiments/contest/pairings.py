"""Who meets whom: a round robin, one against all, a list of pairs, or cross-play.

A team is written as one agent, or as several joined by a plus: `heuristic+random` seats the two as partners. With more
seats than names the names repeat.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from agents.spec import members
from burako_env.errors import UserError

ScheduleName = Literal["round-robin", "gauntlet", "pairs", "cross-play"]


@dataclass(frozen=True)
class Pair:
    """Two teams that meet: `a` is team 0 and `b` team 1 in every hand. `index` numbers the pairs of a run.

    In games with more than two sides `others` play the rest of them; where there are none, a and b do, in turn.
    """

    index: int
    a: str
    b: str
    others: tuple[str, ...] = ()

    def lineup(self, sides: int, board: int) -> tuple[str, ...]:
        """Who plays each side on a board: the others change from board to board, so that all of them come in."""
        rest = self.others or (self.a, self.b)
        first = board * (sides - 2) if self.others else 0
        return (self.a, self.b, *(rest[(first + place) % len(rest)] for place in range(sides - 2)))


def make_pairs(schedule: ScheduleName, agents: Sequence[str], listed: Sequence[tuple[str, str]] = ()) -> list[Pair]:
    """The pairs of a schedule. `listed` are those of the schedule `pairs`, which needs no `agents`."""
    if schedule == "pairs":
        _refuse_twice(listed)
        return _numbered(listed)
    if listed:
        raise UserError(f"pairs are listed, but the schedule is {schedule}: use --schedule pairs")
    _refuse_copies(agents)
    if schedule == "gauntlet":
        return _numbered([(agents[0], other) for other in agents[1:]])
    return cross_play(agents) if schedule == "cross-play" else round_robin(agents)


def with_others(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs of a game with more than two sides: all other teams of the run take turns on the rest of the sides."""
    names = tuple(dict.fromkeys(name for pair in pairs for name in (pair.a, pair.b)))
    return [replace(pair, others=tuple(name for name in names if name not in (pair.a, pair.b))) for pair in pairs]


def round_robin(agents: Sequence[str]) -> list[Pair]:
    """Every team against every other one, in the order given."""
    _refuse_copies(agents)
    return _numbered(combinations(agents, 2))


def cross_play(agents: Sequence[str]) -> list[Pair]:
    """Each two agents as partners, against a team of the one and a team of the other, and these two teams.

    What two agents lose as partners, compared with playing among themselves, is what their own team agreed on in
    private.
    """
    for agent in agents:
        if len(members(agent)) > 1:
            raise UserError(f"'{agent}' is a mixed team already: cross-play makes the teams itself")
    pairs = []
    for a, b in combinations(agents, 2):
        mixed = f"{a}+{b}"
        pairs += [(a, b), (mixed, a), (mixed, b)]
    return _numbered(pairs)


def mixed_pairs(pairs: Sequence[Pair]) -> list[tuple[Pair, Pair]]:
    """The meetings of a mixed team of two with the pure teams of its members, two and two."""
    found: dict[str, dict[str, Pair]] = {}
    for pair in pairs:
        partners = members(pair.a)
        if len(partners) == 2 and pair.b in partners:
            found.setdefault(pair.a, {})[pair.b] = pair
    return [tuple(both.values()) for both in found.values() if len(both) == 2]  # type: ignore[misc]


def _numbered(pairs: Iterable[tuple[str, str]]) -> list[Pair]:
    return [Pair(index, a, b) for index, (a, b) in enumerate(pairs)]


def _refuse_twice(listed: Sequence[tuple[str, str]]) -> None:
    """No pair may be listed twice, in either order."""
    if not listed:
        raise UserError("the schedule 'pairs' needs --pairs A B C D: A meets B, C meets D")
    for place, (a, b) in enumerate(listed):
        if (a, b) in listed[:place] or (b, a) in listed[:place]:
            raise UserError(f"the pair '{a}' and '{b}' is listed twice")
        if a == b:
            raise UserError(f"'{a}' is paired with itself: a tournament needs different teams")


def _refuse_copies(agents: Sequence[str]) -> None:
    twice = sorted({agent for agent in agents if agents.count(agent) > 1})
    if twice:
        raise UserError(f"agent '{twice[0]}' is named twice: a tournament needs different agents")
    if len(agents) < 2:
        raise UserError(f"a tournament needs at least two agents, not {len(agents)}")
