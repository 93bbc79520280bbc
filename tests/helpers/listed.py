"""The worklist as it is sent to the browser."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest


def sent_list(test: AppTest) -> dict[str, Any]:
    """What the list of cases is told."""
    (found,) = (one.proto for one in test.get("bidi_component") if one.proto.component_name == "loupe_cases")
    told: dict[str, Any] = json.loads(found.bytes)
    return told


def listed(test: AppTest) -> pd.DataFrame:
    """Rows of the worklist by the titles of its columns, with the share of each row's bar."""
    told = sent_list(test)
    rows = pd.DataFrame(told["rows"], columns=[column["title"] for column in told["columns"]])
    return rows.assign(share=told["shares"])
