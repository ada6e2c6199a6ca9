// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which sequences of kernels an operator launches, and how often.
 *
 * @param operator part of the operator's name, letter by letter
 * @param least kernels that a sequence has at least
 */
record KernelSequences(String operator, int least) implements HtaSheet {
    private static final int LONGEST_SHOWN = 120;

    private static final Schema SCHEMA = Schema.of(
            RANK,
            ColumnSpec.text("pattern", "Name of the operator, then of its kernels by their start, joined by |."),
            ColumnSpec.count("count", "Operators with this sequence."),
            ColumnSpec.micros("GPU kernel duration (us)", "Sum of the durations of all their kernels."),
            ColumnSpec.micros("CPU op duration (us)", "Sum of the durations of the operators."));

    /** Operators with one sequence of kernels. */
    private record Pattern(String text, long count, long device, long host) {}

    @Override
    public Table table(HtaEvents events) {
        Roots roots = new Roots(events, operator);
        IntList[] kernels = roots.kernels(events);
        LongIntMap groups = new LongIntMap(64);
        IntTuples sequences = new IntTuples();
        List<IntList> examples = new ArrayList<>();
        IntList exampleRoot = new IntList(16);
        LongList[] sums = {new LongList(16), new LongList(16), new LongList(16)};
        for (int r = 0; r < kernels.length; r++) {
            if (kernels[r] == null || kernels[r].size() < least) {
                continue;
            }
            int root = roots.slices.get(r);
            int tuple = sequences.then(IntTuples.ROOT, events.trace().slices().name(root));
            long device = 0;
            for (int i = 0; i < kernels[r].size(); i++) {
                int slice = events.slice(kernels[r].get(i));
                tuple = sequences.then(tuple, events.trace().slices().name(slice));
                device += events.duration(slice);
            }
            int group = groups.numberOf(tuple);
            if (group == examples.size()) {
                examples.add(kernels[r]);
                exampleRoot.add(root);
                for (LongList sum : sums) {
                    sum.add(0);
                }
            }
            sums[0].set(group, sums[0].get(group) + 1);
            sums[1].set(group, sums[1].get(group) + device);
            sums[2].set(group, sums[2].get(group) + events.duration(root));
        }
        List<Pattern> patterns = new ArrayList<>();
        for (int g = 0; g < examples.size(); g++) {
            String text = text(events, exampleRoot.get(g), examples.get(g));
            patterns.add(new Pattern(text, sums[0].get(g), sums[1].get(g), sums[2].get(g)));
        }
        patterns.sort(Comparator.comparingLong(Pattern::count).reversed().thenComparing(Pattern::text));
        TableBuilder table = new TableBuilder("hta_kernel_sequences", "Sequences of kernels", SCHEMA);
        patterns.forEach(p -> table.row(events.rank(), p.text, p.count, p.device, p.host));
        return table.build();
    }

    private static String text(HtaEvents events, int root, IntList kernels) {
        Trace trace = events.trace();
        StringBuilder text = new StringBuilder(trace.name(root));
        for (int i = 0; i < kernels.size(); i++) {
            text.append('|').append(trace.name(events.slice(kernels.get(i))));
        }
        return text.toString();
    }

    /** The operators in question: of all depths at which one occurs the smallest. */
    private static final class Roots {
        private final IntList slices = new IntList(16);
        private final int[] rootOf;
        private int deeper;

        private Roots(HtaEvents events, String operator) {
            Trace trace = events.trace();
            HtaNesting nesting = new HtaNesting(events);
            int[] depth = new int[trace.slices().size()];
            byte[] wanted = new byte[trace.strings().size()];
            int least = Integer.MAX_VALUE;
            for (int slice : nesting.order()) {
                int parent = nesting.parent(slice);
                depth[slice] = parent < 0 ? 0 : depth[parent] + 1;
                int name = trace.slices().name(slice);
                if (wanted[name] == 0) {
                    wanted[name] = (byte) (trace.name(slice).contains(operator) ? 1 : 2);
                }
                if (wanted[name] == 1) {
                    least = Math.min(least, depth[slice]);
                }
            }
            rootOf = new int[trace.slices().size()];
            Arrays.fill(rootOf, -1);
            for (int slice : nesting.order()) {
                boolean candidate = wanted[trace.slices().name(slice)] == 1;
                if (candidate && depth[slice] == least) {
                    rootOf[slice] = slices.size();
                    slices.add(slice);
                } else {
                    deeper += candidate ? 1 : 0;
                    int parent = nesting.parent(slice);
                    rootOf[slice] = parent < 0 ? -1 : rootOf[parent];
                }
            }
        }

        /** The device events of each root by their start; null for none. */
        private @Nullable IntList[] kernels(HtaEvents events) {
            @Nullable IntList[] kernels = new IntList[slices.size()];
            for (int e = 0; e < events.devices(); e++) {
                int root = events.launch(e) < 0 ? -1 : rootOf[events.launch(e)];
                if (root >= 0) {
                    IntList list = kernels[root];
                    if (list == null) {
                        list = new IntList(4);
                        kernels[root] = list;
                    }
                    list.add(e);
                }
            }
            return kernels;
        }
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(
                events,
                "no operator whose name contains " + operator + " launched " + least + " or more device events");
    }

    @Override
    public @Nullable String said(HtaEvents events, Table table) {
        int deeper = new Roots(events, operator).deeper;
        String passed = deeper == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " %,d operators of the name lie deeper than these and were not looked at.",
                        deeper);
        if (table.rows() == 0) {
            return passed.isEmpty() ? null : passed.strip();
        }
        String pattern = String.valueOf(table.strings(1).get(0));
        return String.format(
                Locale.ROOT,
                "The most frequent sequence of kernels, %,d times: %s.%s",
                table.longs(2).get(0),
                pattern.length() <= LONGEST_SHOWN ? pattern : pattern.substring(0, LONGEST_SHOWN) + "…",
                passed);
    }
}
