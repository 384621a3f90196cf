"""The `position` of a card game case: its keys, their defaults, and what a position must fulfil.

Every check names the key at fault and its line. What is left for the core to refuse (`PositionError`) are
contradictions between keys that only its rules can see.
"""

from typing import Final, Literal, cast

from burako_env.burako.position import Phase, Position
from burako_env.burako.rules import Rules
from burako_env.burako.view.layout import PHASES
from burako_env.cards import card_name, is_wild
from burako_env.cases.burako.fill import Deck, card_at, cards_at, held, read_seats
from burako_env.cases.burako.keys import KEYS
from burako_env.cases.burako.tables import read_closed, read_opening, read_tables
from burako_env.cases.nodes import Node
from burako_env.cases.stars import Template, fill

SEED_MAX: Final = 2**63 - 1


def read_seed(fields: dict[str, Node]) -> int:
    """The `seed` of a position, 0 by default."""
    return fields["seed"].integer("seed", 0, SEED_MAX) if "seed" in fields else 0


def read_position(node: Node, rules: Rules) -> Position:
    """A position with its stars filled; `ReadingError` if it is malformed or cannot be."""
    return _PositionReader(node, rules).read()


class _PositionReader:
    """Reads one position: every written card is placed, then the stars are filled in the order of the contract."""

    def __init__(self, node: Node, rules: Rules) -> None:
        self.node, self.rules = node, rules
        self.fields = node.fields("position", KEYS, [key for key, declared in KEYS.items() if declared.required])
        self.deck = Deck(rules)
        self.turn = self.fields["turn"].integer("turn", 0, rules.players - 1)
        self.phase = cast(Phase, self.fields["phase"].word("phase", PHASES))
        self.asker = self._asker()
        # Turns completed before this one; the turn in play may still be the last (END-3).
        self.turns = self.fields["turns"].integer("turns", 0, rules.max_turns - 1) if self._given("turns") else 0

    def read(self) -> Position:
        """All keys, in an order in which each can be checked against those before it."""
        fields, rules = self.fields, self.rules
        hands = self._hands()
        pile = self.deck.place_template(fields["pile"], "pile") if "pile" in fields else []
        stock = self.deck.place_template(fields["stock"], "stock") if "stock" in fields else None
        tables = read_tables(fields.get("tables"), rules, self.deck)
        closed = read_closed(fields.get("closed"), rules, self.deck)
        opening = None
        if self._given("opening"):
            opening = read_opening(fields["opening"], rules, self.deck, tables[self.turn % rules.teams])
        annulled, apart = (
            self.deck.place(fields[key], key) if self._given(key) else [] for key in ("annulled", "apart")
        )
        taken_by = self._taken_by()
        burakos = self._burakos(taken_by)

        rest = self.deck.rest(read_seed(fields))
        filled_hands = [fill(hand, rest, fields["hands"]) for hand in hands]
        # No wild ever lies in the pile (TURN-4), so a star there is a natural.
        filled_pile = fill(pile, rest, fields.get("pile", self.node), without=is_wild)
        filled_stock = None if stock is None else fill(stock, rest, fields["stock"])
        place = fields.get("burakos", self.node)
        filled_burakos = [[fill(burako, rest, place) for burako in team] for team in burakos]
        filled_stock = (rest if filled_stock is None else filled_stock) + annulled
        for card in filled_pile:
            self._check_pile_card(fields["pile"], card)
        if self.phase == "burako":
            self._check_choice(filled_hands[self.turn], bool(burakos[self.turn % rules.teams]))

        drawn, single = self._drawn(hands), self._single()
        return Position(
            rules=rules,
            turn=self.turn,
            phase=self.phase,
            hands=filled_hands,
            tables=[table.groups for table in tables],
            closed=closed,
            pile=filled_pile,
            stock=filled_stock,
            burakos=filled_burakos,
            taken_by=taken_by,
            first_draw=self._flag("first_draw") and self.phase == "draw",
            drawn=drawn,
            asker=self.asker,
            answer=self._answer(),
            single=single,
            single_laid=self._single_laid(single),
            shown=self._part_of_hands("shown", hands),
            known=self._part_of_hands("known", hands),
            turns=self.turns,
            final_turns=self._final_turns(bool(filled_stock)),
            opening=opening,
            cutter=self._cutter(),
            apart=apart,
            offer=card_at(self.fields["offer"], "offer") if self._given("offer") else None,
            must_pass=read_seats(fields["must_pass"], "must_pass", rules) if self._given("must_pass") else [],
            annulled=len(annulled),
        )

    def _given(self, key: str) -> bool:
        """Whether the key stands there and is not null; an error if the phase gives it no meaning."""
        node = self.fields.get(key)
        if node is None or node.is_null:
            return False
        declared = KEYS[key]
        if declared.sanctions and not self.rules.sanctions:
            raise node.error(f"{key} belongs to sanctions play: config needs enforcement: sanctions (SANCTION)")
        if self.phase not in declared.phases:
            belongs = " or ".join(declared.phases)
            raise node.error(f"{key} has no meaning in phase {self.phase}: it belongs to {belongs}")
        return True

    def _flag(self, key: str) -> bool:
        """A flag, false by default; a false one may stand in any phase."""
        node = self.fields.get(key)
        return node is not None and not node.is_null and node.flag(key) and self._given(key)

    def _hands(self) -> list[Template]:
        """The hands by seat; none is ever empty while a hand is played (BURAKO-1, OUT-1)."""
        hands = []
        for seat, node in enumerate(self.fields["hands"].items("hands", self.rules.players, "seat")):
            hand = self.deck.place_template(node, "each of hands")
            if not hand:
                raise node.error(f"the hand of seat {seat} is empty, which no hand ever is (BURAKO-1, OUT-1)")
            hands.append(hand)
        return hands

    def _asker(self) -> int | None:
        """OUT-3: whose turn it is while a team-mate answers; in a team of two it can only be the other one."""
        if self.phase != "answer":
            self._given("asker")
            return None
        players, teams = self.rules.players, self.rules.teams
        mates = [seat for seat in range(self.turn % teams, players, teams) if seat != self.turn]
        if self._given("asker"):
            asker = self.fields["asker"].integer("asker", 0, players - 1)
            if asker not in mates:
                raise self.fields["asker"].error(f"asker is a team-mate of seat {self.turn}, who answers: {mates}")
            return asker
        if len(mates) > 1:
            raise self.node.error("position needs asker in the answer phase: more than one team-mate may have asked")
        return mates[0]

    def _taken_by(self) -> list[list[int]]:
        """BURAKO-4: the seats that took burakos, by team."""
        taken: list[list[int]] = [[] for _ in range(self.rules.teams)]
        node = self.fields.get("burakos_taken_by")
        if node is None:
            return taken
        for team, seats in enumerate(node.items("burakos_taken_by", self.rules.teams, "team")):
            for seat in seats.items("a team's burakos_taken_by"):
                number = seat.integer("a taker", 0, self.rules.players - 1)
                if number % self.rules.teams != team:
                    raise seat.error(f"seat {number} does not play for team {team} and cannot take its burakos")
                taken[team].append(number)
        return taken

    def _burakos(self, taken_by: list[list[int]]) -> list[list[Template]]:
        """The burakos left, by team; by default as many as are not taken, unknown cards."""
        total = self.rules.burakos_per_team
        node = self.fields.get("burakos")
        if node is None:
            burakos: list[list[Template]] = [
                [[None] * self.rules.burako_size for _ in range(total - len(taken))] for taken in taken_by
            ]
        else:
            teams = node.items("burakos", self.rules.teams, "team")
            burakos = [[self._burako(item) for item in team.items("a team's burakos")] for team in teams]
        for team, (left, taken) in enumerate(zip(burakos, taken_by, strict=True)):
            if len(left) + len(taken) != total:
                place = node or self.fields["burakos_taken_by"]
                counts = f"{len(left)} burakos left and {len(taken)} taken"
                raise place.error(f"team {team} has {counts}: together they must be {total} (SETUP-4)")
        return burakos

    def _burako(self, node: Node) -> Template:
        template = self.deck.place_template(node, "a burako")
        if len(template) != self.rules.burako_size:
            raise node.error(f"a burako has {self.rules.burako_size} cards, not {len(template)} (SETUP-4)")
        return template

    def _check_choice(self, hand: list[int], left: bool) -> None:
        """BURAKO-2: the choice after a discard is that of a hand of few wilds with a burako to take."""
        most = self.rules.burako_wilds_max
        if not (left and all(map(is_wild, hand)) and len(hand) <= most):
            raise self.fields["phase"].error(
                f"there is no burako to choose: phase burako needs one left and a hand of 1 to {most} wilds (BURAKO-2)"
            )

    def _drawn(self, hands: list[Template]) -> int | None:
        """The card just drawn, in the hand of the seat whose turn it is (TURN-2)."""
        if not self._given("drawn"):
            if self.phase == "look":
                raise self.node.error("position needs drawn in the look phase: the card looked at (TURN-2)")
            return None
        card = card_at(self.fields["drawn"], "drawn")
        if not held([card], hands[self.turn if self.asker is None else self.asker]):
            raise self.fields["drawn"].error(f"{card_name(card)} is drawn, but the hand does not hold it")
        return card

    def _single(self) -> int | None:
        """TURN-5: the card taken as a pile of one; such a turn drew nothing from the stock."""
        if not self._given("single"):
            return None
        card = card_at(self.fields["single"], "single")
        if self._given("drawn"):
            raise self.fields["single"].error("single and drawn exclude each other: one draw a turn (TURN-1)")
        self._check_pile_card(self.fields["single"], card)
        return card

    def _check_pile_card(self, node: Node, card: int) -> None:
        if is_wild(card):
            raise node.error(f"a wild in the pile, {card_name(card)}: wilds are never discarded (TURN-4)")

    def _single_laid(self, single: int | None) -> bool:
        laid = self._flag("single_laid")
        if laid and single is None:
            raise self.fields["single_laid"].error("single_laid needs single, the card taken as a pile of one (TURN-5)")
        return laid

    def _answer(self) -> Literal["none", "asked", "yes", "no"]:
        """OUT-3 this turn; an answer means that the question was asked, and the answer phase is the question."""
        node = self.fields.get("asked")
        denied = node is not None and not node.is_null and not node.flag("asked")
        asked = self._flag("asked") or self.phase == "answer"
        answered = self._given("answer")
        if node is not None and denied and (answered or self.phase == "answer"):
            raise node.error("asked is no, but there is an answer or the phase is answer (OUT-3)")
        if answered:
            return "yes" if self.fields["answer"].flag("answer") else "no"
        return "asked" if asked else "none"

    def _part_of_hands(self, key: Literal["shown", "known"], hands: list[Template]) -> list[list[int]]:
        """INFO-1, INFO-3: cards everyone knows by seat, each a part of what is written of the hand."""
        if not self._given(key):
            return [[] for _ in hands]
        parts = []
        for seat, node in enumerate(self.fields[key].items(key, self.rules.players, "seat")):
            cards = cards_at(node, f"each of {key}")
            if not held(cards, hands[seat]):
                raise node.error(f"{key} has cards that the hand of seat {seat} does not hold: write them in hands")
            if any(is_wild(card) != (key == "shown") for card in cards):
                raise node.error("of the cards everyone knows, shown holds the wilds and known the others (INFO-1)")
            parts.append(cards)
        return parts

    def _final_turns(self, stock: bool) -> int | None:
        """END-1: turns still to come after the one in play, once the stock is empty."""
        most = self.rules.players - (self.phase == "draw")
        if not self._given("final_turns"):
            return None if stock else most
        # An annulment may fill a stock that has run out, and the last turns go on counting.
        if stock and not self.rules.sanctions:
            raise self.fields["final_turns"].error("final_turns counts only when the stock is empty (END-1)")
        return self.fields["final_turns"].integer("final_turns", 0, most)

    def _cutter(self) -> int:
        """SETUP-2: the first turn of the hand was that of the second seat after the cutter."""
        turn = self.turn if self.asker is None else self.asker
        return (turn - self.turns - 2) % self.rules.players
