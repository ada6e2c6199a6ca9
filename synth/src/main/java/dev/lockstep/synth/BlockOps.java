// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HostAction.Call;
import dev.lockstep.synth.HostAction.GraphLaunch;
import java.util.List;

/**
 * The work of one transformer block, forward and backward; backward lists mirror the forward ones node by node, since
 * each backward node takes the number that its forward op left last.
 */
final class BlockOps {
    private final Ops ops;
    private final int batch;
    private final int sequence;
    private final long tokens;
    private final long hidden;
    /** The rank's part of the width that its group divides. */
    private final long local;

    /** @param split ranks that share each block: they divide heads and the feed-forward width among them */
    BlockOps(Ops ops, TraceRecipe.Model model, int split) {
        this.ops = ops;
        local = model.hidden() / split;
        batch = model.batch();
        sequence = model.sequenceLength();
        tokens = (long) batch * sequence;
        hidden = model.hidden();
    }

    /** Parameters of a block: four products and two norms. */
    static long parameters(long hidden) {
        return 12 * hidden * hidden + 4 * hidden;
    }

    /** A part of the forward pass and the module that runs it. */
    record Part(String module, String source, HostAction action) {}

    List<Part> forward() {
        return List.of(
                new Part("LayerNorm", "torch/nn/modules/normalization.py(217): forward", normForward()),
                new Part("Linear", "torch/nn/modules/linear.py(125): forward", linearForward(hidden, 3 * local)),
                new Part("Attention", "model.py(61): forward", attentionForward()),
                new Part("Linear", "torch/nn/modules/linear.py(125): forward", linearForward(local, hidden)),
                new Part("Residual", "model.py(94): forward", addForward()),
                new Part("LayerNorm", "torch/nn/modules/normalization.py(217): forward", normForward()),
                new Part("Linear", "torch/nn/modules/linear.py(125): forward", linearForward(hidden, 4 * local)),
                new Part("GELU", "torch/nn/modules/activation.py(734): forward", geluForward()),
                new Part("Linear", "torch/nn/modules/linear.py(125): forward", linearForward(4 * local, hidden)),
                new Part("Residual", "model.py(95): forward", addForward()));
    }

    List<HostAction> backward() {
        return backward(true);
    }

    /** The backward pass but for gradients of the weights of products. */
    List<HostAction> inputGradients() {
        return backward(false);
    }

    /** What {@link #inputGradients} leaves out, from its end on. */
    List<HostAction> weightGradients() {
        return List.of(
                weightGradient(hidden, 3 * local),
                weightGradient(local, hidden),
                weightGradient(hidden, 4 * local),
                weightGradient(4 * local, hidden));
    }

    private Call weightGradient(long k, long n) {
        return ops.putOff("MmBackward0", ops.in().tensor(tokens, n), ops.transpose(tokens, n), weightProduct(k, n));
    }

    private List<HostAction> backward(boolean weights) {
        return List.of(
                addBackward(),
                linearBackward(4 * local, hidden, weights),
                ops.accumulate(hidden, 4 * local),
                geluBackward(),
                linearBackward(hidden, 4 * local, weights),
                ops.accumulate(4 * local, hidden),
                normBackward(true),
                ops.accumulate(hidden),
                addBackward(),
                linearBackward(local, hidden, weights),
                ops.accumulate(hidden, local),
                attentionBackward(),
                linearBackward(hidden, 3 * local, weights),
                ops.accumulate(3 * local, hidden),
                normBackward(true),
                ops.accumulate(hidden));
    }

    /** A piece of the forward pass as one graph of this number. */
    Call forwardGraph(int graph, List<HostAction> piece) {
        return ops.forward("CompiledFunction", through(), ops.graph(graph, piece));
    }

    /** A piece of the backward pass as one graph, which is run again by {@link #weightGraph} where that is said. */
    Call backwardGraph(int graph, List<HostAction> piece, boolean again) {
        GraphLaunch launch = ops.graph(graph, piece);
        return again
                ? ops.inputs("CompiledFunctionBackward", through(), launch)
                : ops.backward("CompiledFunctionBackward", through(), launch);
    }

    /** Products of {@link #weightGradients} as one graph. */
    Call weightGraph(int graph, List<HostAction> piece) {
        return ops.putOff("CompiledFunctionBackward", through(), ops.graph(graph, piece));
    }

