# SPDX-License-Identifier: Apache-2.0
"""Acelyzer as a class, with ``lockstep aiu --compat acelyzer`` at work behind it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

_HOST = 1000  # hosts of FLEX are processes from here on, devices lie below

# Only of the checkout that this file is part of: what else lies in folders above may be anybody's.
_CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 5))
_PLACE = os.path.join(_CHECKOUT, "python", "acelyzer", "src", "")


def _program():
    """The command that starts lockstep."""
    named = os.environ.get("LOCKSTEP")
    if named:
        return named
    found = shutil.which("lockstep")
    if found:
        return found
    if os.path.isfile(os.path.join(_CHECKOUT, "pom.xml")) and os.path.abspath(__file__).startswith(_PLACE):
        return os.path.join(_CHECKOUT, "lockstep")
    raise FileNotFoundError("lockstep is not on the PATH, and LOCKSTEP does not name it")


def _bytes(data):
    if data is None or isinstance(data, (bytes, bytearray, memoryview)):
        return None if data is None else bytes(data)
    return (data if isinstance(data, str) else json.dumps(data)).encode("utf-8", "replace")


class _Child:
    """A program that gets the signals that are meant to end this one, and puts its things in order before both end."""

    _SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def __init__(self):
        self._process = None
        self._asked = None  # the signal that came while there was nobody to pass it on to
        self._before = {}

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():  # others get no signals
            for number in self._SIGNALS:
                before = signal.getsignal(number)
                if before is not signal.SIG_IGN:
                    self._before[number] = before
                    signal.signal(number, self._pass_on)
        return self

    def __exit__(self, *_):
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_DFL if before is None else before)

    def _pass_on(self, number, _):
        if self._process is None:
            self._asked = number
        else:
            self._process.send_signal(number)

    def run(self, command, data):
        """The status with which the command ends; 128 and the signal's number where one ended it."""
        source = None if data is None else subprocess.PIPE
        if data is None and any("api://" in str(word) for word in command):
            source = subprocess.DEVNULL  # there is no buffer, and nobody types one
        if self._asked is not None:
            sys.exit(128 + self._asked)
        self._process = subprocess.Popen(command, stdin=source)
        if self._asked is not None:  # it came while the program was being started
            self._process.send_signal(self._asked)
        self._process.communicate(data)
        status = self._process.returncode
        return 128 - status if status < 0 else status


class _Result:
    """What a run made: the trace as text, and the part of it that one rank has."""

    def __init__(self, text):
        self._text = text

    def get_data(self):
        return self._text

    def get_tb_data(self, worker):
        whole = json.loads(self._text)
        whole["traceEvents"] = [e for e in whole["traceEvents"] if self._rank(e.get("pid")) == worker]
        devices = whole.get("deviceProperties", [])  # as they came: anything may stand there
        whole["deviceProperties"] = [d for d in devices if isinstance(d, dict) and d.get("id") == worker]
        return json.dumps(whole)

    @staticmethod
    def _rank(process):
        if not isinstance(process, int):
            return None
        return process - _HOST if process >= _HOST else process


class Acelyzer:
    """A run of acelyzer.

    in_args: its options, as on a command line; those of this process where it is None.
    in_data: what stands for the input ``api://NAME``: JSON as bytes or text, or the object itself.
    """

    def __init__(self, in_args=None, in_data=None):
        self._arguments = list(sys.argv[1:] if in_args is None else in_args)
        self._data = _bytes(in_data)
        self.exporter = None

    def run(self):
        """Runs; 0 when it succeeded, and SystemExit with acelyzer's status otherwise, as there."""
        with _Child() as child, tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "trace")
            command = [_program(), "aiu", "--compat", "acelyzer", "--copy_to", copy] + self._arguments
            status = child.run(command, self._data)
            if status != 0:
                sys.exit(status)
            if os.path.exists(copy):
                with open(copy, encoding="utf-8") as trace:
                    self.exporter = _Result(trace.read())
        return 0

    def get_output_data(self):
        """The trace as text; None before a run, and after one that makes none."""
        return None if self.exporter is None else self.exporter.get_data()
