"""People: profiles, what belongs to them, their ratings, and clocks at tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006_home"
down_revision = "0005_hosts"


def upgrade() -> None:
    op.create_table(
        "profiles",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("colour", sa.String(16), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("seen", sa.JSON, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_profiles"),
    )
    op.create_index("ix_profiles_used", "profiles", ["used"])
    op.create_table(
        "ratings",
        sa.Column("profile", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("game_name", sa.String(64), nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("profile", "table_id", name="pk_ratings"),
        sa.ForeignKeyConstraint(["profile"], ["profiles.id"], name="fk_ratings_profiles", ondelete="CASCADE"),
    )
    op.create_index("ix_ratings_profile_game_name_time", "ratings", ["profile", "game_name", "time"])
    op.add_column("tables", sa.Column("profile", sa.String(64)))
    op.add_column("tables", sa.Column("hinted", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_index("ix_tables_profile", "tables", ["profile"])
    op.create_index("ix_tables_rated_status", "tables", ["rated", "status"])
    op.add_column("tables", sa.Column("clock", sa.JSON))
    op.add_column("entries", sa.Column("clock", sa.Float))
    op.add_column("seats", sa.Column("profile", sa.String(64)))
    op.create_index("ix_seats_profile", "seats", ["profile"])


def downgrade() -> None:
    op.drop_index("ix_seats_profile", "seats")
    op.drop_index("ix_tables_rated_status", "tables")
    op.drop_index("ix_tables_profile", "tables")
    op.drop_column("seats", "profile")
    op.drop_column("entries", "clock")
    op.drop_column("tables", "clock")
    for name in ("rated", "hinted", "profile"):
        op.drop_column("tables", name)
    op.drop_table("ratings")
    op.drop_table("profiles")
