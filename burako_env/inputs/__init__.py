"""What comes from outside: files, YAML, values, libraries that may not be installed.

What is wrong with it ends in one sentence, a `UserError`.
"""
