"""The `position` of a case of a children's level: read, checked, its stars filled."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import numpy as np

from burako_env.cases.nodes import Node
from burako_env.cases.stars import STREAM_CASES, Template, fill
from burako_env.chance.rng import combine, shuffled
from burako_env.errors import UserError
from burako_env.ruibal import LEVELS
from burako_env.ruibal.level1 import PLACES
from burako_env.ruibal.level3.kinds import KINDS
from burako_env.ruibal.notation import parse_cells
from burako_env.ruibal.position import BoardPosition, LevelPosition, PerceptionPosition, TablePosition, laid_tiles
from burako_env.ruibal.rules import PLAYERS, PRESETS, RuibalRules
from burako_env.ruibal.state import THEFTS
from burako_env.ruibal.tiles import (
    CELL_COUNT,
    COPIES,
    FORFEITS,
    JOKER,
    TYPE_NAMES,
    cell_set,
    cells_in,
    format_tiles,
    parse_tiles,
)

# The keys that a case may give: those of the level's positions that are the writer's to choose.
KEYS: Final = {
    name: ("seed", *(key.name for key in fields(level.position_type) if key.name not in ("rules", "reason", "lost")))
    for name, level in LEVELS.items()
}
# The key from which the seats are counted.
SEATS_KEY: Final = {name: "racks" if "racks" in keys else "crowns" for name, keys in KEYS.items()}
_MOST: Final = 10**4
_STAR: Final = "*"
_EMPTY: Final = "-"


def read_position(name: str, config: Mapping[str, Any], node: Node) -> LevelPosition:
    """The position of a case; `config` are the rule keys that the case gives."""
    key = SEATS_KEY[name]
    given = node.fields("position", KEYS[name], required=(key,))
    place = given[key]
    players = len(place.items(key))
    if players not in PLAYERS or config.get("players", players) != players:
        wanted = config.get("players", "2, 3 or 4")
        raise place.error(f"{key} has {players} entries, expected {wanted}: one for each seat")
    rules = PRESETS[name].model_copy(update={"players": players})
    return _Reader(rules, node, given).position()


def read_cells(words: list[str], node: Node) -> dict[int, bool]:
    """Cells of words such as `C1 JK=C2`, True where a joker lies."""
    with node.placed():
        cells, jokers = parse_cells(words)
    return {cell: bool(jokers >> cell & 1) for cell in cells_in(cells)}


def read_board(node: Node) -> list[dict[int, bool]]:
    """The two layers of `L1 C1 JK=T1 / C1 C2 C3`."""
    first, *more = " ".join(node.words("board")).split("/")
    if len(more) > 1:
        raise node.error("board has two layers at most: one / between them")
    return [read_cells(layer.split(), node) for layer in (first, *(more or [""]))]


def read_spread(node: Node) -> list[int | None]:
    """The tiles of the 20 places; `-` is an empty one."""
    words = node.words("spread")
    if len(words) != PLACES:
        raise node.error(f"spread has {len(words)} places, expected {PLACES}")
    with node.placed():
        spread = [None if word == _EMPTY else _character(word) for word in words]
    tiles = [tile for tile in spread if tile is not None]
    if len(set(tiles)) != len(tiles):
        raise node.error("spread is one set: no tile of it lies there twice (L1-1)")
    return spread


def read_seats(what: str, node: Node, players: int) -> list[int]:
    """Seats, in any order."""
    return sorted(item.integer(f"each of {what}", 0, players - 1) for item in node.items(what))


def _character(word: str) -> int:
    """A character tile."""
    (tile,) = parse_tiles(word)
    if tile >= CELL_COUNT:
        raise UserError(f"{word} is no character tile")
    return tile


class _Pack:
    """The tiles of a level, some of them placed."""

    def __init__(self, rules: RuibalRules) -> None:
        self.copies = list(COPIES)
        self.copies[JOKER] = rules.jokers
        self.left = list(self.copies)

    def place(self, node: Node, kinds: list[int]) -> list[int]:
        """Place these tiles; too many of one are a reading error."""
        for kind in kinds:
            if not self.left[kind]:
                raise node.error(
                    f"{TYPE_NAMES[kind]} is placed more than {self.copies[kind]} times: there are no more (TILE-1)"
                )
            self.left[kind] -= 1
        return kinds

    def template(self, node: Node, what: str) -> Template:
        """Tiles and stars, the tiles placed."""
        found: Template = []
        for word in node.words(what):
            if word.startswith(_STAR) and word[1:].isdecimal():
                found += [None] * min(int(word[1:]), len(TYPE_NAMES) * max(COPIES))
            else:
                with node.placed():
                    found += self.place(node, parse_tiles(word))
        return found

    def rest(self, seed: int) -> list[int]:
        """The tiles not placed, in the order in which the seed fills stars with them."""
        kinds = np.repeat(np.arange(len(self.left)), self.left)
        order = shuffled(combine(np.array([seed]), np.array([STREAM_CASES])), len(kinds))[0]
        return [int(kind) for kind in kinds[order]]


class _Reader:
    """Reads the keys of one position."""

    def __init__(self, rules: RuibalRules, node: Node, fields: dict[str, Node]) -> None:
        self.rules, self.node, self.fields = rules, node, fields
        self.pack = _Pack(rules)

    def position(self) -> LevelPosition:
        """The whole position."""
        match LEVELS[self.rules.game].lies:
            case "spread":
                return self._perception()
            case "board":
                return self._board()
        return self._table()

    def _board(self) -> BoardPosition:
        board = read_board(self.fields["board"]) if "board" in self.fields else [{}, {}]
        self.pack.place(self.fields.get("board", self.node), laid_tiles(board))
        return BoardPosition(**self._racks(), board=board)

    def _table(self) -> TablePosition:
        table = [self._collection(item) for item in self._items("table")]
        return TablePosition(**self._racks(), table=table)

    def _items(self, key: str) -> list[Node]:
        return self.fields[key].items(key) if key in self.fields else []

    def _number(self, key: str, default: int, low: int, high: int) -> int:
        return self.fields[key].integer(key, low, high) if key in self.fields else default

    def _common(self) -> dict[str, Any]:
        players = self.rules.players
        phases = LEVELS[self.rules.game].phases
        crowns = [0] * players
        if "crowns" in self.fields:
            items = self.fields["crowns"].items("crowns", players, "seat")
            crowns = [item.integer("each of crowns", 0, _MOST) for item in items]
        phase = self.fields["phase"].word("phase", phases) if "phase" in self.fields else phases[0]
        turn = self._number("turn", 0, 0, players - 1)
        return {"rules": self.rules, "turn": turn, "phase": phase, "crowns": crowns}

    def _seed(self) -> int:
        return self._number("seed", 0, 0, 2**63 - 1)

    # Levels 2 and 3.

    def _racks(self) -> dict[str, Any]:
        """The fields of `RackPosition`; what lies on the table has been placed."""
        fields, players = self.fields, self.rules.players
        templates = [self.pack.template(item, "a rack") for item in fields["racks"].items("racks")]
        pool = self.pack.template(fields["pool"], "pool") if "pool" in fields else None
        used = self.pack.template(fields["used"], "used") if "used" in fields else []
        if any(kind not in FORFEITS for kind in used):
            raise fields["used"].error("used holds forfeits only: ROBA, TOMA and OTRO")
        rest = self.pack.rest(self._seed())
        racks = [fill(rack, rest, fields["racks"]) for rack in templates]
        filled = rest if pool is None else fill(pool, rest, fields["pool"])
        return {
            **self._common(),
            "racks": [sorted(rack) for rack in racks],
            "pool": filled,
            "used": sorted(kind for kind in used if kind is not None),
            "turns_left": self._number("turns_left", 1, 1, _MOST_TURNS),
            "passes": self._number("passes", 0, 0, players - 1),
            "luck": self._stolen(),
            "lost": [[] for _ in range(players)],
        }

    def _stolen(self) -> list[int]:
        """The tiles that will be stolen."""
        if "luck" not in self.fields:
            return []
        node = self.fields["luck"]
        with node.placed():
            tiles = parse_tiles(" ".join(node.words("luck")))
        if len(tiles) > THEFTS:
            raise node.error(f"luck has {len(tiles)} entries: there are {THEFTS} ROBA, so no more thefts")
        return tiles

    def _collection(self, node: Node) -> dict[int, bool]:
        """A collection on the table."""
        cells = read_cells(node.words("a collection"), node)
        if cell_set(cells) not in KINDS:
            raise node.error(f"{format_tiles(cells) or 'nothing'} is no collection (L3-2)")
        if all(cells.values()):
            raise node.error("a collection has a natural tile (L3-4)")
        self.pack.place(node, laid_tiles([cells]))
        return cells

    # Level 1.

    def _perception(self) -> PerceptionPosition:
        fields, common = self.fields, self._common()
        order = self.pack.rest(self._seed())
        order = list(dict.fromkeys(kind for kind in order if kind < CELL_COUNT))
        spread: list[int | None] = read_spread(fields["spread"]) if "spread" in fields else [*order]
        calls = [tile for tile in reversed(order) if tile in spread]
        if "calls" in fields:
            with fields["calls"].placed():
                calls = [_character(word) for word in fields["calls"].words("calls")]
            if len(set(calls)) != len(calls) or not set(calls) <= set(spread):
                raise fields["calls"].error("each of calls lies in the spread, and is called once (L1-1)")
        if not calls:
            raise fields.get("calls", self.node).error("there is no tile left to call: the game is over")
        sitting = self._sitting()
        pointed = self._pointed(spread, sitting)
        common["turn"] = self._to_point(pointed, sitting)
        return PerceptionPosition(
            **common,
            luck=self._fastest(),
            spread=spread,
            calls=calls,
            tries=self._number("tries", 0, 0, self.rules.max_calls - 1),
            pointed=pointed,
            sitting=sitting,
        )

    def _sitting(self) -> list[int]:
        if "sitting" not in self.fields:
            return []
        sitting = read_seats("sitting", self.fields["sitting"], self.rules.players)
        if len(set(sitting)) == self.rules.players:
            raise self.fields["sitting"].error("sitting leaves nobody to point (L1-2)")
        return sorted(set(sitting))

    def _pointed(self, spread: list[int | None], sitting: list[int]) -> dict[int, int]:
        """Who has pointed already, at which place from 0."""
        pointed: dict[int, int] = {}
        for seat_node, place_node in self.fields["pointed"].pairs("pointed") if "pointed" in self.fields else []:
            seat = seat_node.integer("a seat of pointed", 0, self.rules.players - 1)
            place = place_node.integer("a place of pointed", 1, PLACES) - 1
            if seat in pointed or seat in sitting:
                raise seat_node.error(f"seat {seat} {'points twice' if seat in pointed else 'sits out'}")
            if spread[place] is None:
                raise place_node.error(f"place {place + 1} holds no tile")
            pointed[seat] = place
        return pointed

    def _to_point(self, pointed: dict[int, int], sitting: list[int]) -> int:
        """The seat to act: those before it have pointed or sit out, nobody after it has pointed."""
        before = max(pointed, default=-1) + 1
        turn = self._number("turn", before, 0, self.rules.players - 1)
        missing = [seat for seat in range(turn) if seat not in pointed and seat not in sitting]
        if turn < before or missing:
            place = self.fields.get("turn", self.fields.get("pointed", self.node))
            raise place.error(f"seats point in their order: it cannot be the turn of seat {turn} (L1-2)")
        return turn

    def _fastest(self) -> list[int]:
        """The seats that will be fastest."""
        items = self._items("luck")
        if len(items) > PLACES:
            raise self.fields["luck"].error(f"luck has {len(items)} entries: there are at most {PLACES} calls")
        return [item.integer("each of luck", 0, self.rules.players - 1) for item in items]


# L2-9: three OTRO TURNO, each used in a turn of its own, leave at most four turns.
_MOST_TURNS: Final = 1 + COPIES[FORFEITS[-1]]
