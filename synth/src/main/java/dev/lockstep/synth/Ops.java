// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.EventKind.Flow;
import dev.lockstep.synth.HostAction.Call;
import dev.lockstep.synth.HostAction.GraphLaunch;
import dev.lockstep.synth.HostAction.Launch;
import dev.lockstep.synth.HostAction.Node;
import dev.lockstep.synth.HostAction.Numbering;
import dev.lockstep.synth.HostAction.RuntimeCall;
import dev.lockstep.synth.HostAction.Synchronize;
import dev.lockstep.synth.HostAction.Work;
import java.util.ArrayList;
import java.util.List;

/** The vocabulary in which a model's work is described: ops, backward nodes, kernels and copies. */
final class Ops {
    private final TraceRecipe recipe;
    private final KindTable kinds;
    private final VendorKernelNames names;
    private final boolean cuda;
    private final EventKind graphLaunch;

    Ops(TraceRecipe recipe, KindTable kinds) {
        this.recipe = recipe;
        this.kinds = kinds;
        this.names = new VendorKernelNames(recipe.vendor());
        this.cuda = recipe.vendor() == Vendor.CUDA;
        graphLaunch = kinds.runtime(
                Category.CUDA_RUNTIME, cuda ? "cudaGraphLaunch" : "hipGraphLaunch", cuda ? 311 : 215, true, "");
    }

    VendorKernelNames names() {
        return names;
    }

    TensorArguments in() {
        return new TensorArguments();
    }

    Call op(String name, TensorArguments inputs, HostAction... body) {
        return call(name, inputs, Numbering.NONE, Flow.NONE, body);
    }

    /** An op that takes part in the backward pass. */
    Call forward(String name, TensorArguments inputs, HostAction... body) {
        return call(name, inputs, Numbering.FORWARD, Flow.FORWARD, body);
    }

    /** An op inside a forward op, with its number. */
    Call inner(String name, TensorArguments inputs, HostAction... body) {
        return call(name, inputs, Numbering.SAME, Flow.NONE, body);
    }

    /** The backward node of the forward op whose number is due, inside the engine's wrapper. */
    Call backward(String node, TensorArguments gradient, HostAction... body) {
        return backward(Numbering.BACKWARD, node, gradient, body);
    }

    /** A backward node that computes gradients of its inputs, and is run again by {@link #putOff} for those of its weights. */
    Call inputs(String node, TensorArguments gradient, HostAction... body) {
        return backward(Numbering.INPUTS, node, gradient, body);
    }

    /** The node that was last left to be run again. */
    Call putOff(String node, TensorArguments gradient, HostAction... body) {
        return backward(Numbering.PUT_OFF, node, gradient, body);
    }

    private Call backward(Numbering numbering, String node, TensorArguments gradient, HostAction... body) {
        Flow flow = numbering == Numbering.PUT_OFF ? Flow.NONE : Flow.BACKWARD;
        Call inside = call(node, gradient, Numbering.SAME, flow, body);
        return new Call(kinds.backwardNode(node), 700, 600, numbering, List.of(inside));
    }

    /** The engine hands a finished gradient over; no device work. */
    Call accumulate(long... shape) {
        String node = "torch::autograd::AccumulateGrad";
        TensorArguments gradient = in().tensor(shape);
        return op(
                "autograd::engine::evaluate_function: " + node, in(), op(node, gradient, op("aten::detach", gradient)));
    }

    private Call call(String name, TensorArguments inputs, Numbering numbering, Flow flow, HostAction... body) {
        return new Call(kinds.op(name, numbering, flow, inputs), 1_300, 700, numbering, List.of(body));
    }

    /** {@code aten::t} and what it calls, on an {@code n x k} weight. */
    Call transpose(long n, long k) {
        TensorArguments weight = in().tensor(n, k);
        Call strided = op(
                "aten::as_strided",
                in().tensor(n, k).scalars(k, n).scalars(1, k).none());
        return op(
                "aten::t",
                weight,
                op("aten::transpose", in().tensor(n, k).scalar("0").scalar("1"), strided));
    }

    Launch gemm(boolean transposeLeft, boolean transposeRight, long m, long n, long k) {
        double flops = 2.0 * m * n * k;
        double nanos = 2_400 + (flops + 5e9) / recipe.vendor().flopsPerSecond() * 1e9;
        double spread = 0.005 * (1 + (m / 64 + n / 32 + k / 128) % 5);
        long blocks = Math.ceilDiv(m, 128) * Math.ceilDiv(n, 128);
        KernelShape shape = new KernelShape(blocks, cuda ? 384 : 256, 168, cuda ? 199_680 : 65_536);
        String name = names.gemm(transposeLeft, transposeRight, m, n, k);
        boolean driver = cuda && name.startsWith("nvjet");
        String runtime = driver ? "cuLaunchKernelEx" : cuda ? "cudaLaunchKernelExC" : "hipExtModuleLaunchKernel";
        Category category = driver ? Category.CUDA_DRIVER : Category.CUDA_RUNTIME;
        EventKind call = kinds.runtime(category, runtime, driver ? 652 : cuda ? 430 : 84, true, launched(name, shape));
        return launch(call, name, shape, new Work((long) nanos, spread, 1, 0));
    }

