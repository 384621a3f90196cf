"""The children's levels at the table of `burako play`.

`options` says what chosen tiles may do, `reasons` why something is not allowed, `events` what the person sees of an
action, `texts` says everything in English and Spanish; `family` puts them together.
"""
