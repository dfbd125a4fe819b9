"""Saved games from elsewhere: each becomes an ended table, to be looked at, reviewed and downloaded."""

from __future__ import annotations

from typing import Any

from ludens.core import registry
from ludens.core.match import Match
from ludens.server.refusal import Refusal
from ludens.server.streaming.subscribers import in_thread
from ludens.server.tables.all_tables import AllTables
from ludens.server.tables.results import over_result
from ludens.server.tables.seats import Seat, clean_name, hashed, new_table_id, new_token
from ludens.server.tables.table import ABANDONED, FINISHED, Table

__all__ = ["SavedGames"]


class SavedGames:
    """Brings saved games to a server; one a server."""

    def __init__(self, tables: AllTables) -> None:
        self._tables = tables

    async def bring(
        self, document: Any, address: str, private: bool, profile: str | None = None
    ) -> tuple[Table, str | None]:
        """The table of a saved match and, if it is private, its invitation.

        `Match.from_json` checks the document; what it refuses changes nothing. Nobody sits at the table. A game
        that is not over has no result, whatever the document says: the log is what can be verified.
        """
        if self._tables.closing:
            raise Refusal("unavailable", "The server is about to stop; try again in a moment.")
        if isinstance(document, dict) and (name := str(document.get("game")).partition("@")[0]) in registry.names():
            self._tables.preparation.require(name)
        match = await in_thread(Match.from_json, document)
        names = [clean_name(name) for name in match.names]
        invitation = new_token() if private else None
        unfinished = {"reason": "the saved game goes no further", "scores": match.scores(), "returns": None}
        table = Table(
            id=new_table_id(),
            game=match.game,
            options=match.options,
            seats=[Seat(k, "human", name) for k, name in enumerate(names)],
            owner=hashed(new_token()),  # nobody has it: there is nothing to change
            address=address,
            private=private,
            invitation=hashed(invitation) if invitation else None,
            hints=False,
            imported=True,
            profile=profile,
            status=FINISHED if match.over else ABANDONED,
            seed=match.seed,
            result=over_result(match) if match.over else unfinished,
        )
        table.match = match
        await self._tables.take_in(table)
        self._tables.metrics.count("games_imported", f'game="{table.game.spec.name}"')
        return table, invitation
