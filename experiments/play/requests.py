"""What a page posts, read without trust: a bounded body of strict JSON with just the values that its address takes."""

import json
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

# Bytes of a body, cards that may be chosen, letters of a name, letters of a key that are quoted.
_LARGEST: Final = 10_000
_CARDS: Final = 250
_NAME: Final = 1000
_SHOWN: Final = 40

Pace = Literal["slow", "normal", "fast"]
_Name = Annotated[str, Field(max_length=_NAME)]
_Version = Annotated[int, Field(ge=0, lt=2**53)]


class BadRequest(ValueError):
    """A request that no page of this server makes; the message says what is wrong with it."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class Posted(BaseModel):
    """What is posted: values of just these types, and no others. `version` is the table that is answered."""

    model_config = ConfigDict(strict=True, extra="forbid")
    version: _Version


class Chosen(Posted):
    """Cards or tiles by name."""

    cards: Annotated[list[_Name], Field(max_length=_CARDS)]


class Lay(Chosen):
    """Cards or tiles and a place, a number or a word of the game's family."""

    place: Any
    theirs: bool = False


class Act(Posted):
    """An action by its id, or by the name of its kind."""

    action: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    kind: _Name | None = None


class Hint(Posted):
    """The agent that is asked."""

    agent: _Name


class SetPace(Posted):
    """How fast the agents play, whatever the version."""

    version: _Version = 0
    pace: Pace


P = TypeVar("P", bound=Posted)


async def read(request: Request, form: type[P]) -> P:
    """The posted values. Raises `BadRequest`. Only JSON is read: other sites cannot post that without asking first."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BadRequest("expected application/json")
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > _LARGEST:
            # What is still on its way is thrown away by the server as it comes.
            raise BadRequest(f"the body has more than {_LARGEST} bytes", 413)
    try:
        body = json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
        if not isinstance(body, dict):
            raise BadRequest("expected a JSON object")
        return form.model_validate(body)
    except BadRequest:
        raise
    except RecursionError:
        raise BadRequest("the JSON is nested too deep") from None
    except UnicodeDecodeError:
        raise BadRequest("the body is not UTF-8 text") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        name = "".join(map(str, first["loc"][:1]))[:_SHOWN]
        raise BadRequest(f"{name}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
    except ValueError as error:
        raise BadRequest(f"the body is not JSON: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise BadRequest("the JSON holds a key twice")
    return values


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no value")


__all__ = ["Act", "BadRequest", "Chosen", "Hint", "Lay", "Pace", "Posted", "SetPace", "read"]
