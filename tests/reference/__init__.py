"""An independent, plain Python reading of the rules of Burako, to test the fast core against.

It shares no code with the core: lists, Counters and card strings, brute force where the rules allow it. Read `cards`,
`config`, `groups`, `legal`, `hand`, `score`, `view` in this order.
"""

from .hand import ReferenceHand

__all__ = ["ReferenceHand"]
