#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles a small transformer on one GPU, or on the CPU where there is none.

Writes, into the folder OUT:
    trace.json            PyTorch's profile: operators with shapes, kernels, step marks
    execution_trace.json  inputs of all operators of one more step (PyTorch 2.0 or newer)
    shapes.jsonl          shapes of all modules, by step and phase

Then:
    lockstep replay plan OUT/trace.json -o plan.json
    lockstep replay run plan.json -o result.json
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch
from model import ShapeLog, SmallTransformer, profiler, train_step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="OUT")
    parser.add_argument("--steps", type=int, default=3, help="recorded steps (default 3)")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--dtype", default="float32", choices=["float32", "bfloat16", "float16"])
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    model = SmallTransformer(options.width, options.layers).to(device, getattr(torch, options.dtype))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    shape = (options.batch, options.tokens, options.width)
    x = torch.randn(shape, device=device, dtype=getattr(torch, options.dtype))
    with ShapeLog(model, os.path.join(options.output, "shapes.jsonl")) as shapes:
        with profiler(options.steps, os.path.join(options.output, "trace.json")) as recording:
            for step in range(options.steps + 2):
                shapes.step = step
                train_step(model, optimizer, x)
                recording.step()
    execution_trace(options.output, lambda: train_step(model, optimizer, x))
    print("wrote " + options.output)


def execution_trace(folder, step):
    try:
        from torch.profiler import ExecutionTraceObserver
    except ImportError:
        print("this PyTorch writes no execution traces", file=sys.stderr)
        return
    observer = ExecutionTraceObserver()
    observer.register_callback(os.path.join(folder, "execution_trace.json"))
    observer.start()
    step()
    observer.stop()
    observer.unregister_callback()


if __name__ == "__main__":
    main()
