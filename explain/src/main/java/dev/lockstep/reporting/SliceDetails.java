// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a timeline tells of slices beside their times: shapes, grids, bytes, groups. Equal texts have one number. */
final class SliceDetails {
    /** A longer text is cut. */
    private static final int LONGEST = 400;

    private static final int UNSEEN = -2;

    private final Trace trace;
    private final @Nullable DeviceDetails device;
    private final @Nullable OpDetails operators;
    private final @Nullable CollectiveDetails collectives;
    private final IntTuples tuples = new IntTuples();
    private final LongIntMap values = new LongIntMap(1024);
    private final IntList numbers = new IntList(1024);
    private final List<String> texts = new ArrayList<>();

    SliceDetails(Trace trace) {
        this.trace = trace;
        device = trace.view(DeviceDetails.KEY);
        operators = trace.view(OpDetails.KEY);
        collectives = trace.view(CollectiveDetails.KEY);
    }

    List<String> texts() {
        return texts;
    }

    /** The number of the text about a slice, -1 where nothing is known. */
    int of(int slice) {
        int onDevice = device == null ? -1 : device.of(slice);
        int operator = operators == null ? -1 : operators.of(slice);
        int collective = collectives == null ? -1 : collectives.of(slice);
        if (onDevice < 0 && operator < 0 && collective < 0) {
            return -1;
        }
        int tuple = IntTuples.ROOT;
        if (device != null && onDevice >= 0) {
            tuple = with(tuple, device.grid(onDevice));
            tuple = with(tuple, device.block(onDevice));
            tuple = with(tuple, device.registers(onDevice));
            tuple = with(tuple, device.sharedMemory(onDevice));
            tuple = with(tuple, device.bytes(onDevice));
        }
        if (operators != null && operator >= 0) {
            tuple = with(tuple, operators.inputDims(operator));
            tuple = with(tuple, operators.inputTypes(operator));
            tuple = with(tuple, operators.concreteInputs(operator));
        }
        if (collectives != null && collective >= 0) {
            tuple = with(tuple, collectives.groupDescription(collective));
            tuple = with(tuple, collectives.groupSize(collective));
            tuple = with(tuple, collectives.inElements(collective));
            tuple = with(tuple, collectives.dtype(collective));
        }
        while (numbers.size() <= tuple) {
            numbers.add(UNSEEN);
        }
        if (numbers.get(tuple) == UNSEEN) {
            String text = text(onDevice, operator, collective);
            numbers.set(tuple, text.isEmpty() ? -1 : texts.size());
            if (!text.isEmpty()) {
                texts.add(text);
            }
        }
        return numbers.get(tuple);
    }

    private int with(int tuple, long value) {
        boolean small = value == (int) value;
        return tuples.then(tuple, small ? (int) value : Integer.MIN_VALUE + values.numberOf(value));
    }

    private String text(int onDevice, int operator, int collective) {
        StringBuilder text = new StringBuilder();
        if (device != null && onDevice >= 0) {
            line(text, "grid", device.grid(onDevice));
            line(text, "block", device.block(onDevice));
            number(text, "registers", device.registers(onDevice));
            number(text, "shared memory, bytes", device.sharedMemory(onDevice));
            number(text, "bytes", device.bytes(onDevice));
        }
        if (operators != null && operator >= 0) {
            line(text, "shapes", operators.inputDims(operator));
            line(text, "types", operators.inputTypes(operator));
            line(text, "values", operators.concreteInputs(operator));
        }
        if (collectives != null && collective >= 0) {
            line(text, "group", collectives.groupDescription(collective));
            number(text, "members", collectives.groupSize(collective));
            number(text, "elements in", collectives.inElements(collective));
            line(text, "type", collectives.dtype(collective));
        }
        return text.toString();
    }

    private void line(StringBuilder text, String what, int name) {
        if (name >= 0) {
            String value = trace.strings().get(name);
            int shown = value.length() <= LONGEST
                    ? value.length()
                    : value.offsetByCodePoints(0, value.codePointCount(0, LONGEST));
            append(text, what, value.substring(0, shown) + (shown < value.length() ? "…" : ""));
        }
    }

    private static void number(StringBuilder text, String what, long value) {
        if (value >= 0) {
            append(text, what, Words.count(value));
        }
    }

    private static void append(StringBuilder text, String what, String value) {
        text.append(text.isEmpty() ? "" : "\n").append(what).append(' ').append(value);
    }
}
