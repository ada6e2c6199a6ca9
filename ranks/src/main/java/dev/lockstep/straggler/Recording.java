// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.straggler.Template.Name;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The operations of all steps and data-parallel ranks at the vertices of their template: cell {@code (step · ranks + rank) ·
 * vertices + vertex}. Immutable.
 */
final class Recording {
    final Template template;
    final int dpRanks;
    final long[] steps;
    /** What a computation takes, and what the transfer of a communication takes. */
    final double[] work;
    /** By how much an operation starts later than those before it allow. */
    final double[] delay;
    /** From the first start of a step to its last end. */
    final double[] span;
    /** Durations of operations as recorded, waiting included. */
    final double[] duration;
    /** By worker, which is {@code rank · stages + stage}: its rank in the job. */
    final int[] worker;

    final Oddities oddities;

    /**
     * What was found that a model of the job does not allow.
     *
     * @param unmodelled rows of collectives that are no part of the graph
     * @param backwards rows that end before the last of their group has begun
     * @param worst by how much at most
     * @param reordered workers that do things in another order than the first, with the number of steps in which they do
     * @param left steps that were left out, and why
     */
    record Oddities(
            long unmodelled, long backwards, double worst, Map<Integer, Integer> reordered, Map<Long, String> left) {}

    private Recording(Reading from) {
        template = from.template;
        dpRanks = from.dpRanks;
        steps = from.kept.stream().mapToLong(Long::longValue).toArray();
        worker = from.worker;
        int cells = from.rowOf.size() * from.cells;
        work = new double[cells];
        delay = new double[cells];
        duration = new double[cells];
        span = new double[steps.length];
        Map<Integer, Integer> reordered = new TreeMap<>();
        Lateness late = new Lateness();
        List<int[]> transfers = from.transfers();
        for (int s = 0; s < steps.length; s++) {
            StepCells step = new StepCells(from, from.rowOf.get(s));
            span[s] = step.span();
            step.fill(s * from.cells, work, delay, duration);
            step.transfers(transfers, s * from.cells, work, late);
            step.reordered(worker, reordered);
        }
        oddities = new Oddities(from.unmodelled, late.rows, late.worst, reordered, from.left);
    }

    /**
     * Reads the steps that shall be part.
     *
     * @throws TraceFormatException when there is none, or an operation is missing or stands twice
     */
    static Recording of(OperationTable table, StragglerOptions options, StragglerRules rules)
            throws TraceFormatException {
        return new Recording(new Reading(table, options, rules).read());
    }

    int cell(int step, int dpRank, int vertex) {
        return (step * dpRanks + dpRank) * template.size() + vertex;
    }

    int workerOf(int dpRank, int vertex) {
        return dpRank * template.stages + template.names.get(vertex).stage();
    }

    /** Which row stands where. Confined to one thread. */
    private static final class Reading {
        private final OperationTable table;
        private final StragglerOptions options;
        private final StragglerRules rules;
        private final int dpRanks;
        private final NavigableMap<Long, int[]> rows;
        private final Template template;
        private final int cells;
        private final int[] worker;
        private final List<Long> kept = new ArrayList<>();
        private final List<int[]> rowOf = new ArrayList<>();
        private final Map<Long, String> left = new TreeMap<>();
        private long unmodelled;

        Reading(OperationTable table, StragglerOptions options, StragglerRules rules) throws TraceFormatException {
            this.table = table;
            this.options = options;
            this.rules = rules;
            if (table.rows == 0) {
                throw new TraceFormatException(
                        ErrorCode.NOTHING_TO_DO, table.source, -1, "the table has no operations", null);
            }
            dpRanks = Arrays.stream(table.dpRank).max().orElse(0) + 1;
            rows = table.bySteps();
            template = template();
            cells = dpRanks * template.size();
            worker = workers();
        }

