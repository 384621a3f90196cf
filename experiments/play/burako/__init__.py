"""The card game at the browser table."""
