"""What playing a level says in addition to its drawing, in English and Spanish: reasons, events, buttons."""

from collections.abc import Sequence
from typing import Final

from burako_env.render.ruibal.faces import STANDS_FOR
from burako_env.render.ruibal.texts import LEVEL_TEXTS, laid_text, tile_text
from burako_env.render.texts import Texts, TextTable
from experiments.play.happenings import Reason
from experiments.play.texts import EVENTS, PAGE

LEVEL_REASONS: Final[TextTable] = {
    "game.over": ("The game is over.", "El juego terminó."),
    "sit.free": ("You may point: nobody asks you to sit out.", "Puede señalar: no tiene que quedarse fuera."),
    "sitting": (
        "You were wrong at the last call: you sit this one out.",
        "Se equivocó en el canto anterior: este no lo juega.",
    ),
    "place.empty": ("No tile lies at place {number} any more.", "En el lugar {number} ya no hay ficha."),
    "not.held": ("You do not hold {tile}.", "No tiene {tile}."),
    "released.only": (
        "After a joker was released only a placement that uses a joker may follow, or the end of the turn.",
        "Después de liberar un comodín solo se coloca algo con comodín o se termina el turno.",
    ),
    "released.joker": (
        "What is placed after a release must use a joker.",
        "Lo que se coloca después de liberar debe usar un comodín.",
    ),
    "released.twice": ("Only one joker is released in a turn.", "Solo se libera un comodín por turno."),
    "moves.only": (
        "After the first move of a turn only more moves and its end may follow.",
        "Después del primer movimiento solo siguen otros movimientos o el fin del turno.",
    ),
    "end.released": (
        "The turn is ended like this only after a joker was released.",
        "El turno solo se termina así después de liberar un comodín.",
    ),
    "end.moves": ("The turn is ended after at least one move.", "El turno se termina tras un movimiento al menos."),
    "pass.pool": (
        "While the pool has tiles you may not pass: draw one.",
        "Mientras haya fichas en el pozo no puede pasar: tome una.",
    ),
    "pool.empty": ("The pool is empty.", "El pozo está vacío."),
    "pool.two": ("The pool is empty: there is nothing to take.", "El pozo está vacío: no hay qué tomar."),
    "neighbour.empty": (
        "Your right-hand neighbour has no tile to steal.",
        "El jugador de la derecha no tiene fichas para robar.",
    ),
    "no.joker": ("No joker stands for {tile}.", "Ningún comodín está en lugar de {tile}."),
    "wrong.tile": ("Only {tile} takes the place of this joker.", "Solo {tile} ocupa el lugar de este comodín."),
    "cell.taken": (
        "The place of {tile} is taken in both layers, or they cannot lie together.",
        "El lugar de {tile} está ocupado: no caben juntas en ninguna capa.",
    ),
    "no.line": (
        "The tiles must lie together in one row or column with at least {count} filled cells side by side.",
        "Las fichas deben quedar juntas en una fila o columna con mínimo {count} casillas llenas seguidas.",
    ),
    "one.line": (
        "All tiles of a placement lie in one row or one column of the board.",
        "Todas las fichas van en una misma fila o columna del tablero.",
    ),
    "twice": ("{tile} is chosen twice: it goes there only once.", "Escogió {tile} dos veces: solo va una vez."),
    "joker.held": (
        "A joker does not stand for {tile}, which can be had without it.",
        "El comodín no reemplaza a {tile}, que se tiene sin él.",
    ),
    "joker.too": ("A joker is needed for it: choose it, too.", "Se necesita un comodín: escójalo también."),
    "not.there": ("The chosen tiles do not go there.", "Las fichas escogidas no van ahí."),
    "forfeit.alone": ("A forfeit is played by itself.", "Una prenda se juega sola."),
    "no.growth": (
        "No collection on the table lacks just one of these tiles.",
        "A ninguna colección de la mesa le falta solo una de estas fichas.",
    ),
    "no.source": ("Neither your rack nor the table can give {tile}.", "Ni su atril ni la mesa pueden dar {tile}."),
    "from.rack": ("At least one tile must come from your rack.", "Al menos una ficha debe salir de su atril."),
    "natural": (
        "A collection needs at least one tile that is no joker.",
        "Una colección necesita al menos una ficha que no sea comodín.",
    ),
    "rack.first": (
        "What your rack holds comes from the rack: choose {tile}, too.",
        "Lo que tiene en el atril sale del atril: escoja también {tile}.",
    ),
    "no.collection": (
        "A collection is {count} to 5 numbers in a row of one character, or one number of {count} or 4 characters.",
        "Una colección es de {count} a 5 números seguidos de un personaje, o un número de {count} o 4 personajes.",
    ),
}

