"""What the tests report at the end of a run, beside passed and failed."""

from __future__ import annotations

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what tests recorded as `report`, also those that ran in other processes."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "report" and getattr(report, "when", "") == "call":
                    terminalreporter.write_line(str(value))
