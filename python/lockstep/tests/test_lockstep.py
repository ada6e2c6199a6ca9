# SPDX-License-Identifier: Apache-2.0
"""The module, with the program of this checkout or of an installed wheel behind it.

    python3 -m unittest discover -s python/lockstep/tests

LOCKSTEP names the program; without it, that of the installed wheel is used, else ./lockstep of the checkout.
"""
import csv
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
if importlib.util.find_spec("lockstep") is None:
    sys.path.insert(0, str(HERE.parent / "src"))
    os.environ.setdefault("LOCKSTEP", str(HERE.parents[2] / "lockstep"))

import lockstep  # noqa: E402


class ModuleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        lockstep.run("synth", "-o", cls.folder / "run", "--ranks", "2", "--steps", "3", "--layers", "1", "--quiet")
        cls.trace = cls.folder / "run/rank0_trace.json"
        cls.report = lockstep.report(cls.trace, options=["--csv", str(cls.folder / "csv")])

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def cells(self, table):
        with open(self.folder / "csv" / f"{table}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_tables_are_those_of_the_csv_files(self):
        for table in ("gpu_timeline", "gpu_timeline_by_step", "idle_causes", "host_summary"):
            rows = self.report.table(table, "rows")
            self.assertEqual(len(rows), len(self.cells(table)))
            for row, cells in zip(rows, self.cells(table)):
                for head, value in row.items():
                    if isinstance(value, float):
                        self.assertAlmostEqual(value, float(cells[head]))
                    elif isinstance(value, int) and not isinstance(value, bool):
                        self.assertEqual(value, float(cells[head]))

    def test_answer_and_findings(self):
        self.assertTrue(self.report.verdict["text"])
        self.assertIsInstance(self.report.actions, list)
        self.assertTrue(all({"code", "severity", "text"} <= finding.keys() for finding in self.report.findings))
        self.assertIn("idle_causes", self.report.tables)

    def test_a_folder_is_a_run(self):
        self.assertEqual(len(lockstep.report(self.folder / "run").table("ranks", "rows")), 2)

    def test_failures_are_exceptions(self):
        with self.assertRaises(KeyError):
            self.report.table("no_such_table")
        with self.assertRaises(ValueError):
            self.report.table("idle_causes", "excel")
        with self.assertRaises(lockstep.CommandFailed) as failed:
            lockstep.report(self.folder / "nothing.json")
        self.assertEqual(failed.exception.status, 3)
        self.assertIn("nothing.json", str(failed.exception))

    def test_without_a_library_rows_are_dicts(self):
        if not any(importlib.util.find_spec(name) for name in ("pandas", "polars", "pyarrow")):
            self.assertEqual(self.report.table("gpu_timeline"), self.report.table("gpu_timeline", "rows"))

    def test_libraries_hold_the_same_numbers(self):
        rows = self.report.table("gpu_timeline", "rows")
        times = [row["time ms"] for row in rows]
        columns = {
            "pandas": lambda table: table["time ms"].tolist(),
            "polars": lambda table: table["time ms"].to_list(),
            "arrow": lambda table: table.column("time ms").to_pylist(),
        }
        for kind, column in columns.items():
            module = {"arrow": "pyarrow"}.get(kind, kind)
            if importlib.util.find_spec(module):
                with self.subTest(kind):
                    self.assertEqual(column(self.report.table("gpu_timeline", kind)), times)
                    for name in self.report.tables:
                        self.assertEqual(len(self.report.table(name, kind)), len(self.report.table(name, "rows")))
            else:
                with self.assertRaises(ImportError):
                    self.report.table("gpu_timeline", kind)

    def test_the_command_is_the_program(self):
        source = "import sys, lockstep; sys.argv = ['lockstep', 'version']; lockstep.main()"
        environment = dict(os.environ, PYTHONPATH=str(Path(lockstep.__file__).parents[1]))
        done = subprocess.run([sys.executable, "-c", source], env=environment, stdout=subprocess.PIPE, check=True)
        self.assertTrue(done.stdout.startswith(b"lockstep "))


if __name__ == "__main__":
    unittest.main()
