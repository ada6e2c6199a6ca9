#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real jobs that hang: processes that talk over gloo, each with one fault, and what `lockstep hangs` says of their dumps.

    config/hang-trial/hang_trial.py [--lockstep ./lockstep] [--keep DIR] [KIND...]

PyTorch writes dumps of Flight Recorder for gloo from 2.8 on only. So a recorder of our own stands around the calls of
torch.distributed here: it logs each call in the layout of version 2.10 when it is made and when it returns, with its frames,
and a thread writes the dump of a rank when nothing has moved for a while. Needs a Python with torch (Debian: python3-torch).
"""
import argparse
import csv
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import traceback

RANKS = 4
CULPRIT = 2
STEPS = 4
SILENT_S = 3.0

# what the first line may say, by kind of fault
KINDS = {
    "stops": {"never_arrived"},
    "ends-early": {"never_arrived"},
    "dies": {"no_dump"},
    "other-operation": {"other_operation"},
    "other-size": {"other_size"},
    "other-type": {"other_type"},
    "skips": {"other_order"},  # the host waits in each call, so that nothing shows what follows
    "extra": {"other_order"},
    "swaps-groups": {"other_order"},
    "no-send": {"unmatched_receive"},
    "receives-first": {"unmatched_receive"},
    "none": set(),
}


class Recorder:
    """Calls of this rank in the layout of a dump."""

    def __init__(self, rank, folder):
        self.rank, self.folder = rank, folder
        self.entries, self.groups, self.counts = [], {}, {}
        self.last = time.monotonic()
        self.lock = threading.RLock()
        self.aborts = False

    def group(self, name, desc, ranks):
        self.groups[name] = {"name": name, "desc": desc, "ranks": str(list(ranks))}

    def begin(self, name, group, tensors, message):
        with self.lock:
            key = (group, message)
            self.counts[key] = self.counts.get(key, 0) + 1
            sizes = [list(t.shape) for t in tensors]
            types = [{"torch.float32": "Float", "torch.float64": "Double"}[str(t.dtype)] for t in tensors]
            frames = [
                {"name": f.name, "filename": f.filename, "line": f.lineno}
                for f in reversed(traceback.extract_stack()[:-3])
            ]
            entry = {
                "frames": frames,
                "record_id": len(self.entries),
                "pg_id": int(group),
                "process_group": (group, self.groups[group]["desc"]),
                "collective_seq_id": self.counts.get((group, False), 0),
                "p2p_seq_id": self.counts.get((group, True), 0),
                "op_id": len(self.entries) + 1,
                "profiling_name": "gloo:" + name,
                "time_created_ns": time.time_ns(),
                "input_sizes": sizes,
                "input_dtypes": types,
                "output_sizes": sizes,
                "output_dtypes": types,
                "state": "started",
                "timeout_ms": 600000,
                "is_p2p": message,
                "retired": False,
            }
            self.entries.append(entry)
            self.last = time.monotonic()
            if self.aborts:
                self.dump()
            return entry

    def end(self, entry):
        with self.lock:
            entry["state"] = "completed"
            entry["time_discovered_completed_ns"] = time.time_ns()
            self.last = time.monotonic()

    def dump(self):
        with self.lock:
            dump = {"version": "2.10", "pg_config": self.groups, "pg_status": {}, "entries": self.entries}
            path = os.path.join(self.folder, "gloo_trace_rank_%d" % self.rank)
            with open(path + ".part", "wb") as out:
                pickle.dump(dump, out, protocol=2)
            os.rename(path + ".part", path)

    def watch(self):
        while time.monotonic() - self.last < SILENT_S:
            time.sleep(0.1)
        self.dump()
        os._exit(0)


def job(kind, rank, folder):
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo", init_method="file://" + os.path.join(folder, "store"), rank=rank, world_size=RANKS)
    record = Recorder(rank, folder)
    record.group("0", "default_pg", range(RANKS))
    half = [r for r in range(RANKS) if r // 2 == rank // 2]
    pairs = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    name = str(1 + rank // 2)
    record.group(name, "pair", half)
    groups = {"0": dist.group.WORLD, name: pairs[rank // 2]}
    threading.Thread(target=record.watch, daemon=True).start()

    def call(what, group, tensor, run, message=False):
        entry = record.begin(what, group, [tensor], message)
        run()
        record.end(entry)

    def all_reduce(group="0", size=1024, dtype=torch.float32):
        t = torch.ones(size, dtype=dtype)
        call("all_reduce", group, t, lambda: dist.all_reduce(t, group=groups[group]))

    def broadcast(group="0", size=1024):
        t = torch.ones(size)
        call("broadcast", group, t, lambda: dist.broadcast(t, src=0, group=groups[group]))

    def send(peer, size=64):
        t = torch.ones(size)
        call("send %d->%d" % (rank, peer), "0", t, lambda: dist.send(t, peer), True)

    def recv(peer, size=64):
        t = torch.ones(size)
        call("recv %d<-%d" % (rank, peer), "0", t, lambda: dist.recv(t, peer), True)

    peer = rank ^ 1
    for step in range(STEPS):
        at_fault = rank == CULPRIT and step == STEPS - 1
        fault = kind if at_fault else ""
        if fault == "ends-early":
            break
        broadcast(size=16)
        if fault == "dies":
            os._exit(9)
        if fault == "stops":
            time.sleep(3600)
        record.aborts = fault in ("other-size", "other-type")  # gloo ends a process that gets more than it asked for
        if fault == "other-operation":
            broadcast(size=1024)
        elif fault == "other-size":
            all_reduce(size=512)
        elif fault == "other-type":
            all_reduce(dtype=torch.float64)
        elif fault != "skips":
            all_reduce()
        if fault == "extra":
            all_reduce()
        if fault == "swaps-groups":
            all_reduce(size=64)
            all_reduce(name, 256)
        else:
            all_reduce(name, 256)
            all_reduce(size=64)
        if rank % 2 == 0 and fault == "receives-first":
            recv(peer)
            send(peer)
        elif rank % 2 == 0:
            if fault != "no-send":
                send(peer)
            recv(peer)
        else:
            recv(peer)
            send(peer)
        all_reduce(size=1)
    time.sleep(3600)


def trial(kind, lockstep, python, folder):
    os.makedirs(folder)
    ranks = [
        subprocess.Popen(
            [python, __file__, "--rank", str(rank), "--folder", folder, kind],
            stdout=subprocess.DEVNULL,
            stderr=open(os.path.join(folder, "rank%d.log" % rank), "w"),
        )
        for rank in range(RANKS)
    ]
    deadline = time.monotonic() + 120
    for one in ranks:
        try:
            one.wait(max(1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            one.kill()
    answer = os.path.join(folder, "answer")
    done = subprocess.run(lockstep.split() + ["hangs", folder, "--csv", answer], capture_output=True, text=True)
    verdicts = os.path.join(answer, "hang_verdict.csv")
    rows = list(csv.reader(open(verdicts))) if os.path.exists(verdicts) else []
    found = rows[1][:2] if len(rows) > 1 else ["none", ""]
    right = found[0] in KINDS[kind] and found[1] == str(CULPRIT) and len(rows) == 2
    if kind == "none":
        right = found[0] == "none" and done.returncode == 0
    print("%-5s %-16s %s" % ("ok" if right else "WRONG", kind, " ".join(done.stdout.split("\n  ")[0].split())[:160]))
    if not right:
        print(done.stdout, done.stderr)
    return right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lockstep", default=os.path.join(os.path.dirname(__file__), "../../lockstep"))
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--keep")
    parser.add_argument("--rank", type=int)
    parser.add_argument("--folder")
    parser.add_argument("kinds", nargs="*")
    args = parser.parse_args()
    if args.rank is not None:
        try:
            job(args.kinds[0], args.rank, args.folder)
        except Exception:
            traceback.print_exc()
            time.sleep(3600)  # the watching thread writes the dump: a call that failed is not done
        return
    root = args.keep or tempfile.mkdtemp(prefix="hang-trial-")
    results = [trial(kind, args.lockstep, args.python, os.path.join(root, kind)) for kind in args.kinds or KINDS]
    print("%d of %d right" % (sum(results), len(results)))
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
