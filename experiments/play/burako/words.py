"""What playing says beside the table's own words, in English and Spanish: reasons, events, buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from burako_env.burako.game import BurakoGame
from burako_env.burako.notation import format_cards
from burako_env.burako.turn.actions import FIRST_RUN, NONE, WILD_GROUP, Kind
from burako_env.render.texts import Texts, TextTable
from experiments.play.burako.score_sheet import SHEET
from experiments.play.happenings import Reason

REASONS: Final[TextTable] = {
    "not.now": ("That is not possible now.", "Eso no es posible ahora."),
    "over": ("The hand is over.", "La mano terminó."),
    "answer.first": ("First answer your team-mate: yes or no.", "Primero responda a su compañero: sí o no."),
    "answer.late": ("Nobody has asked you.", "Nadie le ha consultado."),
    "burako.first": (
        "First decide whether you take the burako or keep your hand.",
        "Primero decida si coge el burako o se queda con su mano.",
    ),
    "look.first": (
        "First decide whether you keep the card you have looked at.",
        "Primero decida si se queda con la carta que miró.",
    ),
    "look.wild": ("A 2 or a comodín is kept: it cannot be rejected.", "Un 2 o un comodín se conserva: no se rechaza."),
    "look.last": ("There is no other card to draw.", "No queda otra carta para robar."),
    "look.late": (
        "Only the first card of the hand may be looked at and rejected.",
        "Solo se mira y se rechaza la primera carta de la mano.",
    ),
    "draw.first": ("Draw a card or take the pile first.", "Primero robe una carta o coja la pila."),
    "draw.late": ("You have drawn already this turn.", "Ya robó en este turno."),
    "stock.empty": ("The stock is used up.", "El mazo se acabó."),
    "stock.ends": ("With the stock used up the hand ends here.", "Sin mazo la mano termina aquí."),
    "stock.left": ("The hand can be ended only when the stock is used up.", "La mano solo se termina sin mazo."),
    "pile.empty": ("There is no card in the pile.", "No hay cartas en la pila."),
    "keep.free": (
        "While you can lay, discard or take a burako, you may not pass.",
        "Mientras pueda bajar, descartar o coger burako, no puede pasar.",
    ),
    "half": (
        "First complete the group you are opening: it needs {count} cards.",
        "Primero complete el grupo que está abriendo: necesita {count} cartas.",
    ),
    "burako.none": ("Your team has no burako left.", "A su equipo no le quedan burakos."),
    "burako.naturals": (
        "A burako is taken with an empty hand, or with nothing but up to {count} 2s and comodines.",
        "El burako se coge sin cartas, o solo con hasta {count} cartas libres (2 o comodín).",
    ),
    "burako.wilds": (
        "At most {count} wild cards may stay in your hand when you take a burako.",
        "Para coger el burako se dejan en la mano máximo {count} cartas libres.",
    ),
    "ask.off": ("These rules know no asking.", "Estas reglas no tienen consulta."),
    "ask.twice": ("You have asked once this turn.", "Ya consultó en este turno."),
    "ask.burako": (
        "The ida is asked about once your team has taken all its burakos.",
        "La ida se consulta cuando su equipo ya cogió todos sus burakos.",
    ),
    "ask.self": (
        "You took your team's first burako: nobody is asked.",
        "Usted cogió el primer burako: no se consulta a nadie.",
    ),
    "ask.few": ("Asking takes at least two cards in hand.", "Para consultar se necesitan al menos dos cartas."),
    "ask.wilds": ("With nothing but wild cards there is nothing to ask.", "Solo con cartas libres no se consulta."),
    "not.held": ("You do not hold the {card}.", "No tiene esa carta ({card})."),
    "discard.wild": ("A 2 or a comodín is never discarded.", "Las cartas libres (2 o comodín) no se descartan."),
    "discard.single": (
        "The {card} was the only card of the pile you took: discard another one.",
        "La única carta de la pila que cogió ({card}) no se descarta: se descarta otra.",
    ),
    "bound.no": (
        "Your team-mate said no: this turn you must keep a card that you can hold on to.",
        "Su compañero dijo que no: en este turno debe quedarse con cartas.",
    ),
    "bound.yes": (
        "Your team-mate said yes: lay what you can before you discard.",
        "Su compañero dijo que sí: baje lo que pueda antes de descartar.",
    ),
    "theirs": ("That is the other team's table.", "Ese es el tendido del otro equipo."),
    "wilds.open": (
        "While your comodines are open, no 2 and no comodín may go anywhere else.",
        "Con los comodines abiertos, las cartas libres no van en ningún otro lugar.",
    ),
    "wilds.only": ("Only 2s and comodines go here.", "Aquí solo van cartas libres: 2 y comodines."),
    "wilds.few": (
        "Comodines are opened with at least {count} 2s or comodines.",
        "Los comodines se abren con mínimo {count} cartas libres.",
    ),
    "set.rank": ("The {card} is no card for a trío of {ranks}.", "La carta {card} no va en un trío de {ranks}."),
    "set.ever": ("Your team has closed a trío of {ranks} before.", "Su equipo ya cerró un trío de {ranks}."),
    "set.open": (
        "Your team has an open trío of {ranks}: add to it, a second one is not allowed.",
        "Su equipo ya tiene abierto un trío de {ranks}: no se abre otro.",
    ),
    "second.wild": ("A group takes only one 2 or comodín.", "Solo va una carta libre por grupo."),
    "run.suit": (
        "The {card} does not belong to an escalera of {suit}.",
        "La carta {card} no va en una escalera de {suit}.",
    ),
    "run.twice": ("That card lies in this escalera already.", "Esa carta ya está en la escalera."),
    "run.gap": (
        "The {card} does not follow on in this escalera.",
        "La carta {card} no sigue en esta escalera.",
    ),
    "run.order": (
        "An escalera is opened from its lowest card upwards, a wild card last.",
        "La escalera se abre de menor a mayor, la carta libre al final.",
    ),
    "run.slots": (
        "Not more than {count} escaleras of one suit may be open.",
        "No se abren más de {count} escaleras de un mismo palo.",
    ),
    "open.wild": (
        "A group is opened with natural cards; the 2 or comodín comes third.",
        "Un grupo se abre con cartas naturales; la carta libre va de tercera.",
    ),
    "open.three": (
        "A group is opened with at least {count} cards: your hand has not enough that fit.",
        "Un grupo se abre con mínimo {count} cartas: le faltan cartas que liguen.",
    ),
    "few": (
        "A group is opened with at least {count} cards: choose them all.",
        "Un grupo se abre con mínimo {count} cartas: escójalas todas.",
    ),
    "many": ("A baza has {count} cards: no more fit.", "La baza tiene {count} cartas: no caben más."),
    "mixed": (
        "These cards are neither one rank (trío) nor one suit in a row (escalera).",
        "Estas cartas no son un trío ni una escalera.",
    ),
    "one.discard": ("Exactly one card is discarded.", "Se descarta exactamente una carta."),
}

# In the past tense: these follow a name, which may be "you".
EVENTS: Final[TextTable] = {
    "DRAW_STOCK": ("drew", "robó"),
    "DRAW_PILE": ("took the pile: {cards}", "cogió la pila: {cards}"),
    "KEEP": ("kept the card", "se quedó con la carta"),
    "REJECT": ("rejected {cards}", "rechazó {cards}"),
    "LAY": ("laid {cards} ({group})", "bajó {cards} ({group})"),
    "DISCARD": ("discarded {cards}", "descartó {cards}"),
    "TAKE_BURAKO": ("took a burako", "cogió burako"),
    "KEEP_HAND": ("kept the hand", "se quedó con su mano"),
    "ASK": ("asked: shall I go out?", "consultó: ¿me voy?"),
    "YES": ("answered: yes", "respondió: sí"),
    "NO": ("answered: no", "respondió: no"),
    "END_HAND": ("ended the hand", "terminó la mano"),
    "burako": ("took a burako", "cogió burako"),
    "closed": ("closed a baza: {kind}", "cerró baza: {kind}"),
    "failed": ("had no legal answer; an action was drawn for it", "no respondió bien; se jugó por él al azar"),
    "seed": ("the same cards again: {why}", "las mismas cartas otra vez: {why}"),
    "unwritten": ("the record was not kept: {why}", "no se guardó el registro: {why}"),
    "dealt": ("New hand", "Mano nueva"),
}

# Buttons by the kind of their action, and what else the page says.
PAGE: Final[TextTable] = {
    "do.DRAW_STOCK": ("Draw", "Robar"),
    "do.DRAW_PILE": ("Take the pile", "Coger la pila"),
    "do.KEEP": ("Keep it", "Me la quedo"),
    "do.REJECT": ("Reject it", "La rechazo"),
    "do.TAKE_BURAKO": ("Take a burako", "Coger burako"),
    "do.KEEP_HAND": ("Keep my hand", "Quedarme así"),
    "do.ASK": ("Ask: shall I go out?", "Consultar la ida"),
    "do.YES": ("Yes, go out", "Sí, váyase"),
    "do.NO": ("No, stay", "No, quédese"),
    "do.END_HAND": ("End the hand", "Terminar la mano"),
    "do.new": ("Open a group", "Abrir grupo"),
    "do.discard": ("Discard", "Descartar"),
    "do.undo": ("Undo", "Deshacer"),
    "do.hint": ("Hint", "Pista"),
    "do.next": ("Next hand", "Siguiente mano"),
    "do.again": ("Deal again", "Repartir de nuevo"),
    "you": ("You", "Usted"),
    "seat.partner": ("Partner", "Compañero"),
    "seat.next": ("Left", "Izquierda"),
    "seat.last": ("Right", "Derecha"),
    "your.draw": ("Your turn: draw a card or take the pile.", "Su turno: robe una carta o coja la pila."),
    "your.draw.one": ("Your turn: draw a card.", "Su turno: robe una carta."),
    "your.draw.last": ("The stock is used up.", "El mazo se acabó."),
    "your.look": ("Mirar dos: do you keep the {card}?", "Mirar dos: ¿se queda con la carta {card}?"),
    "your.lay": (
        "Choose cards to lay, or one to discard.",
        "Escoja cartas para bajar, o una para descartar.",
    ),
    "your.half": ("Complete the group you are opening.", "Complete el grupo que está abriendo."),
    "your.stuck": ("No card can be laid or discarded.", "No puede bajar ni descartar."),
    "your.answer": ("{name} asks: shall I go out?", "{name} consulta: ¿me voy?"),
    "your.burako": ("You have only wild cards: take a burako?", "Solo tiene cartas libres: ¿coge burako?"),
    "wait": ("{name} is thinking", "{name} está jugando"),
    "hint.says": ("{agent}: {move}", "{agent}: {move}"),
    "hint.DRAW_STOCK": ("draw from the stock", "robar del mazo"),
    "hint.DRAW_PILE": ("take the pile", "coger la pila"),
    "hint.LAY": ("lay {cards} ({group})", "bajar {cards} ({group})"),
    "hint.DISCARD": ("discard {cards}", "descartar {cards}"),
    "hint.agent": ("Hints from", "Pistas de"),
    "hint.failed": ("{agent} has no answer here: {why}", "{agent} no tiene respuesta: {why}"),
    "stale": (
        "The table has moved on; here it is as it stands now.",
        "La mesa ya cambió; así está ahora.",
    ),
    "no.group": ("There is no such group on your table.", "No hay tal grupo en su tendido."),
    "not.yours": ("It is not your turn.", "No es su turno."),
    "no.undo": (
        "Only what you laid this turn can be taken back, and nothing once a hidden card was seen.",
        "Solo se deshace lo que bajó en este turno, y nada después de ver una carta oculta.",
    ),
    "offline": ("The table does not answer; trying again.", "La mesa no responde; reintentando."),
    "restarted": ("A new game has begun.", "Comenzó otro juego."),
    "result.out": ("{name} went out.", "{name} se fue."),
    "result.exhausted": ("The stock was used up.", "Se acabó el mazo."),
    "result.truncated": ("The hand was stopped after {turns} turns.", "La mano se detuvo tras {turns} turnos."),
    "result.won": ("Your team won the match", "Su equipo ganó la partida"),
    "result.lost": ("The other team won the match", "El otro equipo ganó la partida"),
    "result.stopped": ("The match was stopped without a winner", "La partida se detuvo sin ganador"),
    "result.hand.won": ("Your team won the hand", "Su equipo ganó la mano"),
    "result.hand.lost": ("The other team won the hand", "El otro equipo ganó la mano"),
    "result.hand.even": ("The hand is even", "Mano empatada"),
    "log": ("What happened", "Lo que pasó"),
    "sort": ("Sort", "Ordenar"),
    "sort.suit": ("by suit", "por palo"),
    "sort.rank": ("by rank", "por número"),
    "colours": ("Four colours", "Cuatro colores"),
    "pace": ("Pace", "Ritmo"),
    "pace.slow": ("slow", "lento"),
    "pace.normal": ("normal", "normal"),
    "pace.fast": ("fast", "rápido"),
    "language": ("Español", "English"),
    "keys": (
        "Keys: arrows and space choose cards, D draw, P pile, L open a group, X discard, U undo, H hint, Esc clear",
        "Teclas: flechas y espacio escogen, D robar, P pila, L abrir, X descartar, U deshacer, H pista, Esc quitar",
    ),
    "options": ("Options", "Opciones"),
    "others": ("Other actions", "Otras acciones"),
    "match": ("match", "partida"),
    "single.hand": ("one hand", "una mano"),
}

_SIGNS: Final = str.maketrans("CDHS", "♣♦♥♠")


def play_words(language: str = "en", *more: TextTable) -> Texts:
    """All texts of playing in one language, with `more`."""
    reasons = {f"why.{key}": texts for key, texts in REASONS.items()}
    events = {f"event.{key}": texts for key, texts in EVENTS.items()}
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


def signs(cards: Sequence[int]) -> str:
    """Cards as short text: `9♠ 10♥`, a joker as a star."""
    return format_cards(cards).replace("JK", "★").translate(_SIGNS)


def action_text(
    key: str, words: Texts, cards: Sequence[int], group: int | None, run_slots: int, **values: object
) -> str:
    """A text about an action with its cards and its group."""
    place = "" if group is None else group_text(group, run_slots, words)
    return words(key, cards=signs(cards), group=place, **values)


def advice_text(hand: BurakoGame, action: int, words: Texts) -> str:
    """An action as advice: `lay 9♠ (trío of 9)`, `draw from the stock`; one without words of its own as in a record."""
    kind, card, group = (int(value) for value in hand.table.rows[action])
    name = Kind(kind).name
    key = next((key for key in (f"hint.{name}", f"do.{name}") if key in words), None)
    if key is None:
        return hand.action_text(action)
    cards = () if card == NONE else (card,)
    return action_text(key, words, cards, None if group == NONE else group, hand.rules.run_slots)


def group_text(number: int, run_slots: int, words: Texts) -> str:
    """A group by its number: `trío of 9`, `escalera de picas`, `comodines`."""
    if number == WILD_GROUP:
        return words("wild")
    if number < FIRST_RUN:
        return words("set", rank=words.rank(number, many=True))
    return words("run", suit=words(f"suit.{(number - FIRST_RUN) // run_slots}"))
