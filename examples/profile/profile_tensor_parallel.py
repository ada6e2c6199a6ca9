#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles a small transformer whose matrices are shared by several ranks: by NCCL or RCCL on GPUs, by gloo on CPUs.

    torchrun --nproc-per-node 2 profile_tensor_parallel.py -o OUT

or, without torchrun, each rank by itself with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT set. Writes rankN_trace.json
and rankN_shapes.jsonl into OUT. `lockstep collectives OUT` compares the ranks; `lockstep replay plan` takes one of them.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch
import torch.distributed as dist
from model import ShapeLog, SmallTransformer, profiler, train_step


class Reduce(torch.autograd.Function):
    """Adds up what the ranks have; the gradient is the same on all of them."""

    @staticmethod
    def forward(ctx, x):
        x = x.contiguous()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Copy(torch.autograd.Function):
    """The same on all ranks; adds up the gradients of what each makes of it."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        gradient = gradient.contiguous()
        dist.all_reduce(gradient)
        return gradient


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, metavar="OUT")
    parser.add_argument("--steps", type=int, default=3, help="recorded steps (default 3)")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=2)
    options = parser.parse_args()
    on_gpu = torch.cuda.is_available()
    dist.init_process_group("nccl" if on_gpu else "gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    device = "cpu"
    if on_gpu:
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", rank)))
        device = "cuda"
    os.makedirs(options.output, exist_ok=True)
    torch.manual_seed(rank)
    model = SmallTransformer(options.width, options.layers, ranks, Copy.apply, Reduce.apply).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    torch.manual_seed(0)
    x = torch.randn(options.batch, options.tokens, options.width, device=device)
    stem = os.path.join(options.output, "rank%d_" % rank)
    with ShapeLog(model, stem + "shapes.jsonl") as shapes, profiler(options.steps, stem + "trace.json") as recording:
        for step in range(options.steps + 2):
            shapes.step = step
            train_step(model, optimizer, x)
            recording.step()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
