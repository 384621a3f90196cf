"""How networks see the card game and name its actions."""
