"""From the rows of a contest to the numbers of its summary."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from experiments.contest.contest import Contest
from experiments.contest.pairings import Pair, mixed_pairs
from experiments.contest.rows import PairRows
from experiments.statistics import control_variates, cycles, significance, sprt
from experiments.statistics.intervals import Floats, board_results, mean_interval, win_interval
from experiments.statistics.ratings import Meetings, pair_indices, player_points, rate

# Seeds of the bootstraps: the same rows always give the same summary.
PAIR_SEED: Final = 1
RATING_SEED: Final = 2
CYCLE_SEED: Final = 3
# Reasons of errors that the summary keeps.
MOST_REASONS: Final = 50


def contest_results(contest: Contest, rows: Sequence[PairRows], anchor: str) -> dict[str, Any]:
    """Everything the summary of a tournament says of its results."""
    pairs = pair_results(contest, rows)
    meetings = meetings_of(contest, rows)
    anchor = anchor_of(meetings, anchor)
    return {
        "anchor": anchor,
        "agents": agent_results(contest, rows, meetings, anchor),
        "pairs": pairs,
        "intransitivity": intransitivity(meetings, pairs),
        "cross_play": cross_play(contest, rows),
        "cross_play_mean": cross_play_mean(contest, rows),
        "players": players(contest, meetings, anchor),
        "failures": failure_table(contest, rows),
    }


def evaluation_results(contest: Contest, rows: Sequence[PairRows]) -> dict[str, Any]:
    """Everything the summary of an evaluation says: its one pair needs no ratings."""
    totals = _totals(contest, rows)
    return {
        "agents": [{"name": name, "hands": hands, "errors": errors} for name, (hands, errors) in totals.items()],
        "pairs": pair_results(contest, rows),
        "failures": failure_table(contest, rows),
    }


def pair_results(contest: Contest, rows: Sequence[PairRows]) -> list[dict[str, Any]]:
    """Every pair, with p-values adjusted for their number."""
    return _adjusted([pair_result(pair, found, contest.stop) for pair, found in zip(contest.pairs, rows)])


def pair_result(pair: Pair, rows: PairRows, plan: sprt.Plan | None = None) -> dict[str, Any]:
    """The summary of a pair: points per hand and win rate of a over b, with intervals over boards, and more.

    All of it is of the boards on which nobody failed; `boards` counts the others too, `forfeited` them alone. `plan` is
    the sequential test that could stop the pair.
    """
    boards, rows = len(rows.points), rows.counted()
    points = rows.board_points
    wins = win_interval(rows.board_wins)
    size = significance.effect(points)
    return {
        "a": pair.a,
        "b": pair.b,
        "boards": boards,
        "forfeited": boards - len(points),
        **_mean(points),
        "win_rate": wins.value,
        "win_ci": wins.bounds,
        "sd": float(points.std(ddof=1)) if len(points) > 1 else np.nan,
        "median": float(np.median(points)) if len(points) else np.nan,
        "win_shares": win_shares(rows),
        "board_results": board_results(rows.wins),
        "effect": {"t": size.t, "boards_needed": size.boards},
        "without_luck": without_luck(rows, points),
        "p": significance.p_value(points),
        "sequential_test": plan and {"t0": plan.t0, "t1": plan.t1, **sprt.decide(points, plan)._asdict()},
    }


def _mean(points: Floats) -> dict[str, Any]:
    """The mean over boards, `[n]`, with its interval."""
    mean = mean_interval(points, PAIR_SEED)
    return {"mean": mean.value, "ci": mean.bounds}


def _adjusted(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same results, each with its p-value adjusted for their number."""
    adjusted = significance.holm([result["p"] for result in results])
    return [{**result, "p_holm": p} for result, p in zip(results, adjusted)]


def win_shares(rows: PairRows) -> dict[str, Any] | None:
    """Share of the win at the whole table, of a and of b, with intervals over boards (TILE-3); None with two sides."""
    if rows.shares is None:
        return None
    found: dict[str, Any] = {}
    for place, name in enumerate("ab"):
        share = mean_interval(rows.shares[:, :, place].mean(axis=1), PAIR_SEED)
        found |= {name: share.value, f"{name}_ci": share.bounds}
    return found


def without_luck(rows: PairRows, points: Floats) -> dict[str, Any] | None:
    """The second estimate, with the luck of the draw taken out; None where there is none."""
    if rows.luck is None:
        return None
    hands = rows.hands.sum(axis=1)
    luck = rows.luck.sum(axis=1) / hands[:, None]
    adjusted = control_variates.without_luck(points, luck)
    if adjusted is None:
        return None
    return {**_mean(adjusted), "variance_ratio": control_variates.variance_ratio(points, adjusted)}


def meetings_of(contest: Contest, rows: Sequence[PairRows]) -> Meetings:
    """All boards of all pairs in two tables, NaN where a pair stopped before or an agent failed.

    Pairs of which no board counts are left out.
    """
    names = contest.names
    boards = max(len(found.points) for found in rows)
    points, wins = np.full((2, len(rows), boards), np.nan)
    for row, found in enumerate(rows):
        points[row, : len(found.points)] = found.board_points
        wins[row, : len(found.points)] = found.board_wins
    every = Meetings(names, pair_indices(names, [(pair.a, pair.b) for pair in contest.pairs]), points, wins)
    return every.only(np.flatnonzero(every.boards))


