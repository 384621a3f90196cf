"""Level 1 (L1-1, L1-2)."""


class PerceptionReference:
    """One game: `spread` has a tile or None at each place, `calls` the tiles in their order."""

    def __init__(self, players: int, spread: list[str | None], calls: list[str]) -> None:
        self.spread, self.calls = list(spread), list(calls)
        self.crowns = [0] * players
        self.turn, self.tries, self.reason = 0, 0, ""
        self.sitting: set[int] = set()
        self.pointed: dict[int, int] = {}

    def legal(self) -> set[str]:
        """Texts of the legal actions."""
        if self.reason:
            return set()
        if self.turn in self.sitting:
            return {"sit"}
        return {f"point {place}" for place, tile in enumerate(self.spread, start=1) if tile}

    def play(self, text: str, chance: int | None = None) -> None:
        """Play an action; `chance` is the seat that is fastest, None if nobody is right."""
        assert text in self.legal(), text
        if text != "sit":
            self.pointed[self.turn] = int(text.split()[1]) - 1
        if self.turn < len(self.crowns) - 1:
            self.turn += 1
            return
        tile = self.calls[0]
        right = {seat for seat, place in self.pointed.items() if self.spread[place] == tile}
        wrong = set(self.pointed) - right
        if right:
            assert chance in right
            self.crowns[chance] += 1
        else:
            assert chance is None
        self.sitting = wrong if len(wrong) < len(self.crowns) else set()
        self.tries += 1
        self.pointed = {}
        if right or self.tries == 3:
            self.spread[self.spread.index(tile)] = None
            self.calls.pop(0)
            self.tries = 0
        if not self.calls:
            self.reason = "calls"
            return
        self.turn = 0

    def facts(self) -> dict:
        """What there is to compare."""
        return {
            "turn": self.turn,
            "phase": "over" if self.reason else "point",
            "spread": self.spread,
            "calls": self.calls,
            "crowns": self.crowns,
            "tries": self.tries,
            "sitting": sorted(self.sitting),
            "pointed": self.pointed,
            "reason": self.reason,
        }
