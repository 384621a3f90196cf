"""The uniform choice on packed words: always legal, uniform, chance from the keys alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from burako_env.chance.rng import U64, combine
from burako_env.choice import random_legal, select_bit

WORD = st.integers(1, 2**64 - 1)


def keys(count: int, seed: int = 0) -> U64:
    return combine(seed, np.arange(count))


def bits(words: U64) -> npt.NDArray[np.bool_]:
    """Bits of each row in order, bool `[n, 64 W]`."""
    return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").view(np.bool_)


@given(WORD)
def test_select_bit_finds_every_bit_of_a_word(word: int) -> None:
    positions = [bit for bit in range(64) if word >> bit & 1]
    words = np.full(len(positions), word, dtype=np.uint64)
    assert select_bit(words, np.arange(len(positions), dtype=np.uint64)).tolist() == positions


@given(st.lists(st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3), min_size=1, max_size=20))
def test_never_illegal(rows: list[list[int]]) -> None:
    words = np.array(rows, dtype=np.uint64)
    chosen = random_legal(words, keys(len(words)))
    legal = bits(words)
    for row in range(len(words)):
        assert legal[row, chosen[row]] if legal[row].any() else chosen[row] == 0


@pytest.mark.parametrize("density", [0.02, 0.3, 1.0])
def test_uniform_over_the_legal_actions(density: float) -> None:
    legal = combine(7, np.arange(8 * 64)).astype(np.float64) < density * 2.0**64
    word = np.packbits(legal, bitorder="little").view(np.uint64)
    draws = 100_000
    chosen = random_legal(np.broadcast_to(word, (draws, 8)).copy(), keys(draws))
    counts = np.bincount(chosen, minlength=512)
    assert not counts[~legal].any()
    assert chisquare(counts[legal]).pvalue > 0.001


def test_rows_are_independent_and_chance_is_the_key() -> None:
    words = combine(1, np.arange(300)[:, None], np.arange(8)) & combine(2, np.arange(300)[:, None], np.arange(8))
    chosen = random_legal(words, keys(300))
    assert np.array_equal(chosen, random_legal(words, keys(300)))
    assert np.array_equal(chosen[::-1], random_legal(words[::-1].copy(), keys(300)[::-1]))
    assert np.array_equal(chosen[100:], random_legal(words[100:], keys(300)[100:]))
    assert not np.array_equal(chosen, random_legal(words, keys(300, seed=1)))


def test_an_empty_batch() -> None:
    assert random_legal(np.zeros((0, 8), dtype=np.uint64), keys(0)).shape == (0,)
