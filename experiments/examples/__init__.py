"""Scripts to start from: other libraries on this project's games."""
