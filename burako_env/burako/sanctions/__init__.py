"""Sanctions play (`enforcement` = sanctions): the infractions of SANCTION as actions, and what they cost.

Strict play knows nothing of this folder. `actions` appends rows to the action table, `legality` says which of them are
there, `annul` moves cards to the bottom of the stock, `transitions` punishes, `game` ties it to `BurakoGame`;
`scoring`, `fields`, `view`, `sampling`, `position_codec` and `texts` add what their strict counterparts do not know.
"""
