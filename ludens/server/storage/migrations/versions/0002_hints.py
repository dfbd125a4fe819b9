"""Whether hints are allowed at a table, and the reviews of ended games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("review", sa.JSON, nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_reviews"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_reviews_tables", ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("reviews")
    op.drop_column("tables", "hints")
