"""Case files of the card game."""
