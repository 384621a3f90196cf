"""What a drawing of a children's level says, in English and Spanish; the tiles are called as the leaflet calls them."""

from typing import Final

from burako_env.render.texts import Texts, TextTable
from burako_env.ruibal.tiles import JOKER, NUMBER_COUNT, TYPE_COUNT, TYPE_NAMES

LEVEL_TEXTS: Final[TextTable] = {
    "character.0": ("lion", "León"),
    "character.1": ("crocodile", "Cocodrilo"),
    "character.2": ("tiger", "Tigre"),
    "character.3": ("bear", "Oso"),
    "tile": ("{character} {number}", "{number} {character}"),
    "tile.ROBA": ("ROBA UNA", "ROBA UNA"),
    "tile.TOMA": ("TOMA DOS", "TOMA DOS"),
    "tile.OTRO": ("OTRO TURNO", "OTRO TURNO"),
    "joker.for": ("joker for {tile}", "comodín por {tile}"),
    "crowns.one": ("1 crown", "1 corona"),
    "crowns": ("{count} crowns", "{count} coronas"),
    "tiles.one": ("1 tile", "1 ficha"),
    "tiles": ("{count} tiles", "{count} fichas"),
    "pool": ("Pool", "Pozo"),
    "pool.empty": ("empty", "vacío"),
    "used": ("Forfeits used", "Prendas usadas"),
    "layer": ("Board, layer {number}", "Tablero, capa {number}"),
    "board": ("Board", "Tablero"),
    "cell.free": ("{tile}: free", "{tile}: libre"),
    "place.free": ("place {number}: empty", "lugar {number}: vacío"),
    "place.tile": ("place {number}: {tile}", "lugar {number}: {tile}"),
    "collection": ("collection {number}", "colección {number}"),
    "no.collection": ("No collection on the table yet", "Ninguna colección en la mesa aún"),
    "rack": ("Rack", "Atril"),
    "known.stolen": ("stolen from you", "se la robaron a usted"),
    "own.stolen": ("stolen: its owner knows", "robada: su dueño lo sabe"),
    "called": ("Called", "Se canta"),
    "called.try": ("call {number} of {most}", "canto {number} de {most}"),
    "calls.left": ("{count} tiles to call", "{count} fichas por cantar"),
    "calls.left.one": ("the last tile", "la última ficha"),
    "sits": ("sits out", "no juega este canto"),
    "points": ("points at {number}", "señala {number}"),
    "level.turn": ("to play", "juega"),
    "level.point": ("looks for the match", "busca la pareja"),
    "level.released": ("has released a joker", "liberó un comodín"),
    "level.moves": ("is moving tiles", "mueve fichas"),
    "more.turns": ("{count} turns", "{count} turnos"),
    "level.over": ("the game is over: {names} won", "terminó el juego: ganó {names}"),
    "level.over.many": ("the game is over: {names} share the win", "terminó el juego: empatan {names}"),
    "and": (" and ", " y "),
}


def tile_text(tile: int, words: Texts) -> str:
    """A tile as it is read out: `crocodile 2`, `2 Cocodrilo`, `joker`, `ROBA UNA`."""
    if tile == JOKER:
        return words("joker")
    if tile > JOKER:
        if tile >= TYPE_COUNT:
            raise ValueError(f"{tile} is no type of a tile")
        return words(f"tile.{TYPE_NAMES[tile]}")
    return words("tile", character=words(f"character.{tile // NUMBER_COUNT}"), number=tile % NUMBER_COUNT + 1)


def laid_text(cell: int, joker: bool, words: Texts) -> str:
    """What lies in a cell."""
    tile = tile_text(cell, words)
    return words("joker.for", tile=tile) if joker else tile


def level_words(language: str = "en", *more: TextTable) -> Texts:
    """The words of a table of a level in one language."""
    return Texts(language, LEVEL_TEXTS, *more)


__all__ = ["LEVEL_TEXTS", "laid_text", "level_words", "tile_text"]
