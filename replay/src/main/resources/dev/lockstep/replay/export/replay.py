#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs recorded operators again, one by one, with their recorded shapes, on the PyTorch of this machine.

Needs PyTorch 1.13 or newer and nothing else. Writes the same result as `lockstep replay run`:

    python3 replay.py -o RESULT.json [--device cpu|cuda] [--warmup N] [--iterations N | --window MS] [--threads N]
                      [--flush-cache] [--memory-limit MB] [--time-limit SECONDS]

On ROCm the device is cuda, too. Operators run in a process of their own: when that crashes, hangs or grows too large, the
operator at hand is reported, and the next one gets a new process.
"""
import argparse
import json
import os
import platform
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time

PLAN = json.loads(r'''@PLAN@''')
SCRIPTS = r'''@SCRIPTS@'''
MEANINGS = json.loads(r'''@MEANINGS@''')

MS = 1_000_000
MOST_SAMPLES = 1 << 14
UNPINNED = " in memory that is not pinned"
# Idle threads that spin make everything slow on a busy machine; memory that was freed is kept.
ENVIRONMENT = {
    "OMP_WAIT_POLICY": "PASSIVE",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "MALLOC_TOP_PAD_": str(32 << 20),
}
RESHAPING = ("resize_", "resize_as_", "set_", "squeeze_", "unsqueeze_", "t_", "transpose_", "swapaxes_", "as_strided_", "detach_")


def tensors(arguments):
    for a in arguments:
        if isinstance(a, dict) and "tensor" in a:
            yield a["tensor"]
        elif isinstance(a, dict) and "tensors" in a:
            yield from (t for t in a["tensors"] if t is not None)


def lacks_values(call):
    """Whether of what is no tensor nothing is given."""
    arguments = call["arguments"]
    return None in arguments and all(a is None or isinstance(a, dict) and "real" not in a for a in arguments)


def contiguous(shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(1, size)
    return strides[::-1]


def extent(spec):
    last = spec["offset"]
    for size, stride in zip(spec["shape"], spec.get("strides", contiguous(spec["shape"]))):
        if size == 0:
            return spec["offset"]
        last += (size - 1) * max(0, stride)
    return last + 1


def reduced(name):
    return name in ("float16", "bfloat16", "complex32") or name.startswith("float8")


def size_of(name):
    """Bytes of an element."""
    digits = re.search(r"\d+", name)
    return int(digits.group()) // 8 if digits else 1


def bytes_of_storages(call, single):
    storages = {}
    for spec in tensors(call["arguments"]):
        name = "float32" if single and reduced(spec["dtype"]) else spec["dtype"]
        needed = max(spec["storage_elements"], extent(spec)) * size_of(name)
        storages[spec["storage"]] = max(needed, storages.get(spec["storage"], 0))
    return sum(storages.values())


def writes(schema):
    return "!" in schema.rsplit("->", 1)[0]


def is_view(schema):
    """Whether what it returns is memory of an argument, which it leaves as it is."""
    return not writes(schema) and re.search(r"\w\([a-z*|]+", schema.rsplit("->", 1)[-1]) is not None


def takes_file(schema):
    """Whether a text that it takes names a file, or where there is one."""
    texts = (p.name for p in schema.arguments if kind_of(str(p.type))[2] == "str")
    return any(re.search("file|path|uri|url", name) for name in texts)


class UnknownType(Exception):
    pass


class Inputs:
    """Makes up inputs: tensors that share memory where the recorded ones did, filled with numbers around 1 or with
    indices that fit every dimension."""

    def __init__(self, torch, device, call, single, filled):
        self.torch, self.device, self.single, self.filled = torch, device, single, filled
        self.storages = {}
        self.needed = {}  # how far into each storage any of the tensors looks, in elements
        for spec in tensors(call["arguments"]):
            key = self.key(spec)
            self.needed[key] = max(self.needed.get(key, 0), spec["storage_elements"], extent(spec))
        sizes = [s for t in tensors(call["arguments"]) for s in t["shape"]]
        self.limit = min((max(1, s) for s in sizes), default=2)
        if call["name"] == "aten::embedding" and sizes:
            self.limit = max(1, sizes[0])

    def key(self, spec):
        return spec["storage"], "float32" if self.single and reduced(spec["dtype"]) else spec["dtype"]

    def tensor(self, spec):
        key = self.key(spec)
        if key not in self.storages:
            self.storages[key] = self.storage(self.needed[key], key[1])
        strides = spec.get("strides", contiguous(spec["shape"]))
        return self.torch.as_strided(self.storages[key], spec["shape"], strides, spec["offset"])

    def storage(self, elements, name):
        if not hasattr(self.torch, name):
            raise UnknownType("this PyTorch has no type " + name)
        made = self.torch.empty(elements, dtype=getattr(self.torch, name), device=self.device)
        if not self.filled:
            return made
        if name in ("float16", "bfloat16", "float32", "float64"):
            made.uniform_(0.5, 1.5)
        elif name == "bool":
            made.random_(0, 2)
        elif name in ("uint8", "int8", "int16", "int32", "int64"):
            made.random_(0, min(self.limit, 127) if name.endswith("int8") else self.limit)
        elif name in ("complex64", "complex128"):
            made.fill_(1.0)
        else:
            made.zero_()
        return made

    def value(self, argument, kind):
        if isinstance(argument, dict):
            if "tensor" in argument:
                return self.tensor(argument["tensor"])
            if "tensors" in argument:
                return [None if t is None else self.tensor(t) for t in argument["tensors"]]
            return float(argument["real"])
        if isinstance(argument, list):
            return [self.value(a, kind) for a in argument]
        if kind == "Device":
            return self.torch.device(self.device)
        return argument


def kind_of(text):
    """A schema's type as (optional, list, kind)."""
    optional = text.startswith("Optional[")
    if optional:
        text = text[len("Optional[") : -1]
    listed = text.startswith("List[")
    if listed:
        text = text[len("List[") : -1]
        if text.startswith("Optional["):
            text = text[len("Optional[") : -1]
    return optional, listed, {"number": "Scalar", "SymInt": "int"}.get(text, text)


