"""A turn of the card game: its actions, which of them are legal, what each does."""
