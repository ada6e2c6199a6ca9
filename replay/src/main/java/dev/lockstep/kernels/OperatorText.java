// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.read.execution.ExecutionTrace.Inputs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of an execution trace in the words of the profiler's traces: types without {@code Tensor(...)}, numbers as {@code
 * Scalar}, lists of them as {@code ScalarList}, everything else empty. Only lists of tensors say more than the profiler
 * does: which types they hold.
 *
 * @param shapes as JSON text, null when not recorded
 * @param types as JSON text, null when not recorded
 * @param strides as JSON text, null when not recorded
 */
record OperatorText(
        @Nullable String shapes,
        @Nullable String types,
        @Nullable String strides) {
    static final OperatorText UNKNOWN = new OperatorText(null, null, null);

    private static final String TENSOR = "Tensor(";
    private static final String LIST = "GenericList[";

    static OperatorText of(@Nullable Inputs inputs) {
        if (inputs == null || inputs.types().isEmpty()) {
            return UNKNOWN;
        }
        StringBuilder shapes = new StringBuilder("[");
        StringBuilder types = new StringBuilder("[");
        StringBuilder strides = new StringBuilder("[");
        for (int i = 0; i < inputs.types().size(); i++) {
            String separator = i == 0 ? "" : ", ";
            String type = inputs.types().get(i) instanceof Json.Text(String text) ? text : "";
            boolean tensors = type.startsWith(LIST) && type.contains(TENSOR);
            boolean sized = tensors || isTensor(type);
            sizes(shapes.append(separator), sized ? at(inputs.shapes(), i) : null, tensors);
            sizes(strides.append(separator), sized ? at(inputs.strides(), i) : null, tensors);
            quote(types.append(separator), word(type, tensors));
        }
        return new OperatorText(
                shapes.append(']').toString(),
                types.append(']').toString(),
                inputs.strides() == null ? null : strides.append(']').toString());
    }

    private static @Nullable Json at(@Nullable List<Json> items, int i) {
        return items != null && i < items.size() ? items.get(i) : null;
    }

    private static boolean isTensor(String type) {
        return type.startsWith(TENSOR) && !type.startsWith("nullptr", TENSOR.length());
    }

    private static String word(String type, boolean tensors) {
        if (tensors) {
            return "TensorList[" + elements(type) + "]";
        }
        if (isTensor(type)) {
            return inside(type);
        }
        if (isNumber(type)) {
            return "Scalar";
        }
        if (!type.startsWith(LIST)) {
            return "";
        }
        for (String element : list(type)) {
            if (!isNumber(element)) {
                return "";
            }
        }
        return "ScalarList";
    }

    private static boolean isNumber(String type) {
        return type.equals("Int") || type.equals("Double") || type.equals("Bool") || type.startsWith("Complex");
    }

    private static String[] list(String type) {
        int end = type.lastIndexOf(']');
        return end <= LIST.length()
                ? new String[0]
                : type.substring(LIST.length(), end).split(",");
    }

    private static String inside(String type) {
        int end = type.lastIndexOf(')');
        return type.substring(TENSOR.length(), end < TENSOR.length() ? type.length() : end);
    }

    /** The types of the tensors of a list: one word if they are all the same. */
    private static String elements(String type) {
        StringBuilder all = new StringBuilder();
        String first = null;
        boolean same = true;
        for (String element : list(type)) {
            String word = isTensor(element) ? inside(element) : "";
            first = first == null ? word : first;
            same &= word.equals(first);
            all.append(all.isEmpty() ? "" : ", ").append(word);
        }
        return same && first != null ? first : all.toString();
    }

    private static void sizes(StringBuilder text, @Nullable Json sizes, boolean tensors) {
        List<Json> items = sizes instanceof Items(List<Json> found) ? found : List.of();
        text.append('[');
        for (int i = 0; i < items.size(); i++) {
            text.append(i == 0 ? "" : ", ");
            if (tensors) {
                sizes(text, items.get(i), false);
            } else {
                text.append(items.get(i) instanceof Json.Numeral(String number) ? number : "null");
            }
        }
        text.append(']');
    }

    private static void quote(StringBuilder text, String word) {
        text.append('"');
        JsonStringEncoder.getInstance().quoteAsString(word, text);
        text.append('"');
    }
}
