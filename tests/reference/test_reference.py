"""Direct tests of the reference: turns, burakos, going out, the end and the score, by hand from the rules."""

from collections import Counter

import pytest

from .stand import CLEAN_THREES, DIRTY_THREES, lays, no_burako, play, stand

RUN_OF_SPADES = [["3S 4S 5S"], []]


@pytest.mark.parametrize(("taken", "points"), [(False, -225), (True, -25)])
def test_score_example_a(taken, points):
    """SCORE-4: unjustified, the others went out, table 9 9 9 joker, hands worth 75."""
    hand = stand(
        "",
        turn=1,
        hands=["AC AD 5C", "8S", "KC KD KH", "4C"],  # 45 and 30 for team 0
        tables=[["9C 9D 9H JK"], []],
        closed=[[], [CLEAN_THREES]],
        burakos=[[] if taken else ["4C 6D"], []],
        burakos_taken_by=[[0] if taken else [], [1]],
    )
    assert hand.expect()["scores"][0] == points  # SCORE-6: an unjustified team would get the same now
    hand.play("discard 8S")
    # The others: a clean baza 200, 5 in hand, a burako, going out.
    assert hand.expect()["scores"] == [points, 200 - 5 + 100 + 100]
    assert (hand.expect()["reason"], hand.expect()["phase"], hand.expect()["turn"]) == ("out", "over", 1)
    assert hand.legal() == set()


def test_score_example_b():
    """SCORE-1 to SCORE-3: clean run closed, K K K open, burako taken, went out, partner holds 2C and 5D."""
    hand = stand(
        "",
        hands=["7D", "9C 9D", "2C 5D", "JC JD"],
        tables=[["KC KD KS"], []],
        closed=[["4H 5H 6H 7H 8H 9H 10H"], []],
        **no_burako(0),
    )
    assert play(hand, "discard 7D").expect()["scores"][0] == 405


def test_score_example_c():
    """SCORE-5: went out unjustified, table 45, partner's hand 60; the others table 50, hands 75, burako left."""
    hand = stand(
        "",
        hands=["7D", "AC AD 5C", "AH AS 2C", "KC KD KH"],
        tables=[["JC QC KC", "3S 4S 5S"], ["9C 9D 9H JK"]],
        **no_burako(0),
    )
    assert play(hand, "discard 7D").expect()["scores"] == [95, 25]
    assert hand.fired["OUT-2"] == 1


@pytest.mark.parametrize(("choice", "points"), [("negative", -65 - 100), ("normal", 15 - 50 - 100)])
def test_scores_at_exhaustion(choice, points):
    """SCORE-6: no bonus; an unjustified team by SCORE-4 or, by the key, as usual. Aces 200, wilds 700 (SCORE-1)."""
    hand = stand(
        "",
        phase="draw",
        stock="",
        hands=["AC KD", "9C", "AD", "JC"],  # team 0: 50
        tables=[["3S 4S 5S"], []],
        closed=[[], ["AC AH AS AD AH AS 2C", "2C 2D 2H 2S 2D 2H JK"]],
        config={"unjustified_on_exhaustion": choice},
    )
    play(hand, "end hand")
    assert hand.expect()["scores"] == [points, 200 + 700 - 20 - 100]
    assert hand.expect()["closed"][1] == ["dirty aces", "wilds"]


def test_second_look():
    """TURN-2: the first draw of the hand may be rejected, the second is kept; the card is private (INFO-1)."""
    hand = stand("5C 5D", phase="draw", first_draw=True, stock="9S JK 5D")
    assert play(hand, "draw stock").legal() == {"keep", "reject"}
    assert (hand.view(0)["drawn"], hand.view(1)["drawn"]) == ("9S", None)
    assert hand.view(1)["hand_sizes"] == [2, 2, 2, 3]
    play(hand, "reject")
    assert (hand.expect()["phase"], hand.expect()["pile"], hand.expect()["drawn"]) == ("lay", "9S", "JK")
    play(hand, "discard 5C", "draw stock")
    assert (hand.expect()["phase"], hand.expect()["turn"]) == ("lay", 1)


@pytest.mark.parametrize("stock", ["JK 9S", "2C 9S", "9S"])
def test_second_look_keep_only(stock):
    """TURN-2: a wild is never rejected, nor anything when the stock is empty."""
    hand = stand("5C 5D", phase="draw", first_draw=True, stock=stock)
    assert play(hand, "draw stock").legal() == {"keep"}


