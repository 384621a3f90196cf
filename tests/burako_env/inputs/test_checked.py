"""Every number that a user can set has bounds, wherever it is set, and is a number."""

from __future__ import annotations

from collections.abc import Iterator
from pkgutil import resolve_name
from typing import Annotated, Any, Literal, get_args, get_origin

import numpy as np
import pytest
from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel

import agents
import burako_env
from agents import Agent
from agents.registry import AGENTS
from agents.spec import options_of
from burako_env.burako.rules import PRESETS, Rules, burako_rules
from burako_env.errors import UserError
from experiments.cli import COMMANDS, loaded
from experiments.processes import backends
from experiments.studies import ablation
from experiments.studies.curriculum.__main__ import CurriculumSettings
from experiments.studies.curriculum.plan import Plan
from experiments.studies.sanctions import SanctionsSettings
from experiments.train.settings import TrainSettings

STUDIES = (CurriculumSettings, SanctionsSettings, Plan, ablation.Plan, ablation.AblationSettings, Rules)
MODELS = (*(loaded(name)[1] for name in COMMANDS), *STUDIES)


def numbers(kind: Any, metadata: tuple[Any, ...] = ()) -> Iterator[tuple[type, tuple[Any, ...]]]:
    """The numbers within a type, each with what is declared beside it."""
    if get_origin(kind) is Annotated:
        yield from numbers(kind.__origin__, (*metadata, *kind.__metadata__))
    elif get_origin(kind) is Literal:
        return
    elif kind in (int, float, bool):
        yield kind, tuple(part for item in metadata for part in (item, *getattr(item, "metadata", ())))
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        for field in kind.model_fields.values():
            yield from numbers(field.annotation, tuple(field.metadata))
    else:
        for part in get_args(kind):
            yield from numbers(part, metadata if type(None) in get_args(kind) else ())


def bounded(metadata: tuple[Any, ...]) -> bool:
    return any(isinstance(m, Ge | Gt) for m in metadata) and any(isinstance(m, Le | Lt) for m in metadata)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{model.__module__}.{model.__name__}")
def test_every_setting_has_bounds_and_takes_no_other_type(model):
    for name, field in model.model_fields.items():
        for kind, metadata in numbers(field.annotation, tuple(field.metadata)):
            assert kind is bool or bounded(metadata), name
            if model is not Rules:  # strict as a whole
                assert any(getattr(item, "strict", False) for item in metadata), name


def test_every_option_of_an_agent_has_bounds():
    found = 0
    for place in AGENTS.values():
        for name, (kind, _) in options_of(resolve_name(place)).items():
            for number, metadata in numbers(kind):
                found += 1
                assert number is bool or bounded(metadata), name
    assert found > 10


class Patient(Agent):
    """An agent of a user who declares no bounds, and one."""

    def __init__(self, patience: int = 3, heat: float = 1.0, share: Annotated[float, Ge(0), Le(1)] = 0.5) -> None:
        self.patience, self.heat, self.share = patience, heat, share

    def act(self, view, legal, keys):
        return legal.argmax(axis=1)


@pytest.mark.parametrize(
    "spec",
    [
        "search:margin=nan",
        "search:margin=inf",
        "search:margin=-1",
        "search:redraws=1000000000",
        "search:candidates=1",
        "search:depth=-1",
        "search:depth=1e3",
        "clumsy:s4=nan",
        "clumsy:s4=1.01",
        "heuristic:wild_group=0",
        "heuristic:wild_group=100000000000",
        "ppo:temperature=inf",
        "ppo:temperature=1e9",
        "ppo:temperature=nan",
        "ppo:temperature=-0.1",
        "search:policy=ppo(temperature=inf)",
        f"{__name__}:Patient:patience=9223372036854775808",
        f"{__name__}:Patient:patience=nan",
        f"{__name__}:Patient:heat=nan",
        f"{__name__}:Patient:heat=1e999",
        f"{__name__}:Patient:share=2",
    ],
)
def test_options_out_of_bounds_are_refused(spec):
    with pytest.raises(UserError) as error:
        agents.load(spec)
    key = spec.rpartition("=")[0].rpartition(":")[2].rpartition("(")[2].rpartition(",")[2]
    assert f"option {key} of agent " in str(error.value)
    assert "\n" not in str(error.value)


