"""Documentation made from the code is up to date."""

from __future__ import annotations

from pathlib import Path

from experiments.environment_page import PAGE, page

ROOT = Path(__file__).parents[1]


def test_the_environment_page_is_up_to_date() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(), "run python -m experiments.environment_page"
