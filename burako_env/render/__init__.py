"""Positions for people: `ansi` as text, `html` as a page, `picture` as an image; `table` is what the last two draw."""