def anchor_of(meetings: Meetings, wanted: str) -> str:
    """The team that ratings are relative to: the one wanted, or another if all of its boards were forfeited."""
    rated = [name for place, name in enumerate(meetings.agents) if (meetings.pairs == place).any()]
    if wanted in rated or not rated:
        return wanted
    return "heuristic" if "heuristic" in rated else rated[0]


def agent_results(contest: Contest, rows: Sequence[PairRows], meetings: Meetings, anchor: str) -> list[dict[str, Any]]:
    """The summary of every team, best first; those without a rating come last."""
    names = contest.names
    ratings = rate(meetings, anchor, RATING_SEED)
    totals = _totals(contest, rows)
    results = [
        {
            "name": name,
            "points": points.value,
            "points_ci": points.bounds,
            "elo": elo.value,
            "elo_ci": elo.bounds,
            "hands": totals[name][0],
            "errors": totals[name][1],
            "ranks": ranks.tolist(),
        }
        for name, points, elo, ranks in zip(names, ratings.points, ratings.elo, ratings.ranks)
    ]
    return _best_first(results)


def _best_first(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sorted by points; those without any come last."""
    return sorted(results, key=lambda result: (np.isnan(result["points"]), -result["points"]))


def _totals(contest: Contest, rows: Sequence[PairRows]) -> dict[str, tuple[int, int]]:
    """Hands of each team, and those in which its agents failed."""
    hands, errors = Counter[str](), Counter[str]()
    for pair, found in zip(contest.pairs, rows):
        for name, failed in zip((pair.a, pair.b), found.errors):
            hands[name] += found.points.size
            errors[name] += failed
    return {name: (hands[name], errors[name]) for name in contest.names}


def intransitivity(meetings: Meetings, pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """How much runs in circles; None where no circle was played."""
    found = cycles.intransitivity(meetings, CYCLE_SEED)
    if found is None:
        return None
    keys = [(pair["a"], pair["b"]) for pair in pairs]
    means = dict(zip(keys, (float(pair["mean"]) for pair in pairs)))
    p_values = dict(zip(keys, (float(pair["p_holm"]) for pair in pairs)))
    circles = cycles.significant_cycles(meetings.agents, means, p_values)
    return {"share": found.share, "by_chance": found.by_chance, "p": found.p, "cycles": [list(c) for c in circles]}


def cross_play(contest: Contest, rows: Sequence[PairRows]) -> list[dict[str, Any]]:
    """What two agents gain or lose as partners against what each is worth with itself, in points per hand.

    If a team is worth the mean of its members this is 0: what the mixed team wins from one it loses to the other.
    """
    teams = {team: gains[~np.isnan(gains)] for team, gains in _gains(contest, rows).items()}
    return _adjusted([{"team": team, **_mean(gain), "p": significance.p_value(gain)} for team, gain in teams.items()])


def cross_play_mean(contest: Contest, rows: Sequence[PairRows]) -> dict[str, Any] | None:
    """The same over all mixed teams, on the boards that all of them played; None where there are none.

    All teams play the same boards, so the interval is over boards, each with the mean of its teams.
    """
    gains = list(_gains(contest, rows).values())
    if not gains:
        return None
    boards = min(map(len, gains))
    gain = np.mean([own[:boards] for own in gains], axis=0)
    gain = gain[~np.isnan(gain)]
    return {"teams": len(gains), "boards": len(gain), **_mean(gain), "p": significance.p_value(gain)}


def _gains(contest: Contest, rows: Sequence[PairRows]) -> dict[str, Floats]:
    """Points of every mixed team against the teams of its two members, averaged, board by board; NaN if forfeited."""
    by_pair = {pair: found.board_points for pair, found in zip(contest.pairs, rows)}
    gains = {}
    for first, second in mixed_pairs(contest.pairs):
        boards = min(len(by_pair[first]), len(by_pair[second]))
        gains[first.a] = (by_pair[first][:boards] + by_pair[second][:boards]) / 2
    return gains


def players(contest: Contest, meetings: Meetings, anchor: str) -> list[dict[str, Any]]:
    """Points of each agent where mixed teams played, best first; else nothing."""
    if set(contest.players) == set(contest.names):
        return []
    found = player_points(meetings, anchor, RATING_SEED)
    return _best_first(
        [{"name": name, "points": points.value, "points_ci": points.bounds} for name, points in found.items()]
    )


def failure_table(contest: Contest, rows: Sequence[PairRows]) -> list[dict[str, Any]]:
    """Why hands were forfeited: team, reason, number of hands; the most frequent first."""
    counts: Counter[tuple[str, str]] = Counter()
    for pair, found in zip(contest.pairs, rows):
        for team, reasons in zip((pair.a, pair.b), found.failures):
            counts.update({(team, reason): hands for reason, hands in reasons.items()})
    common = counts.most_common(MOST_REASONS)
    return [{"team": team, "reason": reason, "hands": hands} for (team, reason), hands in common]
