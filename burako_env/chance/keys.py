"""The keys of decisions: all the chance that an agent has, and nothing that tells it more.

A key is a pure function of (root seed, deal, orientation, seat, decision number), made in three steps so that nobody
can go back from a key to what it came from:

    secret     scrypt of the root seed, some milliseconds, once a root seed: seeds are small numbers that can be tried
    seat key   keyed blake2b of (deal, orientation), once a deal, eight bytes of its digest for every seat
    key        SplitMix64 of seat key and decision number, vectorised

Only the last step can be undone, and all it gives away is the seat's own other keys. docs/decisions.md says what this
protects from. scrypt: RFC 7914; blake2b: RFC 7693, both from the standard library.
"""

import hashlib
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from burako_env.chance.rng import U64, mix

# 2 MiB of memory and some 5 ms for each seed that somebody tries.
_COST: Final = {"n": 2048, "r": 8, "p": 1}
_SALT: Final = b"burako: chance of agents"
_KEY_BYTES: Final = 8
_MOST_SEATS: Final = hashlib.blake2b.MAX_DIGEST_SIZE // _KEY_BYTES
_STEP: Final = np.uint64(0xBF58476D1CE4E5B9)


@lru_cache(maxsize=1024)
def secret_of(root_seed: int) -> bytes:
    """What all agents' chance under a root seed comes from, 32 bytes; slow on purpose."""
    return hashlib.scrypt(str(root_seed).encode(), salt=_SALT, dklen=32, **_COST)


def seat_keys(root_seed: int, deal_ids: npt.ArrayLike, swapped: npt.ArrayLike, seats: int) -> U64:
    """The key of every seat in each deal, uint64 `[n, seats]`; `deal_ids` and `swapped` int `[n]`, at most 8 seats."""
    if seats > _MOST_SEATS:
        raise ValueError(f"one digest has keys for {_MOST_SEATS} seats, not {seats}")
    messages = np.stack(np.broadcast_arrays(deal_ids, swapped), axis=1).astype("<i8").tobytes()
    secret, size = secret_of(root_seed), seats * _KEY_BYTES
    digests = b"".join(
        hashlib.blake2b(messages[start : start + 16], key=secret, digest_size=size).digest()
        for start in range(0, len(messages), 16)
    )
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64).reshape(-1, seats)


class AgentKeys:
    """The seat keys of a batch, found when they are asked for and kept as long as a game's deal stays the same."""

    def __init__(self) -> None:
        self._root_seed: int | None = None
        self._dealt = np.zeros((2, 0), dtype=np.int64)
        self._seat_keys = np.zeros((0, 0), dtype=np.uint64)

    def of(
        self,
        root_seed: int,
        deal_ids: npt.NDArray[Any],
        swapped: npt.NDArray[Any],
        games: npt.NDArray[np.intp] | slice,
        seats: int,
    ) -> U64:
        """Seat keys of the given games of the batch, uint64 `[n, seats]`."""
        if self._root_seed != root_seed or self._dealt.shape[1] != len(deal_ids):
            self._root_seed = root_seed
            # No deal has a negative orientation: nothing is known of any game.
            self._dealt = np.full((2, len(deal_ids)), -1, dtype=np.int64)
            self._seat_keys = np.zeros((len(deal_ids), seats), dtype=np.uint64)
        ids, turned = self._dealt
        stale = np.flatnonzero((ids[games] != deal_ids[games]) | (turned[games] != swapped[games]))
        if stale.size:
            at = stale if isinstance(games, slice) else games[stale]
            ids[at], turned[at] = deal_ids[at], swapped[at]
            self._seat_keys[at] = seat_keys(root_seed, ids[at], turned[at], seats)
        return self._seat_keys[games]


def decision_keys(own: U64, numbers: npt.NDArray[Any]) -> U64:
    """Keys of decisions from the keys of their seats, uint64 `[n]`; `numbers` counts the decisions of the game."""
    return mix(own + numbers.astype(np.uint64) * _STEP)
