"""The file of a trained network: safetensors, with everything else about it as JSON in the header.

Nothing in it is code, and the one agent that it may name, the advisor, is one that comes with the project. A file that
is damaged, of another program or of a later format is refused in one sentence, as is one whose weights are not finite.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
import torch
from pydantic import ConfigDict, TypeAdapter, ValidationError
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save
from torch import nn

from agents.learned.encoder import Encoder
from agents.learned.network import NetConfig
from burako_env.batch import BatchGame
from burako_env.errors import UserError, short
from burako_env.inputs.files import whole

FORMAT: Final = 1
_KEY: Final = "burako"
_DIGEST: Final = "digest"

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Header:
    """What a file says of its network.

    Attributes:
        game, config: the game it was trained on, with the rule keys that differ from the preset.
        rules, layout, actions, encoder: digests; the last three must be those of the game it is to play.
        num_actions, run_slots: A; open runs a suit, 0 for other games.
        policy, value: the networks' shapes; hidden: columns of other hands that the critic reads beside the features.
        training: how it came about: algorithm, seed, decisions, evaluations, ...
    """

    game: str
    config: dict[str, Any]
    rules: str
    layout: str
    actions: str
    encoder: str
    num_actions: int
    run_slots: int
    policy: NetConfig
    value: NetConfig
    hidden: int = 0
    training: dict[str, Any] = field(default_factory=dict)

    __pydantic_config__: ClassVar = ConfigDict(strict=True, extra="forbid")

    @staticmethod
    def of(
        game: BatchGame,
        config: Mapping[str, Any],
        encoder: Encoder,
        policy: NetConfig,
        value: NetConfig,
        hidden: int,
        training: Mapping[str, Any],
    ) -> Header:
        """The header of a network for a game."""
        return Header(
            game=game.name,
            config=dict(config),
            rules=game.rules_digest,
            layout=game.layout.digest(),
            actions=action_digest(game, encoder),
            encoder=encoder.digest(),
            num_actions=game.num_actions,
            run_slots=run_slots(encoder),
            policy=policy,
            value=value,
            hidden=hidden,
            training=dict(training),
        )


_HEADER: Final = TypeAdapter(Header)


def action_digest(game: BatchGame, encoder: Encoder) -> str:
    """First 16 hex digits of a SHA-256: names what each output of a policy means."""
    return hashlib.sha256(encoder.action_names(game)).hexdigest()[:16]


def run_slots(encoder: Encoder) -> int:
    """Open runs a suit: groups that may take cards of another block."""
    return encoder.block_actions.pairs if encoder.block_actions else 0


def save_arrays(path: Path, arrays: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Write a whole file of arrays and JSON data."""
    # `ascontiguousarray` makes an array of one number a row of one.
    plain = {name: np.ascontiguousarray(array).reshape(array.shape) for name, array in arrays.items()}
    data = save(plain, {_KEY: json.dumps({"format": FORMAT, _DIGEST: _digest(plain), **about})})
    with whole(path) as file:
        file.write(data)


def _digest(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """SHA-256 of all arrays: the format itself would not notice a changed byte."""
    found = hashlib.sha256()
    for name in sorted(arrays):
        found.update(name.encode())
        found.update(arrays[name].tobytes())
    return found.hexdigest()


def load_arrays(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and JSON data of a file of this project; `UserError` for every other one."""
    if not path.is_file():
        raise UserError(f"there is no file '{path}'" if not path.exists() else f"'{path}' is no file")
    try:
        with safe_open(path, framework="numpy") as opened:
            text = (opened.metadata() or {}).get(_KEY)
            if text is None:
                raise UserError(f"'{path}' is a safetensors file of another program")
            about = json.loads(text)
            if not isinstance(about, dict) or about.get("format") != FORMAT:
                found = about.get("format") if isinstance(about, dict) else None
                raise UserError(f"'{path}' has format {found}, this version reads format {FORMAT}")
            arrays = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118  no mapping
            if about.pop(_DIGEST, None) not in (None, _digest(arrays)):
                raise UserError(f"'{path}' is damaged or no checkpoint: its arrays are not those that were written")
    except UserError:
        raise
    # JSON too deeply nested, and numbers of types that NumPy does not know.
    except (SafetensorError, OSError, ValueError, RecursionError, TypeError, AttributeError) as error:
        raise UserError(f"'{path}' is damaged or no checkpoint: {error}") from None
    return arrays, about


def save_network(path: Path, policy: nn.Module, value: nn.Module | None, header: Header) -> None:
    """Write a policy and, if given, its critic."""
    arrays = module_arrays(policy, "policy")
    if value is not None:
        arrays |= module_arrays(value, "value")
    save_arrays(path, arrays, {"kind": "network", **dataclasses.asdict(header)})


def load_network(path: Path) -> tuple[Header, Arrays]:
    """Header and arrays (`policy.*`, `value.*`) of a network's file."""
    arrays, about = load_arrays(path)
    if about.pop("kind", None) != "network":
        raise UserError(f"'{path}' holds no network: it is the state of a run, which `burako train --resume` reads")
    about.pop("format")
    try:
        header = _HEADER.validate_json(json.dumps(about))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise UserError(f"'{path}' is damaged: its header lacks or misstates something ({short(what)})") from None
    for name, array in arrays.items():
        if array.dtype.kind in "fc" and not np.isfinite(array).all():
            raise UserError(f"'{path}' is damaged: {short(name)} holds numbers that are not finite")
    return header, arrays


def module_arrays(module: nn.Module, prefix: str) -> Arrays:
    """A module's weights by name."""
    return {f"{prefix}.{name}": tensor.detach().cpu().numpy().copy() for name, tensor in module.state_dict().items()}


def fill_module(module: nn.Module, arrays: Mapping[str, npt.NDArray[Any]], prefix: str, path: Path | str) -> None:
    """Load weights by name into a module; one that is missing or of another shape is a `UserError`.

    A module on torch's device `meta`, which has shapes but no memory, takes the arrays themselves.
    """
    state = {}
    for name, tensor in module.state_dict().items():
        found = arrays.get(f"{prefix}.{name}")
        if found is None or found.shape != tuple(tensor.shape) or found.dtype != np.float32:
            there = "is missing" if found is None else f"is {found.dtype} {list(found.shape)}"
            raise UserError(f"'{path}' does not fit its network: {prefix}.{name} {there}, not {list(tensor.shape)}")
        state[name] = torch.from_numpy(found)
    module.load_state_dict(state, assign=any(tensor.is_meta for tensor in module.state_dict().values()))
