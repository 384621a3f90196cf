"""`sample_states`: all arrangements are equally likely, as far from the truth as chance makes them.

The expected numbers are those of drawing without replacement: N unseen cards, h places, K of them of a kind.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import parse_cards
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS
from burako_env.cards import card_name
from tests.reference.cards import full_pack
from tests.tools.core_play import GAMES, played, sampled, state_of
from tests.tools.physical import cards_in, hidden_places, type_of

ALL = pytest.mark.parametrize("name", GAMES)
# The keys are fixed, so a test passes always or never; what chance does less often than this is taken for a mistake.
UNLIKELY = 1e-4


def tiny(hidden: str) -> BurakoGame:
    """burako-4 with all cards but a few in the hand of seat 0: one each for seats 1 to 3, the others in the stock."""
    rules = PRESETS["burako-4"]
    unseen = hidden.split()
    mine = Counter(full_pack(2)) - Counter(unseen)
    hands = [parse_cards(" ".join(mine.elements())), *(parse_cards(card) for card in unseen[:3])]
    stock = parse_cards(" ".join(unseen[3:]))
    taken = [[2], [1]]
    return BurakoGame.from_positions([Position(rules, 0, "lay", hands, stock=stock, taken_by=taken)])


@pytest.mark.parametrize("hidden", ["9S 4H JK 2C 7D", "9S 9S 4H JK JK"])
def test_all_arrangements_are_equally_likely(hidden: str) -> None:
    """Five unseen cards, two of them the stock: every way to place them comes, and none more often than another."""
    game, k = tiny(hidden), 2400
    other = sampled(game, k)
    ways = sorted(set(permutations(hidden.split())))
    found: Counter[tuple[str, ...]] = Counter()
    for row in range(k):
        position = other.position(row)
        cards = [hand[0] for hand in position.hands[1:]] + position.stock
        found[tuple(card_name(card) for card in cards)] += 1
    assert set(found) == set(ways)
    assert chisquare([found[way] for way in ways]).pvalue > UNLIKELY


def test_who_has_asked_holds_a_natural() -> None:
    """OUT-3: not all wild. Seat 0 answers; of three wilds and three naturals the asker's two are 9 : 3 mixed."""
    rules = PRESETS["burako-4"]
    unseen = parse_cards("JK 9S 2C 4H 2D 7C")
    mine = Counter(parse_cards(" ".join(full_pack(2)))) - Counter(unseen)
    hands = [sorted(mine.elements()), unseen[4:5], unseen[:2], unseen[5:]]
    position = Position(
        rules, 0, "answer", hands, stock=unseen[2:4], taken_by=[[0], [1]], asker=2, answer="asked", turns=30
    )
    other = sampled(BurakoGame.from_positions([position]), 2400)
    wilds = np.bincount(other.view(seats=2).hand[:, [1, 14, 27, 40, 52]].sum(axis=1), minlength=3)
    assert wilds[2] == 0
    assert chisquare(wilds[:2], [600, 1800]).pvalue > UNLIKELY
    # The two that are left for seat 1 and seat 3 are not drawn apart from that: 3 wilds, one or none with the asker.
    left = other.view(seats=1).hand[:, [1, 14, 27, 40, 52]].sum(axis=1)
    share = (3 / 4 * 2 + 1 / 4 * 3) / 4
    assert chisquare(np.bincount(left, minlength=2), [2400 * (1 - share), 2400 * share]).pvalue > UNLIKELY


def unseen_of(game: BurakoGame) -> tuple[list[int], dict[str, int]]:
    """Types of all cards hidden from the actor of a single game, and how many lie in each place, seats from it on."""
    state, actor = state_of(game), int(game.to_act[0])
    hands, rows = hidden_places(state, 0, actor)
    cards = [card for hand in hands.values() for card in hand] + state.deck[rows, 0].astype(int).tolist()
    stock = int(game.view().stock_size[0]) - (game.view().bottom[0] > 0)
    places = {f"seat {(seat - actor) % game.seats}": len(hand) for seat, hand in hands.items()}
    return [type_of(card) for card in cards], {**places, "stock": stock, "burakos": len(rows) - stock}


def moments(cards: int, of_kind: int, places: int) -> tuple[float, float]:
    """Mean and variance of the cards of a kind in `places` places, drawn without replacement."""
    share = of_kind / cards
    return places * share, places * share * (1 - share) * (cards - places) / max(cards - 1, 1)


