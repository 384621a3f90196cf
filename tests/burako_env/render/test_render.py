"""Positions as text: everything that is there is shown, and nothing that a seat may not know."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import burako_env
from burako_env import burako_v0
from burako_env.burako.game import BurakoGame
from burako_env.burako.melds.run_codec import run_cards
from burako_env.burako.notation import format_cards, parse_cards
from burako_env.burako.position import Position
from burako_env.burako.rules import PRESETS
from burako_env.cards import CARD_NAMES, RANK_COUNT, SUITS, card_type, is_wild
from burako_env.chance.rng import mix
from burako_env.choice import random_legal
from burako_env.families import make_match
from burako_env.render.burako.text import game_text, sorted_hand, view_text

RULES = {"INFO-2": ["test_a_seat_sees_only_its_own_hand"]}

NAMES = set(CARD_NAMES)


def names(text: str) -> Counter[str]:
    """Cards named in a text."""
    words = text.replace("(", " ").replace(")", " ").replace(",", " ").replace("..", " ").split()
    return Counter(word for word in words if word in NAMES)


def section(text: str, start: str) -> str:
    """The lines from one that begins with `start` to the next that is no deeper."""
    lines = text.splitlines()
    first = next(index for index, line in enumerate(lines) if line.lstrip("> ").startswith(start))
    rest = lines[first + 1 :]
    end = next((index for index, line in enumerate(rest) if not line.startswith("    ")), len(rest))
    if start.startswith("team"):
        end = next((index for index, line in enumerate(rest) if not line.startswith("  ")), len(rest))
    return "\n".join([lines[first], *rest[:end]])


def played(players: int, decisions: int, deal: int = 0) -> BurakoGame:
    """A hand after some random decisions."""
    game = burako_env.make(f"burako-{players}", root_seed=3)
    assert isinstance(game, BurakoGame)
    game.reset([deal])
    for _ in range(decisions):
        if not game.done[0]:
            game.step(random_legal(game.legal_packed(), mix(game.keys())))
    return game


@pytest.mark.parametrize("players", [4, 6, 8])
@pytest.mark.parametrize("decisions", [0, 1, 90, 170, 230, 1000])
def test_full_text_shows_every_card(players, decisions):
    for deal in range(4):
        game = played(players, decisions, deal)
        position = game.position()
        text = game_text(game)
        for seat in range(players):
            shown = section(text, f"player_{seat} ")
            assert names(shown) == names(format_cards(position.hands[seat]))
            assert f"{len(position.hands[seat]):>2} card" in shown
        for team in range(2):
            shown = section(text, f"team {team} ")
            cards = [card for group in position.tables[team] + position.closed[team] for card in group]
            assert names(shown) == names(format_cards(cards))
            assert f"points of this hand {game.scores[0, team]}," in shown
            assert f"burakos left {len(position.burakos[team])}" in shown
            for group in position.tables[team]:
                assert Counter(group) in [Counter(cards) for cards in groups_of(shown)]
        assert f"stock {len(position.stock)} " in text
        pile = " ".join(section(text, "stock").split())
        top = position.pile[-8:]
        assert names(pile.split("<- top")[0]) == names(format_cards(position.pile)) if top else "pile empty" in pile
        assert (f" {format_cards(top)} <- top" in pile) == bool(top)
        assert ("was a pile of one" in pile) == (position.single is not None)
        assert all(len(line) <= 100 for line in text.splitlines())
        assert text.count(">") == (not game.done[0])
        assert ("the hand is over" in text) == game.done[0]
        if not game.done[0]:
            assert f"player_{position.turn} to act, phase {position.phase}" in text


def groups_of(shown: str) -> list[list[int]]:
    """The open groups that a team's lines show."""
    groups = []
    for line in shown.splitlines()[1:]:
        if line.strip().startswith("bazas"):
            break
        for part in line.replace("  sets  ", "").replace("  runs  ", "").split("   "):
            words = [word for word in part.split() if word in NAMES]
            groups.append(parse_cards(" ".join(words)))
    return groups


@pytest.mark.parametrize("players", [4, 8])
def test_a_seat_sees_only_its_own_hand(players):
    for decisions in (5, 120, 200):
        game = played(players, decisions)
        position = game.position()
        full = game_text(game)
        for seat in range(players):
            view = game.view(seats=seat)
            text = view_text(view, seat=seat)
            own = section(text, f"player_{seat} ").split("(drawn")[0].split("(seen")[0]
            assert names(own) == names(format_cards(position.hands[seat]))
            for other in range(players):
                if other == seat:
                    continue
                shown = section(text, f"player_{other} ")
                public = position.shown[other] + position.known[other]
                assert names(shown) == names(format_cards(public))
                assert f"{len(position.hands[other]):>2} card" in shown
            # All else is public and the same as in the full text.
            for team in range(2):
                ours = section(text, f"team {team} ").splitlines()
                theirs = section(full, f"team {team} ").splitlines()
                assert ours[1:] == theirs[1:]
            assert section(text, "stock") == section(full, "stock")
            assert ("drawn:" in text) == bool(view.drawn[0])
            assert ("bottom of the stock" in text) == bool(view.bottom[0])


def test_rows_and_games_of_a_batch():
    game = burako_env.make("burako-4", batch=3)
    game.reset([0, 1, 2])
    for row in range(3):
        alone = game.select([row])
        assert game_text(game, row) == game_text(alone)
        assert view_text(game.view(seats=2), row, seat=2) == view_text(alone.view(seats=2), seat=2)


