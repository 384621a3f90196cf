"""Features of the card game: what a small network would otherwise have to find out first.

Four equal blocks, one a suit (clubs, diamonds, hearts, spades), then what belongs to no suit. Nothing depends on which
suit is which but the order of the blocks. `burako_features.py` lists every feature; `BurakoEncoder` fills them with a
few NumPy calls each: about 5 us a row for batches of 512.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.burako.network.block_actions import block_actions
from agents.burako.network.features import (
    EIGHTHS,
    FINAL_TURNS,
    FITS,
    LENGTHS,
    LONG,
    PILE,
    POINTS,
    RUN_COLUMNS,
    RUN_FLAGS,
    TURNS,
    feature_table,
)
from agents.burako.network.run_lookup import run_lookup
from agents.learned.encoder import SIZES, STOCK, U8, Encoder, slices_of
from burako_env.batch import BatchGame
from burako_env.burako.melds.bazas import BAZA_KINDS, baza_points
from burako_env.burako.melds.groups import FOREIGN_RANK
from burako_env.burako.melds.run_codec import decode
from burako_env.burako.rules import Rules
from burako_env.burako.turn.actions import action_table
from burako_env.burako.view.layout import ANSWERS, PHASES, view_layout
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT, TWO
from burako_env.layout import I8, View


class BurakoEncoder(Encoder):
    """See the module. `encode` gives uint8 `[n, D]`, D = 1,455 for burako-4."""

    blocks = SUIT_COUNT

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.layout = view_layout(rules)
        self.block_features, self.rest_features = feature_table(rules)
        self.block_at, self.rest_at = slices_of(self.block_features), slices_of(self.rest_features)
        self.block = sum(feature.width for feature in self.block_features)
        self.rest = sum(feature.width for feature in self.rest_features)
        self.runs = run_lookup(rules.ace)
        self.block_actions = block_actions(rules.run_slots)
        self.baza_points = np.array(baza_points(rules), dtype=np.float32)

    def digest(self) -> str:
        text = ";".join(f"{f.name}{f.width}" for f in (*self.block_features, *self.rest_features))
        return (
            "burako-"
            + hashlib.sha256(
                f"{text};{self.rules.ace};{LENGTHS}{SIZES}{STOCK}{PILE}{TURNS}{POINTS}{FITS}".encode()
            ).hexdigest()[:16]
        )

    def action_names(self, game: BatchGame) -> bytes:
        return action_table(self.rules.run_slots).rows.tobytes()

    def encode(self, buffer: I8) -> U8:
        out = np.zeros((len(buffer), self.width), dtype=np.uint8)
        if len(buffer):
            _Encoding(self, View(buffer, self.layout), out).fill()
        return out


class _Encoding:
    """One call of `encode`: `suits` uint8 `[n, 4, block]` and `rest` uint8 `[n, rest]` are parts of its output."""

    def __init__(self, encoder: BurakoEncoder, view: View, out: U8) -> None:
        self.encoder, self.view, self.n = encoder, view, len(view)
        self.players, self.slots = encoder.rules.players, encoder.rules.run_slots
        split = SUIT_COUNT * encoder.block
        self.flat = out.reshape(-1)
        self.suits = out[:, :split].reshape(self.n, SUIT_COUNT, encoder.block)
        self.rest = out[:, split:]

    def fill(self) -> None:
        """Write every feature."""
        held = self._suited(self.view.hand)
        have = (held > 0).view(np.uint8)
        self._put("hand", have)
        self._put("twice", held > 1)
        self._chains(have)
        self._tables(have)
        self._cards(held)
        self._stand()
        self._progress()

    # Where features go.

    def _put(self, name: str, values: npt.NDArray[Any]) -> None:
        """Values `[n, 4, width]` of a block feature."""
        self.suits[:, :, self.encoder.block_at[name]] = values

    def _part(self, name: str, *shape: int) -> U8:
        """The columns of another feature, `[n, *shape]`."""
        return self.rest[:, self.encoder.rest_at[name]].reshape(self.n, *shape)

    def _steps(self, name: str, values: npt.NDArray[Any], steps: Sequence[int]) -> None:
        """A thermometer of values `[n]`."""
        start = self.encoder.rest_at[name].start
        for column, least in enumerate(steps):
            self.rest[:, start + column] = values >= least

    def _suited(self, cards: I8) -> I8:
        """Counts by type `[n, 53]` by suit and rank, `[n, 4, 13]`."""
        return cards[:, :JOKER].reshape(self.n, SUIT_COUNT, RANK_COUNT)

    # Features.

    def _chains(self, have: U8) -> None:
        """Neighbours in the suit, and what the pile would add to them."""
        near, gap, trio = _neighbours(have)
        self._put("near", near & have)
        self._put("gap", gap & have)
        self._put("trio", trio & have)
        both = have | (self._suited(self.view.pile) > 0)
        self._put("pile trio", _neighbours(both)[2] & both & ~(trio & have))

    def _tables(self, have: U8) -> None:
        """Open groups, and which cards they take."""
        sizes = self._sets()
        takes, long = self._runs()
        takes |= (sizes > 0)[:, :, None, :]
        long |= (sizes[:, :1] >= LONG)[:, :, None, :]
        takes[..., TWO] = long[..., TWO] = 0
        self._put("own takes", takes[:, 0])
        self._put("opp takes", takes[:, 1])
        self._put("own long", long[:, 0])
        self._put("lays", takes[:, 0] & have)
        self._put("gives", takes[:, 1] & have)
        fits = takes[:, 0] & (self._suited(self.view.pile) > 0)
        self._put("pile lays", fits)
        by_rank = fits[:, 0] + fits[:, 1] + fits[:, 2] + fits[:, 3]
        self._steps("pile fits", by_rank.sum(axis=1, dtype=np.uint8), FITS)

    def _sets(self) -> I8:
        """Set features; cards in the open set of each rank, int8 `[n, 2, 13]`."""
        cards = self.view.sets
        suited = cards[:, :, :JOKER].reshape(self.n, 2, SUIT_COUNT, RANK_COUNT)
        size: I8 = suited[:, :, 0] + suited[:, :, 1] + suited[:, :, 2] + suited[:, :, 3]
        size[:, :, TWO] += cards[:, :, JOKER]
        wild = self.view.set_wild > 0
        size += wild
        part = self._part("sets", 2, len(LENGTHS) + 1, RANK_COUNT)
        for column, least in enumerate(LENGTHS):
            part[:, :, column] = size >= least
        part[:, :, len(LENGTHS)] = wild
        return size

    def _runs(self) -> tuple[U8, U8]:
        """Run features; ranks that the runs of each team take uint8 `[n, 2, 4, 13]`, and the own long ones `[n, 1,
        4, 13]`.

        Most slots are empty, so only what is there is looked up. Also leaves `on_runs`, ranks in open runs int8 `[n,
        4, 13]`, and `loose`, the wilds among their cards by row and wild code.
        """
        n, encoder, lookup = self.n, self.encoder, self.encoder.runs
        runs = self.view.runs.reshape(n, 2 * SUIT_COUNT * self.slots, 5)
        row, cell = np.nonzero(runs[:, :, 0] | runs[:, :, 3] | runs[:, :, 4])
        cells = runs[row, cell]
        state, twos, code = decode(cells), cells[:, 3], cells[:, 4].astype(np.int64)
        side, suit, slot = cell // (SUIT_COUNT * self.slots), cell // self.slots % SUIT_COUNT, cell % self.slots
        first = row * encoder.width + suit * encoder.block + encoder.block_at["runs"].start
        place = first + (side * RUN_COLUMNS + np.minimum(slot, RUN_COLUMNS - 1)) * RUN_FLAGS
        takes = np.zeros((2, n, 2, SUIT_COUNT), dtype=np.uint16)
        held = np.zeros((n, SUIT_COUNT, 16), dtype=np.uint8)
        accepts, long_accepts = lookup.accepts[state], lookup.accepts[state] * lookup.long[state]
        where = (row * 2 + side) * SUIT_COUNT + suit
        span = np.arange(RUN_FLAGS)
        # Slot by slot: no place is written twice at once.
        for number in range(self.slots):
            part = np.flatnonzero(slot == number)
            if not part.size:
                break
            self.flat[place[part][:, None] + span] |= lookup.flags[state[part]]
            takes[0].reshape(-1)[where[part]] |= accepts[part]
            takes[1].reshape(-1)[where[part]] |= long_accepts[part]
            ranks = np.zeros((2, n, SUIT_COUNT), dtype=np.uint16)
            ranks.reshape(-1)[(side[part] * n + row[part]) * SUIT_COUNT + suit[part]] = lookup.ranks[state[part]]
            for team in ranks:
                held += _bits(team)
        self.on_runs = held[:, :, :RANK_COUNT].view(np.int8)
        # A run's ranks count one own two; a second one in it is a wild like those of other suits.
        second = np.flatnonzero(twos > 1)
        wilds = np.concatenate([row * 6 + code, row[second] * 6 + suit[second] + 1])
        self.loose = np.bincount(wilds, minlength=6 * n).reshape(n, 6)
        bits = _bits(takes[0])
        self._put("run wild", bits[:, :, :, FOREIGN_RANK].transpose(0, 2, 1))
        return bits[..., :RANK_COUNT], _bits(takes[1][:, :1])[..., :RANK_COUNT]

    def _cards(self, held: I8) -> None:
        """Hand by rank, wilds, pile, what is known of the other hands, what nobody has shown."""
        view, n, hand = self.view, self.n, self.view.hand
        self._steps("jokers", hand[:, JOKER], range(1, 5))
        self._steps(
            "wilds", held[:, 0, TWO] + held[:, 1, TWO] + held[:, 2, TWO] + held[:, 3, TWO] + hand[:, JOKER], range(1, 7)
        )
        ranks = held[:, 0] + held[:, 1] + held[:, 2] + held[:, 3]
        ranks[:, TWO] = 0
        self._part("pairs", RANK_COUNT)[...] = ranks >= 2
        self._part("trios", RANK_COUNT)[...] = ranks >= 3
        pile = self._suited(view.pile)
        self._put("pile", pile)
        in_pile = pile[:, 0] + pile[:, 1] + pile[:, 2] + pile[:, 3]
        self._part("pile trios", RANK_COUNT)[...] = (in_pile > 0) & (ranks + in_pile >= 3)
        others = view.known[:, 1:]
        known = self.suits[:, :, self.encoder.block_at["known"]].reshape(n, SUIT_COUNT, self.players - 1, RANK_COUNT)
        known[...] = others[:, :, :JOKER].reshape(n, self.players - 1, SUIT_COUNT, RANK_COUNT).transpose(0, 2, 1, 3)
        self._part("known jokers", self.players - 1)[...] = others[:, :, JOKER] > 0
        seen = hand + view.pile
        for cards in (view.closed[:, 0], view.closed[:, 1], view.sets[:, 0], view.sets[:, 1]):
            seen += cards
        for seat in range(self.players - 1):
            seen += others[:, seat]
        suited = self._suited(seen) + self.on_runs
        row, rank = np.nonzero(view.set_wild.reshape(n, -1))
        in_sets = np.bincount(row * 6 + view.set_wild.reshape(n, -1)[row, rank], minlength=6 * n).reshape(n, 6)
        # The twos that serve as wilds in runs and sets.
        suited[:, :, TWO] += (self.loose + in_sets)[:, 1 : 1 + SUIT_COUNT].astype(np.int8)
        self._put("unseen", np.maximum(np.int8(self.encoder.rules.decks) - suited, 0))
        rows = np.flatnonzero((view.drawn > 0) & (view.drawn <= JOKER))
        card = view.drawn[rows].astype(np.int64) - 1
        self.suits[rows, card // RANK_COUNT, self.encoder.block_at["drawn"].start + card % RANK_COUNT] = 1
        self._part("drawn joker", 1)[:, 0] = view.drawn == JOKER + 1

    def _stand(self) -> None:
        """Closed bazas, burakos, points, the match."""
        view, n, rules = self.view, self.n, self.encoder.rules
        closed = np.concatenate([view.closed_kinds, view.closed_sets[:, :, TWO : TWO + 1]], axis=2)
        kinds = self._part("kinds", 2, 2, len(BAZA_KINDS))
        kinds[:, :, 0], kinds[:, :, 1] = closed > 0, closed > 1
        left = view.burakos_left
        most = max(1, rules.burakos_per_team)
        self._part("burakos", 2, most)[...] = left[:, :, None] >= np.arange(1, most + 1, dtype=np.int8)
        self._part("taken", self.players)[...] = view.burakos_taken
        seats = np.arange(1, self.players + 1, dtype=np.int8)
        self._part("first taker", 2, self.players)[...] = view.first_taker[:, :, None] == seats
        points = closed.astype(np.float32) @ self.encoder.baza_points
        points += rules.burako_points * (rules.burakos_per_team - 2 * left.astype(np.float32))
        part = self._part("points", 2, len(POINTS))
        for column, least in enumerate(POINTS):
            part[:, :, column] = points >= least
        if view.target.any():
            target = view.target[:, 0].astype(np.int32) * 100 + view.target[:, 1]
            totals = view.totals[:, :, 0].astype(np.int32) * 100 + view.totals[:, :, 1]
            match = self._part("match", 1 + 2 * EIGHTHS)
            match[:, 0] = target > 0
            reached = EIGHTHS * totals[:, :, None] >= target[:, None, None] * np.arange(1, EIGHTHS + 1)
            match[:, 1:].reshape(n, 2, EIGHTHS)[...] = reached & (target > 0)[:, None, None]

    def _progress(self) -> None:
        """Phase, sizes, and how near the end is."""
        view = self.view
        self._part("phase", len(PHASES))[...] = view.phase
        sizes = self._part("sizes", self.players, len(SIZES))
        for column, least in enumerate(SIZES):
            sizes[:, :, column] = view.hand_sizes >= least
        self._steps("stock", view.stock_size, STOCK)
        self._steps("pile size", view.pile_size, PILE)
        flags = (view.first_draw > 0, view.opening == 1, view.opening == 2, view.single > 0, view.single_laid > 0)
        part = self._part("flags", len(flags))
        for column, flag in enumerate(flags):
            part[:, column] = flag
        self._part("answer", len(ANSWERS))[...] = view.answer[:, None] == np.arange(len(ANSWERS), dtype=np.int8)
        self._steps("turns", view.turns[:, 0].astype(np.int16) * 100 + view.turns[:, 1], TURNS)
        if (view.final_turns >= 0).any():
            final = self._part("final", 1 + FINAL_TURNS)
            final[:, 0] = view.final_turns >= 0
            left = view.final_turns[:, None]
            final[:, 1:] = (left >= 0) & (left <= np.arange(FINAL_TURNS, dtype=np.int8))


def _neighbours(cards: U8) -> tuple[U8, U8, U8]:
    """Of cards by suit and rank, flags `[n, 4, 13]`: whether there is a neighbour, a card two places away, two more
    in a row.

    The ace stands at both ends of its suit.
    """
    row = np.zeros((len(cards), SUIT_COUNT, RANK_COUNT + 5), dtype=np.uint8)
    row[:, :, 2 : 2 + RANK_COUNT] = cards
    row[:, :, 2 + RANK_COUNT] = cards[:, :, 0]
    below, below2 = row[:, :, 1 : 1 + RANK_COUNT], row[:, :, :RANK_COUNT]
    above, above2 = row[:, :, 3 : 3 + RANK_COUNT], row[:, :, 4 : 4 + RANK_COUNT]
    near, gap = below | above, below2 | above2
    trio = (below & below2) | (above & above2) | (below & above)
    near[:, :, 0] |= cards[:, :, 12]
    gap[:, :, 0] |= cards[:, :, 11]
    trio[:, :, 0] |= cards[:, :, 12] & cards[:, :, 11]
    return near, gap, trio


def _bits(words: npt.NDArray[np.uint16]) -> U8:
    """The bits of words of any shape, one more axis of 16."""
    halves = np.ascontiguousarray(words).view(np.uint8).reshape(*words.shape, 2)
    return np.unpackbits(halves, axis=-1, bitorder="little")
