"""The same tournament on a Ray cluster: two nodes of one core each on this machine, bound to the loopback address."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest

from experiments.cli import main
from tests.tools.contest_bots import module_in, rows_of, summary_of

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install '.[ray]'"
)


class RunningCluster(NamedTuple):
    """A cluster: the environment in which commands find it, and what pulls the plug of its second node."""

    environment: dict[str, str]
    lose_a_node: Callable[[], None]


@pytest.fixture
def cluster():
    """A cluster that runs while a test does."""
    from ray._private import ray_constants
    from ray.cluster_utils import Cluster

    patch = pytest.MonkeyPatch()
    # Without this Ray takes the loopback address for the machine's outer one.
    patch.setattr(ray_constants, "ENABLE_RAY_CLUSTER", False)
    patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    node = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "object_store_memory": 80 * 2**20}
    found = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        second = found.add_node(**node)
        yield RunningCluster({**os.environ, "RAY_ADDRESS": found.address}, lambda: found.remove_node(second, False))
    finally:
        found.shutdown()
        patch.undo()


def burako(line, environment, **options):
    """The command, in a process of its own, which the cluster's address reaches by the environment."""
    call = [sys.executable, "-m", "experiments.cli", *line]
    return subprocess.run(call, capture_output=True, text=True, check=False, env=environment, timeout=300, **options)


@pytest.mark.slow
def test_ray_and_loky_give_the_same_rows(cluster, tmp_path):
    line = ["tournament", "--agents", "random", "heuristic", "heuristic:pile=never", "--boards", "100", "--seed", "6"]
    assert main([*line, "--workers", "1", "--out", str(tmp_path / "loky")]) == 0
    done = burako([*line, "--backend", "ray", "--out", str(tmp_path / "ray")], cluster.environment)
    assert done.returncode == 0, done.stderr
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "loky")
    assert len(rows_of(tmp_path / "ray")) == 6
    assert summary_of(tmp_path / "ray")["pairs"] == summary_of(tmp_path / "loky")["pairs"]


@pytest.mark.slow
def test_chunks_of_a_ray_worker_that_dies_are_played_again(cluster, tmp_path, monkeypatch):
    with module_in(tmp_path, monkeypatch) as bots:
        line = ["evaluate", f"{bots}:Mortal", f"{bots}:First", "--boards", "65", "--recorded", "0"]
        done = burako([*line, "--backend", "ray", "--out", str(tmp_path / "ray")], cluster.environment, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "mortal.mark").exists()
        assert main([*line, "--workers", "1", "--out", str(tmp_path / "loky")]) == 0
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "loky")


@pytest.mark.slow
def test_a_run_that_loses_a_machine_goes_on_with_the_others(cluster, tmp_path):
    line = ["evaluate", "heuristic", "random", "--boards", "400", "--batch", "64", "--recorded", "0"]
    call = [sys.executable, "-m", "experiments.cli", *line, "--backend", "ray", "--out", str(tmp_path / "ray")]
    process = subprocess.Popen(call, env=cluster.environment, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not list((tmp_path / "ray").glob("parts/*/*.parquet")):
        time.sleep(0.05)
    cluster.lose_a_node()
    _, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    assert main([*line, "--workers", "1", "--out", str(tmp_path / "loky")]) == 0
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "loky")


@pytest.mark.slow
def test_what_a_ray_worker_cannot_write_is_a_sentence(cluster, tmp_path):
    line = ["evaluate", "random", "heuristic", "--boards", "4", "--recorded", "0", "--out", str(tmp_path / "run")]
    assert main([*line, "--workers", "1"]) == 0
    for path in (tmp_path / "run" / "parts" / "pair-000").iterdir():
        path.unlink()
    (tmp_path / "run" / "parts" / "pair-000").rmdir()
    (tmp_path / "run" / "parts" / "pair-000").write_text("in the way")
    done = burako([*line, "--backend", "ray", "--workers", "2", "--resume"], cluster.environment)
    assert done.returncode == 2
    assert "pair-000" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_cluster_is_a_sentence(tmp_path):
    line = ["evaluate", "random", "random", "--backend", "ray", "--boards", "1", "--out", str(tmp_path / "run")]
    done = burako(line, {**os.environ, "RAY_ADDRESS": "nonsense", "RAY_USAGE_STATS_ENABLED": "0"})
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: no Ray cluster answers at nonsense")
