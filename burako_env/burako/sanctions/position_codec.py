"""What a position of sanctions play must keep, and any other must not have."""

from burako_env.burako.position import Position, PositionError
from burako_env.cards import card_name, is_wild


def check(position: Position) -> None:
    """Raise `PositionError` for fields of sanctions play that no game can have."""
    if not position.rules.sanctions:
        if position.apart or position.must_pass or position.annulled or position.offer is not None:
            raise PositionError("apart, offer, must_pass and annulled belong to sanctions play (SANCTION)")
        return
    if not all(map(is_wild, position.apart)):
        raise PositionError("only wilds lie apart (SANCTION-4)")
    if position.offer is not None and position.offer not in position.apart:
        raise PositionError(f"{card_name(position.offer)} is offered but does not lie apart (SANCTION-4)")
    if position.annulled > len(position.stock):
        raise PositionError(f"{position.annulled} annulled cards in a stock of {len(position.stock)}")
    if position.phase not in ("burako", "over") and position.turn_seat in position.must_pass:
        raise PositionError(f"seat {position.turn_seat} is to pass, so it has no turn (SANCTION-4)")
