"""What the commands say of the card game alone."""
