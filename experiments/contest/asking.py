"""Put decisions to an agent and judge its answers. An agent is foreign code: what it does wrong costs it the board.

An agent may raise an exception, end its process, give an answer of another shape or kind, choose an illegal action, or
take longer than its time budget. The rows of a batch are independent, so where a call fails, the agent is asked about
its halves, down to the rows that fail by themselves: the others lose nothing.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agents import Agent
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64
from burako_env.layout import View
from experiments.processes.apart import Apart
from experiments.processes.calling import Answer, call, too_slow


@dataclass
class Answers:
    """Answers to n decisions: actions int64 `[n]`, legal where `failed` has no reason; seconds spent, float64 `[n]`.

    failed: what went wrong, by row. illegal: actions that are not legal, by row (their reason needs the game's words).
    """

    actions: Ints
    failed: dict[int, str]
    illegal: dict[int, int]
    seconds: npt.NDArray[np.float64]


def ask(agent: Agent, view: View, legal: Bools, keys: U64, budget: float = 0.0) -> Answers:
    """The agent's answers.

    `budget`: seconds per decision, on average over a call (0: no limit). A call of n decisions is stopped after n times
    that where the system allows it: an agent apart always, others in a process's main thread and between two Python
    instructions.
    """
    answers = Answers(np.zeros(len(view), dtype=np.int64), {}, {}, np.zeros(len(view)))
    _ask_rows(agent, view, legal, keys, np.arange(len(view)), budget, answers)
    return answers


def _ask_rows(
    agent: Agent, view: View, legal: Bools, keys: U64, rows: npt.NDArray[np.intp], budget: float, answers: Answers
) -> None:
    """Ask about some rows, which `view`, `legal` and `keys` hold, and fill these rows of `answers`."""
    answer, why, spent = _answer(agent, view, legal, keys, budget * len(rows))
    answers.seconds[rows] += spent / len(rows)
    if not why and budget and spent > budget * len(rows):
        why = too_slow(budget)
    if why and len(rows) == 1:
        answers.failed[int(rows[0])] = f"{agent.name}: {why}"
    elif why:
        half = len(rows) // 2
        for part in (slice(None, half), slice(half, None)):
            picked = np.arange(len(rows))[part]
            _ask_rows(agent, view.take(picked), legal[picked], keys[picked], rows[picked], budget, answers)
    else:
        inside = (answer >= 0) & (answer < legal.shape[1])
        allowed = inside & legal[np.arange(len(rows)), np.where(inside, answer, 0)]
        answers.actions[rows] = np.where(allowed, answer, 0)
        for row in np.flatnonzero(~allowed):
            answers.illegal[int(rows[row])] = int(answer[row])


def _answer(agent: Agent, view: View, legal: Bools, keys: U64, seconds: float) -> Answer:
    """One call, wherever the agent lives: what it is given are copies."""
    if isinstance(agent, Apart):
        return agent.answer(view, legal, keys, seconds)
    return call(agent, View(view.buffer.copy(), view.layout), legal.copy(), keys.copy(), seconds)