def fits(argument, kind):
    """The argument as the kind takes it, and how far it had to be bent; None when it cannot be."""
    if kind == "Tensor":
        return (argument, 0) if isinstance(argument, dict) and "tensor" in argument else None
    real = isinstance(argument, float) or isinstance(argument, dict) and "real" in argument
    if kind == "int":
        return (argument, 0) if isinstance(argument, int) and not isinstance(argument, bool) else None
    if kind == "float":
        if isinstance(argument, int) and not isinstance(argument, bool):
            return float(argument), 1
        return (argument, 0) if real else None
    if kind == "bool":
        if isinstance(argument, bool):
            return argument, 0
        return (bool(argument), 1) if argument in (0, 1) and isinstance(argument, int) else None
    if kind == "Scalar":
        return (argument, 0) if real or isinstance(argument, (int, bool)) else None
    if kind in ("str", "Device"):
        return (argument, 0) if isinstance(argument, str) else None
    return None


def bind(schema, arguments):
    """Values by parameter and how far they were bent; None when the schema does not take the arguments."""
    parameters = schema.arguments
    if len(arguments) > len(parameters):
        return None
    bent, values = 0, []
    for i, parameter in enumerate(parameters):
        optional, listed, kind = kind_of(str(parameter.type))
        bent += 0 if i < len(arguments) else 2
        given = arguments[i] if i < len(arguments) else None
        if given is None:
            if not optional and not parameter.has_default_value():
                if kind != "Device" or i >= len(arguments):
                    return None
                bent += 2  # recordings leave devices out
                values.append((parameter, kind, "", False))
                continue
            values.append((parameter, kind, None, not optional))
            continue
        if listed and kind == "Tensor":
            if isinstance(given, list) and not given:
                given = {"tensors": []}
            if not (isinstance(given, dict) and "tensors" in given):
                return None
        elif listed:
            items = given
            if not isinstance(given, list):
                items, bent = [given], bent + 1
            taken = [fits(item, kind) for item in items]
            if any(t is None for t in taken):
                return None
            given, bent = [t[0] for t in taken], bent + sum(t[1] for t in taken)
        else:
            taken = fits(given, kind)
            if taken is None:
                return None
            given, bent = taken[0], bent + taken[1]
        values.append((parameter, kind, given, False))
    return values, bent


