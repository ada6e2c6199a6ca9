// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.Value.Sequence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions. Each value that comes out takes two operations for each weight of its filter; transposed, each value that
 * goes in does. The backward is two such convolutions: one for the gradient of the input, one for that of the weights.
 */
final class ConvModel implements OpModel {
    private enum Kind {
        FORWARD,
        BACKWARD,
        FUSED,
        FUSED_BACKWARD
    }

    /** Which gradients a backward computes. */
    private record Gradients(boolean input, boolean weight, boolean bias) {}

    private static final int GEOMETRY = 3;
    private static final int BACKWARD_GEOMETRY = 4;
    private static final int MASK = 10;
    private static final int BIAS = 2;

    private final ModelRules rules;
    private final Kind kind;

    private ConvModel(ModelRules rules, Kind kind) {
        this.rules = rules;
        this.kind = kind;
    }

    static void register(OpModels.Builder models) {
        models.add("aten::convolution", new ConvModel(models.rules(), Kind.FORWARD));
        models.add("aten::convolution_backward", new ConvModel(models.rules(), Kind.BACKWARD));
        for (String fused : List.of("ConvBias_", "ConvBiasReLU_")) {
            models.add(fused, new ConvModel(models.rules(), Kind.FUSED));
            models.add(fused + "Backward", new ConvModel(models.rules(), Kind.FUSED_BACKWARD));
        }
    }

    @Override
    public String family() {
        return "CONV";
    }

    @Override
    public String category() {
        return kind == Kind.FORWARD || kind == Kind.FUSED ? "CONV_fwd" : "CONV_bwd";
    }

    @Override
    public @Nullable String backwardCategory() {
        return "CONV_bwd";
    }

    @Override
    public boolean readsResults() {
        return rules.conv().withoutValues() && kind == Kind.FORWARD;
    }

    @Override
    public Work forward(OpCall call) throws NotModelled {
        if (rules.conv().withoutValues() && call.concreteCount() == 0) {
            if (kind == Kind.FORWARD) {
                return PlainConv.forward(call, rules);
            } else if (kind == Kind.BACKWARD) {
                return PlainConv.backward(call, rules);
            }
        }
        ConvArguments arguments = arguments(call);
        return switch (kind) {
            case FORWARD, FUSED -> forward(arguments);
            case BACKWARD -> backward(arguments, gradients(call, arguments));
            case FUSED_BACKWARD -> {
                Work work = backward(arguments, all(arguments));
                yield rules.conv().fusedBackwardBytes()
                        ? work
                        : new Work(work.flops(), forward(arguments).bytes(), work.computeSpec(), work.parameters());
            }
        };
    }

    @Override
    public Work backward(OpCall call) throws NotModelled {
        ConvArguments arguments = arguments(call);
        return backward(arguments, all(arguments));
    }

    private ConvArguments arguments(OpCall call) throws NotModelled {
        ConvArguments arguments = switch (kind) {
            case FORWARD -> ConvArguments.of(call, 0, GEOMETRY, bias(call));
            case BACKWARD -> ConvArguments.of(call, 1, BACKWARD_GEOMETRY, backwardBias(call));
            case FUSED -> ConvArguments.fused(call);
            case FUSED_BACKWARD -> ConvArguments.fused(forwardOf(call));
        };
        if (!arguments.type().equals(arguments.weightType())) {
            throw NotModelled.unreadable("input and weights have different types");
        }
        return arguments;
    }

    private static OpCall forwardOf(OpCall call) throws NotModelled {
        OpCall forward = call.forward();
        if (forward == null) {
            throw NotModelled.unreadable("the forward call is not known");
        }
        return forward;
    }

    private Value bias(OpCall call) {
        return Value.of(rules.conv().bias() ? call.hasShape(BIAS) : call.inputs() == BIAS + 1);
    }

    private Value backwardBias(OpCall call) throws NotModelled {
        if (rules.conv().bias()) {
            return Value.of(mask(call, 2));
        }
        if (call.inputs() <= GEOMETRY) {
            return Value.of(false);
        }
        return call.dims(GEOMETRY) instanceof Sequence sizes && sizes.size() > 0
                ? Value.of(true)
                : Value.list(List.of());
    }

    private Gradients gradients(OpCall call, ConvArguments arguments) {
        return rules.conv().mask() ? new Gradients(mask(call, 0), mask(call, 1), mask(call, 2)) : all(arguments);
    }

    private static Gradients all(ConvArguments arguments) {
        return new Gradients(true, true, arguments.hasBias());
    }

    /** Whether a gradient was asked for; true when that was not recorded. */
    private static boolean mask(OpCall call, int which) {
        List<Value> mask = Value.listed(call.concreteText(MASK));
        return which >= mask.size() || !mask.get(which).equals(Value.of(false));
    }

    private Work forward(ConvArguments c) throws NotModelled {
        Shape out = c.output(rules.conv().groups());
        double taps = 2.0 * c.weight().elements(1, c.weight().rank());
        double bias = c.hasBias() ? out.elements() : 0;
        double flops = taps * (c.transposed() ? c.input() : out).elements() + bias;
        double elements =
                (double) c.input().elements() + c.weight().elements() + out.elements() + (c.hasBias() ? out.dim(1) : 0);
        return work(c, flops, elements * size(c));
    }

    private Work backward(ConvArguments c, Gradients gradients) throws NotModelled {
        Shape out = c.output(rules.conv().groups());
        double x = c.input().elements();
        double w = c.weight().elements();
        double y = out.elements();
        double taps = 2.0 * c.weight().elements(1, c.weight().rank());
        Shape sliding = c.transposed() ? c.input() : out;
        double places = 2.0 * sliding.dim(0) * sliding.elements(2, sliding.rank());
        double flops = (gradients.input() ? taps * (c.transposed() ? x : y) : 0)
                + (gradients.weight() ? places * w : 0)
                + (gradients.bias() ? y : 0);
        double size = size(c);
        double bytes = ((gradients.input() ? y + w + x : 0) + (gradients.weight() ? y + x + w : 0)) * size
                + (gradients.bias() ? y + out.dim(1) : 0) * (rules.conv().biasBytes() ? size : 1);
        return work(c, flops, bytes);
    }

    private double size(ConvArguments c) {
        return rules.types().bytes(c.type());
    }

    private Work work(ConvArguments c, double flops, double bytes) {
        return new Work(flops, bytes, rules.computeSpec("matrix", c.type(), List.of()), c.parameters());
    }
}
