"""Both databases, empty for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from postgres import postgres, programs


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A PostgreSQL for all tests of one process."""
    if programs() is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Address of a database without a table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'folder' / 'reviews.sqlite'}"
        return
    engine = sa.create_engine(request.getfixturevalue("server"))
    with engine.begin() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()
    yield request.getfixturevalue("server")