def test_single_card_pile():
    """TURN-5: the card of a one-card pile is not discarded, unless another is held or one was laid."""
    taken = play(stand("5C KH", phase="draw", pile="7D"), "draw pile")
    assert taken.legal() == {"discard 5C", "discard KH"}
    assert taken.fired["TURN-5"] == 1
    assert taken.view(3)["single"] == "7D"
    other = play(stand("5C 7D", phase="draw", pile="7D"), "draw pile")
    assert "discard 7D" in other.legal()
    laid = play(stand("7C 7D 7H 5C", phase="draw", pile="7D"), "draw pile")
    play(laid, "lay 7C set", "lay 7H set", "lay 7D set")
    assert "discard 7D" in laid.legal()
    larger = play(stand("5C KH", phase="draw", pile="8C 7D"), "draw pile")
    assert "discard 7D" in larger.legal()
    free = stand("5C KH", phase="draw", pile="7D", config={"rediscard_single_pile": True})
    assert "discard 7D" in play(free, "draw pile").legal()
    stock = play(stand("5C KH", phase="draw", pile="7D", stock="7D"), "draw stock")
    assert "discard 7D" in stock.legal()


def test_keep():
    """TURN-6: KEEP where nothing else is left, TURN-5 being the reason here; ASK does not count."""
    hand = play(stand("JK", phase="draw", pile="7D", **no_burako()), "draw pile")
    assert hand.legal() == {"ask", "keep hand"}
    assert stand("JK", **no_burako()).legal() == {"keep hand"}
    assert stand("JK 2C 2D", **no_burako()).legal() == {"lay JK wild", "lay 2C wild", "lay 2D wild"}
    assert play(hand, "keep hand").expect()["turn"] == 1


def test_burako_with_wilds_while_laying():
    """BURAKO-2: at most two wilds, a choice; they become public and the player plays on (BURAKO-3)."""
    hand = stand("JK 2C", tables=RUN_OF_SPADES)
    assert hand.legal() == {"take burako", "lay JK run S1", "lay 2C run S1"}
    play(hand, "take burako")
    assert (hand.expect()["phase"], hand.expect()["shown"][0]) == ("lay", "2C JK")
    assert hand.view(1)["known"][3] == Counter({"2C": 1, "JK": 1})
    play(hand, "lay JK run S1")
    assert hand.expect()["shown"][0] == "2C"
    assert hand.legal() == {"discard 4C", "discard 6D"}
    assert "take burako" not in stand("JK JK 2C").legal()
    assert "take burako" not in stand("JK", phase="draw").legal()


def test_burako_with_wilds_after_the_discard():
    """BURAKO-3: the choice after a discard; a taken burako is played from the next turn."""
    hand = play(stand("JK 7D"), "discard 7D")
    assert (hand.expect()["phase"], hand.legal()) == ("burako", {"take burako", "keep hand"})
    kept, taken = hand.copy(), hand
    play(kept, "keep hand")
    assert (kept.expect()["turn"], kept.expect()["hand_sizes"][0], kept.expect()["shown"][0]) == (1, 1, "")
    play(taken, "take burako")
    assert (taken.expect()["turn"], taken.expect()["hands"][0]) == (1, "4C 6D JK")
    assert taken.expect()["burakos_left"] == [0, 1]
    assert play(stand("JK JK 2C 7D"), "discard 7D").expect()["turn"] == 1


def test_burako_of_an_empty_hand():
    """BURAKO-1, BURAKO-3: automatic; the turn goes on after the last lay, ends after the last discard. Else OUT-1."""
    laid = play(stand("6S", tables=RUN_OF_SPADES), "lay 6S run S1")
    assert (laid.expect()["turn"], laid.legal()) == (0, {"discard 4C", "discard 6D"})
    discarded = play(stand("7D"), "discard 7D")
    assert (discarded.expect()["turn"], discarded.expect()["hands"][0]) == (1, "4C 6D")
    out = play(stand("6S", tables=RUN_OF_SPADES, **no_burako()), "lay 6S run S1")
    assert out.expect()["reason"] == "out"


def test_who_may_ask():
    """OUT-3: no burako left, the first taker is another, two cards, not all wild, `consult`; once a turn."""
    hand = stand("7D 5C", **no_burako(2), drawn="5C")
    assert "ask" in hand.legal()
    six = {"players": 6, "burakos": [[], ["4H 6S", "5H 6H"]]}
    assert "ask" in stand("7D 5C", **six, burakos_taken_by=[[2, 0], []]).legal()
    assert "ask" not in stand("7D 5C", **six, burakos_taken_by=[[0, 2], []]).legal()
    for other in (
        stand("7D 5C", **no_burako(0)),
        stand("7D 5C"),
        stand("7D", **no_burako(2)),
        stand("JK JK", **no_burako(2)),
        stand("7D 5C", config={"consult": False}, **no_burako(2)),
        stand("7D 5C", **no_burako(2), asked=True, answer="yes"),
        stand("7D 5C", **no_burako(2), phase="draw"),
    ):
        assert "ask" not in other.legal()
    play(hand, "ask")
    assert (hand.expect()["turn"], hand.legal()) == (2, {"yes", "no"})
    seen = hand.view(1)
    assert (seen["actor"], seen["turn"], seen["answer"]) == (1, 3, "asked")
    assert (hand.view(0)["drawn"], hand.view(2)["drawn"]) == ("5C", None)
    assert play(hand, "no").legal() == {"discard 7D", "discard 5C"}
    assert hand.view(2)["answer"] == "no"


