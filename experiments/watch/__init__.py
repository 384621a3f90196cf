"""`burako watch`: a record as a page that plays it again.

`frames` plays the record and draws every position, `opinions` asks agents about its decisions, `page` puts both into
one file, `command` is the command line.
"""
