// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HostAction.Call;
import java.util.ArrayList;
import java.util.List;

/** The work around the blocks: data, embedding, output head and loss, gradient clipping, optimizer. */
final class EdgeOps {
    /** Size of the vocabulary, in tokens. */
    private static final long VOCABULARY = 32_000;

    private final Ops ops;
    private final BlockOps blocks;
    private final TraceRecipe recipe;
    private final long batch;
    private final long sequence;
    private final long tokens;
    private final long hidden;

    EdgeOps(Ops ops, BlockOps blocks, TraceRecipe recipe) {
        this.ops = ops;
        this.blocks = blocks;
        this.recipe = recipe;
        batch = recipe.model().batch();
        sequence = recipe.model().sequenceLength();
        tokens = batch * sequence;
        hidden = recipe.model().hidden();
    }

    /** Parameters outside the blocks: embedding, output head and the last norm. */
    long parameters() {
        return 2 * VOCABULARY * hidden + 2 * hidden;
    }

    /** Inputs or labels go to the device. */
    Call toDevice() {
        TensorArguments source = ops.in()
                .typed("long int", batch, sequence)
                .scalar("4")
                .scalar("0")
                .scalar("0")
                .none()
                .scalar("True")
                .scalar("False")
                .none();
        Call copy = ops.op(
                "aten::copy_",
                ops.in()
                        .typed("long int", batch, sequence)
                        .typed("long int", batch, sequence)
                        .scalar("True"),
                ops.copy(true, 8 * tokens));
        Call allocate = ops.op(
                "aten::empty_strided",
                ops.in()
                        .scalars(batch, sequence)
                        .scalars(sequence, 1)
                        .scalar("4")
                        .scalar("0")
                        .scalar("0")
                        .none());
        return ops.op("aten::to", source, ops.op("aten::_to_copy", source, allocate, copy));
    }

    Call embeddingForward() {
        return ops.forward(
                "aten::embedding",
                ops.in()
                        .tensor(VOCABULARY, hidden)
                        .typed("long int", batch, sequence)
                        .scalar("-1")
                        .scalar("False")
                        .scalar("False"),
                ops.op(
                        "aten::index_select",
                        ops.in().tensor(VOCABULARY, hidden).scalar("0").typed("long int", tokens),
                        ops.streaming(ops.names().embeddingForward(), 4.0 * tokens * hidden)));
    }

    Call embeddingBackward() {
        Call zero = ops.op("aten::zero_", ops.in().tensor(VOCABULARY, hidden), ops.fill(2 * VOCABULARY * hidden));
        Call dense = ops.op(
                "aten::embedding_dense_backward",
                ops.in()
                        .tensor(batch, sequence, hidden)
                        .typed("long int", batch, sequence)
                        .scalar(Long.toString(VOCABULARY))
                        .scalar("-1")
                        .scalar("False"),
                zero,
                ops.streaming(ops.names().embeddingBackward(), 8.0 * tokens * hidden));
        return ops.backward("EmbeddingBackward0", ops.in().tensor(batch, sequence, hidden), dense);
    }

    /** Last norm, output head and loss. */
    List<HostAction> headForward() {
        Call softmax = ops.forward(
                "aten::log_softmax",
                ops.in().tensor(tokens, VOCABULARY).scalar("1").none(),
                ops.inner(
                        "aten::_log_softmax",
                        ops.in().tensor(tokens, VOCABULARY).scalar("1").scalar("False"),
                        ops.streaming(ops.names().softmax(true), 4.0 * tokens * VOCABULARY)));
        Call loss = ops.forward(
                "aten::nll_loss",
                ops.in()
                        .tensor(tokens, VOCABULARY)
                        .typed("long int", tokens)
                        .none()
                        .scalar("1")
                        .scalar("-100"),
                ops.inner(
                        "aten::nll_loss_forward",
                        ops.in()
                                .tensor(tokens, VOCABULARY)
                                .typed("long int", tokens)
                                .none()
                                .scalar("1")
                                .scalar("-100"),
                        ops.streaming(ops.names().loss(true), 64.0 * tokens)));
        return List.of(
                blocks.normForward(),
                blocks.linearForward(hidden, VOCABULARY),
                ops.op(
                        "aten::cross_entropy_loss",
                        ops.in()
                                .tensor(tokens, VOCABULARY)
                                .typed("long int", tokens)
                                .none()
                                .scalar("1")
                                .scalar("-100")
                                .scalar("0."),
                        softmax,
                        loss));
    }

