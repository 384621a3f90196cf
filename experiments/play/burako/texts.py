"""What playing the card game says, in English and Spanish: reasons, events, buttons, and what they are made of."""

from collections.abc import Sequence
from typing import Final

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import format_cards
from burako_env.burako.turn.actions import FIRST_RUN, WILD_GROUP
from burako_env.render.texts import Texts, TextTable
from experiments.play import texts
from experiments.play.burako.reasons import wish_of
from experiments.play.burako.score_sheet import SHEET
from experiments.play.happenings import Reason

REASONS: Final[TextTable] = {
    "not.now": ("That is not possible now.", "Eso no es posible ahora."),
    "over": ("The hand is over.", "La mano terminó."),
    "answer.first": ("First answer your partner: yes or no.", "Primero responde a tu compañero: sí o no."),
    "answer.late": ("Nobody has asked you.", "Nadie te ha consultado."),
    "burako.first": ("First take the burako or keep your hand.", "Primero toma el burako o quédate con tu mano."),
    "look.first": (
        "First keep or reject the card you looked at.",
        "Primero decide si te quedas con la carta que miraste.",
    ),
    "look.wild": ("You cannot reject a 2 or a comodín.", "No puedes rechazar un 2 ni un comodín."),
    "look.last": ("There is no other card to draw.", "No queda otra carta para robar."),
    "look.late": (
        "You may look at and reject only the first card of the hand.",
        "Solo puedes mirar y rechazar la primera carta de la mano.",
    ),
    "draw.first": ("First draw a card or take the pile.", "Primero roba una carta o toma el pozo."),
    "draw.late": ("You have already drawn this turn.", "Ya robaste en este turno."),
    "stock.empty": ("The stock is used up.", "El mazo se acabó."),
    "stock.ends": ("The stock is used up, so the hand ends here.", "El mazo se acabó: la mano termina aquí."),
    "stock.left": ("The hand ends only when the stock is used up.", "La mano solo termina cuando se acaba el mazo."),
    "pile.empty": ("There are no cards in the pile.", "No hay cartas en el pozo."),
    "keep.free": (
        "You may not pass while you can lay, discard or take a burako.",
        "No puedes pasar mientras puedas bajar, descartar o tomar un burako.",
    ),
    "half": (
        "First complete the group you are opening: it needs {count} cards.",
        "Primero completa el grupo que estás abriendo: necesita {count} cartas.",
    ),
    "burako.none": ("Your team has no burakos left.", "A tu equipo no le quedan burakos."),
    "burako.naturals": (
        "To take a burako your hand must be empty, or hold only 2s and comodines, at most {count}.",
        "Para tomar un burako, tu mano debe estar vacía o tener solo cartas libres (2 o comodín), máximo {count}.",
    ),
    "burako.wilds": (
        "To take a burako you may keep at most {count} wild cards in your hand.",
        "Para tomar un burako puedes tener en la mano máximo {count} cartas libres.",
    ),
    "ask.off": ("With these rules nobody asks about going out.", "Con estas reglas no se consulta la ida."),
    "ask.twice": ("You have already asked this turn.", "Ya consultaste en este turno."),
    "ask.burako": (
        "You may ask about going out once your team has taken all its burakos.",
        "Puedes consultar la ida cuando tu equipo haya tomado todos sus burakos.",
    ),
    "ask.self": (
        "You took your team's first burako, so you need not ask anybody.",
        "Tú tomaste el primer burako de tu equipo: no tienes que consultar a nadie.",
    ),
    "ask.few": ("To ask, you need at least two cards in hand.", "Para consultar necesitas al menos dos cartas."),
    "ask.wilds": ("You cannot ask while all your cards are wild.", "No puedes consultar si solo tienes cartas libres."),
    "not.held": ("You do not hold the {card}.", "No tienes esa carta ({card})."),
    "discard.wild": ("You may not discard a 2 or a comodín.", "No puedes descartar un 2 ni un comodín."),
    "discard.single": (
        "The {card} was the only card in the pile you took: discard another card.",
        "Esa carta ({card}) era la única del pozo que tomaste: descarta otra.",
    ),
    "bound.no": (
        "Your partner said no, so you must keep cards in your hand this turn.",
        "Tu compañero dijo que no: en este turno debes quedarte con cartas en la mano.",
    ),
    "bound.yes": (
        "Your partner said yes, so lay all you can before you discard.",
        "Tu compañero dijo que sí: baja todo lo que puedas antes de descartar.",
    ),
    "theirs": ("Those are the other team's cards.", "Ese es el tendido del otro equipo."),
    "wilds.open": (
        "While your comodines are open, 2s and comodines may not go anywhere else.",
        "Mientras tus comodines estén abiertos, las cartas libres no pueden ir en otro lugar.",
    ),
    "wilds.only": ("Only 2s and comodines go here.", "Aquí solo van cartas libres: 2 y comodines."),
    "wilds.few": (
        "To open comodines you need at least {count} 2s or comodines.",
        "Para abrir comodines necesitas al menos {count} cartas libres.",
    ),
    "set.rank": ("The {card} does not fit a trío of {ranks}.", "La carta {card} no va en un trío de {ranks}."),
    "set.ever": ("Your team has already closed a trío of {ranks}.", "Tu equipo ya cerró un trío de {ranks}."),
    "set.open": (
        "Your team already has an open trío of {ranks}: add to it instead of opening a second one.",
        "Tu equipo ya tiene abierto un trío de {ranks}: agrega cartas a ese en lugar de abrir otro.",
    ),
    "second.wild": ("A group may hold only one 2 or comodín.", "Un grupo solo puede tener una carta libre."),
    "run.suit": ("The {card} does not fit an escalera of {suit}.", "La carta {card} no va en una escalera de {suit}."),
    "run.twice": ("That card is already in this escalera.", "Esa carta ya está en esta escalera."),
    "run.gap": ("The {card} does not follow on in this escalera.", "La carta {card} no sigue en esta escalera."),
    "run.order": (
        "An escalera is opened from its lowest card upwards, with the wild card last.",
        "Una escalera se abre de menor a mayor, con la carta libre al final.",
    ),
    "run.slots": (
        "Your team may have at most {count} open escaleras of one suit.",
        "Tu equipo puede tener abiertas máximo {count} escaleras de un mismo palo.",
    ),
    "open.wild": (
        "A group is opened with natural cards; a 2 or comodín can only come third.",
        "Un grupo se abre con cartas naturales; la carta libre solo puede ir de tercera.",
    ),
    "open.three": (
        "To open a group you need at least {count} cards that fit, and you do not hold enough.",
        "Para abrir un grupo necesitas al menos {count} cartas que liguen, y no tienes suficientes.",
    ),
    "few": ("Select at least {count} cards to open a group.", "Elige al menos {count} cartas para abrir un grupo."),
    "many": ("A baza has {count} cards, so no more fit.", "Una baza tiene {count} cartas: no caben más."),
    "mixed": (
        "These cards are neither of one rank (trío) nor of one suit in sequence (escalera).",
        "Estas cartas no son ni de un mismo número (trío) ni seguidas de un mismo palo (escalera).",
    ),
    "one.discard": ("Discard exactly one card.", "Descarta exactamente una carta."),
}

