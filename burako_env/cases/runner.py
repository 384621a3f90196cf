"""Running a case: steps in order until one does not hold."""

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from burako_env.cases.play import Case, Failure, Play, Step

# A failure is one line: of a long list of legal actions only so many are shown.
_SHOWN: Final = 12


def run_case(case: Case) -> Failure | None:
    """The first failure of a case, None if every step holds. The case itself does not change."""
    play = case.play.fresh()
    for step in case.steps:
        difference = _run_step(play, step)
        if difference is not None:
            return Failure(case, step, *difference)
    return None


def _run_step(play: Play, step: Step) -> tuple[str, str] | None:
    """Expected and found of a step that does not hold, in words."""
    match step.kind:
        case "expect":
            return _expect(play, step)
        case "play":
            return _play(play, step)
        case "only":
            return _only(play, step)
        case _:
            return _legal(play, step)


def _expect(play: Play, step: Step) -> tuple[str, str] | None:
    found = {key: play.found(key) for key in step.expected}
    wrong = [key for key, value in step.expected.items() if value != found[key]]
    if not wrong:
        return None
    return _values(wrong, step.expected), _values(wrong, found)


def _play(play: Play, step: Step) -> tuple[str, str] | None:
    for text, words in step.actions:
        action, legal = play.action_id(words), _legal_ids(play)
        if action is None or action not in legal:
            return f"'{text}' to be legal", f"legal now: {_texts(play, legal)}"
        play.game.step(np.array([action]))
    return None


def _legal(play: Play, step: Step) -> tuple[str, str] | None:
    """`legal` and `illegal`: all of the actions, or none of them."""
    legal = _legal_ids(play)
    wanted = step.kind == "legal"
    wrong = [text for text, words in step.actions if (play.action_id(words) in legal) != wanted]
    if not wrong:
        return None
    return f"{_list(wrong)} to be {step.kind}", f"legal now: {_texts(play, legal)}"


def _only(play: Play, step: Step) -> tuple[str, str] | None:
    legal = _legal_ids(play)
    ids = [(text, play.action_id(words)) for text, words in step.actions]
    missing = [text for text, action in ids if action not in legal]
    extra = legal - {action for _, action in ids}
    if not missing and not extra:
        return None
    parts = [f"not legal: {_list(missing)}"] * bool(missing) + [f"legal too: {_texts(play, extra)}"] * bool(extra)
    return f"only {_list([text for text, _ in ids])} to be legal", ", and ".join(parts)


def _legal_ids(play: Play) -> set[int]:
    return {int(action) for action in np.flatnonzero(play.game.legal()[0])}


def _texts(play: Play, actions: Iterable[int]) -> str:
    return _list([play.game.action_text(action, 0) for action in sorted(actions)])


def _values(keys: list[str], values: Mapping[str, str]) -> str:
    return ", ".join(f"{key} {values[key]}" for key in keys)


def _list(texts: list[str]) -> str:
    """A list in words, cut where it grows long."""
    more = [f"{len(texts) - _SHOWN} more"] * (len(texts) > _SHOWN)
    return ", ".join(texts[:_SHOWN] + more) or "nothing"
