"""One hand of Burako: its state, and what each action does to it (TURN, BURAKO, OUT, END)."""

from __future__ import annotations

from collections import Counter

from . import sanctions
from .cards import WILDS, in_order, rank_of, remove, suit_of
from .config import Config
from .groups import FULL, SMALLEST, Group, run_readings, run_tokens, wild_made_float
from .legal import legal_actions, only_few_wilds
from .position import read_position
from .score import final_scores
from .view import expect, view

LAST_PHASE = "over"


class ReferenceHand:
    """A hand from a position on.

    Seats count clockwise from 0, seat s is in team s mod 2 (SETUP-1). `actor` is the seat to act; `turn` the seat
    whose turn it is: the two differ only while a team-mate answers ASK. A group half open (GROUP-12) is the last of its
    team's table, its cards in the order laid; `opening` says that there is one.

    `fired` counts by rule id how often a rule really did something; `coverage.MEANINGS` says what is counted.
    """

    config: Config
    fired: Counter

    @classmethod
    def from_position(cls, players: int, config: dict, position: dict) -> ReferenceHand:
        """A hand that stands as `position` says (keys and meanings as in case files, no stars)."""
        hand = cls()
        read_position(hand, players, config, position)
        return hand

    def __init__(self) -> None:
        self.fired = Counter()
        self.reason: str | None = None
        self._known_legal: frozenset[str] | None = None

    @property
    def team(self) -> int:
        """The team of the seat to act."""
        return self.actor % 2

    def legal(self) -> set[str]:
        """The legal actions; none when the hand is over."""
        if self._known_legal is None:
            actions, rules = legal_actions(self)
            self._known_legal = frozenset(actions)
            self.fired.update(rules)
        return set(self._known_legal)

    def play(self, action: str) -> None:
        """Play a legal action; ValueError for any other."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal for seat {self.actor} in the {self.phase} phase")
        self._known_legal = None
        word, *rest = action.split()
        if action in ("draw stock", "draw pile"):
            self._draw_from_stock() if action == "draw stock" else self._take_pile()
        elif action == "reject":
            self._reject()
        elif action == "keep":
            self.phase = "lay"
        elif word in ("foul", "close") or action == "take wild":
            sanctions.play(self, action)
        elif word == "lay":
            self._lay(*rest)
        elif word == "discard":
            self._discard(*rest)
        elif action == "take burako":
            self._choose_burako()
        elif action == "keep hand":
            self.end_turn()
        elif action == "ask":
            self._ask()
        elif word in ("yes", "no"):
            self._answer(word)
        elif action == "end hand":
            self._finish("exhausted")  # END-1

    def expect(self) -> dict:
        """Every `expect` key of a case file."""
        return expect(self)

    def view(self, seat: int) -> dict:
        """What a seat may know, relative to it (INFO-1 to INFO-3)."""
        return view(self, seat)

    def scores(self) -> list[int]:
        """Points by team; of a live hand what END-1 would give now (SCORE-6)."""
        return [points for points, _ in final_scores(self)]

    def copy(self) -> ReferenceHand:
        """An independent copy."""
        twin = ReferenceHand()
        for name, thing in vars(self).items():
            setattr(twin, name, _copied(thing))
        return twin

    # Drawing ------------------------------------------------------------------------------------------------------

    def _draw_from_stock(self) -> None:
        """TURN-1; TURN-2: the hand's first draw opens the look phase."""
        self.fired["TURN-1"] += 1
        self.offer = None  # SANCTION-4: the player has left the wild that lies apart
        self._take_top_card()
        self.phase = "look" if self.first_draw else "lay"
        self.first_draw = False

    def _take_top_card(self) -> None:
        seen = self.annulled == len(self.stock)
        self.drawn = self.stock.pop(0)
        if seen:
            # SANCTION: annulled cards lie at the bottom in sight of everyone.
            self.annulled -= 1
            sanctions.into_hand(self, self.drawn)
        else:
            self.hands[self.actor][self.drawn] += 1
        if not self.stock and self.final_turns is None:
            # END-1: once this turn is over every player has one more.
            self.final_turns = self.config.players

    def _take_pile(self) -> None:
        """TURN-1: the whole pile. TURN-5 remembers a pile of one card, INFO-3 what everyone saw go into the hand."""
        self.fired.update(("TURN-1", "INFO-3"))
        self.single = self.pile[0] if len(self.pile) == 1 else None
        self.hands[self.actor].update(self.pile)
        self.known[self.actor].update(self.pile)
        self.pile.clear()
        self.offer = None
        self.first_draw = False
        self.phase = "lay"

    def _reject(self) -> None:
        """TURN-2: the rejected card opens the pile; the next one is kept."""
        self.leave_hand(self.drawn)
        self.pile.append(self.drawn)
        self._take_top_card()
        self.phase = "lay"

    def leave_hand(self, card: str) -> None:
        """INFO-3: of a type of which copies are known, a known copy is the one that leaves."""
        remove(self.hands[self.actor], card)
        for public in (self.known[self.actor], self.shown[self.actor]):
            if public[card]:
                remove(public, card)
                self.fired["INFO-3"] += 1

    # Laying -------------------------------------------------------------------------------------------------------

    def _lay(self, card: str, kind: str, target: str | None = None) -> None:
        """TURN-3: open a group or add to one."""
        self.lay_on(card, self._target(card, kind, target))

    def lay_on(self, card: str, group: Group) -> None:
        """A card on a group; the seventh closes it (GROUP-1), unless that is left to the players."""
        self.leave_hand(card)
        if card == self.single:
            self.single_laid = True
        before = list(group.cards)
        group.cards.append(card)
        self.opening = len(group.cards) < SMALLEST
        if not self.opening:
            group.cards = in_order(group.cards)
            self._note_group_rules(group, before, card)
        if len(group.cards) == FULL and not self.config.manual_close:
            self.fired["GROUP-1"] += 1
            table = self.tables[self.team]
            del table[next(place for place, other in enumerate(table) if other is group)]
            self.closed[self.team].append(group)
        if not self.hands[self.actor]:
            self._emptied(by_discard=False)

    def _target(self, card: str, kind: str, target: str | None) -> Group:
        """The group a lay names; a new one if it opens one."""
        table = self.tables[self.team]
        if kind == "wild":
            key, number = "2", 1
        elif kind == "set":
            key, number = target or rank_of(card), 1
        elif target == "new":
            key, number = suit_of(card), 0
        else:
            key, number = target[0], int(target[1:])
        like_it = [group for group in table if (group.kind, group.key) == (kind, key)]
        if like_it and number:
            return like_it[number - 1]
        if like_it:
            self.fired["GROUP-8"] += 1
        group = Group(kind, key)
        table.append(group)
        return group

    def _note_group_rules(self, group: Group, before: list[str], card: str) -> None:
        """Count which rules on groups a lay shows."""
        self.fired.update(("TURN-3", {"set": "GROUP-2", "run": "GROUP-3", "wild": "GROUP-9"}[group.kind]))
        if group.kind != "run":
            return
        ace = self.config.ace
        readings = run_readings(run_tokens(group.cards, group.key), ace)
        if "2" + group.key in group.cards and any(2 in naturals and wilds for naturals, wilds in readings):
            self.fired["GROUP-5"] += 1
        if len(before) >= SMALLEST and card not in WILDS and wild_made_float(before, group.cards, group.key, ace):
            self.fired["GROUP-6"] += 1

    # The end of a turn --------------------------------------------------------------------------------------------

    def _discard(self, card: str) -> None:
        """TURN-4; an empty hand and the choice of BURAKO-3 come before the turn passes."""
        self.fired["TURN-4"] += 1
        self.leave_hand(card)
        self.pile.append(card)
        self.after_discard()

    def after_discard(self) -> None:
        """What becomes of the hand and the turn when a card has been discarded."""
        cards = self.hands[self.actor]
        if not cards:
            self._emptied(by_discard=True)
        elif self.burakos[self.team] and only_few_wilds(cards):
            self.phase = "burako"
        else:
            self.end_turn()

    def _emptied(self, by_discard: bool) -> None:
        """BURAKO-1, BURAKO-3 and OUT-1: a hand without cards takes a burako or ends the hand."""
        if not self.burakos[self.team]:
            self.fired["OUT-1"] += 1
            if not self.closed[self.team]:
                self.fired["OUT-2"] += 1
            self._finish("out")
            return
        self.fired.update(("BURAKO-1", "BURAKO-3"))
        self._take_burako()
        if by_discard:
            self.end_turn()

    def _choose_burako(self) -> None:
        """BURAKO-2: the kept wilds become public. The turn goes on while laying; after a discard it is over."""
        self.shown[self.actor] = Counter(self.hands[self.actor])
        self._take_burako()
        if self.phase == "burako":
            self.end_turn()

    def _take_burako(self) -> None:
        """BURAKO-4: the first of the team's burakos, whoever takes it."""
        takers = self.burakos_taken_by[self.team]
        if self.actor in takers or not self.closed[self.team]:
            self.fired["BURAKO-4"] += 1
        self.hands[self.actor].update(self.burakos[self.team].pop(0))
        takers.append(self.actor)

    def _ask(self) -> None:
        """OUT-3: the first taker of the team's burakos answers."""
        self.fired["OUT-3"] += 1
        self.asked = True
        self.actor = self.burakos_taken_by[self.team][0]
        self.phase = "answer"

    def _answer(self, word: str) -> None:
        self.answer = word
        self.actor = self.turn
        self.phase = "lay"

    def end_turn(self) -> None:
        """The turn passes, unless it was the last one (END-1) or one too many (END-3)."""
        self.turns += 1
        if self.final_turns == 0:
            self.fired["END-1"] += 1
            self._finish("exhausted")
        elif self.turns >= self.config.max_turns:
            self.fired["END-3"] += 1
            self._finish("truncated")
        else:
            if self.final_turns is not None:
                self.final_turns -= 1
            self.clear_turn()
            self.fired["SETUP-1"] += 1
            self.turn = self.actor = (self.turn + 1) % self.config.players
            self.phase = "draw"
            if self.actor in self.must_pass:
                # SANCTION-4: the player's turn is over as it begins.
                self.fired["SANCTION-4 passed"] += 1
                self.must_pass.remove(self.actor)
                self.end_turn()

    def _finish(self, reason: str) -> None:
        self.reason = reason
        self.phase = LAST_PHASE
        self.clear_turn()
        self.fired["SANCTION-10"] += any(len(group.cards) == FULL for table in self.tables for group in table)
        for _, rules in final_scores(self):
            self.fired.update(rules)

    def clear_turn(self) -> None:
        """What is remembered for one turn only."""
        self.drawn: str | None = None
        self.single: str | None = None
        self.single_laid = False
        self.asked = False
        self.answer: str | None = None


def _copied(thing: object) -> object:
    """A copy of a piece of state, lists and groups in it too."""
    if isinstance(thing, list):
        return [_copied(part) for part in thing]
    return thing.copy() if isinstance(thing, Counter | Group | set) else thing
