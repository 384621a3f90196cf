"""The interface of an agent: what it sees, what it answers, how it learns which game it is about to play.

Your own bot is a class with one method:

    class Hoarder(Agent):
        \"\"\"Draws from the stock, lays nothing, discards the first card it may.\"\"\"

        def act(self, view, legal, keys):
            return legal.argmax(axis=1)

`agents.load("my_bots:Hoarder")` finds it in `my_bots.py` of the current directory. Parameters of `__init__` with a
default (bool, int, float, str or a `Literal`, as annotated) are options of the agent: `my_bots:Hoarder:patience=3`.
Numbers are finite; `patience: Annotated[int, Field(ge=1, le=100)] = 3`, with pydantic's `Field`, gives them bounds.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64, counter_words
from burako_env.layout import View

Floats = npt.NDArray[np.float32]


class Agent(ABC):
    """Plays one or several seats of any number of games at once.

    An agent remembers nothing of the games it saw: the rows of a batch are independent decisions, in any order, so that
    play is the same for every batch size and number of workers. It holds no random generator either: chance comes from
    `keys`.

    Attributes:
        name: the spec it was loaded with (`heuristic:discard=highest`), or the name of its class.
        knows_sanctions: whether it plays by the View and the actions of sanctions play; one that does not is
            shown a strict game by `load`.
    """

    name: str
    knows_sanctions: bool = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__.lower()

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        """Called before the first decision of a game, and again when the game changes.

        `game` is the name that `burako_env.make` takes, `config` the rule keys that differ from its preset. Agents that
        need the rules or the action table override this; the others ignore it.
        """
        return None

    @abstractmethod
    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        """One action for each row, int `[n]`.

        Args:
            view: n observations, each of the seat that is to act.
            legal: bool `[n, num_actions]`; every row has a legal action.
            keys: uint64 `[n]`, hash of (root seed, deal, orientation, seat, decision number): the source of all chance.
        """

    def preferences(self, view: View, legal: Bools, keys: U64) -> Floats:
        """How much each action appeals, float32 `[n, A]`: only the order within a row means anything, -inf is illegal.

        What search tries in addition to the action of `act`. An agent without an opinion on them has them in
        random order.
        """
        words = counter_words(keys, legal.shape[1]) >> np.uint64(40)
        return np.where(legal, words.astype(np.float32), np.float32(-np.inf))

    def values(self, view: View) -> Floats | None:
        """Points (own side minus the mean of the others) that the seat to act expects beyond the present score.

        float32 `[n]`, or None if the agent has no such expectation.
        """
        return None
