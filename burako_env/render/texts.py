"""What a drawn table says, in English and Spanish. The words of the game are Spanish, as it came."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from burako_env.cards import JOKER, RANK_COUNT, RANK_NAMES
from burako_env.errors import unknown

Language = Literal["en", "es"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
# Texts by key: English, Spanish.
TextTable = Mapping[str, tuple[str, str]]

TABLE_TEXTS: Final[TextTable] = {
    "us": ("Us", "Nosotros"),
    "them": ("Them", "Ellos"),
    "team": ("Team {team}", "Equipo {team}"),
    "player": ("Player {seat}", "Jugador {seat}"),
    "stock": ("Stock", "Mazo"),
    "pile": ("Pile", "Pila"),
    "empty": ("empty", "vacía"),
    "cards.one": ("1 card", "1 carta"),
    "cards": ("{count} cards", "{count} cartas"),
    "laid": ("laid", "en la mesa"),
    "score": ("this hand", "esta mano"),
    "total": ("total", "total"),
    "target": ("of {target}", "de {target}"),
    "justified": ("justified", "justificado"),
    "unjustified": ("no baza yet", "sin baza aún"),
    "burako.left.one": ("1 burako to take", "1 burako por coger"),
    "burako.left": ("{count} burakos to take", "{count} burakos por coger"),
    "burako.none": ("no burako left", "sin burakos"),
    "burako.taken.one": ("took a burako", "cogió burako"),
    "burako.taken": ("took {count} burakos", "cogió {count} burakos"),
    "cut": ("cut the cards", "partió"),
    "nothing": ("Nothing laid yet", "Nada en la mesa aún"),
    "bazas": ("Closed bazas", "Bazas cerradas"),
    "holds": ("known to hold", "se sabe que tiene"),
    "hand": ("Hand", "Mano"),
    "turn": ("turn {turn}", "turno {turn}"),
    "over": ("the hand is over", "terminó la mano"),
    "last.one": ("1 more turn after this", "1 turno más después"),
    "last": ("{count} more turns after this", "{count} turnos más después"),
    "single": ("{card} was a pile of one", "{card} era la única de la pila"),
    "phase.draw": ("draws", "roba"),
    "phase.look": ("mira dos: keeps or rejects", "mira dos: se queda o rechaza"),
    "phase.lay": ("lays or discards", "baja o descarta"),
    "phase.answer": ("is asked about the ida", "responde sobre la ida"),
    "phase.burako": ("may take a burako", "puede coger burako"),
    "acts": ("{name} {does}", "{name} {does}"),
    "answer.asked": ("the ida is being asked about", "consulta la ida"),
    "answer.yes": ("the answer: yes, go out", "respuesta: sí"),
    "answer.no": ("the answer: no, stay", "respuesta: no"),
    "drawn": ("drawn", "robada"),
    "bottom": ("at the bottom of the stock", "en el fondo del mazo"),
    "set": ("trío of {rank}", "trío de {rank}"),
    "run": ("escalera of {suit}", "escalera de {suit}"),
    "wild": ("comodines", "comodines"),
    "clean set": ("clean trío", "trío limpio"),
    "dirty set": ("dirty trío", "trío sucio"),
    "clean run": ("clean escalera", "escalera limpia"),
    "dirty run": ("dirty escalera", "escalera sucia"),
    "clean aces": ("clean aces", "ases limpios"),
    "dirty aces": ("dirty aces", "ases sucios"),
    "wilds": ("comodines", "comodines"),
    "card": ("{rank} of {suit}", "{rank} de {suit}"),
    "joker": ("joker", "comodín"),
    "suit.0": ("clubs", "tréboles"),
    "suit.1": ("diamonds", "diamantes"),
    "suit.2": ("hearts", "corazones"),
    "suit.3": ("spades", "picas"),
    "rank.A": ("ace", "as"),
    "rank.J": ("jack", "J"),
    "rank.Q": ("queen", "Q"),
    "rank.K": ("king", "K"),
    "ranks.A": ("aces", "ases"),
    "ranks.J": ("jacks", "J"),
    "ranks.Q": ("queens", "Q"),
    "ranks.K": ("kings", "K"),
}


class Texts:
    """Texts of one language, looked up by key: `texts("cards", count=3)`."""

    def __init__(self, language: str = "en", *more: TextTable) -> None:
        if language not in LANGUAGES:
            raise unknown("language", language, LANGUAGES)
        self.language = language
        place = LANGUAGES.index(language)
        self._texts: dict[str, str] = {}
        for key, texts in (item for table in (TABLE_TEXTS, *more) for item in table.items()):
            if key in self._texts:
                raise ValueError(f"the text '{key}' is there twice")
            self._texts[key] = texts[place]

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its values put in."""
        return self._texts[key].format(**values)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def count(self, key: str, count: int) -> str:
        """The text of a number of things; one of them may have a text of its own."""
        single = f"{key}.one"
        return self(single) if count == 1 and single in self else self(key, count=count)

    def rank(self, rank: int, *, many: bool = False) -> str:
        """A rank by name: `9`, `king`; `aces` for many of them."""
        name = RANK_NAMES[rank]
        key = f"ranks.{name}" if many and f"ranks.{name}" in self else f"rank.{name}"
        return self(key) if key in self else name

    def card(self, card: int) -> str:
        """A card as it is read out: `9 of spades`, `as de picas`, `comodín`."""
        if card == JOKER:
            return self("joker")
        suit, rank = divmod(card, RANK_COUNT)
        return self("card", rank=self.rank(rank), suit=self(f"suit.{suit}"))


__all__ = ["LANGUAGES", "TABLE_TEXTS", "Language", "TextTable", "Texts"]
