"""The way in, `burako`, and what it says where the installation is not what a command needs.

Other projects bring packages named `agents` or `experiments` too. Where both are installed in one environment, or
theirs comes first on the path, ours would end in errors that name neither. This module has the name of the
distribution, which is nobody else's, and imports only the standard library.
"""

import re
import sys
from collections import Counter
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions, requires
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Final

PROJECT: Final = "burako-selfplay"
PACKAGES: Final = ("burako_env", "agents", "experiments")
# A line of the metadata that belongs to an extra: `torch<3,>=2.13; extra == 'train'`.
_REQUIRED: Final = re.compile(r"""([\w.-]+)[^;]*;.*\bextra\s*==\s*["']([\w.-]+)["']""")


def foreign() -> str | None:
    """One sentence about the first package that is not ours, with the mend; None if all are."""
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            return f"package '{name}' of {PROJECT} is not there: pip install --force-reinstall --no-deps {PROJECT}"
        # Each of our packages names the project. Lying beside this module proves nothing: another project's files
        # overwrite ours in the same folder.
        if PROJECT not in Path(spec.origin).read_text(encoding="utf-8", errors="replace"):
            whose = _owner(name, Path(spec.origin))
            return (
                f"package '{name}' is {spec.origin}{whose}, not {PROJECT}'s: keep {PROJECT} in a virtual environment "
                "of its own (python -m venv), without other packages of that name on the path"
            )
    return None


def missing(error: ModuleNotFoundError, extra: str = "") -> str | None:
    """One sentence about a library that is not installed, with the mend; None if the project does not ask for it.

    Where several extras bring the library, the sentence names `extra` if it is one of them, and the smallest if not.
    """
    module = (error.name or "").partition(".")[0]
    if not module or module == __name__ or module in PACKAGES:
        return None
    try:
        lines = requires(PROJECT) or ()
    except PackageNotFoundError:
        return f"{module} is not installed: `make setup` in the checkout installs everything"
    found = [match.groups() for line in lines if (match := _REQUIRED.match(line))]
    bringing = [own for library, own in found if re.sub(r"[-.]", "_", library).lower() == module.lower()]
    if not bringing:
        return None
    size = Counter(own for _, own in found)
    chosen = extra if extra in bringing else min(bringing, key=lambda own: size[own])
    return f"{module} is not installed: pip install '{PROJECT}[{chosen}]'"


def guard() -> None:
    """For a process that is a command: one sentence and exit code 2 for uncaught errors that the user can mend."""
    if (sentence := foreign()) is not None:
        _end(sentence)
    sys.excepthook = _said


def main() -> int:
    """The `burako` command."""
    guard()
    from experiments.cli import main as run

    return run()


def _owner(name: str, file: Path) -> str:
    """The installed project that a file belongs to, in words; empty if none does."""
    for project in set(packages_distributions().get(name, ())) - {PROJECT}:
        found = distribution(project)
        if any(Path(str(found.locate_file(path))) == file for path in found.files or ()):
            return f" of {project}"
    return ""


def _said(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """In the place of a traceback."""
    if isinstance(error, ModuleNotFoundError):
        if (sentence := missing(error)) is not None:
            _end(sentence)
    else:
        from burako_env.errors import UserError

        if isinstance(error, UserError):
            _end(str(error))
    sys.__excepthook__(kind, error, trace)


def _end(sentence: str) -> None:
    print(f"error: {sentence}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    sys.exit(main())
