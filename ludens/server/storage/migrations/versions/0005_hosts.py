"""Several processes on one database: which of them keeps a table, which of them live, what addresses may still ask."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005_hosts"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("keeper", sa.String(16)))
    op.add_column("tables", sa.Column("offered", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "processes",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.create_table(
        "allowances",
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("tokens", sa.Float, nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("kind", "address", name="pk_allowances"),
    )


def downgrade() -> None:
    op.drop_table("allowances")
    op.drop_table("processes")
    op.drop_column("tables", "offered")
    op.drop_column("tables", "keeper")
