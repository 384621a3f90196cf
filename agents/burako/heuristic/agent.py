"""The rule-based player: meld planner, pile policy, choices and discard strategy put together."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from agents.base import Agent
from agents.burako.discard import STRATEGIES, StrategyName
from agents.burako.facts import Facts, Floats
from agents.burako.heuristic.advice import Advice
from agents.burako.heuristic.choices import Choices
from agents.burako.heuristic.moves import Moves
from agents.burako.heuristic.pile import PILE_POLICIES
from agents.burako.heuristic.planner import Planner, PlannerWeights
from agents.burako.lookup import Lookups, lookups
from burako_env.batch import Bools, Ints
from burako_env.burako.rules import burako_rules
from burako_env.burako.turn.actions import Kind
from burako_env.cards import TYPE_COUNT
from burako_env.chance.rng import U64
from burako_env.inputs.checked import Whole
from burako_env.layout import View


class HeuristicAgent(Agent):
    """Sound rule-based play of the card game: lays eagerly, takes useful piles, goes out justified.

    `wild_group`: wilds in the hand from which it opens the wild group. `ask`: it asks its partner before going out.
    """

    def __init__(
        self,
        discard: StrategyName = "fitted",
        pile: Literal["useful", "always", "never"] = "useful",
        ask: bool = False,
        wild_group: Annotated[Whole, Field(ge=1, le=100)] = 5,
        advice1: bool = False,
        advice2: bool = False,
        advice3: bool = False,
        advice4: bool = False,
        advice5: bool = False,
        advice6: bool = False,
        advice7: bool = True,
    ) -> None:
        switches = (advice1, advice2, advice3, advice4, advice5, advice6, advice7)
        self.advice = Advice(frozenset(number for number, on in enumerate(switches, start=1) if on))
        self.discard = STRATEGIES[discard]()
        self.pile = PILE_POLICIES[pile]()
        self.planner = Planner(self.advice, PlannerWeights(wild_group_from=wild_group))
        self.choices = Choices(self.advice, ask)
        self._lookups: Lookups | None = None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        self._lookups = lookups(burako_rules(game, config))

    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        known = self._known(view)
        moves, score = self._rate(known, view, legal)
        action = moves.best(score)
        rows = np.flatnonzero(known.kind.take(action) == Kind.DISCARD)
        if len(rows):
            asked, first = Facts(view.take(rows), known), known.actions.discards * 64
            cards, wish = legal[rows, first : first + TYPE_COUNT], self.advice.discards(asked)
            action[rows] = first + self.discard.choose(asked, cards, keys[rows], wish)
        return action

    def preferences(self, view: View, legal: Bools, keys: U64) -> Floats:
        """The scores of lays and choices; the best discard stands at 0 among them, the others as far below as the
        strategy says.
        """
        known = self._known(view)
        moves, score = self._rate(known, view, legal)
        wanted = np.full(legal.shape, -np.inf, dtype=np.float32)
        wanted[moves.row, moves.action] = score
        first = known.actions.discards * 64
        cards = legal[:, first : first + TYPE_COUNT]
        rows = np.flatnonzero(cards.any(axis=1))
        if len(rows):
            asked = Facts(view.take(rows), known)
            rated = np.where(cards[rows], self.discard.rate(asked, keys[rows], self.advice.discards(asked)), -np.inf)
            wanted[rows, first : first + TYPE_COUNT] = rated - rated.max(axis=1, keepdims=True)
        return wanted

    def _rate(self, known: Lookups, view: View, legal: Bools) -> tuple[Moves, Floats]:
        """All moves with their scores, float32 `[m]`: 0 for every discard, above for what goes before it."""
        facts, moves = Facts(view, known), Moves(legal, known)
        score = np.where(moves.kind == Kind.LAY, self.planner.scores(facts, moves), self.choices.scores(facts, moves))
        piles = np.flatnonzero(moves.kind == Kind.DRAW_PILE)
        if len(piles):
            asked = Facts(view.take(moves.row[piles]), known)
            score[piles] = self.pile.scores(asked) + self.advice.pile(asked)
        return moves, score

    def _known(self, view: View) -> Lookups:
        """The lookups of the game that is played; for an agent that nobody bound, by the number of players."""
        if self._lookups is None:
            self.bind(f"burako-{view.layout.shapes['hand_sizes'][0]}")
        assert self._lookups is not None
        return self._lookups
