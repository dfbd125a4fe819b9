"""Seats: who may act for whom. Tokens are given once and kept only as hashes; names are checked."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass

from ludens.core.errors import BadInput
from ludens.i18n.messages import say

__all__ = ["MAX_NAME", "Seat", "clean_name", "hashed", "new_table_id", "new_token", "same"]

MAX_NAME = 32
_MOST_MARKS = 4  # on one letter: no script needs more, and towers of them cover what stands above and below
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is mistaken for another when read aloud


def new_token() -> str:
    """A secret that cannot be guessed."""
    return secrets.token_urlsafe(24)


def new_table_id() -> str:
    """A table's public name, easy to read aloud; unguessable in practice, but not a secret."""
    return "".join(secrets.choice(_LETTERS) for _ in range(10))


def hashed(token: str) -> str:
    """What is stored of a token: with 192 random bits a plain hash cannot be reversed."""
    return hashlib.sha256(token.encode()).hexdigest()


def same(token: str | None, stored: str | None) -> bool:
    """Does the token belong to the stored hash? (in constant time)"""
    return token is not None and stored is not None and hmac.compare_digest(hashed(token), stored)


def clean_name(name: str) -> str:
    """A name with single spaces; empty, long and invisible ones are refused."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= MAX_NAME:
        raise BadInput(say("A name has 1 to {most} characters, not {n}.", most=MAX_NAME, n=len(name)))
    if any(_invisible(letter) for letter in name) or not any(unicodedata.category(c)[0] in "LNPS" for c in name):
        raise BadInput("A name consists of visible characters and spaces.")
    stacks = "".join("M" if unicodedata.category(letter)[0] == "M" else " " for letter in name).split()
    if any(len(stack) > _MOST_MARKS for stack in stacks):
        raise BadInput(say("At most {n} marks stand above each other in a name.", n=_MOST_MARKS))
    return name


# Letters, marks and symbols that show nothing: fillers of Hangul, inherent vowels of Khmer, the empty Braille pattern.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def _invisible(letter: str) -> bool:
    if letter in _BLANK or 0xFE00 <= ord(letter) <= 0xFE0F or 0xE0100 <= ord(letter) <= 0xE01EF:
        return True
    return unicodedata.category(letter)[0] in "CZ" and letter != " "


@dataclass
class Seat:
    """One place at a table.

    `kind` is "human" (of whoever made the table), "agent" (played by the server) or "open"
    (for whoever joins, person or program).
    """

    index: int
    kind: str
    name: str
    agent: str | None = None  # the agent's code
    token: str | None = None  # hash; None while nobody sits here
    reserved: str | None = None  # hash of the token that may sit down here after a rematch
    resigned: bool = False
    profile: str | None = None  # hash of the key of whoever sits or sat here

    @property
    def taken(self) -> bool:
        return self.kind == "agent" or self.token is not None

    def belongs_to(self, token: str | None) -> bool:
        """Is it the token of the seat, or the key of the person who sits here?"""
        return self.kind != "agent" and (
            same(token, self.token) or (self.token is not None and same(token, self.profile))
        )
