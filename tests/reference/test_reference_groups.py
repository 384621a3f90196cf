"""Direct tests of the reference: groups and how they are opened (GROUP), the deck and the deal (DECK, SETUP)."""

from itertools import combinations_with_replacement, permutations

import pytest

from .config import make_config
from .deal import deal
from .groups import FOREIGN, natural_places, run_readings
from .stand import CLEAN_THREES, DIRTY_THREES, lays, play, stand


def on_run(cards: str, candidates: str, **config) -> set[str]:
    """Which of the candidates, alone in a hand with a 7D, may join the run of spades `cards`."""
    hand = stand(candidates + " 7D", tables=[[cards], []], stock="9H", config=config)
    return {action.split()[1] for action in lays(hand) if action.endswith("run S1")}


def test_own_suit_2_leaves_room():
    """GROUP-5, GROUP-1: 2 3 4 5 6 + joker + 8 is a baza, dirty, and leaves the table."""
    hand = play(stand("JK 8S 7D", tables=[["2S 3S 4S 5S 6S"], []]), "lay JK run S1")
    assert hand.legal() == {"lay 8S run S1", "discard 8S", "discard 7D"}
    play(hand, "lay 8S run S1")
    assert (hand.expect()["closed"], hand.expect()["tables"]) == ([["dirty run"], []], [[], []])
    assert hand.view(2)["closed"][0].total() == 7


def test_own_suit_2_turns_natural():
    """GROUP-6: 3 2 5 6 7 is dirty; with the 4 it is clean and has room for another wild."""
    hand = stand("4H JK 8H 7D", tables=[["3H 2H 5H 6H 7H"], []])
    assert "lay JK run H1" in hand.legal()  # as the 4, the 2 in its place
    play(hand, "lay 4H run H1", "lay 8H run H1")
    assert hand.expect()["closed"] == [["clean run"], []]
    assert hand.fired["GROUP-6"] == 1


def test_two_own_suit_2s():
    """GROUP-4, GROUP-5: one own-suit 2 in its place, the other a wild; a third wild has no room."""
    assert on_run("2S 3S 4S", "2S 5S JK") == {"2S", "5S", "JK"}
    assert on_run("2S 2S 3S 4S", "AS 5S 6S 7S JK 2C") == {"AS", "5S", "6S"}
    assert on_run("5S 6S 2S", "2S JK 4S 3S") == {"4S", "3S"}


def test_floating_wild():
    """GROUP-6: a wild fills the gap or floats at an end; a natural makes it float."""
    assert on_run("9S 10S JK", "6S 7S 8S JS QS KS 2C 2S") == {"7S", "8S", "JS", "QS"}
    assert on_run("9S JS JK", "7S 8S 10S QS KS") == {"8S", "10S", "QS"}
    assert on_run("9S 10S JS JK", "9S 7S") == {"7S"}


def test_ace_low_or_high():
    """GROUP-3: A-2-3 or Q-K-A, no K-A-2; a 2 or a joker next to the ace is a wild elsewhere."""
    assert on_run("AS 2S 3S", "4S KS 5S JK") == {"4S", "JK"}
    assert on_run("QS KS AS", "JS 10S 2S 3S") == {"JS", "2S"}
    assert on_run("QS KS AS 2S", "3S 10S JS") == {"10S", "JS"}
    assert on_run("JS QS KS", "AS 10S JK", ace="low") == {"10S", "JK"}
    assert on_run("2S 3S 4S", "AS 5S JK", ace="high") == {"5S", "JK"}
    assert on_run("8S 9S 10S JS QS KS", "AS 7S JK", ace="low") == {"7S", "JK"}


def test_no_wild_beyond_the_ends():
    """GROUP-3: with `ace` = low a wild does not stand above the king either, with high not below the 2."""
    kings = "7S 8S 9S 10S JS QS"
    assert on_run(kings, "JK KS", ace="low") == {"JK", "KS"}
    assert run_readings(("J", "K", "Q", FOREIGN), "low") == {((11, 12, 13), (10,))}
    assert run_readings(("2", "3", "4", FOREIGN), "high") == {((2, 3, 4), (5,))}
    assert run_readings(("2", "3", "4", FOREIGN), "both") == {((2, 3, 4), (1,)), ((2, 3, 4), (5,))}


