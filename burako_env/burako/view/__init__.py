"""The View of the card game: its layout, and how it is built."""
