"""Positions for people: as text, as an HTML page, as an image. `modes.draw` draws any game.

A family's folder has a scene (a position as plain data), the text, page and picture drawn from it, and the faces of its
cards or tiles. What they share lies here: `page`, `sheet` (images), `shapes` (faces) and `texts` (in two languages).
"""
