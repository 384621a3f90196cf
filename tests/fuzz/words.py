"""The core's state and legal actions in the reference's words, cheaply: read in batches, each pattern decoded once.

What is handed out is shared between calls and must not be changed.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

import numpy as np

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import format_action
from burako_env.burako.position import Position
from burako_env.burako.sanctions.actions import sanction_table
from burako_env.burako.turn.actions import FIRST_RUN, NONE, ActionTable, Kind
from burako_env.cards import CARD_NAMES, JOKER, RANK_COUNT, SUIT_COUNT, card_name, is_wild
from burako_env.cases.burako.groups import group_kind
from tests.reference.cards import in_order, text
from tests.reference.view import sanction_words

PHASES: Final = ("draw", "look", "lay", "answer", "burako", "over")
REASONS: Final = (None, "out", "exhausted", "truncated")
_BITS_PER_DECK: Final = 54
_MANY: Final = 99
_KEPT: Final = 1 << 15
_NO_SLOT: Final = -1

Counts = dict[str, int]


class StateWords:
    """The state of every game of a batch as lists, read once; `expect(game)` is one of them in words."""

    def __init__(self, batch: BurakoGame) -> None:
        state = batch.state_dict()
        self.decks = batch.rules.decks
        self.hands, self.known = state["hands"].T.tolist(), state["known"].T.tolist()
        self.pile = state["pile_order"].T.tolist()
        self.one = {name: state[name][0].tolist() for name in ("actor", "phase", "reason", "drawn", "pile_size")}
        self.scores = batch.scores.tolist()
        self.sanctions = sanction_states(state) if batch.rules.sanctions else [{} for _ in self.scores]

    def expect(self, game: int) -> dict[str, Any]:
        """What `reference_state` says of the reference."""
        one, decks = self.one, self.decks
        height = one["pile_size"][game]
        known = [_public(tuple(words)) for words in _by_seat(self.known[game], decks)]
        return {
            "turn": one["actor"][game],
            "phase": PHASES[one["phase"][game]],
            "hands": [_zone(tuple(words)) for words in _by_seat(self.hands[game], decks)],
            "pile": [CARD_NAMES[card] for card in self.pile[game][:height]],
            "over": PHASES[one["phase"][game]] == "over",
            "reason": REASONS[one["reason"][game]],
            "scores": self.scores[game],
            "shown": [shown for shown, _ in known],
            "known": [others for _, others in known],
            "drawn": None if one["drawn"][game] == NONE else CARD_NAMES[one["drawn"][game]],
            **self.sanctions[game],
        }


def sanction_states(state: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """What sanctions play adds to the state of each game, in words."""
    apart, offer, must_pass = (state[name].T.tolist() for name in ("apart", "offer", "must_pass"))
    end, annulled = state["stock_end"][0].tolist(), state["annulled"][0].tolist()
    return [
        {
            "apart": text(in_order(name for name, count in _zone(tuple(apart[game])).items() for _ in range(count))),
            "offer": None if offer[game][0] == NONE else CARD_NAMES[offer[game][0]],
            "must_pass": [seat for seat in range(8) if must_pass[game][0] >> seat & 1],
            "annulled": " ".join(
                CARD_NAMES[min(int(card) % _BITS_PER_DECK, JOKER)]
                for card in state["deck"][end[game] - annulled[game] : end[game], game]
            ),
        }
        for game in range(len(end))
    ]


def reference_state(hand: Any) -> dict[str, Any]:
    """The `expect` keys of a reference hand that its View and its legal set do not show anyway."""
    return {
        "turn": hand.actor,
        "phase": hand.phase,
        "hands": [*map(dict, hand.hands)],
        "pile": hand.pile,
        "over": hand.phase == "over",
        "reason": hand.reason,
        "scores": hand.scores(),
        "shown": [*map(dict, hand.shown)],
        "known": [*map(dict, hand.known)],
        "drawn": hand.drawn,
        **(sanction_words(hand) if hand.config.sanctions else {}),
    }


def position_words(position: Position, scores: list[int], legal_count: int) -> dict[str, Any]:
    """Every `expect` key, from a position as case files read them, in the form of `ReferenceHand.expect`."""

    def kinds(bazas: list[list[int]]) -> list[str]:
        found = [group_kind(cards, position.rules) for cards in bazas]
        return [kind.words if kind else "no group" for kind in found]

    hands = [_cards(cards) for cards in position.hands]
    return {
        "turn": position.turn,
        "phase": position.phase,
        "hand": hands[position.turn],
        "hands": hands,
        "hand_sizes": [len(cards) for cards in position.hands],
        "tables": [sorted(_cards(cards) for cards in team) for team in position.tables],
        "closed": [sorted(kinds(team)) for team in position.closed],
        "pile": " ".join(card_name(card) for card in position.pile),
        "stock_size": len(position.stock),
        "burakos_left": [len(burakos) for burakos in position.burakos],
        "over": position.phase == "over",
        "reason": position.reason,
        "scores": scores,
        "shown": [_cards(cards) for cards in position.shown],
        "known": [_cards(cards) for cards in position.known],
        "drawn": None if position.drawn is None else card_name(position.drawn),
        "legal_count": legal_count,
        "annulled": " ".join(map(card_name, position.stock[len(position.stock) - position.annulled :])),
        "apart": _cards(position.apart),
        "offer": None if position.offer is None else card_name(position.offer),
        "must_pass": position.must_pass,
    }


def reference_expect(expect: dict[str, Any]) -> dict[str, Any]:
    """`ReferenceHand.expect` with groups and bazas, whose order says nothing, sorted."""
    return {**expect, "tables": [*map(sorted, expect["tables"])], "closed": [*map(sorted, expect["closed"])]}


class ActionTexts:
    """Legal sets as texts: `format_action` for all ids at once, with and without a new run."""

    def __init__(self, table: ActionTable) -> None:
        self.table = table
        rows = table.rows
        run = (rows["kind"] == Kind.LAY) & (rows["group"] >= FIRST_RUN)
        suit, slot = np.divmod(rows["group"].astype(int) - FIRST_RUN, table.run_slots)
        own = run & (rows["card"] != JOKER) & (rows["card"] // RANK_COUNT == suit)
        self.suits = np.where(run, suit, 0).tolist()
        # The slot on which a lay of this card would open a run.
        self.slots = np.where(own, slot, _NO_SLOT).tolist()
        self.plain = [format_action(table, action, [_MANY] * SUIT_COUNT) for action in range(table.size)]
        self.opening = [
            format_action(table, action, [max(slot, 0)] * SUIT_COUNT) for action, slot in enumerate(self.slots)
        ]

    def text(self, action: int, runs: list[int]) -> str:
        """One action; `runs` are the open runs of the team in each suit."""
        return (self.opening if self.slots[action] == runs[self.suits[action]] else self.plain)[action]

    def of_batch(self, batch: BurakoGame, legal: np.ndarray) -> tuple[list[list[str]], list[list[int]]]:
        """Texts of the legal actions of every game, and the open runs of the team in play."""
        runs = self.open_runs(batch)
        texts: list[list[str]] = [[] for _ in runs]
        games, actions = np.nonzero(legal)
        for game, action in zip(games.tolist(), actions.tolist(), strict=True):
            texts[game].append(self.text(action, runs[game]))
        return texts, runs

    def open_runs(self, batch: BurakoGame) -> list[list[int]]:
        """Open runs of the team whose turn it is, by suit, for each game."""
        state = batch.state_dict()
        groups = state["groups"].reshape(batch.rules.teams, self.table.groups, -1)
        runs = (groups[:, FIRST_RUN:] > 0).reshape(batch.rules.teams, SUIT_COUNT, self.table.run_slots, -1).sum(axis=2)
        team = state["turn"][0] % batch.rules.teams
        counts: list[list[int]] = runs[team, :, np.arange(len(team))].tolist()
        return counts


@cache
def action_texts(run_slots: int) -> ActionTexts:
    """The texts of the actions with `run_slots` run slots, strict ones first, then those of sanctions play."""
    return ActionTexts(sanction_table(run_slots))


def _by_seat(words: list[int], decks: int) -> list[list[int]]:
    return [words[start : start + decks] for start in range(0, len(words), decks)]


@lru_cache(maxsize=_KEPT)
def _zone(words: tuple[int, ...]) -> Counts:
    """The cards of a zone, one word for each deck: bits 0 to 51 are the types, 52 and 53 the jokers."""
    counts: Counts = {}
    for word in words:
        for bit in range(_BITS_PER_DECK):
            if word >> bit & 1:
                name = CARD_NAMES[min(bit, JOKER)]
                counts[name] = counts.get(name, 0) + 1
    return counts


@lru_cache(maxsize=_KEPT)
def _public(words: tuple[int, ...]) -> tuple[Counts, Counts]:
    """The publicly known cards of a hand: wilds shown, and the others, which come from the pile."""
    cards = _zone(words)
    wilds = {CARD_NAMES[card] for card in range(len(CARD_NAMES)) if is_wild(card)}
    return (
        {name: count for name, count in cards.items() if name in wilds},
        {name: count for name, count in cards.items() if name not in wilds},
    )


def _cards(cards: list[int]) -> str:
    return text(in_order(card_name(card) for card in cards))
