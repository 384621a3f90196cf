"""Where things lie."""

from __future__ import annotations

from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parents[1]
ROOT: Final = TESTS.parent
CASES: Final = TESTS / "cases"
GOLDEN: Final = TESTS / "golden"
