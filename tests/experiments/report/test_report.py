"""The page of a run: it stands alone, shows what the summary says, and survives whatever names and gaps are in it."""

from __future__ import annotations

import copy
import re
from html.parser import HTMLParser

import pytest

from experiments.cli import main
from experiments.report import charts, tables
from experiments.report.numbers import number, p_text
from experiments.report.page import render
from tests.tools.contest_bots import summary_of

VOID = {"meta", "br", "wbr", "line", "circle", "rect"}


class Outline(HTMLParser):
    """Checks that every tag is closed in order; collects links and text."""

    def __init__(self):
        super().__init__()
        self.open, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def outline(page):
    """The page, parsed; fails on anything that is not well formed."""
    parser = Outline()
    parser.feed(page)
    parser.close()
    # What HTML lets stay open is not used.
    assert parser.open == []
    return parser


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small tournament of every kind of thing there is to show."""
    folder = tmp_path_factory.mktemp("report") / "run"
    line = ["tournament", "--agents", "random", "heuristic", "heuristic:pile=never", "--boards", "12", "--sequential"]
    assert main([*line, "--seed", "3", "--workers", "1", "--out", str(folder)]) == 0
    return folder


def test_the_page_stands_alone(run):
    page = (run / "report.html").read_text(encoding="utf-8")
    found = outline(page)
    assert 'name="viewport"' in page
    assert "://" not in page
    assert "<script" not in page
    assert found.links
    for link in found.links:
        assert (run / link).is_file()
    assert len(page) < 60_000


def test_the_page_shows_what_the_summary_says(run):
    summary = summary_of(run)
    text = " ".join("".join(outline((run / "report.html").read_text(encoding="utf-8")).text).split())
    assert "Tournament: 3 teams, 3 pairs" in text
    for agent in summary["agents"]:
        assert f"{agent['elo']:.0f}" in text
        assert number(100 * agent["profile"]["out"], 1) in text
    for pair in summary["pairs"]:
        assert number(pair["mean"], 1, sign=True) in text
    assert summary["command"] in text
    assert "sequential test" in text
    assert summary["versions"]["numpy"] in text


def test_names_are_shown_as_text_and_gaps_as_question_marks(run):
    summary = copy.deepcopy(summary_of(run))
    bad = "<script>alert(1)</script>&co:x=1"
    for agent in summary["agents"]:
        if agent["name"] == "random":
            agent |= {"name": bad, "points": None, "points_ci": [None, None], "elo": None, "elo_ci": [None, None]}
    for pair in summary["pairs"]:
        if pair["a"] == "random":
            pair |= {"a": bad, "ci": [None, None], "win_ci": [None, None], "p": None, "p_holm": None}
            pair["effect"] = {"t": None, "boards_needed": None}
    summary["failures"] = [{"team": bad, "reason": "<b>no</b>", "hands": 3}]
    summary["warnings"] = ["a & b"]
    page = render(summary)
    outline(page)
    assert "<script" not in page
    assert "&lt;b&gt;no&lt;/b&gt;" in page
    assert "nan" not in page.lower()
    assert "[?, ?]" in page
    assert "a &amp; b" in page


def test_the_page_of_an_evaluation_and_of_matches(tmp_path):
    out = tmp_path / "run"
    line = ["evaluate", "heuristic", "heuristic:pile=never", "--play", "matches", "--rules", "target=300"]
    assert main([*line, "--boards", "2", "--workers", "1", "--out", str(out)]) == 0
    text = "".join(outline((out / "report.html").read_text(encoding="utf-8")).text)
    assert "heuristic against heuristic:pile=never" in text
    assert "whole matches" in text
    assert "Ranking" not in text
    assert "4 matches" in text


def test_a_whisker_has_its_numbers_in_place():
    scale = charts.whisker_scale([(50.0, (0.0, 100.0)), (-100.0, (-100.0, -100.0))], width=100)
    assert scale.low < -100 < 100 < scale.high
    drawn = charts.whisker(50.0, (0.0, 100.0), scale)
    left, right = map(float, re.search(r'class="span" x1="([0-9.]+)" x2="([0-9.]+)"', drawn).groups())
    centre = float(re.search(r'cx="([0-9.]+)"', drawn).group(1))
    assert centre == pytest.approx((left + right) / 2, abs=0.1)
    assert charts.whisker(float("nan"), (0.0, 1.0), scale) == ""


def test_a_histogram_has_a_bar_a_step():
    counts = {-200: 10, 0: 40, 100: 20}
    scale = charts.common_steps([counts], 100)
    drawn = charts.histogram(counts, 100, scale)
    heights = [float(height) for height in re.findall(r'height="([0-9.]+)"><title>', drawn)]
    assert heights == pytest.approx([54 / 4, 54, 54 / 2], abs=0.1)
    assert "0 to 99: 57.1%" in drawn


def test_a_scale_leaves_out_the_far_tails():
    counts = {0: 10_000, 100: 10_000, 9000: 3}
    assert charts.common_steps([counts], 100).high == 200
    places = charts.axis(charts.Scale(-430.0, 960.0, 400))
    assert [label for _, label in places] == ["0", "500"] or [label for _, label in places] == [
        "-400",
        "0",
        "400",
        "800",
    ]
    assert all(4 <= place <= 96 for place, _ in places)


def test_numbers_as_text():
    assert [number(-0.04, 1), number(2.5, 1, sign=True), number(None), number(float("nan"))] == [
        "0.0",
        "+2.5",
        "?",
        "?",
    ]
    assert [p_text(0.0), p_text(0.04), p_text(None)] == ["< 0.001", "0.040", "?"]


def test_circles_are_told(capsys):
    lines = tables.circle_lines({"share": 0.5, "by_chance": 0.1, "p": 0.0002, "cycles": [["a", "b", "c"]]})
    assert lines[-1] == "  a beats b beats c beats a"
    assert "p < 0.001" in lines[0]
    assert tables.circle_lines(None) == []
