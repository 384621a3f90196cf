"""The notebooks run from top to bottom in a kernel of their own, with the budgets of their second cell made small.

They are kept without outputs (notebooks/README.md says why).
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Final

import nbformat
import pytest
from nbclient import NotebookClient

from tests.tools.doc_pages import ROOT, Page

FOLDER: Final = ROOT / "notebooks"
NOTEBOOKS: Final = sorted(FOLDER.glob("*.ipynb"))
_NETS: Final = (
    "--slots 16 --net.widths 8 --net.block-widths 8 --net.value-widths 8 --net.value-block-widths 8 "
    "--clone.steps 16 --clone.minibatch 64 --ppo.steps 16 --ppo.minibatch 64"
)
# What stands in the cell of parameters when a test runs the notebook.
SMALL: Final[dict[str, dict[str, Any]]] = {
    "1-first-look": {"HANDS": 32},
    "2-your-own-agent": {"BOARDS": 4, "WORKERS": 1},
    "3-train-a-bot": {"CLONE": 400, "PPO": 800, "BOARDS": 1, "SMALL": _NETS},
    "4-a-tournament": {"BOARDS": 4, "WORKERS": 1},
    "5-the-levels": {"BOARDS": 2, "CLONE": 400, "PPO": 400, "STAGE": 400, "WORKERS": 1, "SMALL": _NETS},
}
# Those of a few seconds.
QUICK: Final = ("1-first-look",)


def parameters(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The one cell that is tagged as such, as papermill wants it."""
    (cell,) = (cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", []))
    return cell


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=() if path.stem in QUICK else pytest.mark.slow, id=path.stem) for path in NOTEBOOKS],
)
def test_notebooks_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(path, as_version=4)
    cell = parameters(notebook)
    cell.source = "\n".join(f"{name} = {value!r}" for name, value in SMALL[path.stem].items())
    work = tmp_path / "work"
    work.mkdir()
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(work)}}).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_plain(path: Path) -> None:
    """Valid, without outputs, of code that parses; the second cell assigns just what the test makes small."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None
            ast.parse("\n".join(cell.source.splitlines()[cell.source.startswith("%%") :]))
    cell = parameters(notebook)
    assert cell is notebook.cells[1]
    names = {node.id for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)}
    assert names == set(SMALL[path.stem])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_notebooks_lead_somewhere(path: Path, tmp_path: Path) -> None:
    prose = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]
    page = tmp_path / "page.md"
    page.write_text("\n\n".join(prose), encoding="utf-8")
    for link in Page(page).links:
        target, _, anchor = link.partition("#")
        assert (FOLDER / target).exists(), link
        assert not anchor or anchor in Page((FOLDER / target).resolve()).anchors, link


def test_every_notebook_is_introduced_and_run() -> None:
    assert {path.stem for path in NOTEBOOKS} == set(SMALL)
    assert {path.name for path in NOTEBOOKS} <= set(Page(FOLDER / "README.md").links)