def test_match_text():
    match = make_match("burako-4", root_seed=1, config={"max_turns": 9, "max_hands": 3, "target": 4000})
    match.reset([0])
    text = game_text(match)
    assert "burako-4, hand 1 of at most 3" in text
    assert text.count("total before this hand 0 of 4000") == 2
    while match.hands_played[0] < 2:
        match.step(random_legal(match.legal_packed(), mix(match.keys())))
    text = game_text(match)
    totals = match.totals[0].tolist()
    assert "hand 3 of at most 3" in text
    for team in range(2):
        assert f"total before this hand {totals[team]} of 4000" in section(text, f"team {team} ")
        assert f"points of this hand {match.hand.scores[0, team]}," in section(text, f"team {team} ")
        for seat in range(4):
            seen = view_text(match.view(seats=seat), seat=seat)
            assert f"total before this hand {totals[team]} of 4000" in section(seen, f"team {team} ")
    while not match.done[0]:
        match.step(random_legal(match.legal_packed(), mix(match.keys())))
    text = game_text(match)
    assert "hand 3 of at most 3" in text
    assert "the hand is over" in text


def test_every_open_run_is_read_back_from_the_view():
    """`run_cards` against the cards that the core holds, over many positions and all ace rules."""
    seen = Counter[str]()
    for ace in ("both", "low", "high"):
        game = burako_env.make("burako-4", batch=300, root_seed=9, config={"ace": ace})
        assert isinstance(game, BurakoGame)
        game.reset(np.arange(300))
        for _ in range(170):
            game.step(random_legal(game.legal_packed(), mix(game.keys())))
        runs = game.view(seats=0).runs
        for index in np.flatnonzero(game.view().opening == 0):
            for team, table in enumerate(game.position(int(index)).tables):
                expected = Counter(tuple(sorted(group)) for group in table if not one_rank(group))
                shown = Counter[tuple[int, ...]]()
                for suit in range(4):
                    for slot in runs[index, team, suit]:
                        if slot.any():
                            cards = run_cards(suit, *slot.tolist())
                            shown[tuple(sorted(cards))] += 1
                            seen["hole" if slot[2] else "wild" if slot[4] or slot[3] else "plain"] += 1
                assert shown == expected
    assert min(seen.values()) > 20
    assert set(seen) == {"hole", "wild", "plain"}


def one_rank(group: list[int]) -> bool:
    naturals = {card % RANK_COUNT for card in group if not is_wild(card)}
    return len(naturals) == 1 if sum(not is_wild(card) for card in group) > 1 else all(map(is_wild, group))


@pytest.mark.parametrize(
    ("run", "text"),
    [
        ("3H 2H 5H", "3H 2H 5H"),
        ("3H 2H 4H", "2H 3H 4H"),
        ("AH 2H 3H", "AH 2H 3H"),
        ("QH KH AH", "QH KH AH"),
        ("10H JK QH", "10H JK QH"),
        ("10H JH 2S", "10H JH 2S"),
        ("2S 3S 4S 5S 6S JK", "2S 3S 4S 5S 6S JK"),
        ("3S 4S 2S 2S", "2S 3S 4S 2S"),
        ("AS JK 3S", "AS JK 3S"),
        ("3S 5S 2S JK", "2S 3S JK 5S"),
    ],
)
def test_order_of_a_run(run, text):
    game = BurakoGame.from_positions([position_with(parse_cards(run))])
    view = game.view(seats=0)
    suit = SUITS.index(text.split()[0][-1])
    assert format_cards(run_cards(suit, *view.runs[0, 0, suit, 0].tolist())) == text
    assert f"{SUITS[suit]}1: {text}" in view_text(view)


def position_with(run: list[int]) -> Position:
    """A position whose team 0 has one open run; the other cards are spread over hands, burakos and stock."""
    rules = PRESETS["burako-4"]
    rest = Counter({card_type(name): 4 if name == "JK" else 2 for name in CARD_NAMES}) - Counter(run)
    cards = list(rest.elements())
    hands = [cards[11 * seat : 11 * (seat + 1)] for seat in range(4)]
    return Position(
        rules=rules,
        turn=0,
        phase="draw",
        hands=hands,
        tables=[[run], []],
        burakos=[[cards[44:55]], [cards[55:66]]],
        stock=cards[66:],
    )


def test_a_half_open_group_goes_on():
    game = played(4, 0)
    for _ in range(400):
        game.step(random_legal(game.legal_packed(), mix(game.keys())))
        opening = int(game.view().opening[0])
        text = game_text(game)
        assert (".." in text) == (opening > 0)
        if game.done[0]:
            break


def test_hand_in_order():
    cards = [card_type(name) for name in ("9S", "9S", "AC", "10H", "2H", "JK", "KC")]
    assert sorted_hand(cards) == "AC KC   10H   9S 9S   2H JK"


def test_env_renders_all_hands(capsys):
    env = burako_v0.env(render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == game_text(env.unwrapped.game)
    human = burako_v0.env(render_mode="human")
    human.reset(seed=0)
    assert capsys.readouterr().out == game_text(env.unwrapped.game) + "\n"
    action = int(np.flatnonzero(human.last()[0]["action_mask"])[0])
    human.step(action)
    env.step(action)
    assert capsys.readouterr().out == game_text(env.unwrapped.game) + "\n"
    plain = burako_v0.env()
    plain.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert plain.render() is None
