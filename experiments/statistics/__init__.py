"""What rows of boards say, and how surely."""
