"""Case files of the three levels."""
