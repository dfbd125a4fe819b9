"""What all requests and answers share, and the one shape of errors."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = ["Answer", "ErrorBody", "ErrorEnvelope", "OptionValue", "Request", "Token"]

Token = Annotated[str, StringConstraints(pattern=r"^[!-~]{1,100}$")]
OptionValue = str | int | bool


class Request(BaseModel):
    """Unknown fields are refused: a misspelt one would be ignored silently."""

    model_config = ConfigDict(extra="forbid")


class Answer(BaseModel):
    """Clients should ignore fields they do not know: later versions may add some."""

    model_config = ConfigDict(extra="allow")


class ErrorBody(Answer):
    code: str = Field(description="a word for programs", examples=["stale_move"])
    message: str = Field(
        description="a sentence for people", examples=["The move answers ply 40, but the game is at 42."]
    )
    rules: list[str] | None = Field(
        None, description="with illegal_move: the rules that the sentence cites, as docs/rules numbers them"
    )
    rulebook: str | None = Field(None, description="the page of docs/rules that has those numbers")
    retry_after: float | None = Field(None, description="with too_many and unavailable: seconds to wait")
    progress: float | None = Field(
        None, description="with unavailable, while the game is prepared: how far it is, from 0 to 1"
    )
    view: dict[str, Any] | None = Field(None, description="with stale_move: the seat's present view")


class ErrorEnvelope(BaseModel):
    """The one shape of every error."""

    error: ErrorBody
