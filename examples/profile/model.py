# SPDX-License-Identifier: Apache-2.0
"""A small transformer, the log of its shapes, and how it is profiled."""
import json
import os

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule


class Block(nn.Module):
    """Attention and a feed-forward network; `heads` and `inner` are those of this rank."""

    def __init__(self, width, heads, inner, head=64, copy=None, reduce=None):
        super().__init__()
        self.heads, self.head = heads, head
        self.copy = copy or (lambda x: x)
        self.reduce = reduce or (lambda x: x)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * heads * head)
        self.out = nn.Linear(heads * head, width, bias=False)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width, bias=False)

    def attention(self, x):
        batch, tokens, _ = x.shape
        q, k, v = self.qkv(x).view(batch, tokens, 3, self.heads, self.head).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(-2, -1) / self.head**0.5, dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, tokens, -1))

    def forward(self, x):
        x = x + self.reduce(self.attention(self.copy(self.norm1(x))))
        return x + self.reduce(self.down(nn.functional.gelu(self.up(self.copy(self.norm2(x))))))


class SmallTransformer(nn.Module):
    """`ranks` share the heads and the inner width of each block: columns of the first matrix, rows of the second. What goes
    in passes `copy`, what comes out `reduce`, which add up over the ranks: gradients the one, values the other."""

    def __init__(self, width, layers, ranks=1, copy=None, reduce=None, head=64):
        super().__init__()
        heads = max(1, width // head)
        if heads % ranks:
            raise SystemExit("%d heads cannot be shared by %d ranks" % (heads, ranks))
        self.blocks = nn.ModuleList(
            Block(width, heads // ranks, 4 * width // ranks, head, copy, reduce) for _ in range(layers)
        )

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def train_step(model, optimizer, x):
    loss = nn.functional.mse_loss(model(x), x)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)


def profiler(steps, path):
    """Two steps of warm-up, then `steps` recorded ones, each under a mark of its own."""

    def save(recording):
        if torch.autograd.kineto_available():
            recording.export_chrome_trace(path)
        else:
            with open(path, "w", encoding="utf-8") as out:
                json.dump(trace_of(recording), out)

    activities = [ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(ProfilerActivity.CUDA)
    return profile(
        activities=activities,
        schedule=schedule(wait=1, warmup=1, active=steps, repeat=1),
        record_shapes=True,
        on_trace_ready=save,
    )


def trace_of(recording):
    """What the profiler recorded, as Kineto writes it: for builds of PyTorch without Kineto, whose own files lack shapes.
    Such profilers know no types of elements, without which operators cannot be replayed: take a build with Kineto for that."""
    events, steps = [], 0
    for number, event in enumerate(sorted(recording.profiler.function_events, key=lambda e: e.time_range.start)):
        args = {"External id": number}
        if event.input_shapes and any(event.input_shapes):
            args["Input Dims"] = event.input_shapes
        if event.sequence_nr >= 0:
            args["Sequence number"] = event.sequence_nr
            args["Fwd thread id"] = event.fwd_thread or 0
        kind, name = "cpu_op", event.name
        if name.startswith("ProfilerStep"):
            kind, name, steps = "user_annotation", "ProfilerStep#%d" % steps, steps + 1
        events.append({
            "ph": "X",
            "cat": kind,
            "name": name,
            "pid": os.getpid(),
            "tid": event.thread,
            "ts": event.time_range.start,
            "dur": event.time_range.elapsed_us(),
            "args": args,
        })
    return {"schemaVersion": 1, "traceEvents": events}


class ShapeLog:
    """One JSON object a line for every call of every module: its path, class, phase, and shapes."""

    def __init__(self, model, path):
        self.model, self.path, self.step, self.phase = model, path, 0, "forward"

    def __enter__(self):
        self.out = open(self.path, "w", encoding="utf-8")
        self.hooks = [
            module.register_forward_hook(self.hook(name))
            for name, module in self.model.named_modules()
            if not list(module.children())
        ]
        return self

    def hook(self, name):
        def write(module, inputs, output):
            output = output[0] if isinstance(output, (tuple, list)) else output
            if not inputs or not torch.is_tensor(inputs[0]) or not torch.is_tensor(output):
                return  # has no one shape
            line = {
                "step": self.step,
                "phase": self.phase,
                "path": name,
                "module": type(module).__name__,
                "in_shape": list(inputs[0].shape),
                "out_shape": list(output.shape),
                "dtype": str(output.dtype),
            }
            self.out.write(json.dumps(line) + "\n")

        return write

    def __exit__(self, *_):
        for hook in self.hooks:
            hook.remove()
        self.out.close()
