# SPDX-License-Identifier: Apache-2.0
"""Lockstep from Python: runs the program on a trace and hands over what it found.

    import lockstep
    report = lockstep.report("trace.json.gz")
    report.verdict, report.actions, report.findings
    report.table("idle_causes")        # pandas, polars or Arrow, whichever is there; else a list of dicts

The program and its Java runtime are unpacked on first use, into the user's cache.
"""
from ._program import CommandFailed, main, program, run
from ._report import Report, report

__all__ = ["CommandFailed", "Report", "main", "program", "report", "run"]
