"""`burako play`: one person at a table of agents, in a local page or in the terminal."""
