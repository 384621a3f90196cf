"""The policies that play in the fuzz: random, rule-based, or in search of rare events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

import agents
from burako_env.burako.game import BurakoGame
from burako_env.burako.rules import burako_rules
from burako_env.burako.sanctions.actions import (
    CLOSINGS,
    EARLY,
    FIRST_SET_BIT,
    OPENINGS,
    TAKE_BIT,
    WRONG,
    SanctionTable,
    sanction_table,
)
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP, ActionTable, Kind, action_table
from burako_env.burako.zones import WILD_TYPE_BITS
from burako_env.cards import ACE, JOKER, RANK_COUNT, TWO, is_wild
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.layout import View

# Takes the batch, the actors' Views, the legal sets and the keys; gives an action for each game.
Policy = Callable[[BurakoGame, View, np.ndarray, np.ndarray], np.ndarray]


def random_policy(name: str, config: Mapping[str, Any]) -> Policy:
    """Every legal action with the same probability, except infractions."""
    words = action_table(burako_rules(name, config).run_slots).words
    return lambda batch, view, legal, keys: random_legal(batch.legal_packed()[:, :words], mix(keys))


def heuristic_policy(name: str, config: Mapping[str, Any]) -> Policy:
    """The rule-based agent; it sees Views only."""
    strict = {key: value for key, value in config.items() if key not in ("enforcement", "manual_close")}
    agent = agents.load("heuristic", name, strict)
    return lambda batch, view, legal, keys: agent.act(view, legal, keys)


# What a seeker of rare events is after in a hand: how much likelier than others it makes an action. The words are those
# of `_features`; weights of several that hold for an action multiply.
AIMS: Final[dict[str, dict[str, float]]] = {
    "wild groups": {"wild on wild group": 40, "wild on a set": 0.1, "wild on a run": 0.1, "own two": 0.3},
    "only wilds": {"wild": 0.02, "natural": 20, "take burako": 2, "draw pile": 0.5},
    "burakos": {"natural": 30, "wild": 8, "take burako": 5, "draw pile": 2},
    "ask": {"ask": 60, "natural": 12, "wild": 3, "take burako": 5},
    "many runs": {"open run": 300, "on a run": 0.2, "on a set": 0.1, "draw pile": 4},
    "many sets": {"on a set": 30, "open run": 0.2, "draw pile": 3},
    "low runs": {"own two": 40, "ace on a run": 40, "open run": 2, "on a run": 8, "wild on a set": 0.2},
    "no lays": {"natural": 0.05, "wild": 0.05, "draw pile": 0.1, "end hand": 0.2},
    "small piles": {"open set": 0.2, "open run": 0.2, "natural": 0.5, "wild": 0.3, "draw pile": 2},
}
# A pile of one card is worth a look at TURN-5, whatever the aim.
_ONE_CARD_PILE: Final = 6.0


class Seeker:
    """Weighted chance; the weights are those of an aim, which a seat keeps through a hand."""

    def __init__(self, table: ActionTable) -> None:
        plain, opening = _features(table), _opening_features(table)
        self.group = np.where(table.rows["kind"] == Kind.LAY, table.rows["group"], 0).astype(np.intp)
        self.draws_pile = table.rows["kind"] == Kind.DRAW_PILE
        self.plain = np.stack([_weights(plain, aim) for aim in AIMS.values()])
        self.opening = np.stack([_weights(opening, aim) for aim in AIMS.values()])

    def weights(self, batch: BurakoGame, view: View) -> np.ndarray:
        """The weight of every action in every game, `[B, A]`."""
        # Team-mates differ, so that one collects what another will not lay.
        word = mix(batch.seat_keys()[:, 0] + np.uint64(1)) + batch.to_act.astype(np.uint64)
        aim = (word % np.uint64(len(AIMS))).astype(np.intp)
        state = batch.state_dict()
        teams = state["groups"].reshape(2, batch.table.groups, -1)
        absent = teams[state["turn"][0] % 2, :, np.arange(batch.size)] == 0
        weights = self.plain[aim] * np.where(absent[:, self.group], self.opening[aim], 1.0)
        return weights * np.where(self.draws_pile & (view.pile_size == 1)[:, None], _ONE_CARD_PILE, 1.0)

    def __call__(self, batch: BurakoGame, view: View, legal: np.ndarray, keys: np.ndarray) -> np.ndarray:
        sums = (self.weights(batch, view) * legal).cumsum(axis=1)
        # Just below 1 at most: the sum of all weights itself belongs to no action.
        drawn = (mix(keys) >> np.uint64(12)).astype(np.float64) / (2**52 + 1) * sums[:, -1]
        actions: np.ndarray = np.minimum((sums <= drawn[:, None]).sum(axis=1), legal.shape[1] - 1)
        return actions


def seeking_policy(name: str, config: Mapping[str, Any]) -> Policy:
    """In search of rare events."""
    return Seeker(action_table(burako_rules(name, config).run_slots))


POLICIES: Final[dict[str, Callable[[str, Mapping[str, Any]], Policy]]] = {
    "random": random_policy,
    "heuristic": heuristic_policy,
    "seeking": seeking_policy,
}


class Breaking:
    """A policy for sanctions play: it plays on by `inner`, but closes groups and breaks rules now and then."""

    def __init__(self, inner: Policy, table: SanctionTable) -> None:
        self.inner, self.strict_words = inner, table.strict_words
        # Bits of each word that go first: what is seldom possible.
        self.rare = np.full(table.words - table.strict_words, WILD_TYPE_BITS)
        self.rare[OPENINGS] = ~np.uint64(0) << np.uint64(FIRST_SET_BIT)
        self.rare[CLOSINGS] = np.uint64(1) << np.uint64(TAKE_BIT)

    def __call__(self, batch: BurakoGame, view: View, legal: np.ndarray, keys: np.ndarray) -> np.ndarray:
        strict = 64 * self.strict_words
        actions = self.inner(batch, view, legal[:, :strict], keys)
        chance = mix(keys + np.uint64(1))
        added = batch.legal_packed()[:, self.strict_words :]
        # Before drawing every card breaks a rule, which would be most of the play.
        often = np.where(view.phase[:, 0] > 0, 24, 6)
        rare = added & self.rare
        rare[:, EARLY] = rare[:, WRONG] = 0
        often = np.where(rare.any(axis=1), 2, often)
        added = np.where(rare.any(axis=1)[:, None], rare, added)
        breaks = (chance % often.astype(np.uint64) == 0) & added.any(axis=1)
        for row in np.flatnonzero(breaks).tolist():
            # Word by word: on each group, and every other infraction, as often.
            there = np.flatnonzero(added[row])
            word = int(there[int(chance[row] >> np.uint64(20)) % there.size])
            only = np.zeros((1, word + 1), dtype=np.uint64)
            only[0, word] = added[row, word]
            actions[row] = strict + random_legal(only, chance[[row]])[0]
        return actions


def policy_of(policy: str, name: str, config: Mapping[str, Any]) -> Policy:
    """A policy by its name, for a game."""
    rules = burako_rules(name, config)
    inner = POLICIES[policy](name, config)
    return Breaking(inner, sanction_table(rules.run_slots)) if rules.sanctions else inner


def _features(table: ActionTable) -> dict[str, np.ndarray]:
    """Which actions the words of `AIMS` mean, bool `[A]` each, wherever a hand stands."""
    rows = table.rows
    kind, card, group = rows["kind"], rows["card"].astype(int), rows["group"].astype(int)
    lay = kind == Kind.LAY
    wild = lay & np.array([is_wild(int(one)) for one in card])
    on_run, on_wilds = lay & (group >= FIRST_RUN), lay & (group == WILD_GROUP)
    on_set = lay & ~on_run & ~on_wilds
    own = on_run & (card != JOKER) & (card // RANK_COUNT == (group - FIRST_RUN) // table.run_slots)
    return {
        "natural": lay & ~wild,
        "wild": wild,
        "wild on wild group": on_wilds,
        "wild on a set": wild & on_set,
        "wild on a run": wild & on_run & ~own,
        "own two": own & (card % RANK_COUNT == TWO),
        "ace on a run": own & (card % RANK_COUNT == ACE),
        "on a set": on_set,
        "on a run": on_run,
        "draw pile": kind == Kind.DRAW_PILE,
        "take burako": kind == Kind.TAKE_BURAKO,
        "ask": kind == Kind.ASK,
        "end hand": kind == Kind.END_HAND,
    }


def _opening_features(table: ActionTable) -> dict[str, np.ndarray]:
    """What the words mean of a lay whose group is not there yet."""
    plain = _features(table)
    return {"open set": plain["on a set"], "open run": plain["on a run"]}


def _weights(features: dict[str, np.ndarray], aim: dict[str, float]) -> np.ndarray:
    """The weights of an aim, `[A]`."""
    weights = np.ones(len(next(iter(features.values()))))
    for word in features.keys() & aim.keys():
        weights[features[word]] *= aim[word]
    return weights
