// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.CounterValues;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.ShortNames;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.LongIntMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Rows of a database on their way into the trace of a rank. Those whose times cannot be are left out and counted. */
final class RowsOfRank {
    private final TraceBuilder builder;
    private final LongIntMap poolIds = new LongIntMap(16);
    private final Map<String, Long> counts = new TreeMap<>();
    private int rows;
    private long complete;

    RowsOfRank() {
        this(16);
    }

    /** @param expected how many slices there may be; only a hint */
    RowsOfRank(int expected) {
        builder = new TraceBuilder(expected);
    }

    TraceBuilder builder() {
        return builder;
    }

    int intern(String text) {
        return builder.strings().intern(text);
    }

    /** The pool id of a text of the file, which {@code texts} gives by its number; of what stands for it where the file lacks it. */
    int text(LongFunction<@Nullable String> texts, long id, String otherwise) {
        int known = poolIds.get(id);
        if (known < 0) {
            String text = texts.apply(id);
            if (text == null) {
                nameMissing();
                return intern(otherwise);
            }
            known = intern(text);
            poolIds.put(id, known);
        }
        return known;
    }

    /** Counts a row whose name stands nowhere. */
    void nameMissing() {
        builder.diagnostics()
                .add(
                        Weight.OBSERVATION,
                        "name_missing",
                        "rows have no name, or the number of one that the file does not hold",
                        -1);
    }

    /** Whether there was any row. */
    boolean any() {
        return rows > 0;
    }

    /** Counts a row; returns its place among all. */
    int count(String category) {
        counts.merge(category, 1L, Long::sum);
        return rows++;
    }

    /** States the number that joins a call with its activity on the device; 0 or less for none. */
    void join(int slice, long number) {
        builder.join(slice, number <= 0 ? -1 : number, -1);
    }

    /** States the short name of a slice, where it has another one than its name. */
    void shortName(int slice, int name, String brief) {
        int id = intern(brief);
        if (id != name) {
            DetailRows details = builder.details(ShortNames.KEY);
            details.add(slice);
            details.text(ShortNames.SHORT, id);
        }
    }

    /**
     * The track of counters of a device.
     *
     * @param title what they are called together
     */
    int counters(long device, String title) {
        String process = "metrics " + device;
        builder.processName(process, "GPU " + device + " " + title);
        return builder.track(intern(process), intern("0"));
    }

    /**
     * Adds a sample of a counter.
     *
     * @param number its value, in JSON
     */
    void counter(int track, long at, String name, String category, String number) {
        count(category);
        int mark = builder.markCount();
        builder.mark('C', at, track, intern(name), intern(category));
        DetailRows values = builder.markDetails(CounterValues.KEY);
        values.add(mark);
        values.text(CounterValues.VALUES, intern("{\"\": " + number + "}"));
    }

    /** Whether a time can be; one that cannot is counted. */
    boolean usable(long time) {
        boolean late = time >= JsonCursor.LATEST_NS;
        if (time < 0 || late) {
            left(
                    late ? "ts_invalid" : "ts_missing",
                    late ? "a time does not fit into 62 bits" : "a row has no start, or one below zero");
        }
        return time >= 0 && !late;
    }

    /** Whether a slice can have these times; if not, it is counted. */
    boolean usable(long start, long end) {
        if (!usable(start)) {
            return false;
        }
        if (end < start) {
            left("negative_duration", "a row has no end, or one before its start");
            return false;
        }
        if (!usable(end)) {
            return false;
        }
        complete++;
        return true;
    }

    private void left(String code, String what) {
        builder.diagnostics().add(Weight.REPAIRED, code, what + "; the row was left out", -1);
    }

    /** Says in the trace how many rows there were, of which so many ran on a device. */
    void finish(long onDevice) {
        builder.counts().add(rows, complete, onDevice);
        builder.counts().addPhase("X", complete);
        counts.forEach((category, count) -> builder.counts().addCategory(category, count, 0));
    }
}
