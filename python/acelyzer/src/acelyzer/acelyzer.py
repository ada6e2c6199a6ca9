# SPDX-License-Identifier: Apache-2.0
"""Entry point of the command acelyzer."""

import sys

from aiu_trace_analyzer.core.acelyzer import Acelyzer


def main(input_args=None):
    """Runs with these options, or with those of this process; 0, or SystemExit with acelyzer's status."""
    try:
        return Acelyzer(input_args).run()
    except OSError as failure:  # lockstep is not there, or cannot be started
        sys.exit("acelyzer: " + str(failure))
