"""Settings of `burako train`: one group for each part of a run, all with defaults that work on two cores."""

from typing import Annotated, ClassVar, Final, Literal, Self

import tyro
from pydantic import Field, model_validator

import agents
from burako_env.families import family_of
from burako_env.inputs.checked import Flag, Real, Share, Whole
from experiments.runs.settings import (
    ConfigFile,
    GameName,
    Group,
    OutDir,
    Resume,
    RuleChanges,
    Seed,
    Settings,
    SideBySide,
)

Decisions = Annotated[Whole, Field(ge=1, le=10**10)]
Rounds = Annotated[Whole, Field(ge=1, le=1_000_000)]
Epochs = Annotated[Whole, Field(ge=1, le=1000)]
Minibatch = Annotated[Whole, Field(ge=1, le=2**20)]
# Boards whose hands are all in memory at the end, a few numbers each.
TestBoards = Annotated[Whole, Field(ge=1, le=1_000_000)]
# Hidden layers: eight of 4,096 are a gigabyte with the optimiser's means.
Widths = Annotated[tuple[Annotated[Whole, Field(ge=1, le=4096)], ...], Field(max_length=8)]
Bound = Annotated[Real, Field(gt=0, le=1e6)]
Weight = Annotated[Real, Field(ge=0, le=1000)]
LearningRate = Annotated[Real, Field(ge=0, le=1)]
# A value at the beginning and at the end of training, linear in decisions between.
Schedule = tuple[Weight, Weight]
LearningRates = tuple[LearningRate, LearningRate]
LEAST_POINTS: Final = 0.001
# Decisions of a round on one process: some kilobytes each.
MAX_ROUND: Final = 2**22


class NetSettings(Group):
    """The networks (docs/training.md has a picture)."""

    kind: Annotated[
        Literal["auto", "mlp", "suits"],
        Field(
            description="mlp: all features at once; suits: the same network for every suit (in the children's levels: "
            "every character); auto: suits for the card game, else mlp"
        ),
    ] = "auto"
    widths: Annotated[Widths, Field(description="hidden layers of the policy")] = (192, 192)
    block_widths: Annotated[Widths, Field(description="those of a suit, for kind suits")] = (96, 96)
    value_widths: Annotated[Widths, Field(description="hidden layers of the critic")] = (128, 64)
    value_block_widths: Annotated[Widths, Field(description="those of a suit")] = (64, 48)
    advisor: Annotated[
        str,
        Field(
            description="agent of the project whose choice the policy is told and improves on, at play too; empty: none"
        ),
    ] = ""
    critic: Annotated[
        Literal["local", "oracle"], Field(description="what the critic sees: the View, or all other hands too")
    ] = "local"


class CloneSettings(Group):
    """Cloning: imitate a teacher in self-play."""

    teacher: Annotated[str, Field(description="agent to imitate; empty: the game's own heuristic")] = ""
    decisions: Annotated[Decisions, Field(description="decisions to learn from")] = 1_000_000
    noise: Annotated[Share, Field(description="share of decisions at which a random action is played instead")] = 0.05
    steps: Annotated[Rounds, Field(description="decisions of each slot between two rounds of learning")] = 24
    epochs: Annotated[Epochs, Field(description="times each decision is learned from")] = 1
    minibatch: Annotated[Minibatch, Field(description="decisions of an optimiser step")] = 256
    lr: Annotated[LearningRates, Field(description="learning rate")] = (2e-3, 1e-4)
    lam: Annotated[Share, Field(description="lambda of the critic's targets")] = 0.97
    held_out: Annotated[
        Share, Field(lt=1, description="share of slots that agreement is measured on, never learned from")
    ] = 0.06


