"""What the features of the card game are: the columns of `BurakoEncoder` by name, a suit's block and the rest."""

from typing import Final

from agents.learned.encoder import SIZES, STOCK, Feature
from burako_env.burako.melds.bazas import BAZA_KINDS
from burako_env.burako.rules import Rules
from burako_env.burako.view.layout import ANSWERS, PHASES

# Steps of the thermometers: one flag for each, set from that value on.
LENGTHS: Final = (3, 4, 5, 6)
PILE: Final = (1, 2, 3, 4, 6, 8, 11, 15, 20)
TURNS: Final = (4, 8, 12, 16, 20, 26, 32, 40)
POINTS: Final = (-200, -100, 0, 50, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1300, 1600, 2000)
FITS: Final = (1, 2, 3, 4)
FINAL_TURNS: Final = 9
EIGHTHS: Final = 8
# Groups from this size on need one or two cards to close.
LONG: Final = 5
# Runs of a suit beyond the first two are rare: they share the columns of the third.
RUN_COLUMNS: Final = 3
RUN_FLAGS: Final = len(LENGTHS) + 2


def feature_table(rules: Rules) -> tuple[tuple[Feature, ...], tuple[Feature, ...]]:
    """Features of a suit's block (13 columns are its ranks, ace first), and of the rest."""
    players = rules.players
    block = (
        Feature("hand", 13, "card in the own hand"),
        Feature("twice", 13, "two or more copies of it"),
        Feature("near", 13, "card in the hand whose neighbour in the suit is in the hand"),
        Feature("gap", 13, "card in the hand with the card two places away in the hand"),
        Feature("trio", 13, "card in the hand that is one of three in a row"),
        Feature("own takes", 13, "natural that an open group of the own team takes"),
        Feature("opp takes", 13, "natural that an open group of the other team takes"),
        Feature("own long", 13, "natural that a group of the own team with five or six cards takes"),
        Feature("lays", 13, "card in the hand that the own table takes"),
        Feature("gives", 13, "card in the hand that the other team's table takes"),
        Feature("pile", 13, "copies in the pile"),
        Feature("pile lays", 13, "card in the pile that the own table takes"),
        Feature("pile trio", 13, "card that is one of three in a row in hand and pile together, but not in the hand"),
        Feature("unseen", 13, "copies the observer has not seen"),
        Feature("known", 13 * (players - 1), "copies each other seat is publicly known to hold"),
        Feature("drawn", 13, "the card just drawn"),
        Feature(
            "runs", 2 * RUN_COLUMNS * RUN_FLAGS, "open runs by team and slot: length from 3, 4, 5, 6, dirty, own twos"
        ),
        Feature("run wild", 2, "an open run of each team takes a foreign wild"),
    )
    rest = (
        Feature("jokers", 4, "jokers in the hand, thermometer"),
        Feature("wilds", 6, "wilds in the hand, thermometer"),
        Feature("known jokers", players - 1, "other seats known to hold a joker"),
        Feature("pairs", 13, "two naturals of a rank in the hand"),
        Feature("trios", 13, "three naturals of a rank in the hand"),
        Feature("pile trios", 13, "three naturals of a rank in hand and pile together, some in the pile"),
        Feature("pile fits", len(FITS), "cards of the pile that the own table takes, thermometer"),
        Feature(
            "sets",
            2 * (len(LENGTHS) + 1) * 13,
            "open sets by team: length from 3, 4, 5, 6, wild; at the twos wild groups",
        ),
        Feature("kinds", 2 * 2 * len(BAZA_KINDS), "closed bazas of each team: one of a kind, two of a kind"),
        Feature("phase", len(PHASES), "one-hot"),
        Feature("sizes", players * len(SIZES), "cards of each seat, thermometer"),
        Feature("stock", len(STOCK), "cards in the stock, thermometer"),
        Feature("pile size", len(PILE), "cards in the pile, thermometer"),
        Feature("burakos", 2 * max(1, rules.burakos_per_team), "burakos left of each team, thermometer"),
        Feature("taken", players, "burakos taken by each seat"),
        Feature("first taker", 2 * players, "seat that took a team's first burako, one-hot"),
        Feature("flags", 5, "first draw, half open group of 1, of 2, one-card pile taken, such a card laid since"),
        Feature("drawn joker", 1, "the card just drawn is a joker"),
        Feature("answer", len(ANSWERS), "one-hot"),
        Feature("turns", len(TURNS), "completed turns, thermometer"),
        Feature("final", 1 + FINAL_TURNS, "stock has run out; at most 0, 1, .. 8 turns to come"),
        Feature("points", 2 * len(POINTS), "bazas and burakos of each team in points, thermometer"),
        Feature("match", 1 + 2 * EIGHTHS, "in a match; eighths of the target that each team has"),
    )
    return block, rest