# They follow the name of a seat, but for those of `texts.EVENTS`.
EVENTS: Final[TextTable] = {
    "DRAW_STOCK": ("drew", "[robó|robaste]"),
    "DRAW_PILE": ("took the pile: {cards}", "[tomó|tomaste] el pozo: {cards}"),
    "KEEP": ("kept the card", "[se quedó|te quedaste] con la carta"),
    "REJECT": ("rejected {cards}", "[rechazó|rechazaste] {cards}"),
    "LAY": ("laid {cards} ({group})", "[bajó|bajaste] {cards} ({group})"),
    "DISCARD": ("discarded {cards}", "[descartó|descartaste] {cards}"),
    "TAKE_BURAKO": ("took a burako", "[tomó|tomaste] un burako"),
    "KEEP_HAND": ("kept their hand", "[se quedó con su|te quedaste con tu] mano"),
    "ASK": ("asked: shall I go out?", "[consultó|consultaste]: ¿me voy?"),
    "YES": ("answered yes", "[respondió|respondiste] que sí"),
    "NO": ("answered no", "[respondió|respondiste] que no"),
    "END_HAND": ("ended the hand", "[terminó|terminaste] la mano"),
    "burako": ("took a burako", "[tomó|tomaste] un burako"),
    "closed": ("closed a baza ({kind})", "[cerró|cerraste] una baza ({kind})"),
    **texts.EVENTS,
}

