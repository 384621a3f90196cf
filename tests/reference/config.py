"""The rule keys and their values for 4, 6 and 8 players."""

from dataclasses import dataclass, fields

from .cards import JOKERS_PER_DECK

CHOICES = {
    "ace": ("both", "low", "high"),
    "exhaustion": ("pile_or_end", "end"),
    "unjustified_on_exhaustion": ("negative", "normal"),
}
# Keys that say nothing about a single strict hand.
OUTSIDE_A_HAND = ("max_hands",)


@dataclass(frozen=True)
class Config:
    """Everything the rules leave to a number or a choice; the first four differ by the number of players."""

    players: int
    decks: int
    burakos_per_team: int
    run_slots: int
    hand_size: int = 11
    burako_size: int = 11
    cut_look_max: int = 2
    ace: str = "both"
    rediscard_single_pile: bool = False
    one_set_per_rank_ever: bool = False
    consult: bool = True
    exhaustion: str = "pile_or_end"
    unjustified_on_exhaustion: str = "negative"
    max_turns: int = 400
    sanctions: bool = False
    manual_close: bool = False

    @property
    def pack_size(self) -> int:
        return self.decks * (52 + JOKERS_PER_DECK)

    @property
    def stock_size(self) -> int:
        """Cards in the stock after the deal (SETUP-4): 42, 52, 62."""
        return self.pack_size - self.players * self.hand_size - 2 * self.burakos_per_team * self.burako_size


# players: decks (DECK-1), burakos per team (SETUP-4), bound of GROUP-8
PRESETS = {4: (2, 1, 4), 6: (3, 2, 6), 8: (4, 3, 6)}


def make_config(players: int, changes: dict) -> Config:
    """The preset of `players` players with some keys changed; ValueError for what no rule allows."""
    if players not in PRESETS:
        raise ValueError(f"{players} players: only 4, 6 and 8 can play (SETUP-1)")
    decks, burakos, slots = PRESETS[players]
    known = {field.name for field in fields(Config)} - {"players", "sanctions"}
    kept = {}
    for key, choice in changes.items():
        if key in OUTSIDE_A_HAND:
            continue
        if key == "enforcement":
            if choice not in ("strict", "sanctions"):
                raise ValueError(f"enforcement cannot be {choice!r}")
            # SANCTION: closing is manual in sanctions play unless the key says otherwise.
            kept["sanctions"] = choice == "sanctions"
            kept.setdefault("manual_close", kept["sanctions"])
            continue
        if key not in known:
            raise ValueError(f"unknown rule key {key!r}")
        if key in CHOICES and choice not in CHOICES[key]:
            raise ValueError(f"{key} cannot be {choice!r}")
        kept[key] = choice
    if kept.get("manual_close") and not kept.get("sanctions"):
        raise ValueError("closing is manual only in sanctions play (SANCTION-2)")
    config = Config(**{"players": players, "decks": decks, "burakos_per_team": burakos, "run_slots": slots, **kept})
    # DECK-3: hands, burakos and one card a player must be covered.
    if config.stock_size < players:
        raise ValueError(
            f"{config.pack_size} cards do not cover {players} hands of {config.hand_size}, "
            f"{2 * config.burakos_per_team} burakos of {config.burako_size} and one card for each of {players} players"
        )
    if not 0 <= config.cut_look_max <= config.hand_size:
        raise ValueError(f"cut_look_max {config.cut_look_max} is not between 0 and {config.hand_size} (SETUP-3)")
    return config
