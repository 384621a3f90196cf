"""`burako play`: one person at a table with agents, in a browser or in a terminal.

`session` is the game in progress and all that happens to it. `families` finds the part that belongs to one family of
games, in the folder of its name. `server` shows a session to a browser, `terminal` to a terminal; `texts` says in
English and Spanish what is the same at every table.
"""
