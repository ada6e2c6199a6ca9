# SPDX-License-Identifier: Apache-2.0
"""Entry point of the command acelyzer."""

from aiu_trace_analyzer.core.acelyzer import Acelyzer


def main(input_args=None):
    """Runs with these options, or with those of this process; 0, or SystemExit with acelyzer's status."""
    return Acelyzer(input_args).run()
