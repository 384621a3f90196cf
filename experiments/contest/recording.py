"""Records of some hands of a finished run, played once more to write them down.

A hand is a function of the settings, so nothing needs to be kept of it while the tournament runs. Where the second play
has another score than the first, an agent is not a function of what it sees, and the summary says so.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

from burako_env.batch import BatchGame, Ints
from burako_env.inputs.files import write_text
from burako_env.records.format import Record, format_record
from burako_env.records.recorder import Recorder
from experiments.contest.contest import Contest
from experiments.contest.outcomes import Outcomes
from experiments.contest.play import play
from experiments.contest.queries import connect
from experiments.contest.schedule import Chunk, Hands, hands_of
from experiments.contest.watchers import Index, Watcher
from experiments.runs.folder import RECORDS
from experiments.runs.settings import rule_changes

BATCH: Final = 256

# Hands with an error first, then in turn the best for a and the best for b.
_CHOSEN: Final = """\
SELECT pair, board, orientation, points, score_a, score_b FROM (
    SELECT *, row_number() OVER (PARTITION BY pair ORDER BY error_side < 0, extreme, points DESC) AS place FROM (
        SELECT *, least(row_number() OVER (PARTITION BY pair ORDER BY points DESC, board, orientation),
                        row_number() OVER (PARTITION BY pair ORDER BY points, board, orientation)) AS extreme
        FROM hands WHERE NOT forfeit OR error_side >= 0))
WHERE place <= $count ORDER BY pair, place
"""


class Chosen(NamedTuple):
    """A hand to record: pair, board and orientation, with what came out of it."""

    pair: int
    board: int
    orientation: int
    points: int
    score_a: int
    score_b: int

    @property
    def file(self) -> str:
        """Its record, from the run folder."""
        return f"{RECORDS}/pair-{self.pair:03d}-board-{self.board:06d}-{self.orientation}.jsonl"


def record_hands(contest: Contest, folder: Path, count: int) -> tuple[list[dict[str, Any]], list[str]]:
    """Record `count` hands of each pair; returns them for the summary, and warnings."""
    if not (chosen := choose(folder, count)):
        return [], []
    chunks = [Chunk(contest.pairs[hand.pair], hand.board, 1, contest.turns) for hand in chosen]
    game = contest.make(min(BATCH, len(chosen)))
    hands = hands_of(chunks, game.side_of)
    hands = hands.take([contest.turns * place + hand.orientation for place, hand in enumerate(chosen)])
    outcomes = Outcomes(len(chosen), contest.forfeit, game.sides)
    watcher = RecordWatcher(game, contest, hands)
    agents = [contest.load(name) for name in hands.agents]
    for _ in play(game, agents, hands, outcomes, [watcher], contest.time_budget):
        pass
    entries, warnings = [], []
    for place, hand in enumerate(chosen):
        write_text(folder / hand.file, format_record(watcher.records[place]) + "\n")
        pair = contest.pairs[hand.pair]
        told = {name: getattr(hand, name) for name in ("board", "orientation", "points")}
        entries.append({"file": hand.file, "a": pair.a, "b": pair.b, **told})
        if outcomes.scores[place].tolist() != [hand.score_a, hand.score_b] and not contest.time_budget:
            warnings.append(
                f"{pair.a} - {pair.b}, board {hand.board}: played again the scores differ: "
                "an agent does not answer the same question the same way"
            )
    return entries, warnings


def choose(folder: Path, count: int) -> list[Chosen]:
    """The hands of each pair to record: those with an error, then the best for a, for b, for a, and so on."""
    with connect(folder) as connection:
        return [Chosen(*row) for row in connection.execute(_CHOSEN, {"count": count}).fetchall()]


class RecordWatcher(Watcher):
    """Writes down every hand or match; `records` has them by row. One that was given up ends where it was."""

    def __init__(self, game: BatchGame, contest: Contest, hands: Hands) -> None:
        self.recorder = Recorder(game, rule_changes(contest.rules))
        self.hands = hands
        self.records: dict[int, Record] = {}
        self.row_of: dict[int, int] = {}

    def dealt(self, game: BatchGame, slots: Index, rows: Index) -> None:
        for slot, row in zip(slots.tolist(), rows.tolist()):
            # The next hand of a match belongs to the record that is being written.
            if slot not in self.row_of:
                self.row_of[slot] = row
                self.recorder.begin([self.hands.agents[player] for player in self.hands.players[row]], [slot])

    def acted(self, slots: Index, rows: Index, seats: Index, actions: Ints) -> None:
        self.recorder.note(actions, slots)

    def stepped(self, game: BatchGame) -> None:
        for slot, record in self.recorder.collect():
            self.records[self.row_of.pop(slot)] = record

    def broken(self, game: BatchGame, slots: Index, rows: Index) -> None:
        for slot in slots.tolist():
            self.records[self.row_of.pop(slot)] = self.recorder.stop(slot)
