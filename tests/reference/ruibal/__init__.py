"""The children's levels in plain Python, one game at a time, written from the rules page and sharing no code with the
core. Tiles are their names; what chance decides (the tile stolen, the fastest seat) is told to `play`."""

from .board import BoardReference
from .perception import PerceptionReference
from .table import TableReference

__all__ = ["BoardReference", "PerceptionReference", "TableReference"]
