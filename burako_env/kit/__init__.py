"""What games are built with, whatever their rules: fields of a state, chance, keys, checks of what is given."""
