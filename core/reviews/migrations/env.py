"""Entry of Alembic: runs the steps in the transaction that is handed to it."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
