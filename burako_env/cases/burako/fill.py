"""Placing the cards of a case: those written, then the stars, drawn from what is left by the case's seed."""

import re
from collections import Counter
from typing import Final

import numpy as np

from burako_env.burako.notation import parse_cards
from burako_env.burako.rules import Rules
from burako_env.cards import JOKER, TYPE_COUNT, card_name
from burako_env.cases.nodes import Node
from burako_env.cases.stars import STREAM_CASES, Template
from burako_env.chance.rng import combine, shuffled

_STAR: Final = re.compile(r"\*([0-9]{1,3})")


def cards_at(node: Node, what: str) -> list[int]:
    """The cards written at a node."""
    with node.placed():
        return parse_cards(node.text(what))


def card_at(node: Node, what: str, form: str = "one card") -> int:
    """The single card written at a node."""
    cards = cards_at(node, what)
    if len(cards) != 1:
        raise node.error(f"{what} is {form}, not {len(cards)}{' cards' if 'null' in form else ''}")
    return cards[0]


def read_seats(node: Node, what: str, rules: Rules) -> list[int]:
    """The seats written at a node, each once, from the lowest up."""
    return sorted({seat.integer("a seat", 0, rules.players - 1) for seat in node.items(what)})


class Deck:
    """The cards of a game, some of them placed. Placing a card more often than the decks hold it is a reading error."""

    def __init__(self, rules: Rules) -> None:
        self.left = np.full(TYPE_COUNT, rules.decks)
        self.left[JOKER] = rules.decks * rules.jokers_per_deck
        self._rules = rules

    def place(self, node: Node, what: str) -> list[int]:
        """The cards written at a node, placed; no stars."""
        cards = cards_at(node, what)
        for card in cards:
            self._take(node, card)
        return cards

    def place_template(self, node: Node, what: str) -> Template:
        """The cards and stars written at a node; the cards are placed."""
        template: Template = []
        for word in node.text(what).split():
            star = _STAR.fullmatch(word)
            if star:
                template += [None] * int(star[1])
                continue
            with node.placed():
                template += parse_cards(word)
        for card in template:
            if card is not None:
                self._take(node, card)
        return template

    def _take(self, node: Node, card: int) -> None:
        if not self.left[card]:
            copies = self._rules.decks * (self._rules.jokers_per_deck if card == JOKER else 1)
            raise node.error(f"{card_name(card)} is placed more than {copies} times: the decks hold {copies} (DECK-1)")
        self.left[card] -= 1

    def rest(self, seed: int) -> list[int]:
        """The cards not placed, in the order in which the seed fills stars with them."""
        cards = np.repeat(np.arange(TYPE_COUNT), self.left)
        key = combine(np.array([seed]), np.array([STREAM_CASES]))
        return [int(card) for card in cards[shuffled(key, len(cards))[0]]]


def held(cards: list[int], hand: Template) -> bool:
    """Whether a hand as written holds all the cards: a star may turn out to be anything."""
    return not Counter(cards) - Counter(card for card in hand if card is not None)
