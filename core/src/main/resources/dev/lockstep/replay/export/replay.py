#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs recorded operators again, one by one, with their recorded shapes, on the PyTorch of this machine.

Needs PyTorch 1.13 or newer and nothing else. Writes the same result as `lockstep replay run`:

    python3 replay.py -o RESULT.json [--device cpu|cuda] [--warmup N] [--iterations N | --window MS] [--threads N]
              [--flush-cache]

On ROCm the device is cuda, too.
"""
import argparse
import json
import math
import os
import platform
import random
import sys
import time

PLAN = json.loads(r'''@PLAN@''')
SCRIPTS = r'''@SCRIPTS@'''
MEANINGS = json.loads(r'''@MEANINGS@''')

MS = 1_000_000
MOST_SAMPLES = 1 << 14
UNPINNED = " in memory that is not pinned"


def tensors(arguments):
    for a in arguments:
        if isinstance(a, dict) and "tensor" in a:
            yield a["tensor"]
        elif isinstance(a, dict) and "tensors" in a:
            yield from (t for t in a["tensors"] if t is not None)


def lacks_values(arguments):
    """Whether of what is no tensor nothing is given."""
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


class Inputs:
    """Makes up inputs: tensors that share memory where the recorded ones did, filled with numbers around 1 or with
    indices that fit every dimension."""

    def __init__(self, torch, device, call, single):
        self.torch, self.device, self.single = torch, device, single
        self.storages = {}
        self.needed = {}
        for spec in tensors(call["arguments"]):
            key = (spec["storage"], self.name(spec))
            self.needed[key] = max(self.needed.get(key, 0), spec["storage_elements"], extent(spec))
        sizes = [s for t in tensors(call["arguments"]) for s in t["shape"]]
        self.limit = min((max(1, s) for s in sizes), default=2)
        if call["name"] == "aten::embedding":
            self.limit = next(tensors(call["arguments"]))["shape"][0]

    def name(self, spec):
        reduced = spec["dtype"] in ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")
        return "float32" if self.single and reduced else spec["dtype"]

    def tensor(self, spec):
        name = self.name(spec)
        key = (spec["storage"], name)
        if key not in self.storages:
            self.storages[key] = self.storage(self.needed[key], name)
        strides = spec.get("strides", contiguous(spec["shape"]))
        return self.torch.as_strided(self.storages[key], spec["shape"], strides, spec["offset"])

    def storage(self, elements, name):
        made = self.torch.empty(elements, dtype=getattr(self.torch, name), device=self.device)
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

    def run(self, operator):
        first = None
        ways = [(operator, False, None)]
        if "substitute" in operator:
            ways.append((operator["substitute"], False, "run as " + operator["substitute"]["name"]))
        for call, _, words in list(ways):
            if any(t["dtype"] in ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2") for t in tensors(call["arguments"])):
                ways.append((call, True, (words or "run") + " in single precision"))
        for call, single, words in ways:
            result = self.run_call(call, single, words)
            if result["status"] != "not-run":
                return result
            first = first or result
        return first

    def run_call(self, call, single, words):
        torch = self.torch
        name = call["name"]
        if name.startswith("script::"):
            if self.unit is None:
                self.unit = torch.jit.CompilationUnit(SCRIPTS)
            function = getattr(self.unit, name[len("script::") :])
            inputs = Inputs(torch, self.options.device, call, single)
            values = [inputs.value(a, None) for a in call["arguments"]]
            return self.guarded(lambda: (lambda: function(*values)), False, name, words)
        schemas = torch._C._jit_get_schemas_for_operator(name)
        if not schemas:
            return not_run("no-such-operator", None)
        found = [(b, s) for s in schemas for b in [bind(s, call["arguments"])] if b is not None]
        if not found:
            return not_run("values-missing" if lacks_values(call["arguments"]) else "arguments", None)
        recorded = call.get("overload")
        found.sort(key=lambda f: (f[1].overload_name != recorded, f[0][1], f[1].overload_name))
        first = None
        for (values, _), schema in found:
            namespace, base = name.split("::")
            packet = getattr(getattr(torch.ops, namespace), base)
            function = getattr(packet, schema.overload_name or "default")
            fresh = base in ("resize_", "resize_as_", "set_", "squeeze_", "unsqueeze_", "t_", "transpose_", "as_strided_", "detach_")

            def make():
                torch.manual_seed(0)
                inputs = Inputs(torch, self.options.device, call, single)
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

            said = words
            if self.options.device == "cpu" and any(p.name == "pin_memory" and g is True for p, _, g, _ in values):
                values = [(p, k, False if p.name == "pin_memory" else g, d) for p, k, g, d in values]
                said = (words or "run") + UNPINNED
            result = self.guarded(make, fresh, str(schema), said)
            if result["status"] != "not-run":
                return result
            first = first or result
        return first

    def guarded(self, make, fresh, schema, words):
        try:
            with self.torch.no_grad():
                return self.measure(make, fresh, schema, words)
        except Exception as e:  # whatever an operator throws concerns that operator alone
            text = str(e).splitlines()[0] if str(e) else type(e).__name__
            backend = any(w in str(e) for w in ("Could not run '", "not implemented for", "not compiled with", "not linked with"))
            memory = "out of memory" in str(e) or "can't allocate memory" in str(e)
            return not_run("memory" if memory else "no-backend" if backend else "failed", text)

    def measure(self, make, fresh, schema, words):
        call = make()
        host, device = self.timed(call)
        warmups, spent = 1, host
        wanted = self.options.warmup or 5
        while warmups < wanted and (self.options.warmup or spent < 200 * MS):
            host, device = self.timed(make() if fresh else call)
            spent += host
            warmups += 1
        runs = self.options.iterations
        if not runs:
            runs = 1 if host > 2000 * MS else max(3, min(30, 100 * MS // max(1, host) + 1))
        hosts, devices = Samples(), Samples()
        window = self.options.window * MS
        start, begun = time.time_ns(), time.perf_counter_ns()
        while hosts.seen < runs or time.perf_counter_ns() - begun < window:
            self.flush()
            host, device = self.timed(make() if fresh else call)
            hosts.add(host)
            devices.add(device)
        end = max(start + 1, time.time_ns())
        result = {"status": "substituted" if words else "ran", "schema": schema}
        if words:
            result["substitution"] = words
        result.update(warmups=warmups, executed=hosts.seen, host=hosts.figures())
        if self.options.device != "cpu":
            result["device"] = devices.figures()
        result["window"] = {"start_ns": start, "end_ns": end}
        return result

    def timed(self, call):
        if self.options.device == "cpu":
            start = time.perf_counter_ns()
            call()
            return time.perf_counter_ns() - start, None
        cuda = self.torch.cuda
        begin, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        cuda.synchronize()
        begin.record()
        start = time.perf_counter_ns()
        call()
        host = time.perf_counter_ns() - start
        end.record()
        end.synchronize()
        return host, int(begin.elapsed_time(end) * MS)

    def flush(self):
        if self.options.flush_cache:
            if self.flushed is None:
                self.flushed = self.torch.empty(64 << 20, device=self.options.device)
            self.flushed.fill_(1.0)


class Samples:
    """Times of executions. Of more than MOST_SAMPLES it keeps a random choice, in which each is as likely."""

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
        line = {"id": operator["id"], "name": operator["name"], **inputs(operator["arguments"]), **result, "calls": operator["calls"]}
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="RESULT.json")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--warmup", type=int, default=0, metavar="N")
    parser.add_argument("--iterations", type=int, default=0, metavar="N")
    parser.add_argument("--window", type=float, default=0, metavar="MS", help="execute each operator for at least so long")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--flush-cache", action="store_true")
    options = parser.parse_args()
    if options.iterations and options.window:
        parser.error("--iterations and --window are two answers to one question")
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import torch

    if options.device == "cuda" and not torch.cuda.is_available():
        sys.exit("replay: --device cuda: this PyTorch sees no GPU")
    torch.set_num_threads(options.threads)
    runner = Runner(torch, options)
    results = []
    for operator in PLAN["operators"]:
        results.append(runner.run(operator) if operator["status"] == "replay" else not_run(operator["reason"], None))
    facts = {
        "framework": "PyTorch " + torch.__version__,
        "device": options.device,
        "processor": torch.cuda.get_device_name() if options.device == "cuda" else platform.machine(),
        "threads": str(options.threads),
        "cache": "flushed before each execution" if options.flush_cache else "as the execution before left it",
    }
    made = report(results, facts)
    with open(options.output, "w", encoding="utf-8") as out:
        json.dump(made, out, indent=1)
        out.write("\n")
    percent = made["coverage"]["calls_percent"]
    print("no calls" if percent is None or math.isnan(percent) else "%.2f %% of the calls were replayed" % percent)
    for gap in made["coverage"]["gaps"]:
        print("  not: %d calls: %s" % (gap["calls"], gap["meaning"]))


if __name__ == "__main__":
    main()
