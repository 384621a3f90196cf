"""All chance: pure functions of seeds, deals and keys."""
