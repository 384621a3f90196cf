"""An agent at the table: foreign code that may fail in any way or never answer. The game goes on all the same."""

import threading

from agents import Agent
from burako_env.batch import BatchGame
from burako_env.choice import random_legal
from experiments.contest.asking import ask


class Seated:
    """An agent and the seconds that it has for a decision.

    It answers in a thread of its own, so that it can be left behind if it never comes back; it is not asked again then.
    """

    def __init__(self, agent: Agent, seconds: float) -> None:
        self.agent, self.seconds = agent, seconds
        self._gone = ""

    def answer(self, game: BatchGame) -> tuple[int, str]:
        """Its action in a batch of one game; if it has none, a random legal action with the reason."""
        legal = game.legal()
        any_legal = int(random_legal(game.legal_packed(), game.keys())[0])
        if legal.sum() == 1:
            return any_legal, ""
        if not self._gone:
            found: list[tuple[int | None, str]] = []
            thread = threading.Thread(target=lambda: found.append(self._ask(game)), name="agent", daemon=True)
            thread.start()
            thread.join(self.seconds)
            for action, why in found:
                return (any_legal if action is None else action), why
            self._gone = f"{self.agent.name}: no answer in {self.seconds:g} seconds; it is not asked again"
        return any_legal, self._gone

    def _ask(self, game: BatchGame) -> tuple[int | None, str]:
        try:
            answers = ask(self.agent, game.view(), game.legal(), game.keys())
            if answers.failed:
                return None, answers.failed[0]
            if answers.illegal:
                return None, f"{self.agent.name}: action {answers.illegal[0]} is not legal"
            return int(answers.actions[0]), ""
        except BaseException as error:
            # This thread is the agent's alone: whatever it raises ends here.
            return None, f"{self.agent.name}: {type(error).__name__}"
