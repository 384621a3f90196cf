"""What a run keeps on disk: checkpoints for playing, and the state to resume from.

checkpoints/update-000150.safetensors   the network as an agent: the last ones
checkpoints/best.safetensors            the one that did best against the first opponent of the evaluation
state/update-000150/rank0.safetensors   everything the run needs to go on, one file a process; the last one only

Every file is written under a temporary name and renamed. The state of a round counts once rank 0 has written its
file, which it does after the others.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from agents.learned.checkpoint import Arrays, load_arrays, save_arrays
from burako_env.errors import UserError
from experiments.train.ranks import Team

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
            path.unlink()

    def save_state(self, team: Team, updates: int, state: Arrays, about: Mapping[str, Any]) -> None:
        """Write this rank's state of a round; called by all ranks together."""
        folder = self.states / f"update-{updates:06d}"
        path = folder / f"rank{team.rank}.safetensors"
        whole = {"kind": "state", "updates": updates, "size": team.size, **about}
        if team.rank:
            save_arrays(path, state, whole)
        team.wait()
        if not team.rank:
            save_arrays(path, state, whole)
            for other in self._rounds():
                if other != folder:
                    shutil.rmtree(other, ignore_errors=True)
        team.wait()

    def load_state(self, team: Team) -> tuple[Arrays, dict[str, Any]] | None:
        """This rank's state of the last whole round; None if there is none yet."""
        for folder in reversed(self._rounds()):
            if not (folder / "rank0.safetensors").exists():
                continue
            path = folder / f"rank{team.rank}.safetensors"
            arrays, about = load_arrays(path)
            if about.get("kind") != "state" or about.get("size") != team.size:
                raise UserError(f"'{path}' is no state of a run with {team.size} processes")
            return arrays, about
        return None

    def shared_state(self) -> Arrays:
        """Rank 0's state of the last whole round, which holds what all ranks share."""
        last = [folder for folder in self._rounds() if (folder / "rank0.safetensors").exists()][-1]
        return load_arrays(last / "rank0.safetensors")[0]

    def _rounds(self) -> list[Path]:
        if not self.states.is_dir():
            return []
        return sorted(path for path in self.states.iterdir() if _ROUND.fullmatch(path.name))


def part(state: Arrays, prefix: str) -> Arrays:
    """The arrays whose names begin with `prefix.`, without it."""
    return {name[len(prefix) + 1 :]: array for name, array in state.items() if name.startswith(prefix + ".")}


def whole(**parts: Arrays) -> Arrays:
    """Several states as one, the inverse of `part`."""
    return {f"{prefix}.{name}": array for prefix, arrays in parts.items() for name, array in arrays.items()}
