"""Names of rules: what records, suites, checkpoints and run folders hold to say under which rules they were made."""

import hashlib
from typing import Any

from pydantic import BaseModel


def keys_named(rules: BaseModel, preset: BaseModel, always: frozenset[str]) -> list[str]:
    """The keys that a digest of `rules` covers, in their order: those of `always`, and every other one that differs
    from its default.

    The default is the preset's where the preset sets one, else the field's. `always` are the keys of version 0.1.0. A
    key that came later is silent at its default, so that files made before it keep the name of their rules. Where the
    default of a later key changes, the key moves to `always`: what was made before was made under other rules.
    """
    fields = type(rules).model_fields
    return [key for key in fields if key in always or getattr(rules, key) != _default(key, rules, preset)]


def _default(key: str, rules: BaseModel, preset: BaseModel) -> Any:
    """What a key would be if nobody had said anything about it."""
    if key in preset.model_fields_set:
        return getattr(preset, key)
    return type(rules).model_fields[key].get_default(call_default_factory=True, validated_data=dict(rules))


def name_of(text: str) -> str:
    """First 16 hex digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
