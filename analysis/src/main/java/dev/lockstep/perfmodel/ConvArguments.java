// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.Arrays;
import java.util.List;

/**
 * The arguments of a convolution.
 *
 * @param bias whether there is one, as it is shown among the parameters
 */
record ConvArguments(
        Shape input,
        Shape weight,
        String type,
        String weightType,
        Value inputStride,
        Value weightStride,
        Value bias,
        Shape stride,
        Shape padding,
        Shape dilation,
        boolean transposed,
        Shape outputPadding,
        long groups) {
    private static final int BATCH_AND_CHANNELS = 2;

    /**
     * Arguments as ATen orders them: input, weight, then, from a place on, stride, padding, dilation, transposed, output
     * padding, groups.
     */
    static ConvArguments of(OpCall call, int input, int geometry, Value bias) throws NotModelled {
        Shape shape = call.shape(input);
        int dimensions = dimensions(shape);
        return new ConvArguments(
                shape,
                call.shape(input + 1, shape.rank()),
                call.type(input),
                call.type(input + 1),
                call.strides(input),
                call.strides(input + 1),
                bias,
                sizes(call, geometry, dimensions, 1),
                sizes(call, geometry + 1, dimensions, 0),
                sizes(call, geometry + 2, dimensions, 1),
                flag(call, geometry + 3),
                sizes(call, geometry + 4, dimensions, 0),
                number(call, geometry + 5));
    }

    /** Arguments of a convolution fused with its bias: input, weight, bias, stride, padding. */
    static ConvArguments fused(OpCall call) throws NotModelled {
        Shape shape = call.shape(0);
        int dimensions = dimensions(shape);
        return new ConvArguments(
                shape,
                call.shape(1, shape.rank()),
                call.type(0),
                call.type(1),
                call.strides(0),
                call.strides(1),
                Value.of(true),
                call.concreteText(3).isEmpty() ? filled(dimensions, 1) : filled(dimensions, number(call, 3)),
                call.concreteText(4).isEmpty() ? filled(dimensions, 0) : filled(dimensions, number(call, 4)),
                filled(dimensions, 1),
                false,
                filled(dimensions, 0),
                1);
    }

    private static int dimensions(Shape input) throws NotModelled {
        int dimensions = input.rank() - BATCH_AND_CHANNELS;
        if (dimensions < 1 || dimensions > 3) {
            throw NotModelled.unreadable("a convolution over shape " + input);
        }
        return dimensions;
    }

    private static Shape filled(int dimensions, long value) {
        long[] values = new long[dimensions];
        Arrays.fill(values, value);
        return new Shape(values);
    }

    /** A list for all dimensions; one number stands for all, nothing for the usual one. */
    private static Shape sizes(OpCall call, int argument, int dimensions, long usual) throws NotModelled {
        call.concrete(argument);
        String text = call.concreteText(argument);
        if (text.isEmpty()) {
            return filled(dimensions, usual);
        }
        List<Value> listed = Value.listed(text);
        if (listed.size() != 1 && listed.size() != dimensions) {
            throw NotModelled.unreadable("argument " + argument + " is " + text + ", not " + dimensions + " numbers");
        }
        long[] sizes = new long[dimensions];
        for (int i = 0; i < dimensions; i++) {
            sizes[i] = Arithmetic.integer(listed.get(listed.size() == 1 ? 0 : i));
        }
        return new Shape(sizes);
    }

    private static boolean flag(OpCall call, int argument) throws NotModelled {
        Value value = Value.scalar(call.concreteText(argument));
        if (value instanceof Value.Bool flag) {
            return flag.value();
        }
        throw NotModelled.unreadable("argument " + argument + " is neither true nor false");
    }

    private static long number(OpCall call, int argument) throws NotModelled {
        return Arithmetic.integer(Value.scalar(call.concreteText(argument)));
    }

    boolean hasBias() {
        return Arithmetic.holds(bias);
    }

    /** The shape that comes out. */
    Shape output(boolean channelsInGroups) throws NotModelled {
        long[] sizes = new long[input.rank()];
        sizes[0] = input.dim(0);
        sizes[1] = transposed ? weight.dim(1) * (channelsInGroups ? groups : 1) : weight.dim(0);
        for (int i = 0; i < stride.rank(); i++) {
            sizes[i + BATCH_AND_CHANNELS] = output(i, input.dim(i + BATCH_AND_CHANNELS));
        }
        return Shape.of(sizes);
    }

    private long output(int i, long in) throws NotModelled {
        long reach = dilation.dim(i) * (weight.dim(i + BATCH_AND_CHANNELS) - 1);
        if (transposed) {
            return (in - 1) * stride.dim(i) - 2 * padding.dim(i) + reach + outputPadding.dim(i) + 1;
        }
        if (stride.dim(i) == 0) {
            throw NotModelled.unreadable("a stride of zero");
        }
        return (long) ((double) (in + 2 * padding.dim(i) - reach - 1) / stride.dim(i) + 1);
    }

    List<Parameter> parameters() {
        return List.of(
                new Parameter("convNd", Value.of("conv" + stride.rank() + "d")),
                new Parameter("input_shape", input.value()),
                new Parameter("filter_shape", weight.value()),
                new Parameter("dtype_input_weight", Value.tuple(Value.of(type), Value.of(weightType))),
                new Parameter("input_stride", inputStride),
                new Parameter("weight_stride", weightStride),
                new Parameter("bias", bias),
                new Parameter("stride", stride.value()),
                new Parameter("padding", padding.value()),
                new Parameter("dilation", dilation.value()),
                new Parameter("transposed_conv", Value.of(transposed)),
                new Parameter("output_padding", outputPadding.value()),
                new Parameter("groups", Value.of(groups)));
    }
}