@pytest.mark.parametrize("ace", ["both", "low", "high"])
def test_readings_against_all_permutations(ace):
    """GROUP-3 to GROUP-6: the readings agree with trying every order of the cards in every window of places."""
    places = range(2 if ace == "high" else 1, 14 if ace == "low" else 15)

    def wilds_in(order: tuple[str, ...], start: int) -> int | None:
        """Wilds of one order of cards laid from a place on, or None if a natural stands wrong."""
        wilds = 0
        for place, token in enumerate(order, start):
            if place not in places:
                return None
            if place not in natural_places(token, ace):
                if token not in ("2", FOREIGN):
                    return None
                wilds += 1
        return wilds

    for size in (3, 4):
        for tokens in combinations_with_replacement(("2", "3", "4", "5", "A", "K", "Q", FOREIGN), size):
            counts = {wilds_in(order, start) for order in permutations(tokens) for start in places}
            counts = {wilds for wilds in counts if wilds is not None and wilds <= 1}
            assert {len(wilds) for _, wilds in run_readings(tuple(sorted(tokens)), ace)} == counts, tokens


def test_opening_order_of_runs():
    """GROUP-12: naturals upwards, a wild third, an own-suit 2 third free of the order, an ace laid first low."""
    hand = stand("AS 2S 3S 7D")
    assert lays(hand) == {"lay AS run new"}
    assert play(hand, "lay AS run new").legal() == {"lay 2S run S1", "lay 3S run S1"}
    assert play(hand, "lay 3S run S1").legal() == {"lay 2S run S1"}
    assert play(hand, "lay 2S run S1").expect()["tables"] == [["AS 2S 3S"], []]
    assert lays(stand("3S 4S 2S 9D")) == {"lay 2S run new", "lay 3S run new"}
    assert lays(stand("5S 6S 2S 9D")) == {"lay 5S run new"}
    assert lays(stand("2S 3S 4S 9D", config={"ace": "low"})) == {"lay 2S run new", "lay 3S run new"}
    high = stand("KS AS JK 7D")
    assert lays(high) == {"lay KS run new"}
    assert play(high, "lay KS run new").legal() == {"lay AS run S1"}
    assert play(high, "lay AS run S1").legal() == {"lay JK run S1"}
    assert not lays(stand("KS AS JK 7D", config={"ace": "low"}))
    assert not lays(stand("AS 2S 3S 7D", config={"ace": "high"}))
    assert not lays(stand("AS QS KC KD 7D"))


def test_opening_order_of_sets_and_wild_groups():
    """GROUP-12, GROUP-2, GROUP-9: naturals, then the wild; wilds in any order; no set of 2s."""
    hand = stand("9C 9D JK 4S")
    assert lays(hand) == {"lay 9C set", "lay 9D set"}
    assert play(hand, "lay 9C set").legal() == {"lay 9D set"}
    assert hand.view(1)["opening"] == 1
    assert play(hand, "lay 9D set").legal() == {"lay JK set 9"}
    assert play(hand, "lay JK set 9").legal() == {"discard 4S"}
    assert lays(stand("2C 2D 2H 9S")) == {"lay 2C wild", "lay 2D wild", "lay 2H wild"}
    assert not lays(stand("9C JK 2C 4S"))


def test_half_open_position():
    """GROUP-12: a group half open leads on to three cards, or the position is refused."""
    hand = stand("JK 7D 7C", opening=["run S", "AS KS"])
    assert hand.legal() == {"lay JK run S1"}
    assert hand.expect()["tables"] == [["AS KS"], []]
    with pytest.raises(ValueError, match="GROUP-12"):
        stand("7D 7C", opening=["run S", "KS AS"])


def test_one_open_set_of_a_rank():
    """GROUP-7: while a set is open its rank is not opened again; closed it may, unless the key says never."""
    hand = stand("7C 7D 7H 5S", tables=[["7S 7C 7D"], ["5C 5D 5H"]])
    assert lays(hand) == {"lay 7C set", "lay 7D set", "lay 7H set"}
    assert len(play(hand, "lay 7C set").expect()["tables"][0]) == 1
    assert hand.fired["GROUP-7"] == 1
    again = {"closed": [[DIRTY_THREES], []]}
    assert lays(stand("3H 3S 2C 5D", **again)) == {"lay 3H set", "lay 3S set"}
    assert not lays(stand("3H 3S 2C 5D", config={"one_set_per_rank_ever": True}, **again))
    assert stand("3S 5D", closed=[[CLEAN_THREES], []]).view(1)["closed_sets"] == [{}, {"3": 1}]


