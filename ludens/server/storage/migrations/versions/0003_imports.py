"""Saved games that were brought to the server, to be looked at and reviewed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("tables", sa.Column("imported", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "imports",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_imports"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_imports_tables", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("imports")
    op.drop_column("tables", "imported")
