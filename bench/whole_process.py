#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures whole processes; ./lockstep-bench starts it. Python standard library only, Linux.

process: for each trace, in turn and several times over, so that a slow phase of the machine hits all alike:
  json.load   Python parses the file into objects, through gzip where it is packed: what many tools do first   (P)
  zcat, cat   the file goes to /dev/null: the least that any reader can do                                     (Z)
  lockstep    ./lockstep report TRACE --csv DIR, a new process each time
and prints medians of wall time, CPU time and peak memory, MB/s of unpacked JSON, and ratios to P and Z. Ratios are medians
over the rounds, so that both halves of each quotient were measured one after the other.

path: what asking for critical paths costs, in turn with the same command without them: collectives over made ranks
(--ranks, --size each), and report on a made trace of --events events. Ratios are medians over the rounds.

growth: CPU time of commands on made traces of a shape that invites more than linear time (operators nested deeply with launches,
slices with one start, a name for each kernel), of --events events and of twice and four times as many. The exponent is that of
the size: 1 is linear. What a start takes is taken away first.

start: median wall time of ./lockstep --help.

Peak memory is what the kernel counts for the largest process of a command (ru_maxrss). The count of a new process
includes what its parent held when it forked, so commands are started by a small process of its own; what is smaller than
that process cannot be told from it.
"""
import argparse
import contextlib
import gzip
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOCKSTEP = os.path.join(ROOT, "lockstep")
BYTES_OF_EVENT = 320  # of a synthetic trace, about
JSON_LOAD = ("import gzip,json,sys; n=sys.argv[1]; f=open(n,'rb'); g=f.read(2)==b'\\x1f\\x8b'; f.close(); "
             "json.load((gzip.open if g else open)(n,'rb'))")
# Starts the command given in its arguments and prints what it took; nothing is imported that need not be.
RUNNER = ("import os,sys,time\n"
          "null = os.open(os.devnull, os.O_RDWR)\n"
          "actions = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)]\n"
          "start = time.monotonic()\n"
          "child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=actions)\n"
          "_, status, use = os.wait4(child, 0)\n"
          "wall = time.monotonic() - start\n"
          "print(os.waitstatus_to_exitcode(status), wall, use.ru_utime + use.ru_stime, use.ru_maxrss * 1024)\n")


def measure(command):
    """Runs a command to its end: wall and CPU seconds, peak bytes."""
    env = dict(os.environ, LC_ALL="C")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", RUNNER, *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True, errors="replace")
    fields = done.stdout.split()
    if done.returncode != 0 or len(fields) != 4 or fields[0] != "0":
        tail = done.stderr[-2000:].strip()
        sys.exit(f"whole_process: exit status {fields[0] if fields else '?'} of: {' '.join(command)}\n{tail}")
    wall, cpu, peak = map(float, fields[1:])
    return {"wall": wall, "cpu": cpu, "peak": peak}


# ---- traces ----------------------------------------------------------------------------------------------------------

def is_packed(path):
    with open(path, "rb") as f:
        return f.read(2) == b"\x1f\x8b"


def opened(path):
    return gzip.open(path, "rb") if is_packed(path) else open(path, "rb")


def json_size(path):
    """Bytes of unpacked text; reads the file, which also brings it into the page cache."""
    size = 0
    try:
        with opened(path) as f:
            while block := f.read(1 << 20):
                size += len(block)
    except (EOFError, OSError, zlib.error) as e:
        sys.exit(f"whole_process: {path}: {e}")
    return size


def bytes_of(text):
    m = re.fullmatch(r"([0-9.]+)\s*([kmg]?)b?", text.strip(), re.IGNORECASE)
    if not m:
        raise argparse.ArgumentTypeError(f"not a size: {text!r} (600MB, 1.5GB)")
    return int(float(m.group(1)) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}[m.group(2).lower()])


def synthetic(size, folder):
    """A trace of about that size, of our own making."""
    subprocess.run([LOCKSTEP, "synth", "--quiet", "--ranks", "1", "--straggler", "-1", "--size", str(size), "-o", folder], check=True,
                   stdout=subprocess.DEVNULL)
    return os.path.join(folder, "rank0_trace.json")


NUMBERED = re.compile(rb'"(ts|id|correlation|External id|external id|Ev Idx|Python id|Python parent id|Sequence number|'
                      rb'Record function id)":\s*(\d{1,18})(?=[.,\s}])|ProfilerStep#(\d{1,9})')


def repeated(source, size, folder):
    """The trace again and again, as if the same program had run longer: later copies have later times and other ids."""
    with opened(source) as f:
        text = f.read()
    begin = re.search(rb'"traceEvents"\s*:\s*(?=\[)', text)
    if not begin:
        sys.exit(f"whole_process: {source}: found no traceEvents to repeat")
    try:  # Latin 1 makes a character of every byte, so that places in the one are places in the other.
        _, end = json.JSONDecoder(strict=False).raw_decode(text.decode("latin-1"), begin.end())
    except ValueError as e:
        sys.exit(f"whole_process: {source}: {e}")
    first, last = begin.end() + 1, end - 1
    events, spans, largest, times = text[first:last], [], {}, []
    for m in NUMBERED.finditer(events):
        key, value = (m[1], int(m[2])) if m[1] else (b"step", int(m[3]))
        group = 2 if m[1] else 3
        spans.append((m.start(group), m.end(group), key, value))
        if key != b"ts":
            largest[key] = max(largest.get(key, 0), value)
        elif value > 0:
            times.append(value)
    # Flows, launches and operators are joined by these numbers: one stride for all of them.
    joined = {b"id", b"correlation", b"External id", b"external id"}
    together = max([largest[k] for k in joined if k in largest], default=0) + 1
    stride = {k: together if k in joined else v + 1 for k, v in largest.items()}
    python = max(stride.get(b"Python id", 1), stride.get(b"Python parent id", 1))
    stride.update({b"ts": max(times) - min(times) + 1_000_000, b"Python id": python, b"Python parent id": python})
    target = os.path.join(folder, "repeated.json")
    with open(target, "wb") as out:
        out.write(text[:first])
        copy = 0
        while copy == 0 or out.tell() + len(events) / 2 < size:
            pieces, at = [b",\n" if copy else b""], 0
            for start, stop, key, value in spans:
                pieces += (events[at:start], b"%d" % (value + copy * stride[key] if value > 0 else value))
                at = stop
            pieces.append(events[at:])
            out.write(b"".join(pieces))
            copy += 1
        out.write(text[last:])
    return target


def packed(path, folder):
    target = os.path.join(folder, os.path.basename(path) + ".gz")
    with open(target, "wb") as out:
        subprocess.run(["gzip", "-6nc", path], stdout=out, check=True)
    return target


# ---- what is printed -------------------------------------------------------------------------------------------------

def machine():
    """What ran it, a dict of words."""
    def lines(path):
        with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as f:
            return f.read().splitlines()
        return []
    cpu = next((x.split(":", 1)[1].strip() for x in lines("/proc/cpuinfo") if x.startswith("model name")), platform.machine())
    memory = next((int(x.split()[1]) / 1024 ** 2 for x in lines("/proc/meminfo") if x.startswith("MemTotal")), 0)
    java = next((x for x in lines(os.path.join(ROOT, "cli/target/lockstep/launch")) if x.endswith("/bin/java")), "java")
    jdk = subprocess.run([java, "-version"], capture_output=True, text=True).stderr.splitlines()
    return {"CPU": cpu, "cores": str(len(os.sched_getaffinity(0))), "memory": f"{memory:.0f} GiB",
            "kernel": platform.release(), "JDK": jdk[1].partition("build ")[2].rstrip(")") if len(jdk) > 1 else "?",
            "Python": platform.python_version(), "load": "%.1f" % os.getloadavg()[0]}


def table(head, rows):
    """Markdown: the first column to the left, the others to the right, padded so that it reads well as text, too."""
    width = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]
    line = lambda r: "| " + " | ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(r, width))) + " |"
    rule = "|" + "|".join(("-" * (w + 2)) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(width)) + "|"
    print("\n".join([line(head), rule, *map(line, rows)]), flush=True)


def print_machine(about):
    print(", ".join(f"{k} {v}" for k, v in about.items()) + "\n", flush=True)


# ---- commands --------------------------------------------------------------------------------------------------------

def compare(trace, args):
    """Measures one trace and prints its table; returns what was measured."""
    size = json_size(trace)
    is_gz = is_packed(trace)
    with tempfile.TemporaryDirectory(prefix="lockstep-bench-", dir=args.scratch) as scratch:
        out = os.path.join(scratch, "csv")
        reading = "zcat" if is_gz else "cat"
        commands = {
            "json.load": [sys.executable, "-I", "-S", "-c", JSON_LOAD, trace],
            reading: [reading, trace],
            "lockstep": [LOCKSTEP, "report", trace, "--csv", out, "--quiet", *args.option],
        }
        if args.no_python:
            del commands["json.load"]
        names = list(commands)
        runs = {name: [] for name in names}
        for round_ in range(args.runs):
            turn = round_ % len(names)
            for name in names[turn:] + names[:turn]:
                runs[name].append(measure(commands[name]))
    median = lambda name, key: statistics.median(run[key] for run in runs[name])
    ratio = lambda name, to: statistics.median(a["wall"] / b["wall"] for a, b in zip(runs[name], runs[to]))
    print(f"{os.path.basename(trace)}: {size / 1e6:.1f} MB of JSON" + (f", {os.path.getsize(trace) / 1e6:.1f} MB packed" if is_gz else "")
          + f"; medians of {args.runs} interleaved runs\n")
    rows = []
    for name in names:
        rows.append([name, f"{median(name, 'wall'):.2f}", f"{median(name, 'cpu'):.2f}", f"{median(name, 'peak') / 1e6:.0f}",
                     f"{size / 1e6 / median(name, 'wall'):.0f}",
                     f"{ratio(name, 'json.load'):.3f}" if "json.load" in runs else "-", f"{ratio(name, reading):.2f}"])
    table(["command", "wall s", "CPU s", "peak MB", "MB/s", "/ json.load", f"/ {reading}"], rows)
    print(flush=True)
    return {"trace": os.path.basename(trace), "json_bytes": size, "file_bytes": os.path.getsize(trace), "runs": runs}


def process(args):
    build()
    for trace in args.traces:
        if not os.path.isfile(trace):
            sys.exit(f"whole_process: there is no file {trace}")
    if not args.traces and not args.large:
        sys.exit("whole_process: name a trace, or give --large SIZE to have one made")
    about = machine()
    print_machine(about)
    with tempfile.TemporaryDirectory(prefix="lockstep-bench-", dir=args.scratch) as folder:
        # One at a time: large traces need not all lie on the disk together.
        makers = [lambda t=t: t for t in args.traces]
        if args.large:
            makers = [lambda t=t: repeated(t, args.large, folder) for t in args.traces] or [lambda: synthetic(args.large, folder)]
        results = []
        for make in makers:
            trace = make()
            results.append(compare(trace, args))
            if args.gz and not is_packed(trace):
                small = packed(trace, folder)
                results.append(compare(small, args))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump({"machine": about, "results": results}, f, indent=1)


def path(args):
    build()
    print_machine(machine())
    with tempfile.TemporaryDirectory(prefix="lockstep-bench-", dir=args.scratch) as folder:
        ranks, rows = os.path.join(folder, "ranks"), []
        subprocess.run([LOCKSTEP, "synth", "--quiet", "--ranks", str(args.ranks), "--size", str(args.size), "-o", ranks], check=True,
                       stdout=subprocess.DEVNULL)
        rows += asked(f"collectives, {args.ranks} x {args.size / 1e6:.0f} MB", ["collectives", ranks], "--critical-path", args.runs, folder)
        shutil.rmtree(ranks)
        one = synthetic(args.events * BYTES_OF_EVENT, os.path.join(folder, "one"))
        rows += asked(f"report, {os.path.getsize(one) / 1e6:.0f} MB", ["report", one], "--critical-path=all", args.runs, folder)
    table(["command", "wall s", "CPU s", "peak MB", "wall / without", "CPU / without"], rows)


def asked(name, command, option, count, folder):
    """Rows of a command without an option and with it, measured in turn."""
    runs = {"": [], option: []}
    for round_ in range(count):
        for what in sorted(runs, reverse=round_ % 2 == 1):
            out = os.path.join(folder, "csv")
            runs[what].append(measure([LOCKSTEP, *command, "--csv", out, "--quiet", *([what] if what else [])]))
    rows = []
    for what, all_ in runs.items():
        ratio = lambda key: f"{statistics.median(a[key] / b[key] for a, b in zip(all_, runs[''])):.2f}"
        median = lambda key: statistics.median(run[key] for run in all_)
        rows.append([f"{name} {what}".strip(), f"{median('wall'):.2f}", f"{median('cpu'):.2f}", f"{median('peak') / 1e6:.0f}", ratio("wall"), ratio("cpu")])
    return rows


def launched(call, name, ts, dur, at):
    """A call that launches a kernel, and the kernel."""
    link = {"correlation": call, "External id": call}
    return [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": link},
            {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": at, "dur": 1, "args": {**link, "device": 0, "stream": 7}}]


def operator(number, name, ts, dur):
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": {"External id": number}}


def nested(count):
    """Operators inside of one another, each of which launches a kernel."""
    for i in range(1, count // 3 + 1):
        yield from [operator(i, "aten::inner", 10 * i, 10 * count - 20 * i), *launched(i, "gemm", 10 * i + 1, 2, 10 * count + 2 * i)]


def one_start(count):
    """Operators inside of one another that all begin at one time."""
    yield from launched(1, "gemm", 0, 1, count + 1)
    for i in range(1, count + 1):
        yield operator(i, f"aten::op{i % 100}", 0, count - i)


def own_names(count):
    """Kernels, each with a name of its own."""
    for i in range(1, count // 3 + 1):
        yield from [operator(i, "aten::mm", 10 * i, 9), *launched(i, f"kernel_{i}_of_some_library<float, {i}>", 10 * i + 1, 2, 10 * i + 5)]


SHAPES = [(nested, ["report", "TRACE", "--html", "OUT/page.html"]), (nested, ["report", "TRACE", "--folded", "OUT/stacks"]),
          (one_start, ["diff", "TRACE", "TRACE2", "--csv", "OUT/csv"]), (own_names, ["report", "TRACE", "--html", "OUT/page.html"])]


def growth(args):
    build()
    print_machine(machine())
    rows = []
    with tempfile.TemporaryDirectory(prefix="lockstep-bench-", dir=args.scratch) as folder:
        def taken(shape, command, count):
            places = {"TRACE": os.path.join(folder, "trace.json"), "TRACE2": os.path.join(folder, "again.json"), "OUT": folder}
            events = list(shape(count))
            for name in ("TRACE", "TRACE2"):
                with open(places[name], "w", encoding="utf-8") as f:
                    json.dump({"traceEvents": events, "made": name}, f)
            words = [re.sub("^(OUT|TRACE2?)(?=/|$)", lambda m: places[m[0]], word) for word in command]
            return statistics.median(measure([LOCKSTEP, *words, "--quiet"])["cpu"] for _ in range(args.runs))

        for shape, command in SHAPES:
            base = taken(shape, command, 30)
            times = [taken(shape, command, args.events * factor) - base for factor in (1, 2, 4)]
            exponents = [math.log2(max(b, 1e-3) / max(a, 1e-3)) for a, b in zip(times, times[1:])]
            rows.append([f"{' '.join(command[:1] + [w for w in command if w.startswith('--')])}, {shape.__name__.replace('_', ' ')}",
                         *[f"{t:.2f}" for t in times], *[f"{e:.2f}" for e in exponents]])
    table(["command, trace", "CPU s", "twice", "four times", "exponent", "exponent"], rows)


def start(args):
    build()
    print_machine(machine())
    command = [LOCKSTEP, "--help"]
    measure(command)
    runs = [measure(command) for _ in range(args.runs)]
    walls = sorted(run["wall"] for run in runs)
    table(["command", "median s", "least s", "most s", "CPU s", "peak MB"],
          [["lockstep --help", f"{statistics.median(walls):.3f}", f"{walls[0]:.3f}", f"{walls[-1]:.3f}",
            f"{statistics.median(r['cpu'] for r in runs):.3f}", f"{statistics.median(r['peak'] for r in runs) / 1e6:.0f}"]])


def build():
    """The first start after a change builds; that is not to be measured."""
    subprocess.run([LOCKSTEP, "--help"], check=True, stdout=subprocess.DEVNULL)


def main():
    p = argparse.ArgumentParser(prog="lockstep-bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    c = commands.add_parser("process", help="report beside json.load and zcat or cat")
    c.add_argument("traces", nargs="*", metavar="TRACE", help="traces, plain or packed")
    c.add_argument("--large", type=bytes_of, metavar="SIZE",
                   help="repeat each trace until its text is about SIZE long; without a trace, make a synthetic one")
    c.add_argument("--gz", action="store_true", help="after each plain trace, the same packed by gzip")
    c.add_argument("--runs", type=int, default=5, metavar="N")
    c.add_argument("--no-python", action="store_true", help="leave out json.load, which is slow and wants much memory")
    c.add_argument("--option", action="append", default=[], metavar="OPTION", help="a further option of report: --option=--jobs=1")
    c.add_argument("--scratch", metavar="DIR", help="where made traces and outputs go for the while (default: temporary files)")
    c.add_argument("--json", metavar="FILE", help="every single measurement goes there")
    c.set_defaults(run=process)
    c = commands.add_parser("path", help="critical paths beside the same without them")
    c.add_argument("--ranks", type=int, default=64, metavar="N")
    c.add_argument("--size", type=bytes_of, default=60_000_000, metavar="SIZE", help="of each rank")
    c.add_argument("--events", type=int, default=2_000_000, metavar="N", help="of the trace that is reported on")
    c.add_argument("--runs", type=int, default=3, metavar="N")
    c.add_argument("--scratch", metavar="DIR", help="where made traces and outputs go for the while (default: temporary files)")
    c.set_defaults(run=path)
    c = commands.add_parser("growth", help="CPU time by size, for shapes that invite more than linear time")
    c.add_argument("--events", type=int, default=60_000, metavar="N", help="of the smallest trace")
    c.add_argument("--runs", type=int, default=1, metavar="N")
    c.add_argument("--scratch", metavar="DIR", help="where made traces and outputs go for the while (default: temporary files)")
    c.set_defaults(run=growth)
    c = commands.add_parser("start", help="the time ./lockstep --help takes")
    c.add_argument("--runs", type=int, default=20, metavar="N")
    c.set_defaults(run=start)
    args = p.parse_args()
    if args.runs < 1:
        p.error("--runs wants at least 1")
    args.run(args)


if __name__ == "__main__":
    main()