        /**
         * From the first step; where steps may be left out, from the first that can be replayed of those with as many operations
         * as most.
         */
        private Template template() throws TraceFormatException {
            boolean dataParallel = dpRanks * options.secondDataParallel() > 1;
            List<int[]> candidates = List.of(rows.firstEntry().getValue());
            if (options.partial()) {
                Map<Integer, List<int[]>> byCount = new TreeMap<>(Comparator.reverseOrder());
                for (int[] ofStep : rows.values()) {
                    int count = (int) Arrays.stream(ofStep)
                            .filter(row -> table.dpRank[row] == 0)
                            .count();
                    byCount.computeIfAbsent(count, key -> new ArrayList<>()).add(ofStep);
                }
                candidates = byCount.values().stream()
                        .sorted(Comparator.comparingInt((List<int[]> alike) -> -alike.size()))
                        .flatMap(List::stream)
                        .toList();
            }
            TraceFormatException problem = null;
            for (int[] step : candidates) {
                try {
                    return new Template.Builder(table, step, rules.second(), dataParallel).build(step);
                } catch (TraceFormatException e) {
                    problem = problem == null ? e : problem;
                }
            }
            throw Objects.requireNonNull(problem);
        }

        private int[] workers() throws TraceFormatException {
            int[] found = new int[dpRanks * template.stages];
            Arrays.fill(found, -1);
            for (int row = 0; row < table.rows; row++) {
                int place = table.dpRank[row] * template.stages + table.stage[row];
                if (found[place] >= 0 && found[place] != table.rank[row]) {
                    throw new TraceFormatException(
                            ErrorCode.FORMAT_CORRUPT,
                            table.source,
                            -1,
                            "ranks " + found[place] + " and " + table.rank[row] + " are both stage " + table.stage[row]
                                    + " of data-parallel rank " + table.dpRank[row],
                            null);
                }
                found[place] = table.rank[row];
            }
            return found;
        }

