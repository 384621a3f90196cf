"""Where jobs run: worker processes of this machine (`loky`), or those of a Ray cluster (`ray`).

Jobs are pure: they write what they find to the shared folder, and a job that is run twice writes the same. So when a
worker dies, those that are still missing are simply run again.
"""

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Literal

import joblib
from joblib.externals.loky.process_executor import BrokenProcessPool

from burako_env.errors import UserError
from experiments.processes.children import end_with

Backend = Literal["loky", "ray"]

# After so many deaths of a worker in which no job got done, trying again is given up.
PATIENCE: Final = 3
# Processes for each core of this machine.
PER_CORE: Final = 4


def worker_count(backend: Backend, workers: int) -> int:
    """The workers to use: as asked for, or (0) one for each core of the machine, or of what is alive of the cluster.

    More than a few for each core would only take memory, some hundred megabytes each. On a cluster there are no more
    than its cores, as Ray would wait for the others to come.
    """
    if backend == "loky":
        cores = int(joblib.cpu_count())
        return min(workers or cores, PER_CORE * cores)
    import ray

    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    cores = max(1, int(resources.get("CPU", 1)))
    return min(workers or cores, cores)


def connect() -> None:
    """Join the Ray cluster that RAY_ADDRESS names, or the one of this machine."""
    import ray
    from ray.util.joblib import register_ray

    if not ray.is_initialized():
        try:
            ray.init(address="auto", log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError, OSError):
            where = os.environ.get("RAY_ADDRESS", "this machine")
            raise UserError(
                f"no Ray cluster answers at {where}: start one with `ray start --head`, or set RAY_ADDRESS"
            ) from None
    register_ray()  # type: ignore[no-untyped-call]


def run_jobs(
    function: Callable[..., None], jobs: Callable[[int], Sequence[tuple[Any, ...]]], workers: int, backend: Backend
) -> None:
    """Call `function` with the arguments of every job.

    `jobs` gives them for a number of workers; it is asked again for those still to do when a worker has died.
    """
    if backend == "ray":
        connect()
    deaths, before = 0, -1
    while todo := jobs(count := worker_count(backend, workers)):
        # Counting jobs would not do: how chunks are cut into jobs depends on how many there are.
        size = sum(len(job[1]) for job in todo)
        deaths = deaths + 1 if size == before else 0
        before = size
        if deaths == PATIENCE:
            raise UserError(
                "worker processes keep dying (memory is short, or something ends them); "
                "finished chunks are kept, the same command with --resume plays the rest"
            )
        try:
            with workers_of(backend, min(count, len(todo))):
                joblib.Parallel(batch_size=1)(joblib.delayed(function)(*job) for job in todo)
        except _deaths(backend):
            continue
        return


def workers_of(backend: Backend, count: int) -> AbstractContextManager[Any]:
    """`joblib.Parallel` in this block uses so many workers, which end with this process; those of Ray see to it."""
    options = {"initializer": end_with, "initargs": (os.getpid(),)} if backend == "loky" else {}
    context: AbstractContextManager[Any] = joblib.parallel_config(backend, n_jobs=count, **options)
    return context


def _deaths(backend: Backend) -> tuple[type[BaseException], ...]:
    """What tells that a worker has died."""
    if backend == "ray":
        from ray.exceptions import RayActorError, WorkerCrashedError

        return (RayActorError, WorkerCrashedError)
    return (BrokenProcessPool,)
