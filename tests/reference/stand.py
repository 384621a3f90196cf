"""Short positions for tests."""

from . import ReferenceHand

OTHERS = ("9C 9D", "10C 10D", "JC JD", "QC QD", "KC KD", "8C 8D", "7C 7D")
CLEAN_THREES = "3C 3D 3H 3S 3C 3D 3H"
DIRTY_THREES = "3C 3D 3H 3S 3C 3D JK"


def stand(mine: str, *, players: int = 4, config: dict | None = None, **changes) -> ReferenceHand:
    """Seat 0 in the laying phase with the cards `mine`; `changes` are keys of the position."""
    position = {
        "turn": 0,
        "phase": "lay",
        "hands": [mine, *OTHERS[: players - 1]],
        "tables": [[], []],
        "stock": "KS QS JS 10S",
        "burakos": [["4C 6D"], ["4H 6S"]],
        "burakos_taken_by": [[], []],
    }
    return ReferenceHand.from_position(players, config or {}, {**position, **changes})


def no_burako(taken_by: int = 2) -> dict:
    """Keys of a position: team 0 has no burako left, a seat has taken it."""
    return {"burakos": [[], ["4H 6S"]], "burakos_taken_by": [[taken_by], []]}


def lays(hand: ReferenceHand) -> set[str]:
    """The legal lays."""
    return {action for action in hand.legal() if action.startswith("lay")}


def play(hand: ReferenceHand, *actions: str) -> ReferenceHand:
    """The same hand after some actions."""
    for action in actions:
        hand.play(action)
    return hand
