"""The table as an image, `uint8 [HEIGHT, WIDTH, 3]`: the same `Scene`, the same card faces, laid out in lines.

All images of a game have one size, as films need it. Cards shrink until everything has room.
"""

from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from burako_env.batch import BatchGame
from burako_env.render.burako.faces import BACK, INKS, face
from burako_env.render.burako.html import group_name
from burako_env.render.burako.scene import Scene, Seat, Team, open_scene
from burako_env.render.page import Player
from burako_env.render.sheet import HEIGHT, WIDTH, Pack, Part, Sheet, fit
from burako_env.render.texts import Texts

_PACK: Final = Pack(face, INKS)
_TEAMS: Final = ("#8fc7b0", "#d9a58f")
_CARD_WIDTHS: Final = (46, 42, 38, 34, 30, 26, 22, 18)


def table_picture(game: BatchGame, index: int = 0, language: str = "en") -> npt.NDArray[np.uint8]:
    """One game with every hand open: the render mode `rgb_array`, uint8 `[HEIGHT, WIDTH, 3]`."""
    words = Texts(language)
    players = [Player(words("player", seat=seat)) for seat in range(game.seats)]
    return draw(open_scene(game, index), words, players)


def draw(scene: Scene, words: Texts, players: list[Player]) -> npt.NDArray[np.uint8]:
    """A table as an image, uint8 `[HEIGHT, WIDTH, 3]`."""
    return fit(partial(_draw_all, scene=scene, words=words, players=players), _PACK, _CARD_WIDTHS)


def _draw_all(sheet: Sheet, scene: Scene, words: Texts, players: list[Player]) -> None:
    actor = scene.actor
    said = words("over")
    if actor is not None:
        name = players[actor.number].name
        said = f"{words('acts', name=name, does=words(f'phase.{scene.phase}'))}, {words('turn', turn=scene.turns + 1)}"
    sheet.line([partial(sheet.text, said, 17)])
    for seat in scene.seats:
        sheet.line(_seat_parts(sheet, seat, players[seat.number].name), mark=_TEAMS[seat.team], lit=seat.acts)
    for team in scene.teams:
        facts = [partial(sheet.text, fact, 14) for fact in _team_facts(scene, team, words)]
        sheet.line([partial(sheet.text, words("team", team=team.number), 17), *facts], mark=_TEAMS[team.number])
        groups = [partial(sheet.cards, group.cards, group_name(group, words)) for group in team.groups]
        sheet.line([*groups, partial(sheet.cards, team.closed, words("bazas"))], mark=_TEAMS[team.number])
    pile, stock = (*scene.below, *scene.pile), (BACK,) * min(scene.stock, 1)
    titled = ((stock, "stock", scene.stock), (pile, "pile", len(pile)))
    sheet.line([partial(sheet.cards, cards, f"{words(name)} {count}") for cards, name, count in titled])


def _seat_parts(sheet: Sheet, seat: Seat, name: str) -> list[Part]:
    hand = seat.hand if seat.hand is not None else (BACK,) * seat.size
    return [
        partial(sheet.text, name, 16, room=100),
        partial(sheet.text, str(seat.size), 16, room=26),
        partial(sheet.cards, hand),
    ]


def _team_facts(scene: Scene, team: Team, words: Texts) -> list[str]:
    facts = []
    if scene.target:
        facts.append(f"{words('total')} {team.total} {words('target', target=scene.target)}")
    if team.score is not None:
        facts.append(f"{words('score')} {team.score}")
    facts += [f"{words('laid')} {team.laid}", words("justified" if team.justified else "unjustified")]
    facts.append(words.count("burako.left", team.burakos_left) if team.burakos_left else words("burako.none"))
    return [*facts, *(f"{count} {words(kind)}" for kind, count in team.bazas)]


__all__ = ["HEIGHT", "WIDTH", "draw", "table_picture"]
