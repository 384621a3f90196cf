"""Sets and runs: their states, what a table accepts, how they close."""
