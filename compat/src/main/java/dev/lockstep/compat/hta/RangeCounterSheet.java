// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.lockstep.codec.Json;
import dev.lockstep.model.RangeCounters;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hardware counters that CUPTI's range profiler recorded for single kernels, with the operators around their launches. Such traces
 * have neither kernels nor correlations: the first range belongs to the first launch, and so on. Ranges run one at a time and are
 * repeated for each set of counters, so that their durations are not those of a normal run.
 */
record RangeCounterSheet() implements HtaSheet {
    static final String NAME = "hta_cupti_counters";
    private static final Pattern LAUNCH = Pattern.compile(
            "^(cudaLaunchKernel|cudaLaunchCooperativeKernel|cuLaunchKernel|cuLaunchCooperativeKernel|cudaGraphLaunch|cuGraphLaunch)");
    private static final int FIRST_COUNTER = 3;

    @Override
    public Table table(HtaEvents events) {
        Trace trace = events.trace();
        RangeCounters counters = trace.view(RangeCounters.KEY);
        int[] ranges = ranges(events, counters);
        List<Map<String, Double>> values = new ArrayList<>();
        Map<String, Integer> columns = new LinkedHashMap<>();
        for (int range : ranges) {
            Map<String, Double> found =
                    counters == null ? Map.of() : values(trace.strings().get(counters.values(counters.of(range))));
            found.keySet().forEach(name -> columns.computeIfAbsent(name, n -> FIRST_COUNTER + columns.size()));
            values.add(found);
        }
        int[] launches = ranges.length == 0 ? ranges : launches(events);
        Stacks stacks = launches.length == ranges.length && ranges.length > 0 ? new Stacks(events) : null;
        TableBuilder table = new TableBuilder(NAME, "Hardware counters of kernels", schema(columns));
        for (int r = 0; r < ranges.length; r++) {
            Object[] row = new Object[FIRST_COUNTER + columns.size() + 3];
            row[0] = events.rank();
            row[1] = r;
            row[2] = trace.name(ranges[r]);
            values.get(r).forEach((name, value) -> row[columns.getOrDefault(name, 0)] = value);
            List<String> stack = stacks == null ? List.of() : stacks.of(launches[r]);
            row[row.length - 3] = stack.isEmpty() ? null : stack.getFirst();
            row[row.length - 2] = stack.isEmpty() ? null : stack.getLast();
            row[row.length - 1] = json(stack);
            table.row(row);
        }
        return table.build();
    }

    private static Schema schema(Map<String, Integer> counters) {
        List<ColumnSpec> columns = new ArrayList<>();
        columns.add(HtaSheet.RANK);
        columns.add(ColumnSpec.id("order", "Place among the ranges by start, from 0."));
        columns.add(ColumnSpec.text("kernel", "Name of the kernel; __missing__ where the profiler lost it."));
        counters.keySet()
                .forEach(name -> columns.add(ColumnSpec.real(
                        name, Unit.NONE, Unit.NONE, "The counter of this name; missing where it was not recorded.")));
        columns.add(
                ColumnSpec.text("top_level_op", "Outermost operator around the launch; missing where there is none."));
        columns.add(ColumnSpec.text(
                "bottom_level_op", "Innermost operator around the launch; missing where there is none."));
        columns.add(ColumnSpec.json("op_stack", "Operators around the launch, the outermost first."));
        return new Schema(columns);
    }

    private static String json(List<String> stack) {
        StringBuilder json = new StringBuilder("[");
        for (String name : stack) {
            json.append(json.length() > 1 ? ", \"" : "\"")
                    .append(JsonStringEncoder.getInstance().quoteAsString(name))
                    .append('"');
        }
        return json.append(']').toString();
    }

    /** The counters of a range by name; what is no number is left out. */
    private static Map<String, Double> values(String text) {
        Map<String, Double> values = new LinkedHashMap<>();
        try (JsonParser in = Json.UNLIMITED.createParser(text)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                return values;
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                JsonToken token = in.nextToken();
                if (token.isNumeric()) {
                    values.put(name, in.getDoubleValue());
                } else {
                    in.skipChildren();
                }
            }
        } catch (IOException broken) {
            return values; // the reader has counted what is wrong with the event
        }
        return values;
    }

    /** Ranges that take part, by start and {@linkplain HtaEvents#place place}. */
    private static int[] ranges(HtaEvents events, @Nullable RangeCounters counters) {
        IntList ranges = new IntList(16);
        for (int row = 0; counters != null && row < counters.size(); row++) {
            if (events.takesPart(counters.slice(row))) {
                ranges.add(counters.slice(row));
            }
        }
        return byStart(events, ranges);
    }

    private static int[] launches(HtaEvents events) {
        Trace trace = events.trace();
        Slices slices = trace.slices();
        byte[] launches = new byte[trace.strings().size()];
        IntList found = new IntList(16);
        for (int i = 0; i < slices.size(); i++) {
            if (!events.isHost(i) || !slices.kind(i).isLaunchCall()) {
                continue;
            }
            int name = slices.name(i);
            if (launches[name] == 0) {
                launches[name] = (byte) (LAUNCH.matcher(trace.name(i)).find() ? 1 : 2);
            }
            if (launches[name] == 1) {
                found.add(i);
            }
        }
        return byStart(events, found);
    }

    private static int[] byStart(HtaEvents events, IntList found) {
        int[] rows = found.toArray();
        long[] keys = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            keys[i] = events.place(rows[i]);
        }
        LongOrder.sort(keys, rows);
        for (int i = 0; i < rows.length; i++) {
            keys[i] = events.start(rows[i]);
        }
        LongOrder.sort(keys, rows);
        return rows;
    }

    /** The operators around events of the host. */
    private static final class Stacks {
        private final Trace trace;
        private final HtaNesting nesting;
        private final Map<Integer, List<String>> known = new HashMap<>();

        private Stacks(HtaEvents events) {
            this.trace = events.trace();
            this.nesting = new HtaNesting(events);
        }

        private List<String> of(int slice) {
            int parent = nesting.parent(slice);
            return parent < 0 ? List.of() : known.computeIfAbsent(parent, this::from);
        }

        private List<String> from(int slice) {
            List<String> names = new ArrayList<>();
            for (int s = slice; s >= 0; s = nesting.parent(s)) {
                if (trace.slices().kind(s) == SliceKind.CPU_OP) {
                    names.addFirst(trace.name(s));
                }
            }
            return names;
        }
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return "the trace has no ranges of hardware counters (" + RangeCounters.CATEGORY + ")";
    }

    @Override
    public @Nullable String said(HtaEvents events, Table table) {
        if (table.rows() == 0) {
            return null;
        }
        int launches = launches(events).length;
        return launches == table.rows()
                ? String.format(
                        Locale.ROOT,
                        "Hardware counters: all %d ranges (%s) belong to a launch. Ranges run one by one: durations"
                                + " are not those of a normal run.",
                        table.rows(),
                        RangeCounters.CATEGORY)
                : String.format(
                        Locale.ROOT,
                        "Hardware counters: %d ranges (%s) and %d launches; which belong together is unknown, so no"
                                + " operators are named.",
                        table.rows(),
                        RangeCounters.CATEGORY,
                        launches);
    }
}
