"""Agents that are somebody's own code: whatever they do, they lose their boards, and nobody else loses anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import burako_env
from burako_env.errors import UserError
from experiments.cli import main
from experiments.contest.asking import ask
from experiments.processes import apart
from experiments.processes.apart import Apart, is_foreign, load_agent
from experiments.watch.opinions import Decisions, ask_agent
from tests.tools.contest_bots import module_in, rows_of, summary_of
from tests.tools.places import ROOT

pytestmark = pytest.mark.skipif(not apart.POSSIBLE, reason="Windows cannot fork")

# What somebody's agent does at decisions whose key is a multiple of 2,000, and the reason that is given.
FAILURES = {
    "Ends": "its process ended with exit code 0",
    "Segfault": "its process was ended by SIGSEGV",
    "Leave": "SystemExit: 3",
    "Interrupt": "KeyboardInterrupt: ",
    "Mute": "Unspeakable: (its message raises Unspeakable)",
    "Crash": "RuntimeError: out of ideas",
}


@pytest.fixture
def bots(tmp_path, monkeypatch):
    with module_in(tmp_path, monkeypatch) as module:
        yield module


def decisions(rows: int):
    """Views, legal actions and keys of a batch just dealt; no key is a multiple of 2,000."""
    game = burako_env.make("burako-4", batch=rows, root_seed=1)
    game.reset(np.arange(rows))
    keys = game.keys()
    keys[keys % np.uint64(2000) == 0] += np.uint64(1)
    return game.view(), game.legal(), keys


def environment() -> dict[str, str]:
    """In which a command finds the checkout from any directory."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("bot", FAILURES)
def test_only_the_rows_that_fail_are_lost(bot, bots):
    view, legal, keys = decisions(60)
    keys[[7, 31]] = 4000
    found = ask(load_agent(f"{bots}:{bot}", "burako-4"), view, legal, keys)
    assert found.failed == dict.fromkeys((7, 31), f"{bots}:{bot}: {FAILURES[bot]}")
    good = np.delete(np.arange(60), [7, 31])
    assert (found.actions[good] == legal.argmax(axis=1)[good]).all()


def test_a_message_that_cannot_be_printed_is_made_printable_and_short(bots):
    view, legal, keys = decisions(3)
    keys[1] = 4000
    reason = ask(load_agent(f"{bots}:Garbled", "burako-4"), view, legal, keys).failed[1]
    assert reason.startswith(f"{bots}:Garbled: ValueError: \\x1b[31mred\\ud800 nextxxx")
    assert reason.isprintable()
    assert len(reason) < 400


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("floats", "act returned float64 [5], expected integers [5]"),
        ("nan", "act returned float64 [5], expected integers [5]"),
        ("objects", "act returned object [5], expected integers [5]"),
        ("few", "act returned int64 [4], expected integers [5]"),
        ("many", "act returned int64 [6], expected integers [5]"),
        ("nothing", "act returned object [], expected integers [5]"),
        ("words", "expected integers [5]"),
        ("ragged", "ValueError: setting an array element with a sequence"),
        ("truth", "act returned bool [5], expected integers [5]"),
    ],
)
def test_wrong_answers_say_what_was_expected(kind, reason, bots):
    agent = load_agent(f"{bots}:Sampler:kind={kind}", "burako-4")
    view, legal, keys = decisions(5)
    with pytest.raises(UserError) as refused:
        agent.act(view, legal, keys)
    assert reason in str(refused.value)
    found = ask(agent, view, legal, keys)
    assert sorted(found.failed) == list(range(5))


@pytest.mark.parametrize("kind", ["negative", "huge"])
def test_actions_that_do_not_exist_are_illegal(kind, bots):
    agent = load_agent(f"{bots}:Sampler:kind={kind}", "burako-4")
    view, legal, keys = decisions(5)
    found = ask(agent, view, legal, keys)
    assert (sorted(found.illegal), found.failed) == (list(range(5)), {})
    with pytest.raises(UserError, match="is not legal"):
        agent.act(view, legal, keys)


def of_process():
    """What code can change of its process."""
    return (
        os.getcwd(),
        np.geterr(),
        warnings.filters[:],
        [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM)],
        sys.stdout,
        sys.path[:],
        dict(os.environ),
    )


def test_what_an_agent_does_to_its_process_stays_there(bots, tmp_path, capfd, monkeypatch):
    """Directory, arrays, generators, warnings, signals, output, environment: all as before, and others see no trace."""
    monkeypatch.setenv("SOMETHING", "here")
    view, legal, keys = decisions(20)
    before = view.buffer.copy(), legal.copy(), keys.copy()
    state = of_process()
    agent = load_agent(f"{bots}:Vandal", "burako-4")
    for _ in range(2):
        assert (ask(agent, view, legal, keys).actions == legal.argmax(axis=1)).all()
    assert of_process() == state
    for array, copy in zip((view.buffer, legal, keys), before):
        assert (array == copy).all()
    assert "graffiti" not in capfd.readouterr().out


