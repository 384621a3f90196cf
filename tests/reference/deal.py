"""A simple dealer: a shuffled pack becomes the position a hand starts from (SETUP-1 to SETUP-5)."""

import random

from .cards import WILDS, full_pack
from .config import make_config


def shuffled_pack(players: int, config: dict, generator: random.Random) -> list[str]:
    """All cards of the game in a random order."""
    pack = full_pack(make_config(players, config).decks)
    generator.shuffle(pack)
    return pack


def deal(players: int, config: dict, pack: list[str], cutter: int) -> dict:
    """The position after the deal; the pack's last card is the one the cutter looks at (SETUP-3)."""
    rules = make_config(players, config)
    pack = list(pack)
    kept: list[str] = []
    bottom = None
    while len(kept) < rules.cut_look_max and bottom is None:
        if pack[-1] in WILDS:
            kept.append(pack.pop())
        else:
            bottom = pack[-1]

    def take(number: int) -> list[str]:
        taken = pack[:number]
        del pack[:number]
        return taken

    burakos = [[take(rules.burako_size) for _ in range(rules.burakos_per_team)] for _ in range(2)]
    shown = [kept if seat == cutter else [] for seat in range(players)]
    # The wilds that the cutter keeps count within their 11 cards.
    hands = [mine + take(rules.hand_size - len(mine)) for mine in shown]
    return {
        "turn": (cutter + 2) % players,  # SETUP-2: the next seat deals, the one after it plays first
        "phase": "draw",
        "hands": hands,
        "tables": [[], []],
        "closed": [[], []],
        "pile": [],
        "stock": pack,
        "burakos": burakos,
        "burakos_taken_by": [[], []],
        "first_draw": True,
        "shown": shown,
        "cutter": cutter,
        "bottom": bottom,
    }
