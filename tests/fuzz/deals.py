"""What a deal must fulfil (DECK-1, SETUP-1 to SETUP-5); the reference takes the deal itself from the core."""

from __future__ import annotations

from burako_env.burako.position import Position
from burako_env.cards import card_name
from tests.reference.cards import WILDS, full_pack, in_order
from tests.reference.config import Config


def deal_faults(position: Position, config: Config) -> list[str]:
    """What is wrong with a dealt position, in words; empty if nothing is."""

    def names(cards: list[int]) -> list[str]:
        return [card_name(card) for card in cards]

    burakos = [cards for team in position.burakos for cards in team]
    pack = [card for cards in (*position.hands, *burakos, position.stock) for card in cards]
    kept = names(position.shown[position.cutter])
    last = card_name(position.stock[-1])
    # SETUP-3: the cutter stops at the first natural, which they have seen, or at the bound on looking.
    looked_on = len(kept) < config.cut_look_max
    bottom = None if position.bottom is None else card_name(position.bottom)
    checks = {
        "DECK-1: the cards are those of the decks": in_order(names(pack)) == full_pack(config.decks),
        "SETUP-2: the second seat after the cutter plays first": position.turn
        == (position.cutter + 2) % config.players,
        "SETUP-3: the cutter keeps wilds, and no more than they may": set(kept) <= WILDS
        and len(kept) <= config.cut_look_max,
        "SETUP-3: the wilds are in the cutter's hand": all(
            position.hands[position.cutter].count(card) >= position.shown[position.cutter].count(card)
            for card in position.shown[position.cutter]
        ),
        "SETUP-3: nobody else shows a card": not any(
            shown for seat, shown in enumerate(position.shown) if seat != position.cutter
        ),
        "SETUP-3: the cutter looks on until they see a natural": not looked_on or last not in WILDS,
        "SETUP-3: the cutter knows the natural that they saw": bottom == (last if looked_on else None),
        "SETUP-4: the sizes of hands": all(len(hand) == config.hand_size for hand in position.hands),
        "SETUP-4: the sizes of burakos": all(len(burako) == config.burako_size for burako in burakos),
        "SETUP-4: the number of burakos": [len(team) for team in position.burakos] == [config.burakos_per_team] * 2,
        "SETUP-4: the size of the stock": len(position.stock) == config.stock_size,
        "SETUP-5: the pile is empty, nothing is on the table": not position.pile
        and not any(position.tables + position.closed),
        "TURN-2: the first draw is to come": position.first_draw and position.phase == "draw" and not position.turns,
    }
    return [check for check, holds in checks.items() if not holds]
