"""One table of events, to which rows are added and in which nothing is changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the table, and have the database refuse to change or remove a row."""
    op.create_table(
        "events",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("study", sa.Text, nullable=False),
        sa.Column("study_name", sa.Text, nullable=False),
        sa.Column("task", sa.Text, nullable=False),
        sa.Column("case_id", sa.Text, nullable=False),
        sa.Column("readings", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("time", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("answers", sa.Text, sa.ForeignKey("events.id"), nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_index("events_of_case", "events", ["study_name", "case_id"])
    if op.get_bind().dialect.name == "sqlite":
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER events_keep_{what.lower()} BEFORE {what} ON events "
                "BEGIN SELECT RAISE(ABORT, 'events are kept as they were written'); END"
            )
    else:
        op.execute(
            "CREATE FUNCTION events_keep() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'events are kept as they were written'; END $$"
        )
        op.execute(
            "CREATE TRIGGER events_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON events "
            "FOR EACH STATEMENT EXECUTE FUNCTION events_keep()"
        )
