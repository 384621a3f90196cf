"""The agent that plays a trained network: `agents.load("path.safetensors")`, options after a colon."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import torch
from pydantic import Field

from agents.base import Agent, Floats
from agents.learned.chance import draw, probabilities, uniform
from agents.learned.checkpoint import Header, action_digest, fill_module, load_network, run_slots
from agents.learned.critic import Critic
from agents.learned.encoder import Encoder, floats
from agents.learned.encoders import encoder_for
from agents.learned.network import make_policy, playable
from agents.registry import load_named
from burako_env.batch import Bools, Ints
from burako_env.chance.rng import U64
from burako_env.errors import UserError
from burako_env.families import make
from burako_env.inputs.checked import Real
from burako_env.layout import View

# Rows the network reads at once.
_ROWS: Final = 1024
# The same position in a batch of another size gives logits that differ in their last bits; rounding hides that, so
# that play does not depend on the batch.
_ROUND: Final = 1e4
_PURPOSE: Final = 1
_LARGEST: Final = 1e8

Temperature = Annotated[Real, Field(ge=0, le=1e6)]


class LearnedAgent(Agent):
    """A trained network: its best action, or one drawn from its probabilities.

    Args:
        path: file of the network.
        temperature: 0 plays the best action; above, actions are drawn, more evenly the higher it is (1 as in training).
    """

    def __init__(self, path: Path, temperature: Temperature = 0.0) -> None:
        self.path, self.temperature = path, temperature
        self.header, arrays = load_network(path)
        h = self.header
        self.advisor = self._advisor()
        self.bind(h.game, h.config)
        # Without memory, until the weights in the file are known to be of these shapes.
        with torch.device("meta"):
            self.policy = make_policy(h.policy, self.encoder, h.num_actions, seed=0)
        fill_module(self.policy, arrays, "policy", path)
        self.policy.requires_grad_(False)
        self.critic = Critic.of(h, arrays, self.encoder, path)

    def _advisor(self) -> Agent | None:
        """The agent that the file names, which it may do of those that come with the project."""
        name = self.header.policy.advisor
        try:
            return load_named(name) if name else None
        except UserError as error:
            raise UserError(f"'{self.path}' has an advisor that cannot be asked: {error}") from None

    def bind(self, game: str, config: Mapping[str, Any] | None = None) -> None:
        self.encoder = self._encoder(game, config)
        if self.advisor is not None:
            self.advisor.bind(game, config)

    def _encoder(self, name: str, config: Mapping[str, Any] | None) -> Encoder:
        """The encoder for a game, refused unless Views, features and actions are those of the network."""
        header: Header = self.header
        game = make(name, 1, 0, config)
        encoder = encoder_for(name, config, game.layout)
        for what, ours, theirs in (
            ("View", header.layout, game.layout.digest()),
            ("action table", header.actions, action_digest(game, encoder)),
            ("encoder", header.encoder, encoder.digest()),
            ("number of actions", header.num_actions, game.num_actions),
            ("number of runs", header.run_slots, run_slots(encoder)),
        ):
            if ours != theirs:
                detail = "" if header.game != name else f" of this version: its {what} is another one"
                raise UserError(f"'{self.path}' was trained on {header.game} and cannot play {name}{detail}")
        for net in (header.policy, header.value):
            fits = encoder.blocks and len(net.widths) == len(net.block_widths)
            if net.kind == "suits" and not fits:
                raise UserError(f"'{self.path}' is damaged: its layers of kind suits do not go together")
        return encoder

    @torch.inference_mode()
    def logits(self, view: View, legal: Bools, keys: U64) -> torch.Tensor:
        """Scores of all actions, rounded, float32 `[n, A]`; illegal ones mean nothing."""
        if not len(view):
            return torch.zeros(legal.shape)
        advice = torch.from_numpy(advice_of(self.advisor, view, legal, keys))
        parts = []
        for i in range(0, len(view), _ROWS):
            features = torch.from_numpy(self.encoder.encode(view.buffer[i : i + _ROWS]))
            parts.append(self.policy(floats(self.encoder, features), advice[i : i + _ROWS]))
        # Sums of finite weights may not be finite, and no score may be below the one that masks illegal actions.
        scores = torch.nan_to_num(torch.cat(parts)).clamp(-_LARGEST, _LARGEST)
        return torch.round(scores * _ROUND) / _ROUND

    @torch.inference_mode()
    def act(self, view: View, legal: Bools, keys: U64) -> Ints:
        if not len(view):
            return np.zeros(0, dtype=np.int64)
        may = torch.from_numpy(legal)
        logits = playable(self.logits(view, legal, keys), may)
        if not self.temperature:
            return logits.argmax(dim=1).numpy()
        chance = torch.from_numpy(uniform(keys, _PURPOSE))
        return draw(probabilities(logits, may, self.temperature), chance).numpy()

    def preferences(self, view: View, legal: Bools, keys: U64) -> Floats:
        """The logits."""
        wanted: Floats = self.logits(view, legal, keys).numpy()
        return np.where(legal, wanted, np.float32(-np.inf))

    @torch.inference_mode()
    def values(self, view: View) -> Floats | None:
        if self.critic is None:
            return None
        if not len(view):
            return np.zeros(0, dtype=np.float32)
        parts = [
            self.critic.values(floats(self.encoder, torch.from_numpy(self.encoder.encode(view.buffer[i : i + _ROWS]))))
            for i in range(0, len(view), _ROWS)
        ]
        found: Floats = torch.cat(parts).numpy()
        return found


def advice_of(advisor: Agent | None, view: View, legal: Bools, keys: U64) -> Ints:
    """What an advisor would play, int64 `[n]`; `[0]` without one."""
    if advisor is None or not len(view):
        return np.zeros(0, dtype=np.int64)
    return advisor.act(view, legal, keys).astype(np.int64, copy=False)