def test_the_layout_of_views_cannot_be_changed():
    layout = burako_env.make("burako-4").layout
    with pytest.raises(TypeError):
        layout.shapes["hand"] = (1,)
    for name in ("shapes", "fields", "width", "anything"):
        with pytest.raises(AttributeError):
            setattr(layout, name, None)


def test_an_agent_that_hears_nothing_is_stopped(bots):
    view, legal, keys = decisions(1)
    start = time.monotonic()
    found = ask(load_agent(f"{bots}:Stuck", "burako-4"), view, legal, keys, budget=0.1)
    assert time.monotonic() - start < 30
    assert found.failed == {0: f"{bots}:Stuck: took longer than 0.1 seconds a decision"}


@pytest.mark.parametrize(
    ("bot", "reason"), [("NoStart", "its process ended with exit code 0"), ("NoBind", "KeyboardInterrupt: ")]
)
@pytest.mark.parametrize(
    "line",
    [
        ["evaluate", "{}", "random"],
        ["tournament", "--agents", "random", "{}"],
        ["discards", "--agent", "{}", "--part", "decisions"],
        ["exploit", "{}"],
        ["play", "--agents", "{}", "--terminal"],
    ],
)
def test_an_agent_that_does_not_load_is_one_sentence(bot, reason, line, bots, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: "quit")
    out = [] if line[0] == "play" else ["--out", str(tmp_path / "run")]
    assert main([part.format(f"{bots}:{bot}") for part in line] + out) == 2
    assert capsys.readouterr().err == f"error: agent '{bots}:{bot}' does not load: {reason}\n"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("at_import", ["import os; os._exit(0)", "import sys; sys.exit()", "raise BaseException('no')"])
