"""Exchanging suits: the tables for Views and actions, the features and the network that know of the symmetry."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from agents.burako.network.encoder import BurakoEncoder
from agents.burako.network.exchange import SuitExchange
from agents.burako.network.suits import PERMUTATIONS, permute_type, suit_tables
from agents.learned.encoder import floats
from agents.learned.network import NetConfig, make_policy, make_value
from burako_env.cards import TYPE_COUNT
from experiments.train.acting import unpack
from experiments.train.augment import permute_words
from tests.burako_env.burako.test_symmetry import exchanged
from tests.tools.core_play import GAMES, dealt, mixed_actions, played

ALL = pytest.mark.parametrize("name", GAMES)
EVERY = np.arange(len(PERMUTATIONS))


@ALL
def test_tables_agree_with_the_core(name: str) -> None:
    """A deal with exchanged suits, played with exchanged actions: its Views and legal sets are the exchanged ones."""
    game = dealt(name, len(PERMUTATIONS))
    other = exchanged(game, list(PERMUTATIONS))
    tables = [suit_tables(game.rules, number) for number in EVERY]
    maps = np.stack([table.actions for table in tables])
    assert np.all(np.sort(maps, axis=1) == np.arange(game.num_actions))
    for step in range(80):
        legal, view = game.legal(), game.view()
        if step % 8 == 0:
            theirs, seen = other.legal(), other.view()
            for index, table in enumerate(tables):
                assert np.array_equal(table.permute_legal(legal[index : index + 1])[0], theirs[index]), (step, index)
                assert np.array_equal(table.permute_view(view.buffer[index : index + 1])[0], seen.buffer[index]), (
                    step,
                    index,
                )
        actions = mixed_actions(game)
        game.step(actions)
        other.step(maps[EVERY, actions])


@ALL
def test_exchanging_suits_exchanges_blocks_of_features(name: str) -> None:
    game = played(name, len(PERMUTATIONS), 70)
    encoder = BurakoEncoder(game.rules)
    buffer, words = game.view().buffer, game.legal_packed()
    features, hidden = encoder.encode(buffer), game.hidden()
    exchange = SuitExchange(game.rules, encoder.block)
    hands = hidden.reshape(len(hidden), game.seats - 1, TYPE_COUNT)
    for number in EVERY:
        types = [permute_type(card, PERMUTATIONS[number]) for card in range(TYPE_COUNT)]
        assert np.array_equal(exchange.hidden(hidden, number).reshape(hands.shape)[:, :, types], hands), number
        table = suit_tables(game.rules, number)
        moved = encoder.encode(table.permute_view(buffer))
        assert np.array_equal(moved, exchange.features(features, number)), number
        assert np.array_equal(unpack(permute_words(words, table.actions)), table.permute_legal(game.legal()))


@ALL
def test_the_suit_network_is_symmetric(name: str) -> None:
    """Logits go with the suits, values stay."""
    game = played(name, len(PERMUTATIONS), 70)
    encoder = BurakoEncoder(game.rules)
    config = NetConfig("suits", (24, 16), (12, 8))
    policy = make_policy(config, encoder, game.num_actions, seed=1)
    value = make_value(config, encoder, 0, seed=2)
    used = torch.from_numpy(game.table.rows["kind"] > 0)
    features = encoder.encode(game.view().buffer)
    exchange = SuitExchange(game.rules, encoder.block)
    with torch.inference_mode():
        x = floats(encoder, torch.from_numpy(features))
        logits, worth = policy.net(x), value(x)
        assert logits[:, used].std() > 0
        for number in (1, 7, 23):
            y = floats(encoder, torch.from_numpy(exchange.features(features, number)))
            actions = torch.from_numpy(suit_tables(game.rules, number).actions)
            torch.testing.assert_close(policy.net(y)[:, actions][:, used], logits[:, used], atol=1e-6, rtol=1e-4)
            torch.testing.assert_close(value(y), worth, atol=1e-6, rtol=1e-4)


def test_every_action_has_a_column_of_its_own() -> None:
    """The gradient of each logit reaches the weights behind it and no others."""
    game = played("burako-4", 2, 10)
    encoder = BurakoEncoder(game.rules)
    policy = make_policy(NetConfig("suits", (8,), (8,)), encoder, game.num_actions, seed=1)
    x = floats(encoder, torch.from_numpy(encoder.encode(game.view().buffer)))
    used = np.flatnonzero(game.table.rows["kind"] > 0)
    # A second way to the same numbers, by autograd's own indexing.
    torch.manual_seed(0)
    weights = torch.randn(2, game.num_actions)
    weights[:, np.setdiff1d(np.arange(game.num_actions), used)] = 0
    (policy.net(x) * weights).sum().backward()
    mine = {name: p.grad.clone() for name, p in policy.named_parameters()}
    policy.zero_grad()
    shift = 1e-3
    with torch.no_grad():
        for name in ("net.block_own.bias", "net.rest_own.bias", "net.block_own.weight"):
            parameter = policy.get_parameter(name).view(-1)
            for index in range(0, len(parameter), max(1, len(parameter) // 15)):
                before = parameter[index].item()
                parameter[index] = before + shift
                up = (policy.net(x).double() * weights).sum()
                parameter[index] = before - shift
                down = (policy.net(x).double() * weights).sum()
                parameter[index] = before
                assert mine[name].view(-1)[index].item() == pytest.approx(float(up - down) / (2 * shift), abs=2e-2), (
                    name,
                    index,
                )
