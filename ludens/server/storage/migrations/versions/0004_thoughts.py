"""What agents thought when they moved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("entries", sa.Column("thought", sa.JSON))


def downgrade() -> None:
    op.drop_column("entries", "thought")
