#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles how a language model of Hugging Face answers a prompt: on one GPU, shared by several, or on the CPU.

    python3 profile_language_model.py --model bigscience/bloom-560m --max-new-tokens 64 --shape-log shapes.jsonl
    torchrun --nproc-per-node 2 profile_language_model.py --model lmsys/vicuna-7b-v1.5 --shape-log shapes.jsonl

Each pass through the model is a step (ProfilerStep#0 takes the prompt, each other one a token). Of several ranks each writes
files of its own: {rank} in a name is the number, otherwise _rankN stands before its ending. Then:

    lockstep replay plan trace.json -o plan.json
"""
import argparse
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

PROMPT = "Explain in one paragraph how several devices share one matrix product."
TINY = "tiny"
WARM_UP_TOKENS = 8

# Layers of which each rank has some of the columns, and those of which it has the rows that take them up; their results add up.
COLUMNS = {"q_proj", "k_proj", "v_proj", "gate_proj", "up_proj", "query_key_value", "dense_h_to_4h", "fc1"}
ROWS = {"o_proj", "out_proj", "down_proj", "dense", "dense_4h_to_h", "fc2"}
COUNTS_OF_HEADS = ("num_heads", "num_key_value_heads", "num_attention_heads")

NO_GPU = """no GPU is seen by PyTorch {torch} of {python}
  Does `nvidia-smi` (or `rocm-smi`) list GPUs in this shell? If not, this may be a login node: ask for one with GPUs,
    srun --gres=gpu:{ranks} --pty bash
  Is it the Python that has the right PyTorch? torchrun and its workers must be of one environment: activate it in this shell.
  Is CUDA_VISIBLE_DEVICES empty or wrong? It is {visible}; set it in this shell, so that the workers inherit it.
  PyTorch was built for {built}; builds without CUDA or ROCm see no GPU."""

NO_MPS = """the GPU cannot be opened: {error}
  CUDA asked the Multi-Process Service (MPS), which does not answer. Its daemon may belong to somebody else, or be gone:
    echo quit | nvidia-cuda-mps-control; unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  On a login node there is none; ask for a node with GPUs: srun --gres=gpu:{ranks} --pty bash"""

NO_ARCHITECTURE = """{name} is of architecture {wanted}, for which this PyTorch {torch} has no kernels (it has {had})
  Take a build of PyTorch that has them, or another GPU. Wheels drop old architectures: for Pascal (sm_60, sm_61),
    pip install torch==1.12.1+cu116 --index-url https://download.pytorch.org/whl/cu116 and 'transformers>=4.30,<4.36'
  (and no bitsandbytes, which brings a newer PyTorch). A GPU newer than the wheel needs a newer wheel.
  Or build from source with TORCH_CUDA_ARCH_LIST="{number}"."""

NO_MEMORY = """the model does not fit into the memory of the GPU: {error}
  Take a smaller model or fewer tokens, --dtype float16 or bfloat16, or share it: torchrun --nproc-per-node 2 ..."""

NO_TORCH = """{module} is not installed in {python}: {error}
  Activate the environment that has it, in the shell that runs torchrun, too, or: pip install torch transformers"""

OLD_TORCH = """transformers {transformers} does not work with PyTorch {torch}, which is older than it wants
  Take an older one: pip install 'transformers>=4.30,<4.36' works with PyTorch 1.12"""


class Failure(Exception):
    """What a user can mend; the message says how."""


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--model",
        default="bigscience/bloom-560m",
        help="name at the hub, a folder, or '%s' and '%s-bloom': small ones with random weights, which need no network"
        " (default: %%(default)s)" % (TINY, TINY),
    )
    parser.add_argument("--prompt", default=PROMPT)
    parser.add_argument("--max-new-tokens", type=int, default=64, metavar="N", help="default: %(default)s")
    parser.add_argument("--trace", default="trace.json", metavar="FILE", help="default: %(default)s")
    parser.add_argument(
        "--shape-log", default="", metavar="FILE", help="JSON lines: the shapes of every call of every module"
    )
    parser.add_argument("--record-shapes", action="store_true", default=True, help="always on; a replay needs them")
    parser.add_argument("--no-record-shapes", dest="record_shapes", action="store_false", help="for smaller traces")
    parser.add_argument("--device", choices=["auto", "cuda", "cpu"], default="auto", help="auto: a GPU if there is one")
    parser.add_argument("--dtype", default="", help="float16, bfloat16 or float32 (default: float16 on GPUs)")
    parser.add_argument("--strict", action="store_true", help="fail where the hub cannot be reached; take no other model")
    parser.add_argument("--no-load-in-8bit", action="store_true", help=argparse.SUPPRESS)  # weights are never in 8 bits
    options = parser.parse_args(words)
    if options.max_new_tokens < 1:
        parser.error("--max-new-tokens wants a number of at least 1")
    if options.dtype not in ("", "float16", "bfloat16", "float32"):
        parser.error("--dtype wants float16, bfloat16 or float32")
    return options


def say(text):
    print("profile_language_model: " + text, file=sys.stderr, flush=True)


def libraries():
    """PyTorch and transformers, or what to do about them."""
    found = []
    for module in ("torch", "transformers"):
        try:
            found.append(__import__(module))
        except ImportError as error:
            raise Failure(NO_TORCH.format(module=module, python=sys.executable, error=error)) from error
    torch, transformers = found
    if not transformers.utils.is_torch_available():
        raise Failure(OLD_TORCH.format(transformers=transformers.__version__, torch=torch.__version__))
    return torch, transformers


class Place:
    """Which rank this is, and where it computes."""

    def __init__(self, torch, wanted):
        self.torch = torch
        self.rank = int(os.environ.get("RANK", 0))
        self.ranks = int(os.environ.get("WORLD_SIZE", 1))
        self.local = int(os.environ.get("LOCAL_RANK", self.rank))
        self.device = "cuda" if wanted != "cpu" and self.has_gpu(wanted == "cuda") else "cpu"

    def has_gpu(self, demanded):
        cuda = self.torch.cuda
        built = self.torch.version.cuda or getattr(self.torch.version, "hip", None)
        if not cuda.is_available():
            text = NO_GPU.format(
                torch=self.torch.__version__,
                python=sys.executable,
                ranks=self.ranks,
                visible=os.environ.get("CUDA_VISIBLE_DEVICES", "not set"),
                built="CUDA " + self.torch.version.cuda if self.torch.version.cuda else built or "CPUs alone",
            )
            if demanded:
                raise Failure(text)
            if self.rank == 0:
                say(text + "\n  The CPU is taken: the trace will have operators and no kernels. --device cuda makes this an error.")
            return False
        try:
            cuda.init()
            count = cuda.device_count()
        except RuntimeError as error:
            raise Failure(explained(error, self.ranks) or "the GPU cannot be opened: %s" % error) from error
        if self.local >= count:
            raise Failure(
                "rank %d wants GPU %d, and there are %d: start no more ranks than CUDA_VISIBLE_DEVICES (%s) names"
                % (self.rank, self.local, count, os.environ.get("CUDA_VISIBLE_DEVICES", "not set"))
            )
        cuda.set_device(self.local)
        self.demand_architecture()
        return True

    def demand_architecture(self):
        """Kernels for x.y run on x.z with z from y on; intermediate code (compute_) on all newer ones."""
        had = self.torch.cuda.get_arch_list()
        if getattr(self.torch.version, "hip", None) or not had:
            return
        major, minor = self.torch.cuda.get_device_capability(self.local)
        for name in had:
            kind, _, digits = name.partition("_")
            digits = digits.rstrip("af")
            if not digits.isdigit():
                continue
            built = int(digits[:-1]), int(digits[-1])
            if kind == "sm" and built[0] == major and built[1] <= minor or kind == "compute" and built <= (major, minor):
                return
        raise Failure(
            NO_ARCHITECTURE.format(
                name=self.torch.cuda.get_device_name(self.local),
                wanted="sm_%d%d" % (major, minor),
                number="%d.%d" % (major, minor),
                torch=self.torch.__version__,
                had=", ".join(had),
            )
        )

    def join(self):
        if self.ranks > 1:
            import torch.distributed as distributed

            distributed.init_process_group("nccl" if self.device == "cuda" else "gloo")

    def leave(self):
        if self.ranks > 1:
            import torch.distributed as distributed

            distributed.barrier()
            distributed.destroy_process_group()

    def wait(self):
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def own(self, name):
        """The name of this rank's file."""
        if "{rank}" in name:
            return name.replace("{rank}", str(self.rank))
        if self.ranks == 1:
            return name
        folder, file = os.path.split(name)
        stem, dot, ending = file.partition(".")
        return os.path.join(folder, "%s_rank%d%s%s" % (stem, self.rank, dot, ending))


def explained(error, ranks):
    """What an error of CUDA means, None if it is none of the known ones."""
    text = " ".join(str(error).split())
    if "MPS" in text or "805" in text:
        return NO_MPS.format(error=text, ranks=ranks)
    if "out of memory" in text:
        return NO_MEMORY.format(error=text)
    if "no kernel image" in text:
        return (
            "this PyTorch has no kernels for the architecture of the GPU: %s\n  Take a build that names it"
            " (torch.cuda.get_arch_list()), or another GPU" % text
        )
    return None


def tiny(transformers, name):
    """A model whose layers are those of the big ones, but small; texts are taken byte by byte."""
    if "bloom" in name.lower():
        config = transformers.BloomConfig(vocab_size=256, hidden_size=256, n_layer=4, n_head=8, pad_token_id=0)
    else:
        config = transformers.LlamaConfig(
            vocab_size=256,
            hidden_size=256,
            intermediate_size=688,
            num_hidden_layers=4,
            num_attention_heads=8,
            num_key_value_heads=4,
            max_position_embeddings=4096,
            pad_token_id=0,
        )
    config.eos_token_id = None
    return transformers.AutoModelForCausalLM.from_config(config)


def unreachable(error):
    """Whether the hub could not be asked, as opposed to having no such model."""
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        kind = type(error).__name__
        if kind in ("ConnectionError", "ConnectError", "ConnectTimeout", "ProxyError", "LocalEntryNotFoundError",
                    "OfflineModeIsEnabled", "gaierror", "MaxRetryError"):
            return True
        text = str(error)
        if "couldn't connect to" in text or "outgoing traffic has been disabled" in text or "offline mode" in text.lower():
            return True
        error = error.__cause__ or error.__context__
    return False


def load(torch, transformers, options, dtype):
    """The model, and the numbers of the prompt's tokens; whether the model is another than was asked for."""
    torch.manual_seed(0)
    name = options.model
    if name == TINY or name.startswith(TINY + "-"):
        return tiny(transformers, name).to(dtype), None, False
    if os.sep in name and name.startswith((".", os.sep)) and not os.path.isdir(name):
        raise Failure("--model %s: there is no such folder" % name)
    version = tuple(int(part) for part in transformers.__version__.split(".")[:2])
    kind = {"dtype" if version >= (4, 56) else "torch_dtype": dtype}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        model = transformers.AutoModelForCausalLM.from_pretrained(name, **kind)
    except (OSError, RuntimeError, ValueError, ImportError) as error:
        if not unreachable(error) or os.path.isdir(name):
            raise Failure("--model %s cannot be loaded: %s" % (name, error)) from error
        advice = "fetch it where there is a network (hf download %s), and name the folder or copy the cache" % name
        if options.strict:
            raise Failure("--model %s: the hub cannot be reached; %s" % (name, advice)) from error
        say("the hub cannot be reached: INSTEAD OF %s A TINY MODEL WITH RANDOM WEIGHTS IS PROFILED; %s" % (name, advice))
        return tiny(transformers, name).to(dtype), None, True
    return model, tokenizer, False


def encoded(torch, tokenizer, prompt):
    if tokenizer is None:
        return torch.tensor([list(prompt.encode("utf-8")) or [1]])
    return tokenizer(prompt, return_tensors="pt").input_ids


def share(torch, model, place):
    """Leaves to each rank its part of the layers that can be shared; what goes out of the rows adds up over the ranks."""
    from torch import nn
    import torch.distributed as distributed

    demand_heads(model.config, place.ranks)
    shared = 0
    for path, module in list(model.named_modules()):
        heads = [name for name in COUNTS_OF_HEADS if isinstance(getattr(module, name, None), int)]
        children = dict(module.named_children())
        if COLUMNS & set(children) and not ROWS & set(children):
            raise Failure("%s: it is not known which layer takes up its columns" % (path or "the model"))
        if not COLUMNS & set(children):
            continue
        for name in heads:
            setattr(module, name, getattr(module, name) // place.ranks)
        for name, layer in children.items():
            if isinstance(layer, nn.Linear) and name in COLUMNS | ROWS:
                part(torch, distributed, layer, place, 0 if name in COLUMNS else 1, path + "." + name)
                shared += 1
        if heads and isinstance(getattr(module, "hidden_size", None), int):
            module.hidden_size //= place.ranks  # what old versions make of the heads of this rank
    if not shared:
        raise Failure("%s has no layers that are known to be shareable; start it with one rank" % type(model).__name__)
    biased(model, place)


def demand_heads(config, ranks):
    """A rank has whole heads; where several share keys and values, it has whole groups of them."""
    if getattr(config, "multi_query", False) or getattr(config, "new_decoder_architecture", False):
        raise Failure("heads of %s share keys and values within one layer, which cannot be shared; start it with one rank"
                      % config.model_type)
    for name in ("num_attention_heads", "num_key_value_heads", "n_head"):
        count = getattr(config, name, None)
        if isinstance(count, int) and count % ranks:
            raise Failure("%s: %d cannot be shared by %d ranks" % (name, count, ranks))


def part(torch, distributed, layer, place, dimension, path):
    size = layer.weight.shape[dimension]
    if size % place.ranks:
        raise Failure("%s: %d cannot be shared by %d ranks" % (path, size, place.ranks))
    width = size // place.ranks
    own = slice(place.rank * width, (place.rank + 1) * width)
    weight = layer.weight.data[own] if dimension == 0 else layer.weight.data[:, own]
    layer.weight = torch.nn.Parameter(weight.clone(), requires_grad=False)
    if dimension == 0:
        layer.out_features = width
        if layer.bias is not None:
            layer.bias = torch.nn.Parameter(layer.bias.data[own].clone(), requires_grad=False)
        return
    layer.in_features = width
    bias, layer.bias = layer.bias, None
    if bias is not None:
        layer.register_buffer("bias_of_all", bias.data.clone(), persistent=False)

    def add_up(module, _, output):
        output = output.contiguous()
        distributed.all_reduce(output)
        return output if bias is None else output + module.bias_of_all

    layer.register_forward_hook(add_up)


def biased(model, place):
    """BLOOM's attention adds a bias for each head, of which a rank needs its own."""
    for module in model.modules():
        if hasattr(module, "build_alibi_tensor"):
            all_heads = module.build_alibi_tensor

            def own_heads(mask, heads, dtype, all_heads=all_heads):
                alibi = all_heads(mask, heads, dtype)
                batch, width = mask.shape[0], heads // place.ranks
                by_head = alibi.reshape(batch, heads, *alibi.shape[1:])
                own = by_head[:, place.rank * width : (place.rank + 1) * width]
                return own.reshape(batch * width, *alibi.shape[1:])

            module.build_alibi_tensor = own_heads


class Steps:
    """Marks each pass through the model as a step, as the profiler does it, and says which phase it belongs to."""

    def __init__(self, torch, model, log):
        self.torch, self.model, self.log, self.count = torch, model, log, 0

    def __enter__(self):
        self.forward = forward = self.model.forward

        def marked(*args, **named):
            phase = "prefill" if self.count == 0 else "decode"
            if self.log is not None:
                self.log.step, self.log.phase = self.count, phase
            mark = self.torch.profiler.record_function
            with mark("ProfilerStep#%d" % self.count), mark(phase):
                result = forward(*args, **named)
            self.count += 1
            return result

        self.model.forward = marked
        return self

    def __exit__(self, *_):
        del self.model.forward


def generate(torch, model, tokens, count):
    with torch.no_grad():
        mask = torch.ones_like(tokens)
        return model.generate(tokens, attention_mask=mask, max_new_tokens=count, do_sample=False, use_cache=True)


def run(options):
    torch, transformers = libraries()
    place = Place(torch, options.device)
    from model import ShapeLog, trace_of

    dtype = getattr(torch, options.dtype or ("float16" if place.device == "cuda" else "float32"))
    for name in filter(None, (options.trace, options.shape_log)):
        os.makedirs(os.path.dirname(place.own(name)) or ".", exist_ok=True)
    place.join()
    model, tokenizer, other = load(torch, transformers, options, dtype)
    model.eval()
    if place.ranks > 1:
        share(torch, model, place)
    model.to(place.device)
    tokens = encoded(torch, tokenizer, options.prompt).to(place.device)
    generate(torch, model, tokens, WARM_UP_TOKENS)
    place.wait()

    activities = [torch.profiler.ProfilerActivity.CPU]
    if place.device == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    log = ShapeLog(model, place.own(options.shape_log)) if options.shape_log else None
    began = time.monotonic()
    if log is not None:
        log.__enter__()
    try:
        with Steps(torch, model, log) as steps:
            with torch.profiler.profile(activities=activities, record_shapes=options.record_shapes) as recording:
                text = generate(torch, model, tokens, options.max_new_tokens)
                place.wait()
    finally:
        if log is not None:
            log.__exit__()
    took = time.monotonic() - began

    trace = place.own(options.trace)
    if torch.autograd.kineto_available():
        if other or tokenizer is None:
            recording.add_metadata("model", type(model).__name__ + ", tiny, with random weights")
        recording.export_chrome_trace(trace)
    else:
        with open(trace, "w", encoding="utf-8") as out:
            json.dump(trace_of(recording), out)
    place.leave()
    say(
        "rank %d of %d on %s: %d tokens in %d steps and %.2f s; wrote %s"
        % (place.rank, place.ranks, place.device, text.shape[1] - tokens.shape[1], steps.count, took,
           ", ".join(filter(None, [trace, log.path if log else ""])))
    )


def main(words=None):
    options = arguments(words)
    try:
        run(options)
    except Failure as failure:
        say(str(failure))
        return 1
    except RuntimeError as error:
        known = explained(error, int(os.environ.get("WORLD_SIZE", 1)))
        if known is None:
            raise
        say(known)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