class PpoSettings(Group):
    """PPO in self-play."""

    decisions: Annotated[Decisions, Field(description="decisions to learn from")] = 40_000_000
    steps: Annotated[Rounds, Field(description="decisions of each slot between two rounds of learning")] = 24
    epochs: Annotated[Epochs, Field(description="times each decision is learned from")] = 2
    minibatch: Annotated[Minibatch, Field(description="decisions of an optimiser step, on each process")] = 512
    lr: Annotated[LearningRates, Field(description="learning rate")] = (5e-4, 5e-5)
    lam: Annotated[Share, Field(description="lambda of the advantages")] = 0.95
    clip: Annotated[
        Real, Field(gt=0, le=1000, description="how far a probability may move: ratio 1 - clip to 1 + clip")
    ] = 0.2
    dual_clip: Annotated[
        Real, Field(gt=1, le=1000, description="bound of the ratio for actions that turned out badly")
    ] = 3.0
    entropy: Annotated[Schedule, Field(description="weight of the entropy")] = (0.01, 0.003)
    magnet: Annotated[Schedule, Field(description="weight of the KL to a lagged policy; 0 leaves it out")] = (0.0, 0.0)
    magnet_refresh: Annotated[Rounds, Field(description="rounds after which the lagged policy is replaced")] = 100
    target_kl: Annotated[Bound, Field(description="KL at which a round of learning stops early")] = 0.05
    grad_norm: Annotated[Bound, Field(description="bound of the gradient's norm")] = 0.5
    value_weight: Annotated[Bound, Field(description="weight of the critic's loss")] = 0.5
    rewards: Annotated[
        Literal["dense", "terminal"], Field(description="points as they come, or all at the end of the hand")
    ] = "dense"
    average: Annotated[
        Share, Field(lt=1, description="memory of the average of policies that is evaluated and saved, by round")
    ] = 0.98
    augment: Annotated[Flag, Field(description="exchange suits at random before every epoch after the first")] = False


class DmcSettings(Group):
    """Deep Monte-Carlo in self-play."""

    decisions: Annotated[Decisions, Field(description="decisions to learn from")] = 20_000_000
    teacher: Annotated[
        Whole, Field(ge=0, le=10**10, description="with start clone: decisions learned from while clone.teacher plays")
    ] = 1_000_000
    steps: Annotated[Rounds, Field(description="decisions of each slot between two rounds of learning")] = 48
    minibatch: Annotated[Minibatch, Field(description="decisions of an optimiser step, on each process")] = 1024
    lr: Annotated[LearningRates, Field(description="learning rate")] = (1e-3, 1e-4)
    epsilon: Annotated[
        tuple[Share, Share], Field(description="share of decisions at which a random action is played")
    ] = (0.05, 0.01)
    polyak: Annotated[
        Share, Field(lt=1, description="weight of the past in the running mean that is evaluated and saved")
    ] = 0.999
    grad_norm: Annotated[Bound, Field(description="bound of the gradient's norm")] = 1.0


class LeagueSettings(Group):
    """The opponents of the learner; the share that past and anchor leave is self-play."""

    past: Annotated[Share, Field(description="share of hands against earlier versions of itself")] = 0.2
    anchor: Annotated[Share, Field(description="share of hands against the anchors")] = 0.1
    anchors: Annotated[
        tuple[str, ...], Field(description="agents that never change; none: the game's own heuristic")
    ] = ()
    every: Annotated[Decisions, Field(description="decisions after which an earlier version is kept")] = 2_000_000
    size: Annotated[Epochs, Field(description="earlier versions kept at most; the rest is thinned out")] = 20
    active: Annotated[Epochs, Field(description="earlier versions at the tables at a time")] = 2
    refresh: Annotated[Rounds, Field(description="rounds after which others take their seats")] = 20
    pick: Annotated[
        Literal["hard", "even"], Field(description="hard: those it beats less are picked more often; even: all alike")
    ] = "hard"


class EvaluationSettings(Group):
    """Duplicate boards against fixed opponents: the headline of a run."""

    anchors: Annotated[
        tuple[str, ...],
        Field(description="opponents, the first decides which checkpoint is best; none: the game's own heuristic"),
    ] = ()
    boards: Annotated[TestBoards, Field(description="boards against each, with a hand for each side of the game")] = 512
    every: Annotated[Decisions, Field(description="decisions between evaluations")] = 2_000_000
    final_boards: Annotated[
        Whole, Field(ge=0, le=1_000_000, description="boards of the last evaluation; 0 leaves it out")
    ] = 2000