    private TensorArguments through() {
        return ops.in().tensor(batch, sequence, hidden);
    }

    Call normForward() {
        Call kernel = ops.inner(
                "aten::native_layer_norm",
                ops.in()
                        .tensor(batch, sequence, hidden)
                        .scalars(hidden)
                        .tensor(hidden)
                        .tensor(hidden)
                        .scalar("1.0000000000000001e-05"),
                ops.op(
                        "aten::empty",
                        ops.in()
                                .scalars(batch, sequence, hidden)
                                .scalar("15")
                                .scalar("0")
                                .none()
                                .none()
                                .none()),
                ops.streaming(ops.names().layerNormForward(), 4.0 * tokens * hidden));
        return ops.forward(
                "aten::layer_norm",
                ops.in()
                        .tensor(batch, sequence, hidden)
                        .scalars(hidden)
                        .tensor(hidden)
                        .tensor(hidden)
                        .scalar("1.0000000000000001e-05")
                        .scalar("True"),
                kernel);
    }

    Call normBackward(boolean residual) {
        TensorArguments gradient = ops.in().tensor(batch, sequence, hidden);
        Call kernels = ops.op(
                "aten::native_layer_norm_backward",
                ops.in()
                        .tensor(batch, sequence, hidden)
                        .tensor(batch, sequence, hidden)
                        .scalars(hidden)
                        .typed("float", batch, sequence, 1)
                        .typed("float", batch, sequence, 1)
                        .tensor(hidden)
                        .tensor(hidden)
                        .scalar("[True, True, True]"),
                ops.streaming(ops.names().layerNormBackward(), 6.0 * tokens * hidden),
                ops.streaming(ops.names().layerNormWeights(), 4.0 * tokens * hidden));
        return residual
                ? ops.backward("NativeLayerNormBackward0", gradient, kernels, add("aten::add"))
                : ops.backward("NativeLayerNormBackward0", gradient, kernels);
    }

    /** A bias-free linear layer from {@code k} to {@code n} features. */
    Call linearForward(long k, long n) {
        Call product =
                ops.inner("aten::mm", ops.in().tensor(tokens, k).transposed(k, n), ops.gemm(false, true, tokens, n, k));
        Call matmul = ops.op(
                "aten::matmul",
                ops.in().tensor(batch, sequence, k).transposed(k, n),
                ops.op("aten::view", ops.in().tensor(batch, sequence, k).scalars(tokens, k)),
                product,
                ops.op("aten::_unsafe_view", ops.in().tensor(tokens, n).scalars(batch, sequence, n)));
        return ops.forward(
                "aten::linear", ops.in().tensor(batch, sequence, k).tensor(n, k).none(), ops.transpose(n, k), matmul);
    }

    Call linearBackward(long k, long n) {
        return linearBackward(k, n, true);
    }

    private Call weightProduct(long k, long n) {
        return ops.op(
                "aten::mm", ops.in().transposed(n, tokens).tensor(tokens, k), ops.gemm(true, false, n, k, tokens));
    }

    private Call linearBackward(long k, long n, boolean weights) {
        TensorArguments gradient = ops.in().tensor(tokens, n);
        Call input = ops.op("aten::mm", ops.in().tensor(tokens, n).tensor(n, k), ops.gemm(false, false, tokens, k, n));
        return weights
                ? ops.backward(
                        "MmBackward0",
                        gradient,
                        ops.transpose(tokens, n),
                        weightProduct(k, n),
                        ops.transpose(n, k),
                        input)
                : ops.inputs("MmBackward0", gradient, ops.transpose(n, k), input);
    }

