"""The discard benchmark: strategies against each other at the table, and decision by decision."""
