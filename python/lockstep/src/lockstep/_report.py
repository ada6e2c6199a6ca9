# SPDX-License-Identifier: Apache-2.0
"""A report as objects of Python, from the program's JSON."""
import json
import tempfile
from pathlib import Path

from ._program import run


def report(*paths, options=()):
    """Explains a trace, or all ranks of a run: files, a folder, a pattern. `options` go to `lockstep report` as they are."""
    with tempfile.TemporaryDirectory() as scratch:
        full, summary = Path(scratch, "report.json"), Path(scratch, "summary.json")
        run("report", *paths, "--json", full, "--json-summary", summary, "--quiet", *options)
        return Report(json.loads(full.read_text("utf-8")), json.loads(summary.read_text("utf-8")))


class Report:
    """What the program found. `document` is the whole report, `summary` the answer in short, both as parsed JSON."""

    def __init__(self, document, summary):
        self.document = document
        self.summary = summary

    @property
    def verdict(self):
        """What limits the trace: class, sentence, gain."""
        return self.summary.get("verdict")

    @property
    def actions(self):
        """What to change, the largest gain first."""
        return self.summary.get("actions", [])

    @property
    def findings(self):
        """All findings, each with code, severity, text and the rows that it rests on."""
        return self.document["findings"]

    @property
    def tables(self):
        """The names of all tables."""
        return list(self._tables())

    def table(self, name, kind=None):
        """A table by name, its columns by the heads that CSV files have.

        kind is "pandas", "polars", "arrow" or "rows"; without it, the first of these that can be imported. Structured cells, such as
        shapes, are lists; in Arrow, whose columns have one type, they are JSON.
        """
        table = self._tables().get(name)
        if table is None:
            raise KeyError(f"no table {name!r}; there are: {', '.join(self.tables)}")
        columns = {column["header"]: column["type"] for column in table["columns"]}
        rows = [dict(zip(columns, row)) for row in table["rows"]]
        if kind not in (None, *_MAKERS):
            raise ValueError(f"kind {kind!r} is none of {', '.join(_MAKERS)}")
        for name_of_kind, make in _MAKERS.items():
            if kind in (None, name_of_kind):
                try:
                    return make(columns, rows)
                except ImportError:
                    if kind is not None:
                        raise
        return rows

    def _tables(self):
        return {table["name"]: table for table in self.document["tables"]}


def _pandas(columns, rows):
    import pandas

    return pandas.DataFrame(rows, columns=list(columns))


def _polars(columns, rows):
    import polars

    return polars.DataFrame({column: [row[column] for row in rows] for column in columns}, strict=False)


def _arrow(columns, rows):
    import pyarrow

    def cell(value, type_of_column):
        return json.dumps(value) if type_of_column in ("json", "arguments") and value is not None else value

    return pyarrow.table({name: [cell(row[name], kind) for row in rows] for name, kind in columns.items()})


_MAKERS = {"pandas": _pandas, "polars": _polars, "arrow": _arrow, "rows": lambda columns, rows: rows}
