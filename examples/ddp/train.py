#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small training run that records itself: a transformer under DistributedDataParallel on made-up tokens.

It takes the flags that `lockstep config run` and `lockstep sweep run` hand over, needs no network and no data, runs on
CPUs with gloo and on GPUs with NCCL or RCCL, and leaves in the folder training.output_dir:

    torch_profiler/rank<r>/<trace>.json    a trace of the profiler, with shapes
    rank_<rr>_metrics.jsonl                a line for each step
    rank<r>.log                            what the rank has to say
"""

import argparse
import json
import os
import pathlib
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.profiler import ProfilerActivity, profile, schedule

DEFAULTS = {
    "training": {"max_steps": 8, "batch_size": 4, "output_dir": "artifacts", "fail_at_step": None, "fail_rank": 0},
    "optimizer": {"lr": 1e-3},
    "model": {"vocab_size": 256, "sequence_length": 32, "model_dim": 64, "num_heads": 4, "num_layers": 2,
              "mlp_hidden_dim": 128},
    "distributed": {"bucket_cap_mb": 1},
    "slow": {"rank": -1, "stage": "forward", "ms": 0},
    "profiling": {"enabled": True, "wait": 1, "warmup": 1, "active": 2, "trace_filename": "trace.json"},
}


def parse_value(text):
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read_config(path):
    text = pathlib.Path(path).read_text()
    if path.endswith(".json"):
        return json.loads(text)
    try:
        import yaml
        return yaml.safe_load(text) or {}
    except ImportError:
        return read_sections(text)


def read_sections(text):
    """As much of YAML as the example's configuration uses: sections of plain values."""
    config, section = {}, None
    for line in text.splitlines():
        line = line.split("#", 1)[0].rstrip()
        if not line:
            continue
        key, _, value = line.strip().partition(":")
        if not line.startswith(" "):
            section = config.setdefault(key, {})
        else:
            section[key] = parse_value(value.strip())
    return config


def settings():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", required=True, help="YAML or JSON")
    parser.add_argument("--override", nargs="*", default=[], metavar="SECTION.KEY=VALUE")
    args = parser.parse_args()
    config = {section: dict(values) for section, values in DEFAULTS.items()}
    for section, values in read_config(args.config).items():
        config.setdefault(section, {}).update(values or {})
    for text in args.override:
        key, equals, value = text.partition("=")
        section, dot, name = key.partition(".")
        if not equals or not dot:
            parser.error(f"--override wants SECTION.KEY=VALUE, not {text}")
        config.setdefault(section, {})[name] = parse_value(value)
    return config


class Block(nn.Module):
    def __init__(self, dim, heads, hidden):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x):
        batch, length, dim = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, dim // self.heads).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-2, -1) / (dim // self.heads) ** 0.5, dim=-1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(batch, length, dim))
        return x + self.mlp(self.norm2(x))


class Model(nn.Module):
    def __init__(self, m):
        super().__init__()
        self.embed = nn.Embedding(m["vocab_size"], m["model_dim"])
        self.blocks = nn.Sequential(
            *[Block(m["model_dim"], m["num_heads"], m["mlp_hidden_dim"]) for _ in range(m["num_layers"])])
        self.head = nn.Linear(m["model_dim"], m["vocab_size"])

    def forward(self, tokens):
        return self.head(self.blocks(self.embed(tokens)))


def trace_of(profiler, rank, world, first_step):
    """What the profiler recorded, as Kineto writes it: for builds of PyTorch without Kineto, whose own files lack shapes."""
    events, steps = [], 0
    for number, event in enumerate(sorted(profiler.profiler.function_events, key=lambda e: e.time_range.start)):
        args = {"External id": number}
        if event.input_shapes and any(event.input_shapes):
            args["Input Dims"] = event.input_shapes
        if event.sequence_nr >= 0:
            args["Sequence number"] = event.sequence_nr
            args["Fwd thread id"] = event.fwd_thread or 0
        kind, name = "cpu_op", event.name
        if name.startswith("ProfilerStep"):
            kind, name = "user_annotation", f"ProfilerStep#{first_step + steps}"
            steps += 1
        events.append({"ph": "X", "cat": kind, "name": name, "pid": os.getpid(), "tid": event.thread,
                       "ts": event.time_range.start, "dur": event.time_range.elapsed_us(), "args": args})
    return {"schemaVersion": 1, "distributedInfo": {"backend": dist.get_backend(), "rank": rank, "world_size": world},
            "traceEvents": events}


