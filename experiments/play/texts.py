"""What playing says at every table, in English and Spanish: the page, the terminal, what happens to any game.

`[robó|robaste]` in a text stands for two forms: the second where it speaks of the person at the table.
"""

import re
from typing import Final

from burako_env.render.texts import TextTable

_FORMS: Final = re.compile(r"\[([^][|]*)\|([^][|]*)\]")

# These follow the name of a seat, but for the last three.
EVENTS: Final[TextTable] = {
    "failed": ("gave no legal answer; a random action was played", "no dio una respuesta válida; se jugó al azar"),
    "seed": ("the same cards again: {why}", "las mismas cartas otra vez: {why}"),
    "unwritten": ("The record could not be saved: {why}", "No se pudo guardar el registro: {why}"),
    "dealt": ("New hand", "Mano nueva"),
}

PAGE: Final[TextTable] = {
    "you": ("You", "Tú"),
    "seat.next": ("Left", "Izquierda"),
    "seat.last": ("Right", "Derecha"),
    "wait": ("{name} is thinking.", "{name} está pensando."),
    "do.undo": ("Undo", "Deshacer"),
    "do.hint": ("Hint", "Pista"),
    "hint.says": ("{agent}: {move}", "{agent}: {move}"),
    "hint.agent": ("Hints from", "Pistas de"),
    "hint.failed": ("{agent} could not give a hint: {why}", "{agent} no pudo dar una pista: {why}"),
    "no.hints": ("No agent of that name gives hints here.", "Aquí ningún agente con ese nombre da pistas."),
    "stale": ("The game has moved on. This is the table now.", "El juego avanzó. Así está la mesa ahora."),
    "not.yours": ("It is not your turn.", "No es tu turno."),
    "offline": ("The table does not answer. Trying again.", "La mesa no responde. Intentando de nuevo."),
    "restarted": ("A new game has begun.", "Comenzó otro juego."),
    "log": ("What happened", "Lo que pasó"),
    "pace": ("Pace", "Ritmo"),
    "pace.slow": ("slow", "lento"),
    "pace.normal": ("normal", "normal"),
    "pace.fast": ("fast", "rápido"),
    "language": ("Español", "English"),
    "options": ("Options", "Opciones"),
    "others": ("Other actions", "Otras acciones"),
    "match": ("match", "partida"),
    "help": (
        "Type the number of an action, or the action as it is listed. {more} "
        "You can also type: undo, hint [agent], table, help, quit.",
        "Escribe el número de una acción, o la acción como aparece en la lista. {more} "
        "También puedes escribir: undo (deshacer), hint [agente] (pista), table (mesa), help (ayuda), quit (salir).",
    ),
    "bye": ("The game ends here.", "El juego termina aquí."),
    "go.on": ("Press Enter to go on, or type quit: ", "Pulsa Enter para continuar, o escribe quit para salir: "),
    "no.number": ("There is no action with the number {number}.", "No hay ninguna acción con el número {number}."),
}


def spoken(text: str, *, own: bool) -> str:
    """A text in the form that speaks of the person at the table, or of somebody else."""
    return _FORMS.sub(r"\2" if own else r"\1", text)


__all__ = ["EVENTS", "PAGE", "spoken"]
