"""The core against the reference: the same actions for both, everything compared after each of them.

`plan` says what is played, `starts` and `scenarios` where hands begin, `policies` who plays them, `compare` what must
agree, `words` how the core is read, `case_file` what is written of a difference. `python -m tests.fuzz` runs it.
"""
