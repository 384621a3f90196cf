"""Positions for people: as text, as an HTML page, as an image.

The card game: `ansi`, `html`, `picture`; `table` is what the last two draw, with the cards of `faces`. The children's
levels: `ruibal`, `level_html`, `level_picture`; `level_table` is what they draw, with the tiles of `tile_faces`. Both
draw faces by `shapes` and images by `sheet`.
"""
