"""How networks see the three levels."""