    private Call attentionForward() {
        long heads = local / 128;
        TensorArguments query = ops.in()
                .tensor(batch, heads, sequence, 128)
                .tensor(batch, heads, sequence, 128)
                .tensor(batch, heads, sequence, 128);
        double flops = 2.0 * tokens * sequence * local;
        KernelShape shape = new KernelShape(Math.ceilDiv(tokens, 128) * heads, 128, 255, 81_920);
        Call kernel = ops.op(
                "aten::_flash_attention_forward",
                ops.in()
                        .tensor(batch, sequence, heads, 128)
                        .tensor(batch, sequence, heads, 128)
                        .tensor(batch, sequence, heads, 128)
                        .none()
                        .none()
                        .scalar(Integer.toString(sequence))
                        .scalar(Integer.toString(sequence))
                        .scalar("0.")
                        .scalar("True")
                        .scalar("False")
                        .scalar("0.088388347648318433"),
                ops.arithmetic(ops.names().attentionForward(), flops, 0.55, shape));
        Call flash = ops.inner(
                "aten::_scaled_dot_product_flash_attention",
                query.scalar("0.").scalar("True").scalar("False").none(),
                ops.op(
                        "aten::transpose",
                        ops.in().tensor(batch, heads, sequence, 128).scalar("1").scalar("2")),
                kernel);
        return ops.forward(
                "aten::scaled_dot_product_attention",
                ops.in()
                        .tensor(batch, heads, sequence, 128)
                        .tensor(batch, heads, sequence, 128)
                        .tensor(batch, heads, sequence, 128)
                        .none()
                        .scalar("0.")
                        .scalar("True")
                        .none()
                        .scalar("False"),
                flash);
    }

    private Call attentionBackward() {
        long heads = local / 128;
        double flops = 5.0 * tokens * sequence * local;
        KernelShape shape = new KernelShape(Math.ceilDiv(tokens, 128) * heads, 256, 255, 147_456);
        TensorArguments gradient = ops.in().tensor(batch, heads, sequence, 128);
        Call kernels = ops.op(
                "aten::_flash_attention_backward",
                ops.in()
                        .tensor(batch, sequence, heads, 128)
                        .tensor(batch, sequence, heads, 128)
                        .tensor(batch, sequence, heads, 128)
                        .tensor(batch, sequence, heads, 128)
                        .tensor(batch, sequence, heads, 128)
                        .typed("float", batch, heads, sequence)
                        .none()
                        .none()
                        .scalar(Integer.toString(sequence))
                        .scalar(Integer.toString(sequence))
                        .scalar("0.")
                        .scalar("True"),
                ops.streaming(ops.names().attentionPrepare(), 4.0 * tokens * local),
                ops.arithmetic(ops.names().attentionBackward(), flops, 0.45, shape));
        return ops.backward(
                "ScaledDotProductFlashAttentionBackward0",
                gradient,
                ops.op(
                        "aten::_scaled_dot_product_flash_attention_backward",
                        ops.in()
                                .tensor(batch, heads, sequence, 128)
                                .tensor(batch, heads, sequence, 128)
                                .tensor(batch, heads, sequence, 128)
                                .tensor(batch, heads, sequence, 128),
                        kernels));
    }

    private Call geluForward() {
        return ops.forward(
                "aten::gelu",
                ops.in().tensor(batch, sequence, 4 * local).scalar("none"),
                ops.streaming(
                        ops.names()
                                .elementwise(
                                        "GeluCUDAKernelImpl(at::TensorIteratorBase&,"
                                                + " at::native::GeluType)::{lambda()#2}::operator()()"
                                                + " const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}",
                                        2),
                        16.0 * tokens * local));
    }

    private Call geluBackward() {
        Call kernel = ops.op(
                "aten::gelu_backward",
                ops.in()
                        .tensor(batch, sequence, 4 * local)
                        .tensor(batch, sequence, 4 * local)
                        .scalar("none"),
                ops.streaming(
                        ops.names()
                                .elementwise(
                                        "GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&,"
                                                + " at::native::GeluType)::{lambda()#2}::operator()()"
                                                + " const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16,"
                                                + " c10::BFloat16)#1}",
                                        3),
                        24.0 * tokens * local));
        return ops.backward("GeluBackward0", ops.in().tensor(batch, sequence, 4 * local), kernel);
    }

    private Call addForward() {
        return ops.forward("aten::add", addInputs(), addKernel());
    }

    private Call addBackward() {
        return ops.backward("AddBackward0", ops.in().tensor(batch, sequence, hidden));
    }

    private Call add(String name) {
        return ops.op(name, addInputs(), addKernel());
    }

    private TensorArguments addInputs() {
        return ops.in()
                .tensor(batch, sequence, hidden)
                .tensor(batch, sequence, hidden)
                .scalar("1");
    }

    private HostAction addKernel() {
        return ops.streaming(ops.names().elementwise("CUDAFunctor_add<c10::BFloat16>", 3), 6.0 * tokens * hidden);
    }
}
