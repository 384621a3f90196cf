"""Pages that are written from the code."""
