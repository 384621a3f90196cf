"""The turn of levels 2 and 3: racks, pool, forfeits, refill and the end (L2-1, L2-2, L2-8 to L2-10, L3-1)."""

from abc import ABC, abstractmethod
from collections import Counter

CHARACTERS = "LCTO"
NUMBERS = range(1, 6)
NATURALS = [f"{character}{number}" for character in CHARACTERS for number in NUMBERS]
FORFEITS = ("ROBA", "TOMA", "OTRO")


def pack(jokers: int) -> Counter:
    """TILE-1: all tiles of a level."""
    return Counter({**dict.fromkeys(NATURALS, 2), "JK": jokers, "ROBA": 4, "TOMA": 4, "OTRO": 3})


class RackReference(ABC):
    """One game. `rack_size` and `other_phase` are those of the level."""

    rack_size: int
    other_phase: str

    def __init__(self, racks: list[list[str]], pool: list[str], turn: int = 0) -> None:
        self.racks = [Counter(rack) for rack in racks]
        self.pool = list(pool)
        self.turn = turn
        self.phase = "turn"
        self.crowns = [0] * len(racks)
        self.used: Counter = Counter()
        self.turns_left = 1
        self.passes = 0
        self.reason = ""
        # By owner: tiles in the next seat's rack that were stolen from the owner, who knows that they are there.
        self.lost: list[Counter] = [Counter() for _ in racks]

    @property
    def rack(self) -> Counter:
        return self.racks[self.turn]

    @property
    def players(self) -> int:
        return len(self.racks)

    def legal(self) -> set[str]:
        """Texts of the legal actions."""
        if self.reason:
            return set()
        if self.phase != "turn":
            return {"end"} | self.moves()
        actions = self.moves()
        actions.add("draw" if self.pool else "pass")
        if self.rack["ROBA"] and self.racks[self.turn - 1].total():
            actions.add("play ROBA")
        if self.rack["TOMA"] and self.pool:
            actions.add("play TOMA")
        if self.rack["OTRO"]:
            actions.add("play OTRO")
        return actions

    @abstractmethod
    def moves(self) -> set[str]:
        """What can be laid or released."""

    @abstractmethod
    def move(self, text: str) -> None:
        """Lay or release."""

    def play(self, text: str, chance: str | None = None) -> None:
        """Play an action; `chance` is the tile stolen."""
        assert text in self.legal(), text
        match text.split():
            case ["draw"]:
                self.take_from_pool(1)
                self.end_turn()
            case ["pass"]:
                self.turns_left = 1
                self.passes += 1
                self.end_turn(passed=True)
            case ["end"]:
                self.end_turn(may_go_out=True)
            case ["play", forfeit]:
                self.leaves(forfeit)
                self.used[forfeit] += 1
                if forfeit == "TOMA":
                    self.take_from_pool(2)
                if forfeit == "OTRO":
                    self.turns_left += 2
                if forfeit == "ROBA":
                    self.steal(chance)
                self.end_turn(may_go_out=forfeit == "OTRO")
            case _:
                self.move(text)

    def leaves(self, tile: str) -> None:
        """A tile leaves the rack of the seat to act; a copy that the neighbour knows goes first."""
        assert self.rack[tile] > 0
        self.rack[tile] -= 1
        known = self.lost[self.turn - 1]
        known[tile] -= known[tile] > 0

    def take_from_pool(self, count: int) -> None:
        for _ in range(min(count, len(self.pool))):
            self.rack[self.pool.pop(0)] += 1

    def steal(self, tile: str | None) -> None:
        """L2-9, RINFO-1."""
        victim = (self.turn - 1) % self.players
        assert tile is not None
        assert self.racks[victim][tile] > 0
        self.racks[victim][tile] -= 1
        before = (victim - 1) % self.players
        if before == self.turn:
            # Two players: the thieves see what they take back.
            self.lost[before][tile] -= self.lost[before][tile] > 0
        else:
            self.lost[before].clear()
        self.rack[tile] += 1
        self.lost[victim][tile] += 1

    def end_turn(self, may_go_out: bool = False, passed: bool = False) -> None:
        self.take_from_pool(self.rack_size - self.rack.total())
        if not passed:
            self.passes = 0
        self.phase = "turn"
        if not self.pool:
            if may_go_out and not self.rack.total():
                self.reason = "out"
                self.crowns[self.turn] += 1
            elif all(not rack[tile] for rack in self.racks for tile in [*NATURALS, "JK"]):
                self.reason = "forfeits"
            elif self.passes == self.players:
                self.reason = "passes"
        self.turns_left -= 1
        if self.reason:
            return
        if not self.turns_left:
            self.turn = (self.turn + 1) % self.players
            self.turns_left = 1

    def facts(self) -> dict:
        """What there is to compare, whatever the level."""
        return {
            "turn": self.turn,
            "phase": "over" if self.reason else self.phase,
            "racks": [sorted(rack.elements()) for rack in self.racks],
            "pool": self.pool,
            "crowns": self.crowns,
            "used": sorted(self.used.elements()),
            "turns_left": self.turns_left,
            "passes": self.passes,
            "reason": self.reason,
            "lost": [sorted(lost.elements()) for lost in self.lost],
        }


def joker_text(tiles: list[str], jokers: list[str]) -> str:
    """Tiles in the board's order, those for which jokers stand marked."""
    return " ".join(f"JK={tile}" if tile in jokers else tile for tile in NATURALS if tile in tiles)


def parsed(text: str) -> tuple[list[str], list[str]]:
    """Tiles of a placement or a make, and those of them that are jokers."""
    words = text.split()[1:]
    tiles = [word.removeprefix("JK=") for word in words]
    return tiles, [tile for tile, word in zip(tiles, words, strict=True) if tile != word]
