"""Features against the core: what they say of cards must be what the legal sets and the states say."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import agents
import burako_env
from agents.burako.network.encoder import BurakoEncoder
from agents.learned.encoder import PlainEncoder
from agents.learned.encoders import encoder_for
from burako_env import families
from burako_env.burako.game import BurakoGame
from burako_env.burako.turn.actions import FIRST_RUN, Kind
from burako_env.cards import JOKER, TWO
from tests.tools.core_play import GAMES, played
from tests.tools.core_play import stages as stages_of

ALL = pytest.mark.parametrize("name", GAMES)


def block(encoder: BurakoEncoder, features: np.ndarray, name: str) -> np.ndarray:
    """A block feature, `[n, 4, width]`."""
    suits = features[:, : 4 * encoder.block].reshape(len(features), 4, encoder.block)
    return suits[:, :, encoder.block_at[name]]


def rest(encoder: BurakoEncoder, features: np.ndarray, name: str) -> np.ndarray:
    """Another feature, `[n, width]`."""
    return features[:, 4 * encoder.block :][:, encoder.rest_at[name]]


def some(name: str) -> tuple[BurakoGame, BurakoEncoder, np.ndarray]:
    """Games in the middle of their hands, with their features."""
    game = played(name, 200, 90)
    encoder = BurakoEncoder(game.rules)
    return game, encoder, encoder.encode(game.view().buffer)


@ALL
def test_cards_that_the_table_takes_are_the_legal_lays_on_it(name: str) -> None:
    game, encoder, features = some(name)
    free = stages_of(game)["lay"] & ~game.done
    assert free.sum() > 20
    rows = game.table.rows
    # A group that is not open is opened by its lay: legal lays on what is open are all that a card can be laid on.
    position = [game.position(index) for index in np.flatnonzero(free).tolist()]
    assert position
    lays = block(encoder, features, "lays")
    legal = game.legal()
    view = game.view()
    sizes = view.sets[:, 0, :JOKER].reshape(-1, 4, 13).sum(axis=1) > 0
    for index in np.flatnonzero(free).tolist():
        open_runs = view.runs[index, 0, :, :, :2].any(axis=2) | (view.runs[index, 0, :, :, 3] > 0)
        taken = np.zeros((4, 13), dtype=bool)
        for action in np.flatnonzero(legal[index] & (rows["kind"] == Kind.LAY)).tolist():
            _, card, group = rows[action].tolist()
            if card == JOKER or card % 13 == TWO:
                continue
            if group < FIRST_RUN:
                there = sizes[index, group]
            else:
                suit, slot = divmod(group - FIRST_RUN, game.rules.run_slots)
                there = open_runs[suit, slot]
            taken[card // 13, card % 13] |= there
        assert np.array_equal(lays[index] > 0, taken), index


@ALL
def test_copies_nobody_has_seen(name: str) -> None:
    """Unseen copies of the observer are those in other hands that are not known, in the stock and in the burakos."""
    game, encoder, features = some(name)
    unseen = block(encoder, features, "unseen").reshape(-1, 52)
    view = game.view()
    hands = np.stack([game.view(seats=seat).hand for seat in range(game.seats)])
    actor = game.to_act.astype(int)
    for index in np.flatnonzero(~game.done).tolist():
        others = [seat for seat in range(game.seats) if seat != actor[index]]
        hidden = hands[others, index].sum(axis=0, dtype=int) - view.known[index, 1:].sum(axis=0, dtype=int)
        position = game.position(index)
        for card in position.stock:
            hidden[card] += 1
        for burakos in position.burakos:
            for cards in burakos:
                for card in cards:
                    hidden[card] += 1
        assert np.array_equal(unseen[index], hidden[:JOKER]), index


@ALL
def test_plain_facts(name: str) -> None:
    game, encoder, features = some(name)
    view = game.view()
    assert features.shape == (game.size, encoder.width)
    hand = view.hand[:, :JOKER].reshape(-1, 4, 13)
    assert np.array_equal(block(encoder, features, "hand"), hand > 0)
    assert np.array_equal(block(encoder, features, "twice"), hand > 1)
    assert np.array_equal(rest(encoder, features, "jokers").sum(axis=1), view.hand[:, JOKER])
    assert np.array_equal(rest(encoder, features, "phase"), view.phase)
    runs = block(encoder, features, "runs")
    assert runs.any()
    whole = view.opening == 0
    there = runs.reshape(game.size, 4, 2, -1).any(axis=3).transpose(0, 2, 1)
    assert np.array_equal(there[whole], (view.runs[..., :4] > 0).any(axis=(3, 4))[whole])
    # The same rows in another batch have the same features.
    assert np.array_equal(encoder.encode(view.buffer[5:17]), features[5:17])
    assert encoder.encode(view.buffer[:0]).shape == (0, encoder.width)


def test_trios_and_neighbours() -> None:
    encoder = BurakoEncoder(burako_env.make("burako-4").rules)  # type: ignore[attr-defined]
    buffer = np.zeros((1, encoder.layout.width), dtype=np.int8)
    hand = buffer[0, encoder.layout["hand"]]
    hand[[0, 11, 12]] = 1  # A Q K of clubs
    hand[[13 + 3, 13 + 5]] = 1  # 4 6 of diamonds
    features = encoder.encode(buffer)
    ranks = {name: np.argwhere(block(encoder, features, name)[0]).tolist() for name in ("near", "gap", "trio")}
    assert ranks["trio"] == [[0, 0], [0, 11], [0, 12]]
    assert ranks["near"] == [[0, 0], [0, 11], [0, 12]]
    assert ranks["gap"] == [[0, 0], [0, 11], [1, 3], [1, 5]]


def test_games_without_features_of_their_own_show_their_view(monkeypatch: pytest.MonkeyPatch) -> None:
    other = dataclasses.replace(families.family_of("burako-4"), name="other", presets={"another-game": None})
    monkeypatch.setitem(families._FAMILIES, "other", other)
    game = burako_env.make("burako-4")
    assert agents.own_heuristic("another-game") == "random"
    encoder = encoder_for("another-game", {}, game.layout)
    assert isinstance(encoder, PlainEncoder)
    view = np.array([[-128, -1, 0, 1, 127] + [0] * (game.layout.width - 5)], dtype=np.int8)
    decoded = (encoder.encode(view).astype(np.float32) - encoder.bias) * encoder.scale
    assert np.array_equal(decoded, view / np.float32(32))