# In the past tense: these follow a name, which may be "you".
LEVEL_EVENTS: Final[TextTable] = {
    "right": ("pointed at {cards}: right", "señaló {cards}: acertó"),
    "wrong": ("pointed at {cards}: wrong", "señaló {cards}: se equivocó"),
    "again": ("Nobody is right: {cards} is called again", "Nadie acertó: se canta otra vez {cards}"),
    "nobody": ("Nobody is right: {cards} goes on the board", "Nadie acertó: {cards} va al tablero"),
    "PLACE": ("placed {cards}", "colocó {cards}"),
    "MAKE": ("made {cards}", "formó {cards}"),
    "GROW": ("added {cards}", "agregó {cards}"),
    "TAKE": ("made {cards} with tiles of the table", "formó {cards} con fichas de la mesa"),
    "RELEASE": ("released a joker with {cards}", "liberó un comodín con {cards}"),
    "ROBA": ("played ROBA UNA and stole a tile from {name}", "jugó ROBA UNA y le robó una ficha a {name}"),
    "ROBA.seen": ("played ROBA UNA and stole {cards} from {name}", "jugó ROBA UNA y robó {cards} a {name}"),
    "TOMA": ("played TOMA DOS", "jugó TOMA DOS"),
    "OTRO": ("played OTRO TURNO", "jugó OTRO TURNO"),
    "DRAW": ("drew a tile", "tomó una ficha"),
    "PASS": ("passed", "pasó"),
    "END": ("ended the turn", "terminó el turno"),
    "out": ("laid the last tile", "colocó su última ficha"),
    "got": ("got {cards}", "recibió {cards}"),
    "failed": EVENTS["failed"],
    "seed": EVENTS["seed"],
    "unwritten": EVENTS["unwritten"],
    "dealt": ("New game", "Juego nuevo"),
}

