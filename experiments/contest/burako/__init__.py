"""What a contest counts in a hand of the card game."""
