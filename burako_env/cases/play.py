"""A case, its steps and its failure, and the one interface between them and a game."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, Self

from burako_env.batch import BatchGame
from burako_env.cases.nodes import Node

StepKind = Literal["legal", "illegal", "play", "only", "expect"]
STEP_KINDS: Final[tuple[StepKind, ...]] = ("legal", "illegal", "play", "only", "expect")


class Play(ABC):
    """A game in progress with the words that the steps of a case use for it.

    Attributes:
        game: a batch of one game.
        expect_keys: the keys of `expect`.
    """

    game: BatchGame
    expect_keys: Collection[str]

    @abstractmethod
    def fresh(self) -> Self:
        """An independent copy in the same position."""

    @abstractmethod
    def read_action(self, text: str) -> Any:
        """What an action's text says; `UserError` if it is malformed."""

    @abstractmethod
    def action_id(self, words: Any) -> int | None:
        """The id of an action in the present position, None for one that can never be legal in it."""

    @abstractmethod
    def read_expected(self, key: str, node: Node) -> str:
        """The expected value of a key in canonical words; `ReadingError` if it is malformed."""

    @abstractmethod
    def found(self, key: str) -> str:
        """The value of a key in the present position, in the same canonical words."""


@dataclass(frozen=True)
class Step:
    """One step: actions as (text, what it says), or expected values by key."""

    number: int
    line: int
    kind: StepKind
    actions: tuple[tuple[str, Any], ...] = ()
    expected: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """One case as read: `play` holds its start position and is never stepped itself."""

    path: Path
    line: int
    name: str
    rules: tuple[str, ...]
    play: Play
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Failure:
    """The first step of a case that does not hold; as text, one line."""

    case: Case
    step: Step
    expected: str
    found: str

    def __str__(self) -> str:
        where = f"{self.case.path}:{self.step.line}: {self.case.name}: step {self.step.number} ({self.step.kind})"
        return f"{where}: expected {self.expected}; found {self.found}"