def slow_stage(slow, rank):
    """Returns what a stage of a step calls: the rank that shall be slow sleeps in the stage where it shall be."""
    if slow["stage"] not in ("data", "forward", "backward", "optimizer"):
        raise ValueError(f"slow.stage is data, forward, backward or optimizer, not {slow['stage']}")

    def take_longer(stage):
        if rank == int(slow["rank"]) and stage == slow["stage"]:
            time.sleep(float(slow["ms"]) / 1e3)

    return take_longer


def train(config, rank, world, device, log):
    t, m, p = config["training"], config["model"], config["profiling"]
    take_longer = slow_stage(config["slow"], rank)
    torch.manual_seed(13)
    model = Model(m).to(device)
    model.blocks[0].register_forward_pre_hook(lambda module, inputs: take_longer("forward"))
    model = DistributedDataParallel(model, bucket_cap_mb=config["distributed"]["bucket_cap_mb"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=float(config["optimizer"]["lr"]))
    output = pathlib.Path(t["output_dir"])
    generator = torch.Generator().manual_seed(13 + rank)

    def step(number):
        if t["fail_at_step"] == number and t["fail_rank"] == rank:
            raise RuntimeError(f"asked to fail at step {number}")
        take_longer("data")
        tokens = torch.randint(m["vocab_size"], (t["batch_size"], m["sequence_length"] + 1), generator=generator)
        tokens = tokens.to(device)
        logits = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        optimizer.zero_grad()
        loss.register_hook(lambda gradient: take_longer("backward"))
        loss.backward()
        take_longer("optimizer")
        optimizer.step()
        return loss.item()

    activities = [ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if device.type == "cuda" else [])
    traces = output / "torch_profiler" / f"rank{rank}"

    def save(profiler):
        traces.mkdir(parents=True, exist_ok=True)
        path = traces / p["trace_filename"]
        if torch.autograd.kineto_available():
            profiler.export_chrome_trace(str(path))
        else:
            path.write_text(json.dumps(trace_of(profiler, rank, world, p["wait"] + p["warmup"])))

    plan = schedule(wait=p["wait"], warmup=p["warmup"], active=p["active"], repeat=1)
    profiler = profile(activities=activities, schedule=plan, on_trace_ready=save, record_shapes=True) \
        if p["enabled"] else None
    with open(output / f"rank_{rank:02d}_metrics.jsonl", "a") as metrics:
        if profiler:
            profiler.start()
        for number in range(t["max_steps"]):
            begin = time.perf_counter()
            loss = step(number)
            line = {"rank": rank, "world_size": world, "step": number, "global_step": number, "loss": loss,
                    "step_ms": (time.perf_counter() - begin) * 1e3}
            print(json.dumps(line), file=metrics, flush=True)
            log(f"step {number}: loss {loss:.4f}")
            if profiler:
                profiler.step()
        if profiler:
            profiler.stop()


def main():
    config = settings()
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    gpu = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if gpu else torch.device("cpu")
    if gpu:
        torch.cuda.set_device(device)
    else:
        torch.set_num_threads(1)
    output = pathlib.Path(config["training"]["output_dir"])
    output.mkdir(parents=True, exist_ok=True)
    with open(output / f"rank{rank}.log", "w") as file:
        def log(text):
            print(text, file=file, flush=True)
            if rank == 0:
                print(text, flush=True)

        dist.init_process_group("nccl" if gpu else "gloo")
        log(f"rank {rank} of {world} on {device}, torch {torch.__version__}")
        train(config, rank, world, device, log)
        dist.barrier()
        dist.destroy_process_group()
        log("done")


if __name__ == "__main__":
    main()
