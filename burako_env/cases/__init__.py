"""Case files: positions in words, actions to play and what must hold. Tests and puzzles are written in them.

    cases = read_cases(Path("tests/cases/turn.yaml"))
    failures = [failure for case in cases if (failure := run_case(case))]

`nodes` reads YAML with line numbers, `reader` and `runner` know what all games have in common, `play` is what a game
brings; the `burako_*` modules are the card game's part, the `ruibal_*` modules that of the children's levels.
"""

from burako_env.cases.nodes import ReadingError
from burako_env.cases.play import Case, Failure, Play, Step
from burako_env.cases.reader import read_cases
from burako_env.cases.runner import run_case

__all__ = ["Case", "Failure", "Play", "ReadingError", "Step", "read_cases", "run_case"]
