"""Checked types: numbers that are what they seem, shared by settings, rules and the options of agents.

A setting or an option declares its bounds with its type, `Annotated[Whole, Field(ge=1, le=1000)]`, and whatever reads
it (command line, preset, agent's name) checks it by `check`. Every bound is one that nobody meets in earnest: it turns
what would exhaust the memory or never end into a sentence.
"""

from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError

from burako_env.errors import UserError, short, unknown

# A boolean is no number, a text is none, and nan and inf are none either.
Whole = Annotated[int, Field(strict=True)]
Real = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Flag = Annotated[bool, Field(strict=True)]
Share = Annotated[Real, Field(ge=0, le=1)]

_SHOWN: Final = 60


def check(kind: Any, value: Any, what: str) -> Any:
    """The value if it is of a type, with the type's bounds; `UserError` naming `what` it is if not."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise UserError(complaint(error, what)) from None


def complaint(error: ValidationError, key: str = "", model: Any = None) -> str:
    """The first thing that is wrong, in a sentence with the key and the value; `model` is what was to be made."""
    first = error.errors()[0]
    where = ".".join(part for part in (key, *map(str, first["loc"])) if part)
    if first["type"] == "extra_forbidden":
        for part in first["loc"][:-1]:
            model = model.model_fields[part].annotation if part in getattr(model, "model_fields", ()) else None
        if hasattr(model, "model_fields"):
            return str(unknown("key", str(first["loc"][-1]), model.model_fields))
    message = " ".join(first["msg"].removeprefix("Value error, ").split())
    if first["type"] == "missing":
        return f"{where} is missing"
    if where and first["type"] != "value_error":
        return f"{where} = {shown(first['input'])}: {message[:1].lower()}{message[1:]}"
    return message


def shown(value: Any) -> str:
    """The beginning of a value."""
    return short(repr(value), _SHOWN)
