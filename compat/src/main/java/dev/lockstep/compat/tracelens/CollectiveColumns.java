// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Unit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Columns that several sheets share. A column of integers that misses a cell anywhere among the kernels holds floats in
 * every sheet that is made from them, as it does in pandas.
 */
final class CollectiveColumns {
    private final boolean floatSize;
    private final boolean floatIn;
    private final boolean floatOut;
    private final boolean floatStream;
    private final boolean whole;

    CollectiveColumns(CollectiveFrame frame) {
        floatSize = lacks(frame, CollectiveCall::groupSize);
        floatIn = lacks(frame, CollectiveCall::inElements);
        floatOut = lacks(frame, CollectiveCall::outElements);
        boolean streams = false;
        for (int i = 0; i < frame.size() && !streams; i++) {
            streams = frame.stream(i) == null;
        }
        floatStream = streams;
        whole = frame.wholeMicroseconds();
    }

    private static boolean lacks(CollectiveFrame frame, ToLongFunction<CollectiveCall> number) {
        return frame.ranks().stream()
                .flatMap(rank -> rank.calls().stream())
                .anyMatch(call -> number.applyAsLong(call) < 0);
    }

    static ColumnSpec collectiveId() {
        return ColumnSpec.text("collective_id", "Process group and place in it.");
    }

    static ColumnSpec group() {
        return ColumnSpec.text("Process Group Name", "Name of the process group.");
    }

    static ColumnSpec groupRanks() {
        return ColumnSpec.text("Process Group Ranks", "Members as the trace lists them; may be missing.");
    }

    static ColumnSpec collective() {
        return ColumnSpec.text("Collective name", "Name that the framework gives it; may be missing.");
    }

    static ColumnSpec dtype() {
        return ColumnSpec.text("dtype", "Element type; may be missing.");
    }

    ColumnSpec groupSize() {
        return integer("Group size", floatSize, "Number of members; may be missing.");
    }

    ColumnSpec inElements() {
        return integer("In msg nelems", floatIn, "Elements put in; may be missing.");
    }

    ColumnSpec outElements() {
        return integer("Out msg nelems", floatOut, "Elements got out; may be missing.");
    }

    ColumnSpec stream() {
        return integer("stream", floatStream, "Stream of the device; may be missing.");
    }

    /** Elements as text, for sheets where they stand beside words. */
    String elements(long value) {
        return floatIn ? value + ".0" : Long.toString(value);
    }

    static ColumnSpec inSplit() {
        return ColumnSpec.text("In split size", "Elements for each member, of variable all-to-alls; may be missing.");
    }

    static ColumnSpec outSplit() {
        return ColumnSpec.text("Out split size", "Elements from each member, likewise; may be missing.");
    }

    static ColumnSpec size(String header, String doc) {
        return ColumnSpec.real(header, Unit.MEBIBYTES, Unit.MEBIBYTES, doc);
    }

    /** A time in microseconds, without a point where the files have none. */
    ColumnSpec time(String header, String doc) {
        return whole
                ? ColumnSpec.whole(header, Unit.MICROSECONDS, Unit.MICROSECONDS, doc)
                : ColumnSpec.real(header, Unit.MICROSECONDS, Unit.MICROSECONDS, doc);
    }

    /** A value for a column of {@link #time}. */
    @Nullable
    Object time(double microseconds) {
        if (Double.isNaN(microseconds)) {
            return null;
        }
        return whole ? (Object) Math.round(microseconds) : Double.valueOf(microseconds);
    }

    static ColumnSpec mean(String header, String doc) {
        return ColumnSpec.real(header, Unit.MICROSECONDS, Unit.MICROSECONDS, doc);
    }

    static ColumnSpec rate(String header, String doc) {
        return ColumnSpec.real(header, Unit.NONE, Unit.NONE, doc);
    }

    private static ColumnSpec integer(String header, boolean floats, String doc) {
        return floats ? ColumnSpec.real(header, Unit.NONE, Unit.NONE, doc) : ColumnSpec.id(header, doc);
    }
}