# Buttons by the kind of their action, and what else the page says.
PAGE: Final[TextTable] = {
    **texts.PAGE,
    "do.DRAW_STOCK": ("Draw", "Robar"),
    "do.DRAW_PILE": ("Take the pile", "Tomar el pozo"),
    "do.KEEP": ("Keep it", "Quedármela"),
    "do.REJECT": ("Reject it", "Rechazarla"),
    "do.TAKE_BURAKO": ("Take a burako", "Tomar un burako"),
    "do.KEEP_HAND": ("Keep my hand", "Quedarme con mi mano"),
    "do.ASK": ("Ask: shall I go out?", "Consultar: ¿me voy?"),
    "do.YES": ("Yes, go out", "Sí, vete"),
    "do.NO": ("No, stay", "No, quédate"),
    "do.END_HAND": ("End the hand", "Terminar la mano"),
    "do.new": ("Open a group", "Abrir un grupo"),
    "do.discard": ("Discard", "Descartar"),
    "do.next": ("Next hand", "Siguiente mano"),
    "do.again": ("Deal again", "Repartir de nuevo"),
    "seat.partner": ("Partner", "Compañero"),
    "your.draw": ("Your turn: draw a card or take the pile.", "Tu turno: roba una carta o toma el pozo."),
    "your.draw.one": ("Your turn: draw a card.", "Tu turno: roba una carta."),
    "your.draw.last": ("Your turn: the stock is used up.", "Tu turno: el mazo se acabó."),
    "your.look": ("Mirar dos: do you keep the {card}?", "Mirar dos: ¿te quedas con la carta {card}?"),
    "your.lay": ("Select cards to lay, or one to discard.", "Elige cartas para bajar, o una para descartar."),
    "your.half": ("Complete the group you are opening.", "Completa el grupo que estás abriendo."),
    "your.stuck": ("You cannot lay or discard any card.", "No puedes bajar ni descartar ninguna carta."),
    "your.answer": ("{name} asks: shall I go out?", "{name} consulta: ¿me voy?"),
    "your.burako": ("You hold only wild cards: take a burako?", "Solo tienes cartas libres: ¿tomas un burako?"),
    "hint.DRAW_STOCK": ("draw from the stock", "robar del mazo"),
    "hint.DRAW_PILE": ("take the pile", "tomar el pozo"),
    "hint.KEEP": ("keep the card", "quedarse con la carta"),
    "hint.REJECT": ("reject the card", "rechazar la carta"),
    "hint.LAY": ("lay {cards} ({group})", "bajar {cards} ({group})"),
    "hint.DISCARD": ("discard {cards}", "descartar {cards}"),
    "hint.TAKE_BURAKO": ("take a burako", "tomar un burako"),
    "hint.KEEP_HAND": ("keep the hand", "quedarse con la mano"),
    "hint.ASK": ("ask about going out", "consultar la ida"),
    "hint.YES": ("answer yes", "responder que sí"),
    "hint.NO": ("answer no", "responder que no"),
    "hint.END_HAND": ("end the hand", "terminar la mano"),
    "no.group": ("Your team has no such group.", "Tu equipo no tiene ese grupo."),
    "no.undo": (
        "You can undo only what you laid this turn, and nothing once you have seen a hidden card.",
        "Solo puedes deshacer lo que bajaste en este turno, y nada después de ver una carta oculta.",
    ),
    "result.out": ("{name} went out.", "{name} [se fue|te fuiste]."),
    "result.exhausted": ("The stock was used up.", "El mazo se acabó."),
    "result.truncated": ("The hand was stopped after {turns} turns.", "La mano se detuvo tras {turns} turnos."),
    "result.won": ("Your team won the match", "Tu equipo ganó la partida"),
    "result.lost": ("The other team won the match", "El otro equipo ganó la partida"),
    "result.stopped": ("The match was stopped without a winner", "La partida se detuvo sin ganador"),
    "result.hand.won": ("Your team won the hand", "Tu equipo ganó la mano"),
    "result.hand.lost": ("The other team won the hand", "El otro equipo ganó la mano"),
    "result.hand.even": ("The hand is a tie", "La mano quedó empatada"),
    "sort": ("Sort", "Ordenar"),
    "sort.suit": ("by suit", "por palo"),
    "sort.rank": ("by rank", "por número"),
    "colours": ("Four colours", "Cuatro colores"),
    "keys": (
        "Keys: arrows and space select cards, D draws, P takes the pile, L opens a group, X discards, U undoes, "
        "H gives a hint, Esc clears the selection.",
        "Teclas: las flechas y el espacio eligen cartas, D roba, P toma el pozo, L abre un grupo, X descarta, "
        "U deshace, H da una pista, Esc borra la selección.",
    ),
    "single.hand": ("one hand", "una mano"),
    "help.more": (
        "To open a group with several cards at once: new 9S 10S JS.",
        "Para abrir un grupo con varias cartas a la vez: new 9S 10S JS.",
    ),
}

