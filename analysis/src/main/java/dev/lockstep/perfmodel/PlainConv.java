// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.List;
import java.util.Locale;

/**
 * Convolutions of which the values of arguments (stride, padding, groups, mask) were not recorded. The shape of the result
 * stands in for them: that of its gradient, which the backward has as its first argument.
 *
 * @param in input: batch, channels, and what is slid over
 * @param weight filters: channels of the result, channels of the input in a group, and their sizes
 * @param out result
 */
record PlainConv(Shape in, Shape weight, Shape out, String type) {
    private static final int BIAS = 2;
    private static final List<String> INPUT_GRADIENT = List.of("backpropinput", "dgrad");
    private static final List<String> WEIGHT_GRADIENT = List.of("backpropfilter", "wgrad");
    /** Kernels of Ascend, which are called after what they do; others, such as Winograd's, may be called otherwise. */
    private static final List<String> TELLING = List.of("backprop");

    /** The work of {@code aten::convolution}. */
    static Work forward(OpCall call, ModelRules rules) throws NotModelled {
        PlainConv conv = of(call, 0, call.resultShape(0));
        boolean bias = call.hasShape(BIAS);
        double flops = conv.products() + (bias ? conv.out.elements() : 0);
        double elements = conv.elements() + (bias ? conv.out.dim(1) : 0);
        return conv.work(rules, flops, elements);
    }

    /** The work of {@code aten::convolution_backward}: of the gradients that its kernels are named after. */
    static Work backward(OpCall call, ModelRules rules) throws NotModelled {
        PlainConv conv = of(call, 1, call.shape(0));
        int gradients = (mentions(call, INPUT_GRADIENT) ? 1 : 0) + (mentions(call, WEIGHT_GRADIENT) ? 1 : 0);
        if (gradients < 2 && !mentions(call, TELLING)) {
            throw NotModelled.unreadable("which gradients a convolution computes is not recorded");
        }
        return conv.work(rules, gradients * conv.products(), gradients * conv.elements());
    }

    /**
     * Transposed convolutions, whose filters have the channels of the input first, are told by their shapes; where that is
     * not possible, the result of one is larger than its input.
     */
    private static PlainConv of(OpCall call, int input, Shape out) throws NotModelled {
        Shape in = call.shape(input);
        Shape weight = call.shape(input + 1, in.rank());
        if (in.rank() < 3 || out.rank() != in.rank() || out.dim(0) != in.dim(0)) {
            throw NotModelled.unreadable("a convolution over shape " + in + " to " + out);
        }
        boolean larger = out.elements(2, out.rank()) > in.elements(2, in.rank());
        if (weight.dim(0) != out.dim(1)
                || weight.dim(1) == 0
                || in.dim(1) % weight.dim(1) != 0
                || larger && weight.dim(0) == in.dim(1)) {
            throw NotModelled.unreadable("whether a convolution is transposed is not recorded");
        }
        return new PlainConv(in, weight, out, call.type(input));
    }

    private static boolean mentions(OpCall call, List<String> parts) {
        return call.kernels().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .anyMatch(name -> parts.stream().anyMatch(name::contains));
    }

    /** Each value that comes out takes two operations for each weight of its filter. */
    private double products() throws NotModelled {
        return 2.0 * out.elements() * weight.elements(1, weight.rank());
    }

    private double elements() throws NotModelled {
        return (double) in.elements() + weight.elements() + out.elements();
    }

    private Work work(ModelRules rules, double flops, double elements) {
        return new Work(
                flops,
                elements * rules.types().bytes(type),
                rules.computeSpec("matrix", type, List.of()),
                List.of(
                        new Parameter("convNd", Value.of("conv" + (in.rank() - 2) + "d")),
                        new Parameter("input_shape", in.value()),
                        new Parameter("filter_shape", weight.value()),
                        new Parameter("output_shape", out.value())));
    }
}
