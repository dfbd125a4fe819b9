"""Alembic's entry: the server hands over its open connection."""

from __future__ import annotations

from alembic import context

from ludens.server.storage.database import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