def answered(mine: str, answer: str, **changes):
    """Seat 0 after its question was answered."""
    return stand(mine, **no_burako(), **changes, asked=True, answer=answer)


def test_no_binds():
    """OUT-4: after NO nothing empties the hand, no lay leaves it without a discard that keeps a card."""
    assert answered("6S 7D", "no", tables=RUN_OF_SPADES).legal() == {"discard 6S", "discard 7D"}
    assert "lay 6S run S1" in answered("6S 7D 8H", "no", tables=RUN_OF_SPADES).legal()
    assert answered("7D", "no").legal() == {"keep hand"}
    # 7D came as a one-card pile (TURN-5): without 6S only the joker and it would be left.
    single = answered("6S JK 7D", "no", tables=RUN_OF_SPADES, single="7D")
    assert single.legal() == {"lay JK run S1", "discard 6S"}
    # The second 7D may go once the first is laid.
    pair = answered("7D 7D JK", "no", tables=[["7C 7H 7S"], []], single="7D")
    assert pair.legal() == {"lay 7D set", "lay JK set 7", "discard 7D"}
    # An opening is judged after its third card (GROUP-12).
    assert not lays(answered("9C 9D 9H 5C", "no"))
    assert lays(answered("9C 9D 9H 5C 6D", "no")) == {"lay 9C set", "lay 9D set", "lay 9H set"}
    assert lays(answered("9C 9D 9H 9S 5C", "no")) == {"lay 9C set", "lay 9D set", "lay 9H set", "lay 9S set"}


def test_yes_binds():
    """OUT-4: after YES no discard keeps cards while a lay is legal; the last card may go."""
    hand = answered("6S 7D", "yes", tables=RUN_OF_SPADES)
    assert hand.legal() == {"lay 6S run S1"}
    assert play(hand, "lay 6S run S1").legal() == {"discard 7D"}
    assert play(hand, "discard 7D").expect()["reason"] == "out"
    assert answered("6S", "yes", tables=RUN_OF_SPADES).legal() == {"lay 6S run S1", "discard 6S"}


def test_last_round():
    """END-1: after the turn of the last stock card each player, the drawer too, has one more."""
    hand = stand("5C 6C", phase="draw", stock="KS")
    play(hand, "draw stock")
    assert hand.view(0)["final_turns"] == 4
    play(hand, "discard KS")
    for left, card in ((3, "9C"), (2, "10C"), (1, "JC"), (0, "5C")):
        assert hand.legal() == {"draw pile", "end hand"}
        assert hand.view(0)["final_turns"] == left
        play(hand, "draw pile", f"discard {card}")
    assert (hand.expect()["reason"], hand.expect()["over"], hand.expect()["turn"]) == ("exhausted", True, 0)
    assert hand.view(0)["turns"] == 5


def test_empty_stock_without_a_choice():
    """END-1: no pile, or `exhaustion` = end: END_HAND alone. END-2: burakos do not refill the stock."""
    assert stand("5C 6C", phase="draw", stock="").legal() == {"end hand"}
    assert stand("5C 6C", phase="draw", stock="", pile="9S 8S", config={"exhaustion": "end"}).legal() == {"end hand"}
    ended = play(stand("5C 6C", phase="draw", stock="", pile="9S"), "end hand")
    assert ended.expect()["reason"] == "exhausted"


def test_truncation():
    """END-3 at the end of turn `max_turns`, END-1 and OUT-1 going first."""
    assert play(stand("5C 6C", config={"max_turns": 1}), "discard 5C").expect()["reason"] == "truncated"
    assert play(stand("5C 6C", config={"max_turns": 2}), "discard 5C").expect()["reason"] is None
    last = stand("5C 6C", config={"max_turns": 1}, stock="", final_turns=0)
    assert play(last, "discard 5C").expect()["reason"] == "exhausted"
    out = stand("5C", config={"max_turns": 1}, closed=[[DIRTY_THREES], []], **no_burako())
    assert play(out, "discard 5C").expect()["reason"] == "out"


def test_known_cards():
    """INFO-3: cards from the pile are known; a known copy is the one that leaves."""
    hand = play(stand("7D 5C", phase="draw", pile="7D 8C"), "draw pile")
    assert hand.view(2)["known"] == [Counter(), Counter(), Counter({"7D": 1, "8C": 1}), Counter()]
    play(hand, "discard 7D")
    assert hand.expect()["known"][0] == "8C"
    assert "7D" in hand.expect()["hands"][0]


def test_the_cutters_sight():
    """INFO-2: only the cutter knows the natural at the bottom, as long as it lies there."""
    hand = stand("5C 6C", phase="draw", stock="KS 9S", cutter=3, bottom="9S")
    assert [hand.view(seat)["bottom"] for seat in range(4)] == [None, None, None, "9S"]
    play(hand, "draw stock", "discard 5C", "draw stock")
    assert hand.view(3)["bottom"] is None