        Reading read() throws TraceFormatException {
            boolean selected = false;
            for (Map.Entry<Long, int[]> step : rows.entrySet()) {
                int[] placed = new int[cells];
                String problem = place(step.getValue(), placed);
                boolean wanted = options.wants(step.getKey());
                selected |= wanted;
                if (problem != null && !options.partial()) {
                    throw new TraceFormatException(
                            ErrorCode.FORMAT_CORRUPT,
                            table.source,
                            -1,
                            problem + ": expected one row for every operation in each step and data-parallel rank",
                            "Where a part may be missing, such steps are left out.");
                }
                if (problem != null && wanted) {
                    left.put(step.getKey(), problem);
                } else if (wanted) {
                    kept.add(step.getKey());
                    rowOf.add(placed);
                }
            }
            if (!selected) {
                throw new TraceFormatException(
                        ErrorCode.NOTHING_TO_DO,
                        table.source,
                        -1,
                        "the table has none of the steps that were asked for",
                        "It has " + rows.size() + " steps from " + rows.firstKey() + " to " + rows.lastKey() + ".");
            }
            if (kept.isEmpty()) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        table.source,
                        -1,
                        left.values().iterator().next(),
                        null);
            }
            return this;
        }

        /** The cells of a step whose communications transfer together, each set for itself. */
        List<int[]> transfers() {
            List<int[]> found = new ArrayList<>();
            for (int g = 0; g < template.acrossRanks.length; g++) {
                int[] members =
                        Arrays.copyOfRange(template.member, template.firstMember[g], template.firstMember[g + 1]);
                int together = template.acrossRanks[g] ? dpRanks : 1;
                for (int d = 0; d < dpRanks && !template.isComputation(members[0]); d += together) {
                    found.add(IntStream.range(d, d + together)
                            .flatMap(one -> Arrays.stream(members).map(v -> one * template.size() + v))
                            .toArray());
                }
            }
            return found;
        }

        /** Puts the rows of a step in their places; what is wrong with them, or null. */
        private @Nullable String place(int[] ofStep, int[] placed) {
            Arrays.fill(placed, -1);
            String problem = null;
            for (int row : ofStep) {
                if (!template.has(table.type[row])) {
                    unmodelled++;
                    continue;
                }
                int vertex = template.vertex(new Name(table.type[row], table.sequence[row], table.stage[row]));
                int at = table.dpRank[row] * template.size() + vertex;
                if (vertex < 0) {
                    problem = problem != null
                            ? problem
                            : table.named(row) + ", is not among those of the "
                                    + (options.partial() ? "other steps" : "first step");
                } else if (placed[at] >= 0) {
                    problem = problem != null ? problem : table.named(row) + ", stands in two rows";
                } else {
                    placed[at] = row;
                }
            }
            for (int at = 0; at < cells && problem == null; at++) {
                if (placed[at] < 0) {
                    int dpRank = at / template.size();
                    Name name = template.names.get(at % template.size());
                    int rank = worker[dpRank * template.stages + name.stage()];
                    problem = name + ", data-parallel rank " + dpRank + (rank < 0 ? "" : ", rank " + rank) + ", step "
                            + table.step[ofStep[0]] + ", has no row";
                }
            }
            return problem;
        }
    }

    /** Rows that end before the last of their group has begun, and by how much at most. */
    private static final class Lateness {
        private long rows;
        private double worst;

        void note(double late) {
            if (late > 0) {
                rows++;
                worst = Math.max(worst, late);
            }
        }
    }

    /** One step: its rows by data-parallel rank and vertex. */
    private record StepCells(
            Reading from,
            @SuppressWarnings("ArrayRecordComponent") int[] rowOf) {
        double span() {
            double first = Double.POSITIVE_INFINITY;
            double last = Double.NEGATIVE_INFINITY;
            for (int row : rowOf) {
                first = Math.min(first, from.table.start[row]);
                last = Math.max(last, from.table.end[row]);
            }
            return from.rules.time((last - first) / from.rules.second());
        }

        void fill(int base, double[] work, double[] delay, double[] duration) {
            OperationTable table = from.table;
            Template template = from.template;
            int size = template.size();
            double first = Double.POSITIVE_INFINITY;
            for (int row : rowOf) {
                first = Math.min(first, table.start[row]);
            }
            for (int at = 0; at < rowOf.length; at++) {
                int v = at % size;
                int others = at - v;
                double ready =
                        template.firstBefore[v] == template.firstBefore[v + 1] ? first : Double.NEGATIVE_INFINITY;
                for (int e = template.firstBefore[v]; e < template.firstBefore[v + 1]; e++) {
                    ready = Math.max(ready, table.end[rowOf[others + template.before[e]]]);
                }
                delay[base + at] = from.rules.delay(table.start[rowOf[at]], ready);
                duration[base + at] = table.duration[rowOf[at]];
                work[base + at] = duration[base + at];
            }
        }

        /** Puts the transfers of communications, and notes those that end before their group has begun. */
        void transfers(List<int[]> transfers, int base, double[] work, Lateness late) {
            for (int[] cells : transfers) {
                double lastStart = Double.NEGATIVE_INFINITY;
                for (int at : cells) {
                    lastStart = Math.max(lastStart, from.table.start[rowOf[at]]);
                }
                for (int at : cells) {
                    double end = from.table.end[rowOf[at]];
                    work[base + at] = from.rules.transfer(end, lastStart);
                    late.note(lastStart - end);
                }
            }
        }

        /** Counts the workers that do the operations of a chain in another order than the template. */
        void reordered(int[] worker, Map<Integer, Integer> found) {
            Template template = from.template;
            BitSet odd = new BitSet();
            for (int d = 0; d < from.dpRanks; d++) {
                for (int[] chain : template.chains) {
                    for (int i = 1; i < chain.length; i++) {
                        double before = from.table.start[rowOf[d * template.size() + chain[i - 1]]];
                        if (from.table.start[rowOf[d * template.size() + chain[i]]] < before) {
                            odd.set(d * template.stages
                                    + template.names.get(chain[i]).stage());
                        }
                    }
                }
            }
            odd.stream().forEach(w -> found.merge(worker[w], 1, Integer::sum));
        }
    }
}
