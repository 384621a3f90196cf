"""What a run keeps on disk: checkpoints for playing, and the state to resume from.

checkpoints/update-000150.safetensors   the network as an agent: the last ones
checkpoints/best.safetensors            the one that did best against the first opponent of the evaluation
state/update-000150/rank0.safetensors   everything the run needs to go on, one file per process; the last two only

The state of a round counts once rank 0 has written its file, which it does after the others. The earlier of the last
two is there in case the later one is damaged.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from agents.learned.checkpoint import Arrays, load_arrays, save_arrays
from burako_env.errors import UserError
from burako_env.inputs.files import damaged
from experiments.train.process_group import ProcessGroup

# Rounds whose states are kept.
_KEPT: Final = 2
_MEND: Final = "delete this folder and call again with --resume, which goes on from the state before"
_ROUND: Final = re.compile(r"update-(\d+)")


class Store:
    """The files of a run folder."""

    def __init__(self, folder: Path, keep: int) -> None:
        self.folder, self.keep = folder, keep
        self.checkpoints = folder / "checkpoints"
        self.states = folder / "state"

    def checkpoint(self, updates: int) -> Path:
        """Where the network of a round is kept."""
        return self.checkpoints / f"update-{updates:06d}.safetensors"

    @property
    def best(self) -> Path:
        """Where the best network is kept."""
        return self.checkpoints / "best.safetensors"

    def last(self) -> Path | None:
        """The newest network that is kept, if there is any."""
        return max(self.checkpoints.glob("update-*.safetensors"), default=None)

    def prune(self) -> None:
        """Delete all but the last checkpoints."""
        for path in sorted(self.checkpoints.glob("update-*.safetensors"))[: -self.keep]:
            with suppress(OSError):  # what cannot be deleted is in nobody's way
                path.unlink()

    def save_state(self, group: ProcessGroup, updates: int, state: Arrays, about: Mapping[str, Any]) -> None:
        """Write this process's state of a round; all processes call it together."""
        folder = self.states / f"update-{updates:06d}"
        path = folder / f"rank{group.rank}.safetensors"
        whole = {"kind": "state", "updates": updates, "size": group.size, **about}
        if group.rank:
            save_arrays(path, state, whole)
        group.wait()
        if not group.rank:
            save_arrays(path, state, whole)
            for earlier in self._rounds()[:-_KEPT]:
                shutil.rmtree(earlier, ignore_errors=True)
        group.wait()

    def check(self, size: int) -> None:
        """Refuse a state that is damaged, before any process begins to work with it."""
        if folder := self._last():
            for rank in range(size):
                self._load(folder, rank, size)

    @contextmanager
    def reading(self, group: ProcessGroup) -> Iterator[tuple[Arrays, dict[str, Any]] | None]:
        """This process's state of the last whole round, with what all share; None if there is none yet.

        Whatever the block finds wrong with it becomes a `UserError` that names the state and the mend.
        """
        folder = self._last()
        if folder is None:
            yield None
            return
        arrays, about = self._load(folder, group.rank, group.size)
        if group.rank:
            arrays = self._load(folder, 0, group.size)[0] | arrays
        try:
            yield arrays, about
        except (LookupError, TypeError, ValueError, RuntimeError) as error:
            raise damaged(folder, error, _MEND) from None

    def _load(self, folder: Path, rank: int, size: int) -> tuple[Arrays, dict[str, Any]]:
        path = folder / f"rank{rank}.safetensors"
        try:
            arrays, about = load_arrays(path)
        except UserError as error:
            raise damaged(folder, error, _MEND) from None
        if about.get("kind") != "state" or about.get("size") != size:
            raise UserError(f"'{path}' is no state of a run with {size} processes")
        return arrays, about

    def _last(self) -> Path | None:
        """The last whole round."""
        whole = [folder for folder in self._rounds() if (folder / "rank0.safetensors").exists()]
        return whole[-1] if whole else None

    def _rounds(self) -> list[Path]:
        if self.states.exists() and not self.states.is_dir():
            raise damaged(self.states, "it is no folder", "delete it and call again with --resume, which begins anew")
        if not self.states.is_dir():
            return []
        return sorted(path for path in self.states.iterdir() if _ROUND.fullmatch(path.name))


def part(state: Arrays, prefix: str) -> Arrays:
    """The arrays whose names begin with `prefix.`, without it."""
    return {name[len(prefix) + 1 :]: array for name, array in state.items() if name.startswith(prefix + ".")}


def joined(**parts: Arrays) -> Arrays:
    """Several states as one, the inverse of `part`."""
    return {f"{prefix}.{name}": array for prefix, arrays in parts.items() for name, array in arrays.items()}
