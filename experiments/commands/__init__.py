"""The commands that have no folder of their own, one file each."""
