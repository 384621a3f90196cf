"""The rules of the card game as data: one frozen configuration, and the presets for 4, 6 and 8 players.

Every number of the rules page is a field here and is written nowhere else. `burako rules burako-4` prints this table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from burako_env import cards
from burako_env.burako.melds.groups import MAX_CARDS
from burako_env.errors import UserError, unknown
from burako_env.inputs.checked import complaint, shown
from burako_env.kit.digest import keys_named, name_of
from burako_env.layout import MOST


def _rule(default: Any, rule: str, text: str, **limits: Any) -> Any:
    """A field with its rule id and meaning, for lists and errors; a default may be made from the fields before it."""
    given = {"default_factory": default} if callable(default) else {"default": default}
    return Field(**given, description=text, json_schema_extra={"rule": rule}, **limits)


# The keys that a digest always covers, in the order in which it covers them; see `digest.py`.
_ALWAYS: Final = """
    players decks jokers_per_deck rank_values joker_value hand_size burakos_per_team burako_size cut_look_max
    rediscard_single_pile wild_discard pile_condition ace one_set_per_rank_ever run_slots burako_wilds_max
    burako_condition out_condition consult exhaustion max_turns baza_wilds baza_aces_clean baza_aces_dirty
    baza_clean baza_dirty burako_points out_points unjustified_on_exhaustion target max_hands enforcement
    """.split()  # noqa: SIM905  a list would take a line for each
# Keys of version 0.1.0 that had one value only. Digests go on covering them, and old files may go on naming them.
FORMER_KEYS: Final[dict[str, Any]] = {
    "wild_discard": False,
    "pile_condition": "none",
    "burako_condition": "empty_or_wilds",
    "out_condition": "none",
}
CardPoints = Annotated[int, Field(ge=-1000, le=1000)]
Points = Annotated[int, Field(ge=-10_000, le=10_000)]
# Scores and totals of matches are int32, and so are differences of two.
_MOST_POINTS: Final = 2**30


class Rules(BaseModel):
    """Configuration of one card game. Frozen and hashable: tables are built per configuration and cached."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    players: Literal[4, 6, 8] = _rule(4, "SETUP-1", "seats; seat s plays for team s mod 2")
    decks: int = _rule(2, "DECK-1", "decks of 52 cards and the jokers", ge=2, le=4)
    jokers_per_deck: int = _rule(2, "DECK-1", "jokers in a deck", ge=0, le=2)
    rank_values: tuple[CardPoints, ...] = _rule(
        cards.RANK_VALUES, "DECK-2", "points of A 2 3 .. K", min_length=13, max_length=13
    )
    joker_value: int = _rule(cards.JOKER_VALUE, "DECK-2", "points of a joker", ge=0, le=100)
    hand_size: int = _rule(11, "SETUP-4", "cards dealt to each player", ge=1, le=11)
    burakos_per_team: int = _rule(1, "SETUP-4", "reserve hands of a team", ge=0, le=3)
    burako_size: int = _rule(11, "SETUP-4", "cards of a burako", ge=1, le=11)
    cut_look_max: int = _rule(2, "SETUP-3", "wilds the cutter may keep from the bottom of the stock", ge=0, le=11)
    rediscard_single_pile: bool = _rule(
        False, "TURN-5", "whether the card of a one-card pile may be discarded in the turn that took it"
    )
    ace: Literal["both", "low", "high"] = _rule("both", "GROUP-3", "places of the ace in a run")
    one_set_per_rank_ever: bool = _rule(False, "GROUP-7", "whether a rank stays barred after its set has been closed")
    run_slots: int = _rule(4, "GROUP-8", "bound of open runs per team and suit", ge=4, le=6)
    burako_wilds_max: int = _rule(2, "BURAKO-2", "wilds that may be kept when taking a burako", ge=0, le=11)
    consult: bool = _rule(True, "OUT-3", "whether the first taker of a burako may be asked about going out")
    exhaustion: Literal["pile_or_end", "end"] = _rule(
        "pile_or_end", "END-1", "what a draw at an empty stock may be: take the pile or end the hand, or only end it"
    )
    max_turns: int = _rule(400, "END-3", "turns after which a hand is truncated", ge=1, le=10_000)
    baza_wilds: Points = _rule(700, "SCORE-1", "a closed wild group")
    baza_aces_clean: Points = _rule(400, "SCORE-1", "a clean closed set of aces")
    baza_aces_dirty: Points = _rule(200, "SCORE-1", "a dirty closed set of aces")
    baza_clean: Points = _rule(200, "SCORE-1", "any other clean baza")
    baza_dirty: Points = _rule(100, "SCORE-1", "any other dirty baza")
    burako_points: Points = _rule(100, "SCORE-3", "a burako taken (added) or left (subtracted)")
    out_points: Points = _rule(100, "SCORE-3", "going out")
    unjustified_on_exhaustion: Literal["negative", "normal"] = _rule(
        "negative", "SCORE-6", "score of a team without a baza when nobody went out"
    )
    target: int = _rule(2000, "MATCH-1", "total that ends a match", ge=1, le=12_000)
    max_hands: int = _rule(100, "MATCH-1", "hands after which a match is truncated", ge=1, le=10_000)
    enforcement: Literal["strict", "sanctions"] = _rule(
        "strict", "SANCTION", "whether infractions are no actions, or actions with a price"
    )
    manual_close: bool = _rule(
        lambda given: given.get("enforcement") == "sanctions",
        "SANCTION-2",
        "whether a group of seven is open until a player closes it; only in sanctions play",
    )

    @property
    def teams(self) -> int:
        """Number of teams (SETUP-1)."""
        return 2

    @property
    def sanctions(self) -> bool:
        """Whether infractions are actions (SANCTION)."""
        return self.enforcement == "sanctions"

    @property
    def card_count(self) -> int:
        """Cards in the game (DECK-1)."""
        return self.decks * (52 + self.jokers_per_deck)

    @property
    def stock_size(self) -> int:
        """Cards in the stock after the deal (SETUP-4)."""
        reserve = self.teams * self.burakos_per_team * self.burako_size
        return self.card_count - self.players * self.hand_size - reserve

    @model_validator(mode="after")
    def _enough_cards(self) -> Rules:
        """DECK-3: hands, burakos and one card a player must be there."""
        spare = self.stock_size - self.players
        if spare < 0:
            raise ValueError(
                f"{self.card_count} cards do not cover {self.players} hands of {self.hand_size}, "
                f"{self.teams * self.burakos_per_team} burakos of {self.burako_size} and one card a player: "
                f"{-spare} cards are missing"
            )
        if self.cut_look_max > self.hand_size:
            raise ValueError(f"cut_look_max {self.cut_look_max} is above hand_size {self.hand_size}")
        return self

    @model_validator(mode="after")
    def _countable(self) -> Rules:
        """What a View and a total cannot say is not played: the stock is the largest count of a deal."""
        if self.stock_size > MOST:
            raise ValueError(
                f"{self.stock_size} cards are left in the stock after the deal, and a View counts {MOST} at most: "
                "lower decks or jokers_per_deck, or raise hand_size, burakos_per_team or burako_size"
            )
        bazas = (self.baza_wilds, self.baza_aces_clean, self.baza_aces_dirty, self.baza_clean, self.baza_dirty)
        card = max(abs(value) for value in (*self.rank_values, self.joker_value))
        hand = self.card_count * card + self.card_count // MAX_CARDS * max(map(abs, bazas))
        hand += self.burakos_per_team * abs(self.burako_points) + abs(self.out_points)
        if hand * self.max_hands > _MOST_POINTS:
            raise ValueError(
                f"a hand may be worth {hand} points and a match have {self.max_hands} hands: together that is more "
                f"than the {_MOST_POINTS} points that a total may have, lower max_hands or the values"
            )
        return self

    @model_validator(mode="after")
    def _closing(self) -> Rules:
        """SANCTION-2: in strict play a seventh card closes its group."""
        if self.manual_close and not self.sanctions:
            raise ValueError("manual_close is true, which only sanctions play knows: set enforcement to sanctions")
        return self

    def digest(self) -> str:
        """16 hex digits that name these rules in records and checkpoints; later keys are silent at their default."""
        preset = next(rules for rules in PRESETS.values() if rules.players == self.players)
        # In sanctions play manual_close has been there from the start.
        always = [*_ALWAYS, "manual_close"] if self.sanctions else _ALWAYS
        values = {**FORMER_KEYS, **self.model_dump(mode="json")}
        named = dict.fromkeys([*always, *keys_named(self, preset, frozenset(always))])
        return name_of(json.dumps({key: values[key] for key in named}, separators=(",", ":")))


PRESETS: Final[dict[str, Rules]] = {
    "burako-4": Rules(players=4, decks=2, burakos_per_team=1, target=2000, run_slots=4),
    "burako-6": Rules(players=6, decks=3, burakos_per_team=2, target=3000, run_slots=6),
    "burako-8": Rules(players=8, decks=4, burakos_per_team=3, target=4000, run_slots=6),
}


def burako_rules(name: str, config: Mapping[str, Any] | None = None) -> Rules:
    """The rules of a card game preset with some keys changed; a bad key or value is a `UserError`."""
    if name not in PRESETS:
        raise unknown("game", name, PRESETS)
    changes = dict(config or {})
    for key in set(changes) & set(FORMER_KEYS):
        given, only = changes.pop(key), FORMER_KEYS[key]
        if type(given) is not type(only) or given != only:
            raise UserError(f"rules of {name}: {key} = {shown(given)}: the only value is {shown(only)}")
    for key in changes:
        if key not in Rules.model_fields:
            raise unknown("rule key", key, Rules.model_fields)
    try:
        return Rules.model_validate({**PRESETS[name].model_dump(exclude_unset=True), **changes})
    except ValidationError as error:
        raise UserError(f"rules of {name}: {complaint(error)}") from None
