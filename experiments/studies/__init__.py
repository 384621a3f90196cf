"""Studies that were made once and can be made again."""
