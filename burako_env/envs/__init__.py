"""PettingZoo and Gymnasium environments over any game."""
