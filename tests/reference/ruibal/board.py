"""Level 2 (L2-3 to L2-7)."""

from itertools import combinations

from .racks import CHARACTERS, NUMBERS, RackReference, joker_text, parsed

ROWS = [[f"{character}{number}" for character in CHARACTERS] for number in NUMBERS]
COLUMNS = [[f"{character}{number}" for number in NUMBERS] for character in CHARACTERS]


def parts() -> list[list[str]]:
    """Every part of a row or of a column."""
    found = {
        tuple(sorted(part))
        for line in ROWS + COLUMNS
        for size in range(1, len(line) + 1)
        for part in combinations(line, size)
    }
    return [list(part) for part in sorted(found)]


PARTS = parts()


def lines_of(filled: set[str]) -> list[tuple[str, set[str]]]:
    """All collections in a layer: direction, and the longest stretches of at least 3 filled cells."""
    found = []
    for direction, lines in (("row", ROWS), ("column", COLUMNS)):
        for line in lines:
            stretch: list[str] = []
            for cell in [*line, ""]:
                if cell in filled:
                    stretch.append(cell)
                    continue
                if len(stretch) >= 3:
                    found.append((direction, set(stretch)))
                stretch = []
    return found


def worth(filled: set[str], placed: set[str]) -> int:
    """L2-5, or 0 where the tiles may not lie there (L2-4)."""
    if filled & placed:
        return 0
    before, after = lines_of(filled), lines_of(filled | placed)
    if not any(placed <= cells for _, cells in after):
        return 0
    own = [(direction, cells) for direction, cells in after if cells & placed]
    new = [
        (direction, cells)
        for direction, cells in own
        if not any(other == direction and old <= cells for other, old in before)
    ]
    others = [(direction, cells) for direction, cells in after if not cells & placed]
    crossed = [cells for direction, cells in others if any(other != direction and cells & line for other, line in new)]
    return len(own) + len(crossed)


class BoardReference(RackReference):
    """One game of level 2."""

    rack_size = 5
    other_phase = "released"

    def __init__(self, racks: list[list[str]], pool: list[str], turn: int = 0) -> None:
        super().__init__(racks, pool, turn)
        # Of each layer: cell to whether a joker lies there.
        self.board: list[dict[str, bool]] = [{}, {}]

    def moves(self) -> set[str]:
        found = set()
        for part in PARTS:
            jokers = [tile for tile in part if not self.rack[tile]]
            if len(jokers) > self.rack["JK"] or (self.phase == "released" and not jokers):
                continue
            if any(worth(set(layer), set(part)) for layer in self.board):
                found.add(f"place {joker_text(part, jokers)}")
        if self.phase == "turn":
            for layer in self.board:
                found |= {f"release {tile}" for tile, joker in layer.items() if joker and self.rack[tile]}
        return found

    def move(self, text: str) -> None:
        tiles, jokers = parsed(text)
        if text.startswith("release"):
            layer = next(layer for layer in self.board if layer.get(tiles[0]))
            layer[tiles[0]] = False
            self.leaves(tiles[0])
            self.rack["JK"] += 1
            self.crowns[self.turn] += 1
            self.phase = "released"
            return
        first, second = (worth(set(layer), set(tiles)) for layer in self.board)
        self.board[second > first].update({tile: tile in jokers for tile in tiles})
        for tile in tiles:
            self.leaves("JK" if tile in jokers else tile)
        self.crowns[self.turn] += max(first, second)
        self.end_turn(may_go_out=True)

    def facts(self) -> dict:
        return {**super().facts(), "board": [dict(sorted(layer.items())) for layer in self.board]}
