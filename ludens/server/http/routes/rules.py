"""The rules of the games as players read them: the pages of `docs/rules`, which a wheel carries along.

A language has its own pages in a folder of its code, with the same anchors; what is for programmers is English in all.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import FileResponse

from ludens.core.rulebook import folder
from ludens.i18n.catalogue import ENGLISH
from ludens.i18n.messages import say
from ludens.server.http.dependencies import errors, errors_beside_text, game_of
from ludens.server.http.schemas.common import Answer
from ludens.server.language import answered_in
from ludens.server.refusal import Refusal

__all__ = ["FOR_PROGRAMMERS", "RulesPage", "folder", "router"]

FOR_PROGRAMMERS = "\n## What the program adds\n"  # the heading from which on a page is English in every language

router = APIRouter(tags=["games"])


class RulesPage(Answer):
    """A game's rules in Markdown; the anchors in it are the numbers that refusals cite, such as `ca-13`."""

    game: str = Field(examples=["catan"])
    page: str = Field(description="the name of the page, which games may share")
    language: str = Field(examples=["en"])
    text: str


@router.get("/games/{name}/rules", response_model=RulesPage, responses=errors(404), summary="A game's rules")
def rules(name: Annotated[str, Path(max_length=64, examples=["azul"])]) -> Any:
    """The rules for people, with the numbers that refusals cite as anchors."""
    book = game_of(name).spec.rulebook
    page = folder() / f"{book}.md"
    if not book or not page.is_file():
        raise Refusal("not_found", say("There are no written rules of {game}.", game=name))
    language, text = answered_in.get(), page.read_text(encoding="utf-8")
    translation = folder() / language / f"{book}.md"
    if translation.is_file():
        told = translation.read_text(encoding="utf-8").replace("](../images/", "](images/")
        text = told + text.partition(FOR_PROGRAMMERS)[2]
    else:
        language = ENGLISH
    return {"game": name, "page": book, "language": language, "text": text}


@router.get(
    "/rules/images/{file}",
    responses=errors_beside_text(404),
    summary="A picture of the rules",
    response_class=FileResponse,
)
def picture(
    file: Annotated[str, Path(pattern=r"^[a-z0-9_-]{1,60}\.png$", examples=["azul-board.png"])],
) -> FileResponse:
    """A drawing that a page of the rules shows."""
    found = folder() / "images" / file
    if not found.is_file():
        raise Refusal("not_found", say("There is no picture {file}.", file=file))
    return FileResponse(found, media_type="image/png", headers={"cache-control": "public, max-age=86400"})