    List<HostAction> headBackward() {
        Call loss = ops.op(
                "aten::nll_loss_backward",
                ops.in()
                        .tensor()
                        .tensor(tokens, VOCABULARY)
                        .typed("long int", tokens)
                        .none()
                        .scalar("1")
                        .scalar("-100")
                        .tensor(),
                ops.op("aten::zero_", ops.in().tensor(tokens, VOCABULARY), ops.fill(2 * tokens * VOCABULARY)),
                ops.streaming(ops.names().loss(false), 64.0 * tokens));
        Call softmax = ops.op(
                "aten::_log_softmax_backward_data",
                ops.in()
                        .tensor(tokens, VOCABULARY)
                        .tensor(tokens, VOCABULARY)
                        .scalar("1")
                        .scalar("15"),
                ops.streaming(ops.names().softmax(false), 6.0 * tokens * VOCABULARY));
        return List.of(
                ops.backward("NllLossBackward0", ops.in().tensor(), loss),
                ops.backward("LogSoftmaxBackward0", ops.in().tensor(tokens, VOCABULARY), softmax),
                blocks.linearBackward(hidden, VOCABULARY),
                ops.accumulate(VOCABULARY, hidden),
                blocks.normBackward(false),
                ops.accumulate(hidden));
    }

    /** The rank's own share of the gradients' norm. */
    Call gradientNorm() {
        double bytes = 4.0 * shardElements();
        return ops.op(
                "aten::_foreach_norm",
                ops.in().tensors().scalar("2.").none(),
                ops.streaming(
                        ops.names()
                                .multiTensor(
                                        "LpNormFunctor<float, (at::native::NormType)1, float, 1, 1, 0>, float*, int",
                                        1),
                        bytes),
                ops.streaming(
                        "void at::native::lpnorm_cleanup<float, (at::native::NormType)1, float>(float const*, at::native::TensorListAddresses, int)",
                        4096));
    }

    Call clip() {
        return ops.op(
                "aten::_foreach_mul_",
                ops.in().tensors().typed("float"),
                ops.streaming(
                        ops.names()
                                .multiTensor(
                                        "BinaryOpListAlphaFunctor<float, 1, 1, 0>, std::multiplies<float>, float*, float",
                                        1),
                        8.0 * shardElements()));
    }

    /** The optimizer goes over the rank's shard, several blocks at a time. */
    Call optimizer() {
        int launches = recipe.model().layers() / 4 + 1;
        List<HostAction> kernels = new ArrayList<>();
        for (int i = 0; i < launches; i++) {
            kernels.add(ops.streaming(
                    ops.names()
                            .multiTensor(
                                    "FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, float const*, double, double, double, double, double, bool, float const*, float const*",
                                    4),
                    28.0 * shardElements() / launches));
        }
        return ops.op(
                "aten::_fused_adamw_",
                ops.in()
                        .tensors()
                        .tensors()
                        .tensors()
                        .tensors()
                        .tensors()
                        .tensors()
                        .scalar("0.00020000000000000001")
                        .scalar("0.90000000000000002")
                        .scalar("0.98")
                        .scalar("0.01")
                        .scalar("1e-08")
                        .scalar("False")
                        .scalar("False")
                        .none()
                        .none(),
                kernels.toArray(HostAction[]::new));
    }

    /** Reads a scalar back, which waits for the device. */
    Call readBack() {
        return ops.op(
                "aten::item",
                ops.in().typed("float"),
                ops.op(
                        "aten::_local_scalar_dense",
                        ops.in().typed("float"),
                        ops.copy(false, 4),
                        ops.synchronize(false)));
    }

    private double shardElements() {
        long all = parameters() + recipe.model().layers() * BlockOps.parameters(hidden);
        return (double) all / recipe.cluster().shardRanks();
    }
}