def test_options_in_bounds_are_taken():
    agent = agents.load(f"{__name__}:Patient:patience=-7,heat=-1e300,share=1")
    assert (agent.patience, agent.heat, agent.share) == (-7, -1e300, 1.0)
    assert agents.load("search:redraws=4,margin=0.5").redraws == 4


@pytest.mark.parametrize(
    "rules",
    [
        {"out_points": 2**31},
        {"out_points": -(2**31)},
        {"baza_wilds": 2**31 - 1},
        {"burako_points": 10**30},
        {"rank_values": (2**31,) * 13},
        {"rank_values": (20,) * 12 + (1001,)},
        {"max_hands": 10_000, "rank_values": (1000,) * 13},
        {"max_hands": 10_001},
        {"baza_clean": 200.0},
        {"baza_clean": True},
    ],
)
def test_rule_values_that_could_wrap_are_refused(rules):
    with pytest.raises(UserError) as error:
        burako_rules("burako-4", rules)
    assert str(error.value).startswith("rules of burako-4: ")


@pytest.mark.parametrize("game", PRESETS)
def test_the_highest_values_are_counted_right(game):
    """With every value at its bound, what a hand is worth is still what the same hand is worth in units, times it."""
    points = ("baza_wilds", "baza_aces_clean", "baza_aces_dirty", "baza_clean", "baza_dirty")
    rest = {"burako_points": 0, "out_points": 0, "joker_value": 0}
    for key, value in (("rank_values", 1000), (points, 10_000)):
        totals = []
        for worth in (1, value):
            changes = dict.fromkeys(points, 0) | {"rank_values": (0,) * 13} | rest
            changes |= {"rank_values": (worth,) * 13} if key == "rank_values" else dict.fromkeys(points, worth)
            table = burako_env.make(game, 8, 3, changes)
            table.reset(np.arange(8))
            player = agents.load("heuristic-v0", game, changes) if game == "burako-4" else agents.load("random")
            while not table.done.all():
                live = np.flatnonzero(~table.done)
                # Seen through the rules of the units, so that the same hands are played.
                table.step(player.act(table.view(live), table.legal(live), table.keys(live)), live)
                if totals:
                    assert np.abs(table.scores).max() < 2**30
            totals.append(table.scores.copy())
        if game != "burako-4":  # chance does not look at values
            assert np.array_equal(totals[1], value * totals[0])


def test_ruibal_takes_whole_numbers_of_players():
    for players in (2.0, True, "2", 5, 10**30, None):
        with pytest.raises(UserError, match="there are games for 2, 3 and 4 players"):
            burako_env.make("ruibal-2", config={"players": players})


def test_workers_are_no_more_than_a_few_for_each_core(monkeypatch):
    monkeypatch.setattr(backends.joblib, "cpu_count", lambda: 2)
    assert [backends.worker_count("loky", asked) for asked in (0, 1, 3, 8, 9, 1000)] == [2, 1, 3, 8, 8, 8]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"slots": 2**17, "ppo": {"steps": 1000}}, "131072 slots of ppo.steps 1000 are more than the 4194304"),
        ({"slots": 1, "clone": {"held_out": 0.9}}, "clone.held_out 0.9 leaves none of 1 slots"),
        ({"ppo": {"minibatch": 0}}, "ppo.minibatch = 0: input should be greater"),
        ({"ppo": {"lr": [0.1, float("inf")]}}, "ppo.lr.1 = inf: input should be a finite number"),
        ({"net": {"widths": [8] * 9}}, "net.widths"),
        ({"league": {"past": True}}, "league.past = True: input should be a valid number"),
    ],
)
def test_settings_of_groups_are_named_in_full(changes, reason):
    with pytest.raises(UserError) as error:
        TrainSettings(**changes)
    assert str(error.value).startswith(reason)
    assert "http" not in str(error.value)