def sampled_hands(game: BurakoGame, k: int) -> np.ndarray:
    """Unknown cards of the other seats in `k` samples, by type: int `[seats - 1, k, 53]`."""
    other = sampled(game, k)
    known = game.view().known[0].astype(int)
    return np.stack([other.view(seats=seat).hand.astype(int) - known[seat] for seat in range(1, game.seats)])


def some_games(name: str) -> list[BurakoGame]:
    """Live games early, in the middle and late in the hand."""
    found = []
    for steps in (3, 60, 130):
        game = played(name, 12, steps, first=40)
        found += [game.select([index]) for index in np.flatnonzero(~game.done)[:2]]
    return found


@ALL
def test_hidden_hands_are_hypergeometric(name: str) -> None:
    """Of N unseen cards K are of a type, h in a hand: every number of them there as often as it should be."""
    k, deviations = 1500, []
    for game in some_games(name):
        types, places = unseen_of(game)
        counts = Counter(types)
        hands = sampled_hands(game, k)
        for seat in range(1, game.seats):
            size = places[f"seat {seat}"]
            assert np.all(hands[seat - 1].sum(axis=1) == size)
            # Single types, and the wilds together, whose spread shows whether cards are drawn one without the other.
            groups = [[card] for card in sorted(counts)[::9]] + [[1, 14, 27, 40, 52]]
            for group in groups:
                mean, variance = moments(len(types), sum(counts[card] for card in group), size)
                seen = hands[seat - 1][:, group].sum(axis=1)
                if variance:
                    deviations.append((seen.mean() - mean) / (variance / k) ** 0.5)
                    assert abs(seen.var() / variance - 1) < 0.6 or mean < 0.05
                else:
                    assert np.all(seen == mean)
    scores = np.array(deviations)
    assert len(scores) > 60
    assert np.abs(scores).max() < 4.5
    assert 0.6 < (scores**2).mean() < 1.5


@ALL
def test_the_truth_is_met_as_often_as_chance_has_it(name: str) -> None:
    """The overlap of a sampled hand with the true one: neither nearer to it nor farther from it than at random."""
    k = 1500
    differences, variance = 0.0, 0.0
    for game in some_games(name):
        state, actor = state_of(game), int(game.to_act[0])
        types, places = unseen_of(game)
        counts, hands = Counter(types), sampled_hands(game, k)
        for seat in range(1, game.seats):
            size = places[f"seat {seat}"]
            zone = slice((actor + seat) % game.seats * game.rules.decks, None)
            words = (state.hands & ~state.known)[zone][: game.rules.decks, 0]
            truth = np.bincount([type_of(card) for card in cards_in(words)], minlength=53)
            overlap = np.minimum(hands[seat - 1], truth).sum(axis=1)
            expected = 0.0
            for card in np.flatnonzero(truth).tolist():
                number = np.arange(counts[card] + 1)
                law = hypergeom(len(types), counts[card], size).pmf(number)
                expected += float((law * np.minimum(number, truth[card])).sum())
            if 0 < size < len(types):
                differences += overlap.mean() - expected
                variance += overlap.var() / k
                assert abs(overlap.mean() - expected) < 4.5 * max(overlap.std(), 0.1) / k**0.5
    assert abs(differences) < 3.5 * variance**0.5


@ALL
def test_every_place_gets_its_share(name: str) -> None:
    """Where the copies of a type lie: hands, burakos and stock in the proportion of their unseen cards."""
    game, k = played(name, 3, 45, first=7).select([0]), 1500
    types, places = unseen_of(game)
    other = sampled(game, k)
    state = state_of(other)
    pvalues = []
    for card in sorted(set(types))[::8]:
        found = dict.fromkeys(places, 0)
        known = game.view().known[0].astype(int)
        for seat in range(1, game.seats):
            found[f"seat {seat}"] = int((other.view(seats=seat).hand[:, card].astype(int) - known[seat, card]).sum())
        reserve = 2 * game.rules.burakos_per_team * game.rules.burako_size
        bottom = int(game.view().bottom[0] == card + 1) * k
        kinds = np.where(state.deck == 255, -1, np.minimum(state.deck % 54, 52))
        found["stock"] = int((kinds[reserve:] == card).sum()) - bottom
        found["burakos"] = int((kinds[:reserve] == card).sum())
        assert sum(found.values()) == k * types.count(card)
        there = [place for place in places if places[place]]
        share = np.array([places[place] for place in there]) / len(types)
        pvalues.append(chisquare([found[place] for place in there], share * k * types.count(card)).pvalue)
    assert min(pvalues) > UNLIKELY
