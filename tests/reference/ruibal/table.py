"""Level 3 (L3-2 to L3-6)."""

from itertools import combinations

from .racks import CHARACTERS, NATURALS, NUMBERS, RackReference, joker_text, parsed

RUNS = [
    [f"{character}{number}" for number in range(start, start + length)]
    for character in CHARACTERS
    for length in (3, 4, 5)
    for start in range(1, 7 - length)
]
SETS = [
    [f"{character}{number}" for character in characters]
    for number in NUMBERS
    for size in (3, 4)
    for characters in combinations(CHARACTERS, size)
]
KINDS = [frozenset(kind) for kind in RUNS + SETS]
RUN_KINDS = {frozenset(kind) for kind in RUNS}


class Collection:
    """What lies together: tile to whether a joker stands for it."""

    def __init__(self, tiles: dict[str, bool]) -> None:
        self.tiles = dict(tiles)

    @property
    def kind(self) -> frozenset:
        return frozenset(self.tiles)

    @property
    def is_run(self) -> bool:
        return self.kind in RUN_KINDS

    def gives(self, tile: str) -> bool:
        """Whether what is left without a natural tile of it is a collection with a natural tile."""
        if self.tiles.get(tile) is not False:
            return False
        rest = [joker for other, joker in self.tiles.items() if other != tile]
        return self.kind - {tile} in KINDS and not all(rest)


class TableReference(RackReference):
    """One game of level 3."""

    rack_size = 6
    other_phase = "moves"

    def __init__(self, racks: list[list[str]], pool: list[str], turn: int = 0) -> None:
        super().__init__(racks, pool, turn)
        self.table: list[Collection] = []

    def moves(self) -> set[str]:
        found = set()
        for kind in KINDS:
            made = self.of_three(kind) if len(kind) == 3 else self.longer(kind)
            if made is not None:
                found.add(f"make {joker_text(list(kind), made[-1])}")
        for collection in self.table:
            found |= {f"release {tile}" for tile, joker in collection.tiles.items() if joker and self.rack[tile]}
        return found

    def of_three(self, kind: frozenset) -> tuple[list, list[str]] | None:
        """Tiles taken from collections, and those that jokers stand for; None if it cannot be made."""
        copies = [Collection(collection.tiles) for collection in self.table]
        missing = [tile for tile in NATURALS if tile in kind and not self.rack[tile]]
        taken: list[tuple[int, str]] = []

        def take(tile: str, givers: list[int]) -> bool:
            if not givers:
                return False
            del copies[givers[0]].tiles[tile]
            taken.append((givers[0], tile))
            missing.remove(tile)
            return True

        again = True
        while again:
            again = False
            for tile in list(missing):
                runs = [at for at, one in enumerate(copies) if one.is_run and one.gives(tile)]
                runs.sort(key=lambda at: (-len(copies[at].tiles), at))
                again |= take(tile, runs)
        for tile in list(missing):
            take(tile, [at for at, one in enumerate(copies) if not one.is_run and one.gives(tile)])
        from_table = [tile for _, tile in taken]
        from_rack = [tile for tile in kind if tile not in from_table]
        naturals = [tile for tile in kind if tile not in missing]
        if len(missing) > self.rack["JK"] or not from_rack or not naturals:
            return None
        return taken, missing

    def longer(self, kind: frozenset) -> tuple[int, str, list[str]] | None:
        """The collection that grows, the tile added, and whether a joker stands for it."""
        lacking = [
            (at, next(iter(kind - one.kind)))
            for at, one in enumerate(self.table)
            if one.kind < kind and len(one.kind) == len(kind) - 1
        ]
        for at, tile in lacking:
            if self.rack[tile]:
                return at, tile, []
        if lacking and self.rack["JK"]:
            at, tile = lacking[0]
            return at, tile, [tile]
        return None

    def move(self, text: str) -> None:
        tiles, jokers = parsed(text)
        if text.startswith("release"):
            collection = next(one for one in self.table if one.tiles.get(tiles[0]))
            collection.tiles[tiles[0]] = False
            self.leaves(tiles[0])
            self.rack["JK"] += 1
        elif len(tiles) > 3:
            longer = self.longer(frozenset(tiles))
            assert longer is not None
            at, tile, jokers = longer
            self.table[at].tiles[tile] = bool(jokers)
            self.leaves("JK" if jokers else tile)
        else:
            three = self.of_three(frozenset(tiles))
            assert three is not None
            for at, tile in three[0]:
                del self.table[at].tiles[tile]
            given = [tile for _, tile in three[0]]
            self.table.append(Collection({tile: tile in jokers for tile in tiles}))
            for tile in tiles:
                if tile not in given:
                    self.leaves("JK" if tile in jokers else tile)
        self.crowns[self.turn] += 1
        self.phase = "moves"

    def facts(self) -> dict:
        return {**super().facts(), "table": [dict(sorted(one.tiles.items())) for one in self.table]}