def test_a_module_that_ends_its_process_is_one_sentence(at_import, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("ending.py").write_text(f"{at_import}\n")
    assert main(["evaluate", "ending:Bot", "random", "--out", "run"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: agent 'ending:Bot'")
    assert error.count("\n") == 1


def test_forfeits_do_not_depend_on_boards_workers_or_batch(bots, tmp_path):
    bot = "Ends"
    line = ["evaluate", f"{bots}:{bot}", f"{bots}:First", "--boards", "66", "--seed", "3", "--recorded", "1"]
    assert main([*line, "--workers", "1", "--out", str(tmp_path / "one")]) == 0
    assert main([*line, "--workers", "2", "--batch", "40", "--out", str(tmp_path / "two")]) == 0
    assert rows_of(tmp_path / "one") == rows_of(tmp_path / "two")
    rows = [row for part in (tmp_path / "one").glob("parts/*/*") for row in pq.read_table(part).to_pylist()]
    failed = [row for row in rows if row["error_side"] >= 0]
    assert failed
    assert {(row["error_side"], row["error"]) for row in failed} == {(0, f"{bots}:{bot}: {FAILURES[bot]}")}
    found = summary_of(tmp_path / "one")
    assert found["errors"] == {"a": len(failed), "b": 0}
    assert found["forfeited"] == len({row["board"] for row in failed})
    # Where it does not fail it plays like its opponent: every other board is a draw.
    assert (found["mean"], found["win_rate"]) == (0, 0.5)


def test_an_agent_that_kills_its_process_every_time_loses_every_board(bots, tmp_path, capsys):
    line = ["evaluate", f"{bots}:Doomed", "random", "--boards", "2", "--workers", "1", "--out", str(tmp_path / "run")]
    assert main(line) == 0
    found = summary_of(tmp_path / "run")
    assert (found["errors"], found["forfeited"], found["mean"]) == ({"a": 4, "b": 0}, 2, None)
    shown = capsys.readouterr().out
    assert "its process was ended by SIGKILL" in shown
    assert "2 boards, 2 of them forfeited" in shown


def test_others_at_the_table_play_as_if_nothing_were(bots, tmp_path):
    """A partner that writes into everything it is given changes no answer and no game."""
    for name in ("Vandal", "First"):
        line = ["evaluate", f"{bots}:{name}+heuristic", "random", "--boards", "3", "--workers", "1"]
        assert main([*line, "--out", str(tmp_path / name)]) == 0
    vandal, first = (pq.read_table(next((tmp_path / name).glob("parts/*/*"))) for name in ("Vandal", "First"))
    assert vandal.drop_columns(["a"]) == first.drop_columns(["a"])
    assert summary_of(tmp_path / "Vandal")["errors"] == {"a": 0, "b": 0}
    assert not [path for path in (tmp_path / "elsewhere").rglob("*") if path.is_file()]


def test_whoever_has_somebodys_code_in_it_is_foreign():
    for spec in ("my:Bot", "my.bots:Bot:a=1", "search(policy=my:Bot,redraws=2)", "search(policy=clumsy(agent=my:Bot))"):
        assert is_foreign(spec), spec
    for spec in ("random", "heuristic:discard=safe", "best.safetensors:temperature=1", "search:policy=heuristic"):
        assert not is_foreign(spec), spec


@pytest.mark.slow
def test_training_against_an_agent_that_fails_stops_with_a_sentence(bots, tmp_path):
    line = ["train", "--algorithm", "clone", "--clone.teacher", f"{bots}:Doomed", "--processes", "1"]
    line += ["--slots", "8", "--out", str(tmp_path / "run")]
    call = [sys.executable, "-m", "experiments.cli", *line]
    found = subprocess.run(call, capture_output=True, text=True, check=False, timeout=120, env=environment())
    assert found.returncode == 2
    assert f"error: {bots}:Doomed: its process was ended by SIGKILL" in found.stderr
    assert "Traceback" not in found.stderr


def refuse(group):
    raise UserError(f"rank {group.rank} has met an agent that fails")


@pytest.mark.slow
def test_a_training_process_that_meets_an_agent_that_fails_says_so_in_a_sentence(capfd):
    from experiments.train.process_group import Rendezvous, start_workers  # late: torch takes seconds to load

    (process,) = start_workers(Rendezvous(2, 1), refuse)
    while process.exitcode is None:  # somebody else, who notices failures, may be the one whose join gets it
        time.sleep(0.01)
    assert process.exitcode == 2
    assert capfd.readouterr().err == "error: rank 1 has met an agent that fails\n"


@pytest.mark.slow
def test_exploiting_an_agent_that_fails_stops_with_a_sentence(bots, tmp_path, capsys):
    out = ["--out", str(tmp_path / "run")]
    tiny = ["--slots", "8", "--budgets", "64", "--boards", "2", "--start", "scratch", "--net.widths", "8"]
    tiny += ["--net.block-widths", "8", "--net.value-widths", "8", "--net.value-block-widths", "8"]
    assert main(["exploit", f"{bots}:Doomed", *tiny, *out]) == 2
    assert f"error: {bots}:Doomed: its process was ended by SIGKILL" in capsys.readouterr().err


def test_a_benchmark_with_an_agent_that_fails_stops_with_a_sentence(bots, tmp_path, capsys):
    """There are no boards to forfeit."""
    line = ["discards", "--agent", f"{bots}:Never", "--part", "decisions", "--hands", "4", "--positions", "1"]
    assert main([*line, "--repeat", "0", "--draws", "0", "--workers", "1", "--out", str(tmp_path / "cards")]) == 2
    assert capsys.readouterr().err == f"error: {bots}:Never: RuntimeError: no idea\n"


def test_a_replay_whose_adviser_fails_is_a_sentence(bots, tmp_path, capsys):
    line = ["evaluate", "random", "heuristic", "--boards", "1", "--workers", "1", "--recorded", "1"]
    assert main([*line, "--out", str(tmp_path / "run")]) == 0
    (record,) = (tmp_path / "run" / "records").glob("*.jsonl")
    capsys.readouterr()
    assert main(["watch", str(record), "--ask", f"{bots}:Doomed"]) == 2
    assert capsys.readouterr().err == f"error: {bots}:Doomed: its process was ended by SIGKILL\n"
    assert main(["watch", str(record), "--ask", f"{bots}:Opinions"]) == 2
    assert "preferences: ValueError: float64 [3], expected numbers" in capsys.readouterr().err
    assert main(["watch", str(record), "--ask", f"{bots}:First"]) == 0


def test_only_opinions_of_its_own_are_shown(bots, tmp_path):
    view, legal, keys = decisions(2)
    (own, _), (plain, _) = (
        ask_agent(load_agent(f"{bots}:{name}", "burako-4"), Decisions(view, legal, keys)) for name in ("Taste", "First")
    )
    assert [action for action, _ in own.top] == np.flatnonzero(legal[0])[::-1][:5].tolist()
    assert (plain.choice, plain.top, plain.expects) == (legal[0].argmax(), (), None)


def test_no_process_outlives_its_command(bots, tmp_path):
    """Not even one that hangs, when the command is killed."""
    code = f"""
import numpy as np, os
from experiments.processes.apart import Apart
from tests.experiments.processes.test_apart import decisions
agent = Apart("{bots}:Stuck", "burako-4")
print(agent._child, flush=True)
agent.act(*decisions(1))
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment())
    child = int(process.stdout.readline())
    os.kill(child, 0)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("the agent's process is still there")


def test_an_agent_apart_forgets_an_answer_that_nobody_waited_for(bots, monkeypatch):
    """After a Ctrl-C the next question gets its own answer."""
    view, legal, keys = decisions(4)
    agent = load_agent(f"{bots}:First", "burako-4")
    assert isinstance(agent, Apart)
    with monkeypatch.context() as patch:
        patch.setattr(agent, "_exchange", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            agent.act(view, legal, keys)
    assert (agent.act(view.take([2]), legal[[2]], keys[[2]]) == legal[2].argmax()).all()
