// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the framework wrote around the launch of a collective: annotations like {@code nccl:all_to_all} with the shape of
 * the tensor. They tell what a kernel does where the kernel itself carries no such record.
 */
final class CollectiveAnnotations {
    static final String PREFIX = "nccl:";

    /** Annotations hardly ever nest; so many that began before a launch are looked at. */
    private static final int DEEPEST = 4;

    private final Slices slices;
    private final Map<Integer, int[]> byTrack = new HashMap<>();

    CollectiveAnnotations(Trace trace) {
        slices = trace.slices();
        byte[] judged = new byte[trace.strings().size()];
        Map<Integer, IntList> found = new HashMap<>();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.ANNOTATION && matches(trace, slices.name(i), judged)) {
                found.computeIfAbsent(slices.track(i), t -> new IntList(16)).add(i);
            }
        }
        found.forEach((track, rows) -> byTrack.put(track, rows.toArray()));
    }

    private static boolean matches(Trace trace, int name, byte[] judged) {
        if (judged[name] == 0) {
            judged[name] = (byte) (trace.strings().get(name).startsWith(PREFIX) ? 1 : 2);
        }
        return judged[name] == 1;
    }

    /** The innermost annotation around a call on its thread, -1 for none. */
    int around(int launch) {
        int[] rows = byTrack.get(slices.track(launch));
        if (rows == null) {
            return -1;
        }
        long at = slices.ts(launch);
        int low = LongOrder.leading(rows.length, place -> slices.ts(rows[place]) <= at);
        for (int i = low - 1; i >= Math.max(0, low - DEEPEST); i--) {
            if (slices.end(rows[i]) >= at) {
                return rows[i];
            }
        }
        return -1;
    }

    /** The number of elements of the first tensor in a list of shapes, -1 when there is none. */
    static long elements(@Nullable String shapes) {
        if (shapes == null || !shapes.startsWith("[[")) {
            return -1;
        }
        return product(shapes.substring(2, shapes.indexOf(']')));
    }

    /** The number of elements of all tensors in a list of shapes, -1 when there is none or it cannot be told. */
    static long allElements(@Nullable String shapes) {
        if (shapes == null || !shapes.startsWith("[[")) {
            return -1;
        }
        long sum = 0;
        for (int open = 1; open < shapes.length() && shapes.charAt(open) == '['; ) {
            int close = shapes.indexOf(']', open);
            long elements = close < 0 ? -1 : product(shapes.substring(open + 1, close));
            if (elements < 0 || sum + elements < 0) {
                return -1;
            }
            sum += elements;
            open = close + 1;
            while (open < shapes.length() && (shapes.charAt(open) == ',' || shapes.charAt(open) == ' ')) {
                open++;
            }
        }
        return sum;
    }

    /** The number of elements of a shape, -1 when it cannot be told or does not fit. */
    private static long product(String shape) {
        long product = 1;
        for (String part : shape.split(",")) {
            String number = part.strip();
            if (!number.matches("\\d{1,15}")) {
                return number.isEmpty() ? 1 : -1;
            }
            long factor = Long.parseLong(number);
            if (Math.multiplyHigh(product, factor) != 0 || product * factor < 0) {
                return -1;
            }
            product *= factor;
        }
        return product;
    }

    /** The first text in a list, null when there is none. */
    static @Nullable String first(@Nullable String list) {
        if (list == null || !list.startsWith("[\"")) {
            return null;
        }
        int end = list.indexOf('"', 2);
        return end <= 2 ? null : list.substring(2, end);
    }
}
