"""Tables, seats and the append-only log of entries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("game_name", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("invitation", sa.String(64)),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("agent_seed", sa.BigInteger, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
        sa.Column("result", sa.JSON),
        sa.Column("rematch", sa.String(16)),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_status_updated", "tables", ["status", "updated"])
    op.create_index("ix_tables_game_name", "tables", ["game_name"])
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("agent", sa.String(400)),
        sa.Column("token", sa.String(64)),
        sa.Column("reserved", sa.String(64)),
        sa.Column("resigned", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_seats_tables", ondelete="CASCADE"),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("log", sa.JSON, nullable=False),
        sa.Column("move_id", sa.String(64)),
        sa.Column("time", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_entries"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_entries_tables", ondelete="CASCADE"),
        sa.UniqueConstraint("table_id", "seat", "move_id", name="uq_entries_table_id_seat_move_id"),
    )


def downgrade() -> None:
    op.drop_table("entries")
    op.drop_table("seats")
    op.drop_table("tables")
