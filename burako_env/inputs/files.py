"""Files that are written whole or not at all, and the sentence for those that have been damaged since."""

import csv
import io
import json
import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from burako_env.errors import UserError

# Stands in the names of files that are being written. What a killed process left under such a name is rubbish.
TEMPORARY: Final = ".tmp-"
# What `--resume` does about a file that is not there.
ANEW: Final = "delete it and call again with --resume, which makes it anew"


@contextmanager
def whole(path: Path, kept: str = "") -> Iterator[BinaryIO]:
    """A file to write `path` into: it gets its name when the block ends, synced to the disk before that.

    So a file that exists is whole, even after a power cut. Folders above it are made. Raises `UserError` if the system
    refuses to write, with `kept` after it: what is not lost by that.
    """
    # Named by machine and process: if two ever write the same file, each writes its own.
    temporary = path.with_name(f"{path.name}{TEMPORARY}{platform.node()}-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):  # the folder above may be none
            temporary.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        raise UserError(f"cannot write {path}: {_why(error)}{kept}") from None


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, UTF-8."""
    # Names of files that are no UTF-8 come as surrogates.
    data = text.encode("utf-8", "surrogateescape")
    with whole(path) as file:
        file.write(data)


def write_csv(path: Path, rows: Iterable[Iterable[Any]]) -> None:
    """Write a whole CSV file, UTF-8."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    write_text(path, text.getvalue())


def write_json(path: Path, data: Any) -> None:
    """Write a whole JSON file; floats are written with all their digits."""
    write_text(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def read_json(path: Path, mend: str = ANEW) -> dict[str, Any]:
    """The object in a JSON file. Raises `UserError` with the mend if there is none to be read."""
    try:
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise damaged(path, _why(error), mend) from None
    except (ValueError, RecursionError):
        raise damaged(path, "no JSON", mend) from None
    if not isinstance(found, dict):
        raise damaged(path, "no JSON object", mend)
    return found


def damaged(path: Path, why: object, mend: str = ANEW) -> UserError:
    """The error for a file that is not what was written there."""
    return UserError(f"{path} is damaged ({' '.join(str(why).split())}): {mend}")


def _why(error: OSError) -> str:
    # Arrow gives numbers without words.
    return os.strerror(error.errno) if error.errno else str(error)
