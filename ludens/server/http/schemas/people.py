"""People: profiles without accounts, their games, results and ratings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from ludens.server.http.schemas.common import Answer, Request
from ludens.server.http.schemas.tables import Name, TableInfo

__all__ = [
    "Colour",
    "GameRating",
    "MyGames",
    "MyResult",
    "MyTable",
    "NewProfile",
    "NewProfileAnswer",
    "Profile",
    "ProfileChange",
    "RatingPoint",
    "Results",
]

Colour = Literal["blue", "red", "green", "gold", "violet", "teal", "brown", "grey"]
Language = Literal["en", "cs", "sk", "de"]
Seen = Annotated[str, StringConstraints(pattern="^[a-z0-9:_-]{1,60}$")]


class NewProfile(Request):
    """Somebody who plays here. There is no password: whoever has the key is the person."""

    name: Name = Field(examples=["Ada"])
    colour: Colour = "blue"
    language: Language = "en"


class ProfileChange(Request):
    name: Name | None = None
    colour: Colour | None = None
    language: Language | None = None
    seen: list[Seen] | None = Field(None, max_length=50, description="what was shown, added to what is known")


class Profile(Answer):
    """All that is kept of a person besides the games."""

    name: str
    colour: Colour
    language: Language
    seen: list[str]
    created: float


class NewProfileAnswer(Answer):
    key: str = Field(description="given once; send it as `Authorization: Bearer …`, and as `ludens-profile` elsewhere")
    profile: Profile


class MyTable(Answer):
    table: TableInfo
    seat: int | None = Field(description="of the person; null where they only made the table")
    turn: bool = Field(description="it is the turn of a seat of theirs")
    result: Literal["won", "lost", "drawn", "none"] | None = Field(description="null while it lives")
    played_on: bool = Field(description="begun from a position of another game, or brought here")


class MyGames(Answer):
    games: list[MyTable]
    before: float | None = Field(None, description="pass as `before` for the next page; null at the end")


class MyResult(Answer):
    game: str
    kind: Literal["agent", "person"]
    opponent: str = Field(description="an agent's code, or a person's name")
    won: int
    drawn: int
    lost: int


class RatingPoint(Answer):
    time: float
    rating: float
    deviation: float


class GameRating(Answer):
    game: str
    rating: float
    deviation: float
    provisional: bool = Field(description="too few games to tell")
    games: int
    curve: list[RatingPoint] = Field(description="after every rated game, the oldest first")


class Results(Answer):
    results: list[MyResult]
    ratings: list[GameRating]
    levels: dict[str, dict[str, float]] = Field(description="the fixed ratings of levels, by game")


class Export(Answer):
    """All that is kept of a person, as one file."""

    format: Literal["ludens-person/1"]
    profile: Profile
    games: list[dict[str, Any]]
    ratings: dict[str, list[RatingPoint]]