class Runner:
    def __init__(self, torch, options):
        self.torch, self.options = torch, options
        self.unit = None
        self.flushed = None
        self.cycles_per_ns = 0  # of the device in a nanosecond, once they are known
        self.before = QueuedWork()

    def run(self, operator):
        first = None
        ways = [(operator, False, None)]
        if "substitute" in operator:
            ways.append((operator["substitute"], False, "run as " + operator["substitute"]["name"]))
        for call, _, words in list(ways):
            if any(reduced(t["dtype"]) for t in tensors(call["arguments"])):
                ways.append((call, True, (words or "run") + " in single precision"))
        for call, single, words in ways:
            result = self.run_call(call, single, words)
            if result["status"] != "not-run" or result.get("last"):
                return result
            first = first or result
        return first

    def run_call(self, call, single, words):
        torch = self.torch
        name = call["name"]
        if name.startswith("script::"):
            base = name[len("script::") :]
            if base not in re.findall(r"^def (\w+)\(", SCRIPTS, re.M):
                return not_run("refused", None)
            if self.unit is None:
                self.unit = torch.jit.CompilationUnit(SCRIPTS)
            function = getattr(self.unit, base)

            def scripted(device, filled):
                inputs = Inputs(torch, device, call, single, filled)
                values = [inputs.value(a, None) for a in call["arguments"]]
                return lambda: function(*values)

            return self.guarded(scripted, call, single, False, name, words)
        try:
            schemas = torch._C._jit_get_schemas_for_operator(name)
        except RuntimeError:  # not even a name
            schemas = []
        if not schemas:
            return not_run("no-such-operator", None)
        if any(takes_file(s) for s in schemas):
            return not_run("refused", None)
        found = [(b, s) for s in schemas for b in [bind(s, call["arguments"])] if b is not None]
        if not found:
            return not_run("values-missing" if lacks_values(call) else "arguments", None)
        recorded = call.get("overload")
        found.sort(key=lambda f: (f[1].overload_name != recorded, f[0][1], f[1].overload_name))
        first = None
        for (values, _), schema in found:
            namespace, base = name.split("::")
            packet = getattr(getattr(torch.ops, namespace), base)
            function = getattr(packet, schema.overload_name or "default")
            fresh = base in RESHAPING and writes(str(schema))

            said = words
            if self.options.device == "cpu" and any(p.name == "pin_memory" and g is True for p, _, g, _ in values):
                values = [(p, k, False if p.name == "pin_memory" else g, d) for p, k, g, d in values]
                said = (words or "run") + UNPINNED

            def make(device, filled, function=function, values=values):
                inputs = Inputs(torch, device, call, single, filled)
                positional, named = [], {}
                for parameter, kind, given, default in values:
                    if default:
                        value = parameter.default_value
                    else:
                        value = None if given is None else inputs.value(given, kind)
                    if parameter.kwarg_only:
                        named[parameter.name] = value
                    else:
                        positional.append(value)
                return lambda: function(*positional, **named)

            result = self.guarded(make, call, single, fresh, str(schema), said)
            if result["status"] != "not-run" or result.get("last"):
                return result
            first = first or result
        return first

    def guarded(self, make, call, single, fresh, schema, words):
        needed, allowed = bytes_of_storages(call, single), self.options.memory // 2
        large, view = needed > allowed, is_view(schema)
        if large and not view:
            return not_run("memory", "%d bytes of inputs, %d are allowed" % (needed, allowed))
        if large:
            words = "run without data: its storage of %d bytes is larger than allowed" % needed
        device = "meta" if large else self.options.device
        try:
            with self.torch.no_grad():
                self.torch.manual_seed(0)
                return self.measure(lambda: make(device, not view), fresh, schema, words, device not in ("cpu", "meta"))
        except UnknownType as e:
            return not_run("type-unknown", str(e))
        except Exception as e:  # whatever an operator throws concerns that operator alone
            return self.failure(str(e) or type(e).__name__, lacks_values(call))

    def failure(self, text, lacks):
        backend = any(w in text for w in ("Could not run '", "not implemented for", "not compiled with", "not linked with", "NYI"))
        memory = "out of memory" in text or "can't allocate memory" in text
        nothing = lacks and "must not be None" in text
        reason = "memory" if memory else "no-backend" if backend else "values-missing" if nothing else "failed"
        result = not_run(reason, text.splitlines()[0])
        # After an error of its own, a device answers everything with errors; what it has allocated is not given back.
        broken = any(w in text for w in ("CUDA error", "HIP error", "CUBLAS_STATUS", "CUDNN_STATUS"))
        if self.options.device != "cpu" and (memory or broken):
            result["last"] = True
        return result

    def measure(self, make, fresh, schema, words, on_device):
        pace = Pace(self.options.time_limit * 1000 * MS)
        before = self.before = QueuedWork()
        call = make()
        start = time.time_ns()
        pace.lap()
        host, device = self.timed(call, on_device)
        over, warmups, spent = pace.is_over(), 1, host
        wanted = self.options.warmup or 5
        while not over and warmups < wanted and (self.options.warmup or spent < 200 * MS):
            start = time.time_ns()
            host, device = self.timed(make() if fresh else call, on_device)
            over = pace.is_over()
            spent += host
            warmups += 1
        hosts, devices = Samples(), Samples()
        if over:  # there is no time for another one
            warmups -= 1
            hosts.add(host)
            devices.add(device)
        else:
            start = time.time_ns()
        runs = self.options.iterations
        if not runs:
            runs = 1 if host > 2000 * MS else max(3, min(30, 100 * MS // max(1, host) + 1))
        executed = hosts.seen

        def repeat(runs, window, kept):
            nonlocal over, executed
            begun, done = time.perf_counter_ns(), 0
            pace.lap()
            while not over and (done < runs or time.perf_counter_ns() - begun < window):
                self.flush()
                host, device = self.timed(make() if fresh else call, on_device)
                over = pace.is_over()
                done += 1
                executed += 1
                if kept:
                    hosts.add(host)
                    devices.add(device)

        window = self.options.window * MS
        before.wanted = on_device
        apart = on_device and window > 0 and not over
        repeat(runs, 0 if apart else window, True)
        if apart and not over:  # work that is queued takes power, too: times first, then the window
            before.wanted, executed, start = False, 0, time.time_ns()
            repeat(1, window, False)
        end = max(start + 1, time.time_ns())
        result = {"status": "substituted" if words else "ran", "schema": schema}
        if words:
            result["substitution"] = words
        result.update(warmups=warmups, executed=executed)
        if on_device:
            result["queued"] = before.queued
        result["host"] = hosts.figures()
        if on_device:
            result["device"] = devices.figures()
        result["window"] = {"start_ns": start, "end_ns": end}
        return result

    def timed(self, call, on_device):
        if not on_device:
            start = time.perf_counter_ns()
            call()
            return time.perf_counter_ns() - start, None
        cuda = self.torch.cuda
        begin, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        busy = self.before.ns() if hasattr(cuda, "_sleep") else 0
        cuda.synchronize()
        if busy:
            spinning, cycles = self.spin(busy)
        begin.record()
        start = time.perf_counter_ns()
        call()
        host = time.perf_counter_ns() - start
        end.record()
        self.before.called(host, busy, busy > 0 and not begin.query())
        end.synchronize()
        if busy:
            self.learn(cycles, spinning.elapsed_time(begin))
        return host, int(begin.elapsed_time(end) * MS)

    def spin(self, ns):
        """Keeps the device busy for about so long, without memory; returns an event at its beginning, and in how many cycles."""
        for _ in range(0 if self.cycles_per_ns else 2):  # the first one loads the kernel
            begin, end = self.sleep(1_000_000), self.torch.cuda.Event(enable_timing=True)
            end.record()
            end.synchronize()
            self.learn(1_000_000, begin.elapsed_time(end))
        cycles = int(ns * self.cycles_per_ns)
        return self.sleep(cycles), cycles

    def sleep(self, cycles):
        begin = self.torch.cuda.Event(enable_timing=True)
        begin.record()
        self.torch.cuda._sleep(cycles)
        return begin

    def learn(self, cycles, ms):
        """How fast the device counts: the fastest that was seen, as the time of a spin may hold a launch, or clocks at rest.
        No device counts more than 4 cycles in a nanosecond."""
        self.cycles_per_ns = min(4, max(self.cycles_per_ns, cycles / max(1, ms * MS)))

    def flush(self):
        if self.options.flush_cache:
            if self.flushed is None:
                self.flushed = self.torch.empty(64 << 20, device=self.options.device)
            self.flushed.fill_(1.0)


class QueuedWork:
    """How long a device is kept busy before each call of one operator, so that the call is queued as a whole before the
    device comes to it: the time between two events around it then holds nothing of the launch on the host. An operator that
    waits for the device cannot be queued; it is left alone."""

    SPARE, LEAST, MOST = 4, 50_000, 20 * MS

    def __init__(self):
        self.wanted, self.waits, self.host, self.queued = False, False, None, 0

    def ns(self):
        """How long the device is to be busy before the next call; 0 for nothing."""
        if not self.wanted or self.waits or self.host is None:
            return 0
        return min(max(self.SPARE * self.host, self.LEAST), self.MOST)

    def called(self, host, busy, behind):
        """Takes note of a call: how long it took on the host, how long the device was kept busy before it, and whether it
        was queued as a whole before the device came to it."""
        self.queued += behind
        if busy and not behind and host >= busy:
            self.waits = True
        if behind or not busy:
            self.host = host if self.host is None else min(self.host, host)


class Samples:
    """Times of executions. Of more than MOST_SAMPLES it keeps a random choice, in which each is as likely; the least is
    that of all."""

    def __init__(self):
        self.random, self.kept, self.seen, self.least = random.Random(0), [], 0, None

    def add(self, ns):
        self.seen += 1
        if ns is None:
            return
        self.least = ns if self.least is None else min(self.least, ns)
        if len(self.kept) < MOST_SAMPLES:
            self.kept.append(ns)
            return
        place = self.random.randrange(self.seen)
        if place < MOST_SAMPLES:
            self.kept[place] = ns

    def figures(self):
        return {**figures(self.kept), "min_ns": self.least}


class Pace:
    """Says when executions must end, so that what was measured is told before the time is up: when three quarters of it
    are over, or when another one, as long as the longest before it, would not end in time."""

    SHARE, AT_LAST = 0.75, 0.9

    def __init__(self, limit):
        self.limit, self.longest = limit, 0
        self.began = self.last = time.perf_counter_ns()

    def lap(self):
        """An execution begins now; what was done since the one before is none."""
        self.last = time.perf_counter_ns()

    def is_over(self):
        """To be asked after each execution."""
        now = time.perf_counter_ns()
        self.longest, self.last = max(self.longest, now - self.last), now
        gone = now - self.began
        return gone > self.SHARE * self.limit or gone + self.longest > self.AT_LAST * self.limit


def quantile(ordered, percent):
    return ordered[max(0, (len(ordered) * percent + 99) // 100 - 1)]


def figures(samples):
    ordered = sorted(samples)
    median = quantile(ordered, 50)
    p90 = quantile(ordered, 90)
    return {
        "runs": len(ordered),
        "median_ns": median,
        "min_ns": ordered[0],
        "p10_ns": quantile(ordered, 10),
        "p90_ns": p90,
        "mad_ns": quantile(sorted(abs(s - median) for s in ordered), 50),
        "noisy": p90 > 1.5 * median,
    }


def not_run(reason, detail):
    result = {"status": "not-run", "reason": reason}
    if detail:
        result["detail"] = detail
    return result


def weight(operator):
    return max(0, operator["recorded"].get({"device": "device_ns", "cpu": "cpu_ns"}.get(PLAN["source"]["time_basis"]), 0))


def coverage(results):
    calls = covered = time_ns = time_covered = 0
    gaps = {}
    for operator, result in zip(PLAN["operators"], results):
        count = operator["calls"] + operator["inside_calls"]
        calls += count
        time_ns += weight(operator)
        if result["status"] != "not-run":
            covered += count
            time_covered += weight(operator)
            continue
        gap = gaps.setdefault(result["reason"], {"reason": result["reason"], "meaning": MEANINGS.get(result["reason"]), "calls": 0, "time_ns": 0, "operators": {}})
        gap["calls"] += count
        gap["time_ns"] += weight(operator)
        gap["operators"][operator["name"]] = gap["operators"].get(operator["name"], 0) + operator["calls"]
    return {
        "calls_percent": 100.0 * covered / calls if calls else None,
        "time_percent": 100.0 * time_covered / time_ns if time_ns else None,
        "calls": calls,
        "calls_inside": sum(operator["inside_calls"] for operator in PLAN["operators"]),
        "calls_covered": covered,
        "time_ns": time_ns,
        "time_covered_ns": time_covered,
        "gaps": sorted(gaps.values(), key=lambda g: -g["calls"]),
    }


def inputs(arguments):
    """What tells calls of one operator apart: shapes and types of tensors, values of the other arguments."""

    def of(argument, key):
        if isinstance(argument, dict) and "tensor" in argument:
            return argument["tensor"][key]
        if isinstance(argument, dict) and "tensors" in argument:
            return [None if t is None else t[key] for t in argument["tensors"]]
        return None

    tensor = [isinstance(a, dict) and ("tensor" in a or "tensors" in a) for a in arguments]
    return {
        "shapes": [of(a, "shape") for a in arguments],
        "types": [of(a, "dtype") for a in arguments],
        "values": [None if t else a for a, t in zip(arguments, tensor)],
    }


def report(results, facts):
    sums = {"replayed_ns": 0, "recorded_cpu_ns": 0, "recorded_device_ns": 0}
    operators = []
    for operator, result in zip(PLAN["operators"], results):
        line = {"id": operator["id"], "name": operator["name"], **inputs(operator["arguments"]), **result}
        line["calls"] = operator["calls"]
        if "calls_per_step" in operator:
            line["calls_per_step"] = operator["calls_per_step"]
        timing = result.get("device") or result.get("host")
        if timing:
            line["total_ns"] = timing["median_ns"] * operator["calls"]
            sums["replayed_ns"] += line["total_ns"]
            sums["recorded_cpu_ns"] += operator["recorded"].get("cpu_ns", 0)
            sums["recorded_device_ns"] += operator["recorded"].get("device_ns", 0)
        for key in ("cpu_ns", "device_ns"):
            if key in operator["recorded"]:
                line["recorded_" + key] = operator["recorded"][key]
        operators.append(line)
    return {
        "format": "lockstep-replay-result",
        "version": 1,
        "environment": facts,
        "steps": PLAN["steps"]["count"],
        "steps_source": PLAN["steps"]["source"],
        "coverage": coverage(results),
        "sums": sums,
        "operators": operators,
    }


class Ended(Exception):
    """What came instead of an answer: a reason, and words."""


class Worker:
    """A process that runs operators."""

    def __init__(self, options):
        environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
        for name, value in ENVIRONMENT.items():
            environment.setdefault(name, value)
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self.answers = queue.Queue()
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        for line in self.process.stdout:
            self.answers.put(line)
        self.answers.put(None)

    def send(self, number):
        try:
            self.process.stdin.write(b"%d\n" % number)
            self.process.stdin.flush()
        except OSError:
            pass  # it has ended, as the answer will show

    def answer(self, seconds, limit):
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self.answers.get(timeout=0.1)
            except queue.Empty:
                held = self.resident()
                if limit and held > limit:
                    raise Ended("memory", "the process held %d bytes, %d are allowed" % (held, limit)) from None
                if time.monotonic() > deadline:
                    raise Ended("timed-out", "no end after %d s" % seconds) from None
                continue
            if line is None:
                status = self.process.wait()
                raise Ended("crashed", "signal %d" % -status if status < 0 else "exit status %d" % status)
            return json.loads(line)

    def resident(self):
        """Memory that it holds, 0 where that cannot be asked."""
        try:
            with open("/proc/%d/statm" % self.process.pid) as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0

    def close(self):
        self.process.kill()
        self.process.wait()


class Workers:
    """One process after the other."""

    START_S = 180

    def __init__(self, options):
        self.options, self.worker, self.started, self.facts = options, None, 0, {}

    def run(self, number):
        if self.worker is None:
            self.start()
        self.worker.send(number)
        try:
            result = self.worker.answer(self.options.time_limit, self.options.memory)
        except Ended as e:
            self.close()
            return not_run(*e.args)
        if result.pop("last", False):
            self.close()
        return result

    def start(self):
        self.worker = Worker(self.options)
        self.started += 1
        try:
            hello = self.worker.answer(self.START_S, 0)
        except Ended as e:
            self.close()
            sys.exit("replay: the process that runs operators did not start: " + e.args[1])
        if "error" in hello:
            self.close()
            print("replay: " + hello["error"], file=sys.stderr)
            sys.exit(2)
        self.facts = hello

    def close(self):
        if self.worker is not None:
            self.worker.close()
            self.worker = None


def work(options):
    """Runs the operators whose numbers come in, one line for each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # libraries may print what they like

    def say(answer):
        print(json.dumps(answer), file=answers, flush=True)

    try:
        import torch
    except ImportError as e:
        say({"error": "this Python has no PyTorch: %s" % e})
        return
    if options.device == "cuda" and not torch.cuda.is_available():
        say({"error": "--device cuda: this PyTorch sees no GPU"})
        return
    torch.set_num_threads(options.threads)
    runner = Runner(torch, options)
    facts = {
        "framework": "PyTorch " + torch.__version__,
        "device": options.device,
        "processor": torch.cuda.get_device_name() if options.device == "cuda" else platform.machine(),
    }
    if options.device == "cuda":
        facts.update(identity(torch.cuda.get_device_properties(torch.cuda.current_device())))
        facts["device_time"] = "between two events" + (", queued behind other work" if hasattr(torch.cuda, "_sleep") else "")
    say(facts)
    for line in sys.stdin:
        say(runner.run(PLAN["operators"][int(line)]))


def identity(device):
    """What tells the device, as far as this PyTorch knows it: its address on the bus, its UUID."""
    known = {}
    if hasattr(device, "pci_bus_id"):
        known["bus_id"] = "%08x:%02x:%02x.0" % (device.pci_domain_id, device.pci_bus_id, device.pci_device_id)
    if hasattr(device, "uuid"):
        known["uuid"] = str(device.uuid)
    return known


def half_of_memory():
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def milliseconds(text):
    number = float(text)
    if not 0 < number <= 1e12:
        raise ValueError
    return number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="RESULT.json")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--warmup", type=positive, default=0, metavar="N")
    parser.add_argument("--iterations", type=positive, default=0, metavar="N")
    parser.add_argument("--window", type=milliseconds, default=0, metavar="MS", help="execute each operator for at least so long")
    parser.add_argument("--threads", type=positive, default=1, metavar="N")
    parser.add_argument("--flush-cache", action="store_true")
    parser.add_argument("--memory-limit", type=positive, metavar="MB", help="of the process (default: half of the machine's)")
    parser.add_argument("--time-limit", type=positive, default=120, metavar="SECONDS", help="of one operator (default 120)")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.iterations and options.window:
        parser.error("--iterations and --window are two answers to one question")
    if options.window > options.time_limit * 500:
        parser.error("--window wants at most half of --time-limit, which is %d s" % options.time_limit)
    options.memory = options.memory_limit << 20 if options.memory_limit else half_of_memory()
    return options


def terminated(*_):
    raise KeyboardInterrupt


def main():
    options = arguments()
    if options.worker:
        work(options)
        return
    part = options.output + ".part"
    try:
        out = open(part, "w", encoding="utf-8")
    except OSError as e:
        print("replay: cannot write %s: %s" % (options.output, e.strerror), file=sys.stderr)
        sys.exit(2)
    signal.signal(signal.SIGTERM, terminated)
    workers, results, whole = Workers(options), [], False
    try:
        for number, operator in enumerate(PLAN["operators"]):
            results.append(workers.run(number) if operator["status"] == "replay" else not_run(operator["reason"], None))
        whole = True
    except KeyboardInterrupt:
        for operator in PLAN["operators"][len(results) :]:
            gap = operator.get("reason")
            results.append(not_run(gap, None) if gap else not_run("not-run", "interrupted"))
    except SystemExit:
        out.close()
        os.remove(part)
        raise
    finally:
        workers.close()
    made = report(results, facts(options, workers))
    with out:
        json.dump(made, out, indent=1)
        out.write("\n")
    os.replace(part, options.output)
    percent = made["coverage"]["calls_percent"]
    print("no calls" if percent is None else "%.2f %% of the calls were replayed" % percent)
    for gap in made["coverage"]["gaps"]:
        print("  not: %d calls: %s" % (gap["calls"], gap["meaning"]))
    sys.exit(0 if whole else 130)


def facts(options, workers):
    known = dict(workers.facts)
    known.update(
        threads=str(options.threads),
        cache="flushed before each execution" if options.flush_cache else "as the execution before left it",
        worker_restarts=str(max(0, workers.started - 1)),
        load_average="%.2f" % os.getloadavg()[0] if hasattr(os, "getloadavg") else "unknown",
    )
    return known


if __name__ == "__main__":
    main()
