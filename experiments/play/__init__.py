"""`burako play`: one person at a table with agents, in a browser or in a terminal.

`session` is the game in progress and all that happens to it, `plans` turns chosen cards into actions, `reasons` says
why something is not allowed, `words` says everything in English and Spanish. `server` shows a session to a browser,
`terminal` to a terminal.
"""