_SIGNS: Final = str.maketrans("CDHS", "♣♦♥♠")


def play_words(language: str = "en", *more: TextTable) -> Texts:
    """All texts of playing in one language, with `more`."""
    reasons = {f"why.{key}": text for key, text in REASONS.items()}
    events = {f"event.{key}": text for key, text in EVENTS.items()}
    return Texts(language, reasons, events, PAGE, SHEET, *more)


def reason_text(reason: Reason, words: Texts) -> str:
    """A reason as a sentence with the rule's id."""
    values = dict(reason.values)
    if "card" in values:
        values["card"] = words.card(values["card"])
    if "rank" in values:
        values["ranks"] = words.rank(values["rank"], many=True)
    if "suit" in values:
        values["suit"] = words(f"suit.{values['suit']}")
    return f"{words(f'why.{reason.key}', **values)} ({reason.rule})"


def action_text(key: str, words: Texts, cards: Sequence[int], group: int | None, run_slots: int) -> str:
    """A text about an action with its cards and its group: `9♠ 10♥`, a joker as a star."""
    shown = format_cards(cards).replace("JK", "★").translate(_SIGNS)
    return words(key, cards=shown, group="" if group is None else _group_text(group, run_slots, words))


def advice_text(hand: BurakoGame, action: int, words: Texts) -> str:
    """An action as advice: `lay 9♠ (trío of 9)`, `draw from the stock`; others as in a record."""
    wish = wish_of(hand, action)
    if (key := f"hint.{wish.kind.name}") not in words:
        return hand.action_text(action)
    return action_text(key, words, () if wish.card is None else (wish.card,), wish.group, hand.rules.run_slots)


def _group_text(number: int, run_slots: int, words: Texts) -> str:
    """A group by its number: `trío of 9`, `escalera de picas`, `comodines`."""
    if number == WILD_GROUP:
        return words("wild")
    if number < FIRST_RUN:
        return words("set", rank=words.rank(number, many=True))
    return words("run", suit=words(f"suit.{(number - FIRST_RUN) // run_slots}"))
