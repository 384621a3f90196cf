"""How the card game's actions belong to the blocks of its features: an action of a suit is one of that suit's block."""

import numpy as np

from agents.learned.encoder import BlockActions
from burako_env.burako.turn.actions import FIRST_RUN, NONE, Kind, action_table
from burako_env.cards import JOKER, RANK_COUNT, SUIT_COUNT


def block_actions(run_slots: int) -> BlockActions:
    """The card game's actions by suit: an action belongs to the suit of its card and of its run; both may differ."""
    table = action_table(run_slots)
    keys: dict[tuple[int, ...], int] = {}
    rest: list[int] = []
    unused: list[int] = []
    block: list[tuple[int, int, int]] = []
    pair: list[tuple[int, int, int, int]] = []
    for action, (kind, card, group) in enumerate(table.rows.tolist()):
        if kind == Kind.UNUSED:
            unused.append(action)
            continue
        card_suit = None if card in (NONE, JOKER) else card // RANK_COUNT
        on_run = group != NONE and group >= FIRST_RUN
        run_suit, slot = divmod(group - FIRST_RUN, run_slots) if on_run else (None, group)
        if card_suit is None and run_suit is None:
            rest.append(action)
        elif card_suit is not None and run_suit is not None and card_suit != run_suit:
            pair.append((action, run_suit, card_suit, slot))
        else:
            suit = card_suit if card_suit is not None else run_suit
            assert suit is not None
            key = (kind, on_run, slot, -1 if card_suit is None else card % RANK_COUNT)
            block.append((action, suit, keys.setdefault(key, len(keys))))
    per_block = len(keys)
    first_pair = SUIT_COUNT * per_block
    first_rest = first_pair + SUIT_COUNT * SUIT_COUNT * run_slots
    order = np.zeros(table.size, dtype=np.int64)
    for action, suit, number in block:
        order[action] = suit * per_block + number
    for action, run_suit, card_suit, slot in pair:
        order[action] = first_pair + (run_suit * SUIT_COUNT + card_suit) * run_slots + slot
    order[rest] = first_rest + np.arange(len(rest))
    order[unused] = first_rest + len(rest) + np.arange(len(unused))
    return BlockActions(per_block, run_slots, len(rest), len(unused), order)