# These replace the texts of the same key that every table has, or are added to them.
LEVEL_PAGE: Final[TextTable] = {
    "do.DRAW": ("Draw a tile", "Tomar una ficha"),
    "do.PASS": ("Pass", "Pasar"),
    "do.END": ("End the turn", "Terminar el turno"),
    "do.SIT": ("Sit this call out", "No jugar este canto"),
    "do.PLACE": ("Place {cards}", "Colocar {cards}"),
    "do.MAKE": ("Make {cards}", "Formar {cards}"),
    "do.GROW": ("Add {cards}", "Agregar {cards}"),
    "do.TAKE": ("Make {cards}, with {taken} of the table", "Formar {cards}, con {taken} de la mesa"),
    "do.RELEASE": ("Release the joker of {cards}", "Liberar el comodín de {cards}"),
    "do.ROBA": ("ROBA UNA: steal a tile on the right", "ROBA UNA: robar una ficha al de la derecha"),
    "do.TOMA": ("TOMA DOS: take two tiles", "TOMA DOS: tomar dos fichas"),
    "do.OTRO": ("OTRO TURNO: two more turns", "OTRO TURNO: dos turnos más"),
    "do.POINT": ("Point at {cards}", "Señalar {cards}"),
    "all.racks": ("all racks", "todos los atriles"),
    "from.you": ("you", "usted"),
    "do.lay": ("Lay", "Colocar"),
    "seat.across": ("Opposite", "De frente"),
    "seat.rival": ("Rival", "Rival"),
    "your.lay": ("First choose tiles of your rack.", "Primero escoja fichas de su atril."),
    "your.point": ("Which place has {tile}? Point at it.", "¿En qué lugar está {tile}? Señálelo."),
    "your.sit": (
        "You were wrong at the last call: you sit this one out.",
        "Se equivocó en el canto anterior: este no lo juega.",
    ),
    "your.turn": (
        "Your turn: place tiles, play a forfeit, or draw a tile.",
        "Su turno: coloque fichas, juegue una prenda o tome una ficha.",
    ),
    "your.turn.empty": (
        "Your turn: place tiles, play a forfeit, or pass.",
        "Su turno: coloque fichas, juegue una prenda o pase.",
    ),
    "your.released": (
        "You have a joker now: use it at once, or end the turn.",
        "Ya tiene un comodín: úselo de una vez o termine el turno.",
    ),
    "your.moves": ("Make more moves, or end the turn.", "Haga más movimientos o termine el turno."),
    "which": ("There are several ways: choose one.", "Hay varias maneras: escoja una."),
    "result.out": ("{name} laid the last tile.", "{name} colocó su última ficha."),
    "result.forfeits": ("Only forfeits are left.", "Solo quedan prendas."),
    "result.passes": ("Everybody passed.", "Todos pasaron."),
    "result.calls": ("All tiles have been called.", "Se cantaron todas las fichas."),
    "result.won": ("You won", "Usted ganó"),
    "result.lost": ("{names} won", "Ganó {names}"),
    "result.shared": ("{names} share the win", "Empatan {names}"),
    "do.again": ("Play again", "Jugar otra vez"),
    "single.hand": ("one game", "un juego"),
    "no.undo": (
        "Only moves of this turn can be taken back, and nothing once a hidden tile was seen.",
        "Solo se deshacen movimientos de este turno, y nada después de ver una ficha oculta.",
    ),
    "no.group": ("There is no such action here.", "Aquí no hay tal acción."),
    "you": ("You", "Usted"),
    "help.more": (
        "Tiles are written L1 (lion), C2 (crocodile), T3 (tiger), O4 (bear), a joker for C2 as JK=C2.",
        "Las fichas se escriben L1 (León), C2 (Cocodrilo), T3 (Tigre), O4 (Oso); un comodín por C2, JK=C2.",
    ),
    "keys": (
        "Keys: arrows and space choose, L lay, D draw, P pass, E end the turn, U undo, H hint, Esc clear",
        "Teclas: flechas y espacio escogen, L colocar, D tomar, P pasar, E terminar, U deshacer, H pista, Esc quitar",
    ),
}


def play_level_words(language: str = "en", *more: TextTable) -> Texts:
    """All texts of playing a level in one language, with `more`."""
    reasons = {f"why.{key}": texts for key, texts in LEVEL_REASONS.items()}
    events = {f"event.{key}": texts for key, texts in LEVEL_EVENTS.items()}
    return Texts(language, LEVEL_TEXTS, reasons, events, {**PAGE, **LEVEL_PAGE}, *more)


def level_reason_text(reason: Reason, words: Texts) -> str:
    """A reason as a sentence with the rule's id."""
    values = dict(reason.values)
    if "tile" in values:
        values["tile"] = tile_text(values["tile"], words)
    sentence = words(f"why.{reason.key}", **values)
    return f"{sentence[:1].upper()}{sentence[1:]} ({reason.rule})"


def pieces_text(pieces: Sequence[int], words: Texts) -> str:
    """Tiles and jokers in cells (`STANDS_FOR` + cell) as they are read out."""
    return ", ".join(
        laid_text(piece - STANDS_FOR, True, words) if piece >= STANDS_FOR else tile_text(piece, words)
        for piece in pieces
    )


__all__ = ["LEVEL_EVENTS", "LEVEL_PAGE", "LEVEL_REASONS", "level_reason_text", "pieces_text", "play_level_words"]