    /** A kernel bound by arithmetic that is not a matrix product. */
    Launch arithmetic(String name, double flops, double share, KernelShape shape) {
        double nanos = 3_000 + flops / (recipe.vendor().flopsPerSecond() * share) * 1e9;
        return kernel(name, shape, new Work((long) nanos, 0.012, 1, 0));
    }

    /** A kernel bound by memory that moves {@code bytes}. */
    Launch streaming(String name, double bytes) {
        double nanos = 1_500 + bytes / recipe.vendor().bytesPerSecond() * 1e9;
        long blocks = Math.max(1, (long) (bytes / 4096));
        return kernel(
                name, new KernelShape(Math.min(blocks, 1 << 20), 128, 32, 0), new Work((long) nanos, 0.01, 0.35, 0));
    }

    private Launch kernel(String name, KernelShape shape, Work work) {
        String runtime = cuda ? "cudaLaunchKernel" : "hipLaunchKernel";
        EventKind call = kinds.runtime(Category.CUDA_RUNTIME, runtime, cuda ? 211 : 107, true, launched(name, shape));
        return launch(call, name, shape, work);
    }

    /** What a launch says of its kernel, beyond the names. */
    private String launched(String name, KernelShape shape) {
        return cuda
                ? ""
                : ", \"kernel\": \"" + name + "\", " + shape.grid() + ", \"shared memory\": " + shape.sharedMemory();
    }

    private Launch launch(EventKind call, String name, KernelShape shape, Work work) {
        return new Launch(call, cuda ? 4_200 : 3_600, kinds.kernel(name, shape, Lane.COMPUTE, place -> ""), work);
    }

    /**
     * Launches as one graph all that these launch.
     *
     * @param graph number of the graph
     */
    GraphLaunch graph(int graph, List<? extends HostAction> captured) {
        List<Node> nodes = new ArrayList<>();
        captured.forEach(action -> capture(action, nodes));
        long host = cuda ? 7_000 + 30L * nodes.size() : 8_000 + 2_200L * nodes.size();
        return new GraphLaunch(graphLaunch, host, graph, cuda, nodes);
    }

    private void capture(HostAction action, List<Node> nodes) {
        switch (action) {
            case Call call -> call.body().forEach(inside -> capture(inside, nodes));
            case Launch launch -> nodes.add(new Node(launch, kinds.node(launch.device())));
            default -> throw new IllegalArgumentException("only launches of kernels are captured: " + action);
        }
    }

    /** A copy across the host's bus. */
    Launch copy(boolean toDevice, long bytes) {
        String direction = toDevice ? "HtoD" : "DtoH";
        String name = toDevice ? "Memcpy HtoD (Pinned -> Device)" : "Memcpy DtoH (Device -> Pinned)";
        return transfer(
                transferCall(cuda ? "cudaMemcpyAsync" : "hipMemcpyAsync", cuda ? 41 : 348),
                kinds.transfer(Category.GPU_MEMCPY, name, direction),
                bytes,
                24e9);
    }

    Launch fill(long bytes) {
        return transfer(
                transferCall(cuda ? "cudaMemsetAsync" : "hipMemsetAsync", cuda ? 51 : 403),
                kinds.transfer(Category.GPU_MEMSET, "Memset (Device)", "Device"),
                bytes,
                recipe.vendor().bytesPerSecond());
    }

    private EventKind transferCall(String runtime, int callbackId) {
        return kinds.runtime(Category.CUDA_RUNTIME, runtime, callbackId, true, "");
    }

    private static Launch transfer(EventKind call, EventKind onDevice, long bytes, double bytesPerSecond) {
        Work work = new Work((long) (1_300 + bytes / bytesPerSecond * 1e9), 0.02, 0, bytes);
        return new Launch(call, 5_000, onDevice, work);
    }

    RuntimeCall runtime(String cudaName, int cudaId, String rocmName, int rocmId) {
        EventKind kind =
                kinds.runtime(Category.CUDA_RUNTIME, cuda ? cudaName : rocmName, cuda ? cudaId : rocmId, false, "");
        return new RuntimeCall(kind, 1_000);
    }

    Synchronize synchronize(boolean device) {
        String name = (cuda ? "cuda" : "hip") + (device ? "DeviceSynchronize" : "StreamSynchronize");
        int id = device ? cuda ? 165 : 40 : cuda ? 131 : 472;
        return new Synchronize(kinds.runtime(Category.CUDA_RUNTIME, name, id, false, ""), device);
    }
}
