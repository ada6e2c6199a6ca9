# SPDX-License-Identifier: Apache-2.0
"""Finds the program, unpacks it where it has not been, runs it."""
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ARCHIVE = Path(__file__).with_name("archive.tar.gz")


class CommandFailed(Exception):
    """The program ended with a status that is no answer. `status` is its exit status, the message what it said."""

    def __init__(self, status, said):
        super().__init__(said.strip() or f"lockstep ended with {status}")
        self.status = status


def program():
    """The path of the executable: LOCKSTEP where it is set, else that of this package, unpacked on first use."""
    named = os.environ.get("LOCKSTEP")
    if named:
        return named
    if not ARCHIVE.exists():
        raise FileNotFoundError(f"{ARCHIVE} is not here; install the wheel, or name the program in LOCKSTEP")
    return str(_unpacked() / "lockstep")


def run(*arguments, allowed=(0, 4)):
    """Runs a command line and returns what it prints. Statuses besides `allowed` raise CommandFailed; 4 is a partial answer."""
    done = subprocess.run([program(), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in allowed:
        raise CommandFailed(done.returncode, done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8")


def main():
    """The command `lockstep`: becomes the program."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


def _unpacked():
    """The unpacked program, by the bytes of its archive. The files keep their times: the cache of classes depends on them."""
    cache = Path(os.environ.get("LOCKSTEP_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lockstep")
    place = cache / _digest()
    if not place.exists():
        cache.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=cache))
        try:
            with tarfile.open(ARCHIVE) as tar:
                tar.extractall(scratch, **({"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}))
            (root,) = scratch.iterdir()
            try:
                root.rename(place)
            except OSError:  # another process was first
                if not place.exists():
                    raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return place


def _digest():
    """Names this archive: size and time first, so that a start reads no 80 MB."""
    about = ARCHIVE.stat()
    key = f"{ARCHIVE}:{about.st_size}:{about.st_mtime_ns}"
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]
