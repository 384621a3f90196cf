"""Play records: written while a game is played, read and played again."""