def test_runs_of_a_suit():
    """GROUP-8: equal runs side by side, up to the bound; S1 is the first opened."""
    four = [["3S 4S 5S", "3S 4S 5S", "8S 9S 10S", "8S 9S 10S"], []]
    hand = stand("JS QS KS 3D", tables=four, stock="9H")
    assert lays(hand) == {"lay JS run S3", "lay JS run S4"}
    assert hand.fired["GROUP-8 bound"] == 1
    assert "lay JS run new" in stand("JS QS KS 3D", tables=four, stock="9H", config={"run_slots": 5}).legal()
    with pytest.raises(ValueError, match="GROUP-8"):
        stand("3D", tables=[[*four[0], "JS QS KS"], []], stock="9H")
    closing = stand("9H 10H 5D", tables=[["3H 4H 5H 6H 7H 8H", "8H JK 10H"], []])
    play(closing, "lay 9H run H1")
    assert lays(closing) == set()  # the other run, now H1, has its 10
    assert closing.expect()["tables"] == [["8H 10H JK"], []]


def test_wild_group_keeps_the_wilds():
    """GROUP-9, GROUP-10: no wild elsewhere, an own-suit 2 in its place included, until the group is closed."""
    hand = stand("2S 2H 6S 9D", tables=[["JK 2C 2D", "3S 4S 5S"], []])
    assert lays(hand) == {"lay 2S wild", "lay 2H wild", "lay 6S run S1"}
    assert not lays(stand("AH 2H 3H 9D", tables=[["JK 2C 2D"], []])) - {"lay 2H wild"}
    closing = stand("2S 2D 6S", tables=[["JK JK 2C 2D 2H 2S", "3S 4S 5S"], []])
    play(closing, "lay 2D wild")
    assert closing.expect()["closed"] == [["wilds"], []]
    assert lays(closing) == {"lay 2S run S1", "lay 6S run S1"}
    assert closing.view(0)["closed_sets"][0] == {"2": 1}


def test_own_table_only():
    """GROUP-11: nobody lays on the other team's table."""
    hand = stand("6S KD", tables=[[], ["3S 4S 5S"]])
    assert not lays(hand)
    assert hand.fired["GROUP-11"] == 1


@pytest.mark.parametrize(
    ("bottom", "looks", "kept", "seen"),
    [
        (["9S"], 2, [], "9S"),
        (["9S", "JK"], 2, ["JK"], "9S"),
        (["9S", "2C", "JK"], 2, ["JK", "2C"], None),
        (["9S", "2C", "JK"], 3, ["JK", "2C"], "9S"),
        (["JK"], 0, [], None),
    ],
)
def test_the_cutters_look(bottom, looks, kept, seen):
    """SETUP-3: wilds from the bottom are kept and count within the cutter's 11 cards, up to `cut_look_max`."""
    pack = ["4H"] * (108 - len(bottom)) + bottom
    position = deal(4, {"cut_look_max": looks}, pack, cutter=1)
    assert (position["shown"][1], position["bottom"], position["turn"]) == (kept, seen, 3)
    assert [len(cards) for cards in position["hands"]] == [11] * 4
    assert len(position["stock"]) == 42


def test_a_pack_too_small():
    """DECK-3: the error names the numbers. SETUP-4: stocks of 42, 52 and 62."""
    with pytest.raises(ValueError, match=r"54 cards .* 4 hands of 11, 2 burakos of 11"):
        make_config(4, {"decks": 1})
    assert [make_config(players, {}).stock_size for players in (4, 6, 8)] == [42, 52, 62]


def test_an_illegal_action_changes_nothing():
    """An illegal action is refused by name."""
    hand = stand("JK 7D")
    with pytest.raises(ValueError, match="discard JK"):
        hand.play("discard JK")
    assert hand.expect()["hand"] == "7D JK"