class TrainSettings(Settings):
    """Train a bot. The run folder holds its checkpoints, which every command takes as agents, and its curves.

    Defaults of the game (its own heuristic, the scale of its points) are filled in here, so that the saved settings say
    what was used.
    """

    not_saved: ClassVar[frozenset[str]] = frozenset({"config", "out", "resume", "minutes"})
    how: ClassVar[frozenset[str]] = frozenset()

    algorithm: Annotated[
        Literal["clone", "ppo", "dmc"],
        Field(
            description="clone: imitate an agent; ppo: self-play reinforcement learning; dmc: deep Monte-Carlo, values "
            "of actions from results"
        ),
    ] = "ppo"
    start: Annotated[
        str,
        tyro.conf.arg(metavar="FROM"),
        Field(
            description="what ppo or dmc begins with: scratch, clone (imitate first; dmc: learn from a teacher's games "
            "first), or a .safetensors file (one of another game: what carries over)"
        ),
    ] = "clone"
    game: GameName = "burako-4"
    rules: RuleChanges = ()
    seed: Seed = 0
    slots: Annotated[SideBySide, Field(description="hands each process plays side by side")] = 512
    processes: Annotated[
        Whole, Field(ge=1, le=256, description="processes that play and learn together; results depend on their number")
    ] = 2
    device: Annotated[str, Field(description="torch device of the networks: cpu, cuda, cuda:1, ...")] = "cpu"
    threads: Annotated[Whole, Field(ge=1, le=256, description="torch threads of each process")] = 1
    points: Annotated[
        Real,
        Field(
            ge=0,
            le=1e6,
            description="points that are worth 1 to the critic; 0: what fits the game, 500 points or 5 crowns",
        ),
    ] = 0.0
    net: NetSettings = NetSettings()
    clone: CloneSettings = CloneSettings()
    ppo: PpoSettings = PpoSettings()
    dmc: DmcSettings = DmcSettings()
    league: LeagueSettings = LeagueSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
    save_every: Annotated[Decisions, Field(description="rounds of learning between checkpoints")] = 50
    keep: Annotated[Rounds, Field(description="last checkpoints that are kept, in addition to the best")] = 3
    minutes: Annotated[
        Annotated[Real, Field(gt=0, le=1e6)] | None,
        tyro.conf.arg(metavar="MINUTES"),
        Field(description="stop with a checkpoint after this long; --resume goes on from there"),
    ] = None
    config: ConfigFile = None
    out: OutDir = None
    resume: Resume = False

    @model_validator(mode="after")
    def _fit_the_game(self) -> Self:
        if 0 < self.points < LEAST_POINTS:
            raise ValueError(
                f"points {self.points:g} make results too large to learn from: at least {LEAST_POINTS}, or 0"
            )
        check_rounds(self.slots, clone=self.clone, ppo=self.ppo, dmc=self.dmc)
        own = agents.own_heuristic(self.game)
        fitted = {
            "points": self.points or family_of(self.game).scale,
            "clone": self.clone.model_copy(update={"teacher": self.clone.teacher or own}),
            "league": self.league.model_copy(update={"anchors": self.league.anchors or (own,)}),
            "evaluation": self.evaluation.model_copy(update={"anchors": self.evaluation.anchors or (own,)}),
        }
        # Not by assignment: the model is frozen for everybody else.
        self.__dict__.update(fitted)
        return self


def check_rounds(slots: int, clone: CloneSettings, **others: PpoSettings | DmcSettings) -> None:
    """Refuse rounds of more decisions than fit into memory, and those that leave nothing to learn from."""
    groups: dict[str, CloneSettings | PpoSettings | DmcSettings] = {"clone": clone, **others}
    for name, group in groups.items():
        if slots * group.steps > MAX_ROUND:
            raise ValueError(
                f"{slots} slots of {name}.steps {group.steps} are more than the {MAX_ROUND} decisions a round may have"
            )
    if round(clone.held_out * slots) == slots:
        raise ValueError(f"clone.held_out {clone.held_out:g} leaves none of {slots} slots to learn from")
