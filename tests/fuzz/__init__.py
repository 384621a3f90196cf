"""The core against the reference: both play the same actions, and everything is compared after each of them.

`plan` says what is played, `starts` and `scenarios` where hands begin, `policies` who plays them, `compare` what must
agree, `words` how the core is read, `case_file` what is written about a difference. `python -m tests.fuzz` runs it.
"""
