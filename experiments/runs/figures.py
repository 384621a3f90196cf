"""What has been worked out from the rows of a run, kept with them: working it out takes longer than reading it.

Figures are used again only while the rows, the code and the question are the same, and what was made with them is
unchanged; otherwise they are simply worked out again.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from burako_env.errors import UserError
from burako_env.inputs.files import read_json, write_json

FILE: Final = "figures.json"
_CODE: Final = ("burako_env", "agents", "experiments")


def kept(
    folder: Path, question: Mapping[str, Any], rows: Iterable[Path], answer: Callable[[], tuple[Any, list[Path]]]
) -> Any:
    """What `answer` gives first, as plain data; it is called only if the folder does not know.

    question: what the figures depend on in addition to the files of `rows`. The second that `answer` gives are the
    files it made in the folder.
    """
    key = {"question": _digest(json.dumps(question, sort_keys=True).encode()), "code": _code(), "rows": _files(rows)}
    path = folder / FILE
    try:
        found = read_json(path)
        if all(found[name] == value for name, value in key.items()):
            made = found["made"]
            if made == {name: _digest((folder / name).read_bytes()) for name in made}:
                return found["figures"]
    except (UserError, OSError, LookupError, TypeError):
        pass  # what is not there or not whole is worked out again
    figures, files = answer()
    made = {str(file.relative_to(folder)): _digest(file.read_bytes()) for file in files}
    write_json(path, {**key, "made": made, "figures": figures})
    # As it will be read: the first call gives what the later ones give.
    return json.loads(json.dumps(figures))


def _files(paths: Iterable[Path]) -> str:
    """Digest of some files, with their places in the run folder."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(f"{'/'.join(path.parts[-3:])} {_digest(path.read_bytes())}\n".encode())
    return whole.hexdigest()


@cache
def _code() -> str:
    """Digest of the source of everything that figures come from."""
    root = Path(__file__).resolve().parents[2]
    return _files(sorted(path for package in _CODE for path in (root / package).rglob("*.py")))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
