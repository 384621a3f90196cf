"""Keys are one-way: from its keys an agent can find its own other keys, and nothing else.

The attacks are those that worked while keys were bijections of (root seed, deal, seat, decision): undo the mixing,
take off what is known, and undo it again.
"""

from __future__ import annotations

import hashlib
import time

import numpy as np
import pytest

import burako_env
from burako_env.chance.keys import decision_keys, seat_keys, secret_of
from burako_env.chance.rng import U64, combine, mix
from burako_env.families import make_match

_MASK = (1 << 64) - 1
_GOLDEN, _MUL1, _MUL2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = np.uint64
# What the attacker of the tests below is up against.
ROOT, HANDS, SEATS = 20_261_130, 250, 4


def unxorshift(words: U64, shift: int) -> U64:
    """The words whose `word ^ (word >> shift)` these are."""
    found = words.copy()
    for _ in range(64 // shift):
        found = words ^ (found >> _WORD(shift))
    return found


def unmix(words: U64) -> U64:
    """`mix` undone, as anybody can."""
    words = unxorshift(words, 31) * _WORD(pow(_MUL2, -1, 1 << 64))
    words = unxorshift(words, 27) * _WORD(pow(_MUL1, -1, 1 << 64))
    return unxorshift(words, 30)


def uncombine(words: U64, *parts: U64 | int) -> U64:
    """What was hashed before `parts`, if these words are `combine(what, *parts)` seen as a first integer."""
    for part in reversed(parts):
        words = unmix(words) - _WORD(_GOLDEN) - np.asarray(part).astype(np.uint64) * _WORD(_MUL1)
    return (unmix(words) - _WORD(_GOLDEN)) * _WORD(pow(_MUL1, -1, 1 << 64))


def watched() -> tuple[U64, np.ndarray, np.ndarray, np.ndarray]:
    """A thousand keys with all that an agent knows of them: key, deal, seat and decision number, `[1000]` each."""
    deals = np.repeat(np.arange(HANDS), SEATS)
    seats = np.tile(np.arange(SEATS), HANDS)
    numbers = (deals * 7 + seats * 3) % 150
    own = seat_keys(ROOT, np.arange(HANDS), np.zeros(HANDS, dtype=np.int64), SEATS)
    return decision_keys(own.reshape(-1), numbers), deals, seats, numbers


def test_the_attack_undoes_the_mixing() -> None:
    """The tools work: they find a root seed that was only mixed, and from a key the seat's own other keys."""
    words = combine(np.arange(1000), 5, 9)
    assert np.array_equal(unmix(mix(words)), words)
    deals = np.arange(50)
    assert np.all(uncombine(combine(ROOT, 3, deals, 0), 3, deals, 0) == ROOT)
    keys, _, _, numbers = watched()
    own = unmix(keys) - numbers.astype(np.uint64) * _WORD(_MUL1)
    assert np.array_equal(mix(own + (numbers + 1).astype(np.uint64) * _WORD(_MUL1)), decision_keys(own, numbers + 1))
    assert np.array_equal(own.reshape(HANDS, SEATS), seat_keys(ROOT, np.arange(HANDS), np.zeros(HANDS), SEATS))


def test_neither_root_nor_other_seats_follow() -> None:
    keys, deals, seats, numbers = watched()
    own = unmix(keys) - numbers.astype(np.uint64) * _WORD(_MUL1)
    # The root seed, had the seat key been mixed from it in any of the usual orders, or with none of the known parts.
    guesses = [own, unmix(own)]
    for parts in ((deals,), (deals, seats), (3, deals, 0), (3, deals, 0, seats), (deals, 0), (seats,), (seats, deals)):
        guesses.append(uncombine(own, *parts))
        guesses.append(uncombine(keys, *parts, numbers))
    packed = (numbers << 8 | seats).astype(np.uint64) * _WORD(_MUL1)
    old = unmix(keys) - packed
    guesses.append(uncombine(old, 3, deals, 0))
    for guess in guesses:
        assert not np.any(guess == ROOT)
    # Another seat's keys: by the old formula, by any difference that was the same in the hand before, by equal bits.
    others = np.roll(own.reshape(HANDS, SEATS), 1, axis=1).reshape(-1)
    theirs = decision_keys(others, numbers)
    assert not np.any(mix(old + (numbers << 8 | (seats + 1) % SEATS).astype(np.uint64) * _WORD(_MUL1)) == theirs)
    for combined in (own ^ others, own - others, own + others, own * others):
        assert len(np.unique(combined)) == len(combined)
    bits = np.unpackbits((own ^ others).view(np.uint8)).reshape(-1, 64).mean(axis=0)
    # 1,000 fair coins for each of 64 bits: five standard deviations.
    assert np.all(np.abs(bits - 0.5) < 5 * 0.5 / np.sqrt(1000))


def test_no_hidden_card_follows() -> None:
    """The old attack end to end: root seed from a key, the same deal from it, the next card of the stock."""
    game = burako_env.make("burako-4", batch=HANDS, root_seed=ROOT)
    game.reset(np.arange(HANDS))
    keys, zero = game.keys(), np.zeros(HANDS, dtype=np.uint64)
    guessed = uncombine(unmix(keys) - game.to_act.astype(np.uint64) * _WORD(_MUL1), 3, np.arange(HANDS), zero)
    hits = 0
    for number, root in enumerate(guessed[:50].tolist()):
        told = burako_env.make("burako-4", root_seed=root)
        told.reset([number])
        hits += told.position().stock[0] == game.position(number).stock[0]  # type: ignore[attr-defined]
    # Chance alone: one card in 54, so 50 tries give 1 on average; 8 or more come up once in 100,000 times.
    assert hits < 8


def test_a_seed_costs_milliseconds_to_try() -> None:
    """At least 2 ms of CPU time and 2 MiB for each candidate, and no candidate is a by-product of another."""
    start = time.process_time()
    for seed in range(20):
        secret_of.__wrapped__(seed)
    assert (time.process_time() - start) / 20 >= 0.002


def test_values_by_the_standard_library() -> None:
    """The three steps, written down once more one key at a time."""
    secret = hashlib.scrypt(b"12", salt=b"burako: chance of agents", n=2048, r=8, p=1, dklen=32)
    for seats in (2, 3, 4, 6, 8):
        found = seat_keys(12, [5, 2**62], [0, 1], seats)
        for row, (deal, turned) in enumerate(((5, 0), (2**62, 1))):
            message = deal.to_bytes(8, "little") + turned.to_bytes(8, "little")
            digest = hashlib.blake2b(message, key=secret, digest_size=8 * seats).digest()
            expected = [int.from_bytes(digest[8 * seat : 8 * seat + 8], "little") for seat in range(seats)]
            assert found[row].tolist() == expected
    with pytest.raises(ValueError, match="8 seats"):
        seat_keys(12, [5], [0], 9)


@pytest.mark.parametrize("name", burako_env.game_names())
def test_keys_of_games(name: str) -> None:
    """Keys are those of (root, deal, orientation, seat, decision), for the whole batch and parts, before and after
    games are dealt anew; two games of one deal share them.
    """
    game = burako_env.make(name, batch=6, root_seed=3)
    game.reset([4, 4, 5, 6, 7, 8], swap_sides=[False, True, False, False, False, False])

    def expected() -> U64:
        every = seat_keys(3, game.deal_ids, game.swapped, game.seats)
        return decision_keys(every[np.arange(6), game.to_act], game.decisions)

    assert np.array_equal(game.keys(), expected())
    assert len(np.unique(game.keys())) == 6
    for _ in range(12):
        game.step(game.legal().argmax(axis=1))
        assert np.array_equal(game.keys([5, 1]), expected()[[5, 1]])
    assert np.array_equal(game.select([3, 3, 0]).keys(), expected()[[3, 3, 0]])
    game.reset([9, 10], games=[1, 4])
    assert np.array_equal(game.keys(), expected())
    game.root_seed = 4
    assert not np.any(game.keys() == expected())


def test_keys_of_a_match_follow_the_match() -> None:
    """A new root seed is the root seed of the match's hands as well."""
    match = make_match("burako-4", 2, root_seed=3)
    match.root_seed = 2**100 + 5
    match.reset([0, 1])
    other = make_match("burako-4", 2, root_seed=2**100 + 5)
    other.reset([0, 1])
    assert np.array_equal(match.keys(), other.keys())
    assert np.array_equal(match.view().buffer, other.view().buffer)


def test_long_root_seeds_are_all_different() -> None:
    """Roots of up to 128 bits: none is another one modulo 2 ** 64, for the cards and for the keys."""
    roots = [7, 2**64 + 7, 2 * 2**64 + 7, 2**127 + 7, 2**128 - 1, 2**64 - 1, 2**64, 0, 1]
    deals = {int(combine(root, 1, np.arange(1))[0]) for root in roots}
    keys = {int(seat_keys(root, [0], [0], 4)[0, 0]) for root in roots}
    assert len(deals) == len(keys) == len(roots)


def test_keys_in_redrawn_games_are_the_samples_own() -> None:
    """What a search plays out has chance that comes from the searcher's key alone."""
    game = burako_env.make("burako-4", batch=2, root_seed=3)
    game.reset([0, 1])
    view, keys = game.view(), game.keys()
    sampled = game.sample_states(view, 3, keys)
    again = burako_env.make("burako-4", root_seed=3).sample_states(view, 3, keys)
    assert np.array_equal(sampled.keys(), again.keys())
    assert len(np.unique(sampled.keys())) == 6
    assert not np.any(sampled.keys() == np.repeat(keys, 3))
