"""What is printed and drawn of a run."""
