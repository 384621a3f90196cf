"""What the studies of training share: their runs and results, intervals over seeds, curves and the report's files."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import joblib
import numpy as np
from scipy import stats

from burako_env.inputs.files import read_json, whole, write_csv, write_json, write_text
from experiments.processes.backends import worker_count, workers_of
from experiments.runs.folder import commit, locked
from experiments.train.settings import TrainSettings

_DPI: Final = 144
_LEVEL: Final = 0.95
# Decisions and points of the evaluations of a run.
Curve = Sequence[tuple[float, float]]


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Nested settings with some of them changed."""
    found = {str(key): value for key, value in base.items()}
    for key, value in changes.items():
        before = found.get(str(key))
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            value = merged(before, value)
        found[str(key)] = value
    return found


def train_one(settings: TrainSettings, folder: Path) -> None:
    """One run. Its results go to `result.json` when it is done; a finished run is not repeated."""
    # torch takes seconds to load: not for a plan that is refused.
    from experiments.train import setup
    from experiments.train.loop import train

    done = folder / "result.json"
    if done.is_file():
        return
    setup.check(settings)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        training, results = train(settings, folder, shown=False)
    found = {name: {"points": r.points, "margin": r.margin, "wins": r.wins} for name, r in results.items()}
    write_json(done, {"evaluations": training.evaluations, "final": found, "seconds": training.seconds})


def result_of(folder: Path) -> dict[str, Any]:
    """The results of `train_one`."""
    return read_json(folder / "result.json", "delete it and call again, which goes on with that run")


def in_parallel(work: Callable[..., None], jobs: Iterable[Sequence[Any]], workers: int) -> None:
    """`work(*job)` for every job, in processes of this machine."""
    with workers_of("loky", worker_count("loky", workers)):
        joblib.Parallel(batch_size=1)(joblib.delayed(work)(*job) for job in jobs)


def interval(values: Sequence[float], missing: float | None = None) -> list[float | None]:
    """Student's 95% interval of a mean; for a single value `missing` twice."""
    sample = np.asarray(values, dtype=np.float64)
    if len(sample) < 2:
        return [missing, missing]
    half = stats.t.ppf((1 + _LEVEL) / 2, len(sample) - 1) * sample.std(ddof=1) / len(sample) ** 0.5
    return [float(sample.mean() - half), float(sample.mean() + half)]


def write_report(
    out: Path,
    summary: Mapping[str, Any],
    table: str,
    curves: Iterable[Sequence[Any]],
    drawn: Mapping[str, list[Curve]],
    **labels: str,
) -> None:
    """`summary.json` with the commit, `table.md`, `curves.csv` and `curves.png`.

    `drawn` are the curves of all seeds by label: the picture shows their mean, and each seed thin behind it. `labels`
    are those of its axes (`xlabel`, `ylabel`, `title`).
    """
    from matplotlib.figure import Figure

    write_json(out / "summary.json", {"commit": commit(), **summary})
    write_text(out / "table.md", table)
    write_csv(out / "curves.csv", curves)
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.set(**labels)
    for number, (label, seeds) in enumerate(drawn.items()):
        for curve in seeds:
            axes.plot(*zip(*curve), color=f"C{number}", alpha=0.25, linewidth=0.8)
        shortest = min(map(len, seeds))
        mean = np.mean([curve[:shortest] for curve in seeds], axis=0)
        axes.plot(mean[:, 0], mean[:, 1], color=f"C{number}", marker="o", markersize=3, label=label)
    figure.legend(loc="outside right upper", fontsize="small")
    with whole(out / "curves.png") as file:
        figure.savefig(file, format="png", dpi=_DPI)
