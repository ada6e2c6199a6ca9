// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The inputs of an op as {@code record_shapes} writes them: four parallel lists. */
final class TensorArguments {
    private final List<String> concrete = new ArrayList<>();
    private final List<String> types = new ArrayList<>();
    private final List<String> strides = new ArrayList<>();
    private final List<String> sizes = new ArrayList<>();

    /** A contiguous 16-bit tensor. */
    TensorArguments tensor(long... shape) {
        return typed("c10::BFloat16", shape);
    }

    TensorArguments typed(String type, long... shape) {
        long[] step = new long[shape.length];
        long elements = 1;
        for (int i = shape.length - 1; i >= 0; i--) {
            step[i] = elements;
            elements *= shape[i];
        }
        return add("\"\"", type, list(step), list(shape));
    }

    /** A 16-bit matrix of {@code rows x columns} that is the transpose of a contiguous one. */
    TensorArguments transposed(long rows, long columns) {
        return add("\"\"", "c10::BFloat16", list(1, rows), list(rows, columns));
    }

    TensorArguments scalar(String value) {
        return add('"' + value + '"', "Scalar", "[]", "[]");
    }

    TensorArguments scalars(long... values) {
        return add('"' + list(values) + '"', "ScalarList", "[]", "[]");
    }

    /** A list of tensors; the profiler writes no shapes for long ones. */
    TensorArguments tensors() {
        return add("\"\"", "TensorList", "[]", "[]");
    }

    TensorArguments tensors(long elements) {
        return add("\"\"", "TensorList", "[[1]]", "[[" + elements + "]]");
    }

    TensorArguments none() {
        return add("\"\"", "", "[]", "[]");
    }

    private TensorArguments add(String value, String type, String stride, String size) {
        concrete.add(value);
        types.add('"' + type + '"');
        strides.add(stride);
        sizes.add(size);
        return this;
    }

    private static String list(long... values) {
        return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(", ", "[", "]"));
    }

    /** The four members, each preceded by a comma. */
    String text() {
        return ", \"Concrete Inputs\": " + join(concrete)
                + ", \"Input type\": " + join(types)
                + ", \"Input Strides\": " + join(strides)
                + ", \"Input Dims\": " + join(sizes);
    }

    private static String join(List<String> values) {
        return values.stream().collect(Collectors.joining(", ", "[", "]"));
    }
}
