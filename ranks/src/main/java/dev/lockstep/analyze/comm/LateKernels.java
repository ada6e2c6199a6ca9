// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankWork.KernelTotal;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Quantiles;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.DoubleStream;

/**
 * Why the device of a rank came late: its compute kernels beside the same kernels, by name and shapes, of the ranks in the
 * middle (the lower of two).
 *
 * @param rank its number
 * @param cause what sets it apart
 * @param extraNs time of its compute kernels beyond that of the ranks in the middle
 * @param totalNs time of the compute kernels of the ranks in the middle
 * @param byDurationNs part of the extra time because kernels take longer
 * @param factor how many times as long its kernels take, where possible of those beside which no communication ran
 * @param rows kernels, what adds most first
 */
public record LateKernels(
        int rank, Cause cause, long extraNs, long totalNs, long byDurationNs, double factor, List<Row> rows) {
    private static final double LEAST = 0.01;
    private static final double HALF_OF_IT = 0.5;
    private static final double MOST_OF_IT = 0.6;
    private static final double ALL_OF_IT = 0.8;
    private static final double ALIKE = 0.25;
    private static final int MOST_ROWS = 20;

    /** Fewer kernels that take longer alike say nothing about a clock. */
    private static final int FEWEST = 3;

    /** What sets the kernels of a late rank apart. */
    public enum Cause {
        /** All kernels take longer by the same factor. */
        CLOCK("lower clock"),
        /** Certain kernels take longer. */
        SLOWER_KERNELS("slower kernels"),
        /** There are more of them. */
        MORE_WORK("more work"),
        /** They take no longer than those of other ranks. */
        NOT_KERNELS("not its kernels");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /** {@return the cause as people read it} */
        public String words() {
            return words;
        }
    }

    /**
     * A kernel of a late rank.
     *
     * @param rank its number
     * @param cause what sets the rank apart
     * @param own the kernel there
     * @param usualCount how many of it the ranks in the middle run
     * @param usualNs how long one of them takes there
     * @param usualAloneNs how long one of them takes there beside no communication; 0 where none is without it
     * @param extraNs what the rank spends on it beyond the ranks in the middle
     */
    public record Row(
            int rank,
            Cause cause,
            KernelTotal own,
            long usualCount,
            double usualNs,
            double usualAloneNs,
            long extraNs) {
        /** How many times as long one takes as in the middle, where possible of those beside which no communication ran. */
        double ratio() {
            return own.countAlone() > 0 && usualAloneNs > 0
                    ? (double) own.totalAloneNs() / own.countAlone() / usualAloneNs
                    : usualNs > 0 && own.count() > 0 ? meanNs() / usualNs : Double.NaN;
        }

        double meanNs() {
            return own.count() == 0 ? 0 : (double) own.totalNs() / own.count();
        }
    }

    private record Key(String name, String dims) {}

    /** Copies the list. */
    public LateKernels {
        rows = List.copyOf(rows);
    }

    /** {@return by how many percent its kernels take longer than those of the ranks in the middle} */
    public double percentLonger() {
        return totalNs == 0 ? 0 : 100.0 * extraNs / totalNs;
    }

    /**
     * {@return of each late rank, why its device was late}
     *
     * @param ranks all ranks of the run
     * @param late those that are slow
     */
    public static List<LateKernels> of(List<RankCollectives> ranks, List<Slow> late) {
        if (late.isEmpty()) {
            return List.of();
        }
        Map<Key, KernelTotal[]> byKey = new LinkedHashMap<>();
        Map<Integer, Integer> place = new HashMap<>();
        for (int r = 0; r < ranks.size(); r++) {
            place.put(ranks.get(r).rank(), r);
            for (KernelTotal kernel : ranks.get(r).work().kernels()) {
                byKey.computeIfAbsent(new Key(kernel.name(), kernel.dims()), key -> new KernelTotal[ranks.size()])[r] =
                        kernel;
            }
        }
        return late.stream()
                .map(row -> one(row, Objects.requireNonNull(place.get(row.rank())), byKey))
                .toList();
    }

    private static LateKernels one(Slow late, int place, Map<Key, KernelTotal[]> byKey) {
        int rank = late.rank();
        List<Row> rows = new ArrayList<>();
        byKey.forEach((key, kernels) -> {
            KernelTotal own = kernels[place] == null ? new KernelTotal(key.name, key.dims, 0, 0, 0, 0) : kernels[place];
            long count = middle(Arrays.stream(kernels).mapToDouble(k -> k == null ? 0 : k.count()));
            long total = middle(Arrays.stream(kernels).mapToDouble(k -> k == null ? 0 : k.totalNs()));
            double mean = middle(
                    Arrays.stream(kernels).filter(k -> k != null).mapToDouble(k -> (double) k.totalNs() / k.count()));
            double alone = middle(Arrays.stream(kernels)
                    .filter(k -> k != null && k.countAlone() > 0)
                    .mapToDouble(k -> (double) k.totalAloneNs() / k.countAlone()));
            rows.add(new Row(rank, Cause.NOT_KERNELS, own, count, mean, alone, own.totalNs() - total));
        });
        rows.sort(Comparator.comparingLong(Row::extraNs)
                .reversed()
                .thenComparing(row -> row.own.name())
                .thenComparing(row -> row.own.dims()));
        long usual =
                rows.stream().mapToLong(row -> row.own.totalNs() - row.extraNs).sum();
        long extra = rows.stream().mapToLong(Row::extraNs).sum();
        double longer = rows.stream()
                .mapToDouble(row -> row.own.count() * (row.meanNs() - row.usualNs))
                .sum();
        Cause cause = cause(rows, usual, extra, longer, Math.round(late.steps() * late.excessNs()));
        return new LateKernels(
                rank,
                cause,
                extra,
                usual,
                Math.round(longer),
                factor(rows),
                rows.stream()
                        .filter(row -> row.extraNs > 0)
                        .limit(MOST_ROWS)
                        .map(row -> new Row(
                                rank, cause, row.own, row.usualCount, row.usualNs, row.usualAloneNs, row.extraNs))
                        .toList());
    }

    private static Cause cause(List<Row> rows, long usual, long extra, double longer, long excess) {
        if (extra < LEAST * usual || extra < HALF_OF_IT * excess || usual == 0) {
            return Cause.NOT_KERNELS;
        }
        if (longer < MOST_OF_IT * extra) {
            return Cause.MORE_WORK;
        }
        double factor = factor(rows);
        double alike = 0;
        double all = 0;
        int kernels = 0;
        for (Row row : rows) {
            double ratio = row.ratio();
            double weight = Double.isNaN(ratio) ? 0 : row.usualNs * row.own.count();
            all += weight;
            kernels += weight > 0 ? 1 : 0;
            alike += Math.abs(ratio - factor) <= Math.max(LEAST, ALIKE * (factor - 1)) ? weight : 0;
        }
        return kernels >= FEWEST && alike >= ALL_OF_IT * all ? Cause.CLOCK : Cause.SLOWER_KERNELS;
    }

    /** How many times as long its kernels take as those of the ranks in the middle, weighted by time. */
    private static double factor(List<Row> rows) {
        double sum = 0;
        double all = 0;
        for (Row row : rows) {
            double ratio = row.ratio();
            double weight = Double.isNaN(ratio) ? 0 : row.usualNs * row.own.count();
            sum += Double.isNaN(ratio) ? 0 : weight * ratio;
            all += weight;
        }
        return all > 0 ? sum / all : 1;
    }

    private static long middle(DoubleStream values) {
        return Math.round(Quantiles.lowerMedian(values.sorted().toArray(), 0));
    }

    /**
     * {@return the sheet {@code straggler_kernels}}
     *
     * @param late the late ranks
     */
    public static Table table(List<LateKernels> late) {
        return new Fields<Row>()
                .add(ColumnSpec.id("rank", "The slow rank."), Row::rank)
                .add(
                        ColumnSpec.text(
                                "cause",
                                "What sets its compute kernels apart from those of the ranks in the middle: lower"
                                        + " clock (all take longer by the same factor), slower kernels, more work, or not"
                                        + " its kernels."),
                        row -> row.cause.words())
                .add(ColumnSpec.text("kernel name", "Name of the kernel."), row -> row.own.name())
                .add(
                        ColumnSpec.json("dims", "Shapes of inputs of its operator; missing when not recorded."),
                        row -> row.own.dims().isEmpty() ? null : row.own.dims())
                .add(micros("extra us", "What the rank spends on it beyond the ranks in the middle."), Row::extraNs)
                .add(ColumnSpec.count("count", "How many the rank runs."), row -> row.own.count())
                .add(ColumnSpec.count("usual count", "How many the ranks in the middle run."), Row::usualCount)
                .add(mean(ColumnNames.MEAN_US, "How long one takes on the rank."), Row::meanNs)
                .add(mean("usual mean us", "How long one takes on the ranks in the middle."), Row::usualNs)
                .table(
                        TableNames.STRAGGLER_KERNELS,
                        "Kernels of slow ranks beside the same kernels elsewhere",
                        late.stream().flatMap(one -> one.rows.stream()).toList());
    }

    private static ColumnSpec mean(String header, String doc) {
        return ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }
}
