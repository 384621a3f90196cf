"""Parquet files of a run folder: written whole, and read back only if they are what was written."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from burako_env.errors import UserError
from burako_env.inputs.files import damaged, whole


def write_table(table: pa.Table, path: Path, kept: str = "") -> None:
    """Write a table with checksums; `kept` says what is not lost if that fails."""
    with whole(path, kept) as file:
        pq.write_table(table, file, write_page_checksum=True)


def read_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """A table, or some of its columns. Raises `UserError` with the mend if the file is missing or damaged."""
    with _opened(path) as file:
        table = pq.ParquetFile(file, page_checksum_verification=True).read(columns)
    if missing := set(columns or ()) - set(table.column_names):
        raise damaged(path, f"it has no column {min(missing)}")
    return table


def count_rows(path: Path) -> int:
    """Rows of a table, from the end of its file alone. Raises `UserError` with the mend if that is damaged."""
    with _opened(path) as file:
        return int(pq.read_metadata(file).num_rows)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """The file, for reading; whatever goes wrong with it in the block is a `UserError`."""
    # Opened here, because Arrow takes folders for tables of many files, and some names of files for addresses.
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise UserError(f"{path} does not exist") from None
    except (OSError, MemoryError, ValueError, pa.ArrowException) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise damaged(path, why or "no whole Parquet file") from None
