// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The same matrix multiplications on all ranks and under all configurations, put together. Kernels are compared only
 * within their rank, configuration, stream and shape; of those comparisons the pool keeps sums, so that its size depends
 * on the number of shapes and configurations alone. Add ranks in a fixed order: the last digits of sums depend on it.
 * Confined to one thread.
 */
public final class GemmPool {
    /** What is summed up over ranks. */
    private static final class Sums {
        private final Contrast during = new Contrast();
        private final Contrast atStart = new Contrast();
        private long kernels;
        private long timeNs;
        private long coveredNs;
        private double lostNs;

        void add(RankGemms.Entry entry) {
            during.add(entry.during());
            atStart.add(entry.atStart());
            kernels += entry.gemm().spread().count();
            timeNs += entry.gemm().spread().sum();
            coveredNs += entry.gemm().overlap().coveredNs();
            lostNs += entry.gemm().spread().lost();
        }

        Pooled pooled(String configuration, @Nullable GemmShape shape) {
            return new Pooled(
                    configuration, shape, kernels, timeNs, coveredNs, lostNs, during.slowdown(), atStart.slowdown());
        }
    }

    /**
     * Kernels of several ranks.
     *
     * @param configuration name of their configuration, empty for all
     * @param shape their shape, null for all
     * @param kernels number of them
     * @param timeNs how long they took together
     * @param coveredNs how long communication ran meanwhile
     * @param lostNs time lost by varying, as in {@link DurationSpread#lost}
     * @param during how much longer they take while communication runs
     * @param atStart the same by whether communication ran when they began
     */
    public record Pooled(
            String configuration,
            @Nullable GemmShape shape,
            long kernels,
            long timeNs,
            long coveredNs,
            double lostNs,
            Slowdown during,
            Slowdown atStart) {
        /** Percentage of their time during which communication ran. */
        public double coveredPercent() {
            return timeNs == 0 ? 0 : 100.0 * coveredNs / timeNs;
        }
    }

    /**
     * What the pool holds.
     *
     * @param all everything together
     * @param configurations each configuration, in order of its name; empty if there is one at most
     * @param shapes each shape, what takes longest first
     */
    public record Result(Pooled all, List<Pooled> configurations, List<Pooled> shapes) implements AnalysisResult {
        private static final int TOLD = 3;

        public Result {
            configurations = List.copyOf(configurations);
            shapes = List.copyOf(shapes);
        }

        @Override
        public List<Table> tables() {
            if (shapes.isEmpty()) {
                return List.of();
            }
            List<Pooled> rows = new ArrayList<>();
            rows.add(all);
            rows.addAll(configurations);
            return List.of(byShape(shapes), byConfiguration(rows));
        }

        @Override
        public List<Finding> findings() {
            List<Finding> findings = new ArrayList<>();
            if (all.kernels > 0) {
                findings.add(finding("All matrix multiplications", all)
                        .on(Evidence.Rows.first("gemm_communication_by_configuration", shapes.isEmpty() ? 0 : 1)));
            }
            shapes.stream()
                    .filter(s -> s.during.isKnown())
                    .limit(TOLD)
                    .forEach(s -> findings.add(finding(named(s), s)
                            .on(new Evidence.Rows("gemm_communication", List.of(shapes.indexOf(s))))));
            return findings;
        }

        @Override
        public @Nullable String notApplicable() {
            return shapes.isEmpty() ? "no kernel of a matrix multiplication was found" : null;
        }

        private static String named(Pooled pooled) {
            GemmShape shape = pooled.shape;
            if (shape == null) {
                return "All matrix multiplications";
            }
            String operator = shape.operator() == null ? shape.kernel() : shape.operator();
            return shape.dims() == null ? operator : operator + " " + shape.dims();
        }

        private static Finding finding(String subject, Pooled pooled) {
            boolean slower = pooled.during.verdict() == Slowdown.Verdict.SLOWER;
            String confirmed = slower && pooled.atStart.isKnown() && pooled.atStart.low() <= 0
                    ? ". Counted by what ran at their start, no difference shows"
                    : "";
            return new Finding(
                    slower && confirmed.isEmpty() ? Finding.Severity.PROBLEM : Finding.Severity.INFO,
                    "gemm_communication",
                    String.format(
                            Locale.ROOT,
                            "%s while communication runs: %s%s. Communication covers %.1f %% of their time.",
                            subject,
                            pooled.during.words(),
                            confirmed,
                            pooled.coveredPercent()),
                    "gemm_communication: comm_slowdown_pct");
        }

        private static Table byShape(List<Pooled> rows) {
            Fields<Pooled> fields = new Fields<>();
            fields.add(ColumnSpec.text("kernel_name", "Name of the kernel."), r -> shape(r).kernel())
                    .add(
                            ColumnSpec.text("operator", "Operator that launched it; missing when not known."),
                            r -> shape(r).operator())
                    .add(
                            ColumnSpec.json("dims", "Shapes of its inputs; missing when not recorded."),
                            r -> shape(r).dims())
                    .add(
                            ColumnSpec.json("types", "Element types of its inputs; missing when not recorded."),
                            r -> shape(r).types())
                    .add(
                            ColumnSpec.json("strides", "Strides of its inputs; missing when not recorded."),
                            r -> shape(r).strides());
            figures(fields);
            return fields.table(
                    "gemm_communication",
                    "Matrix multiplications while communication runs, over all ranks and configurations",
                    rows);
        }

        private static Table byConfiguration(List<Pooled> rows) {
            Fields<Pooled> fields = new Fields<>();
            fields.add(
                    ColumnSpec.text("configuration", "Name of the configuration; 'all' stands for all of them."),
                    r -> r.configuration.isEmpty() ? "all" : r.configuration);
            figures(fields);
            return fields.table(
                    "gemm_communication_by_configuration",
                    "Matrix multiplications while communication runs, by configuration",
                    rows);
        }

        private static void figures(Fields<Pooled> fields) {
            fields.add(ColumnSpec.count("n", "Number of kernels, without those of warm-up steps."), Pooled::kernels)
                    .add(millis("time_ms", "How long they took together."), Pooled::timeNs)
                    .add(
                            ColumnSpec.real(
                                    "lost_time_ms",
                                    Unit.NANOSECONDS,
                                    Unit.MILLISECONDS,
                                    "Time above the median of their shape, stream and rank, with outliers cut as in"
                                            + " gemm_variance."),
                            Pooled::lostNs);
            new SlowdownColumns<>(fields, Pooled::during, Pooled::atStart).add(Pooled::coveredPercent);
        }

        private static GemmShape shape(Pooled pooled) {
            GemmShape shape = pooled.shape;
            if (shape == null) {
                throw new IllegalStateException();
            }
            return shape;
        }
    }

    private final Sums all = new Sums();
    private final Map<String, Sums> byConfiguration = new TreeMap<>();
    private final Map<GemmShape, Sums> byShape = new TreeMap<>(GemmShape.ORDER);

    /**
     * Adds a rank.
     *
     * @param configuration name of its configuration
     */
    public void add(String configuration, RankGemms rank) {
        Sums sums = byConfiguration.computeIfAbsent(configuration, name -> new Sums());
        for (RankGemms.Entry entry : rank.entries()) {
            all.add(entry);
            sums.add(entry);
            byShape.computeIfAbsent(entry.gemm().shape(), shape -> new Sums()).add(entry);
        }
    }

    /** What was added so far. */
    public Result result() {
        List<Pooled> configurations = new ArrayList<>();
        byConfiguration.forEach((name, sums) -> configurations.add(sums.pooled(name, null)));
        List<Pooled> shapes = new ArrayList<>();
        byShape.forEach((shape, sums) -> shapes.add(sums.pooled("", shape)));
        shapes.sort(Comparator.comparingLong(Pooled::timeNs).reversed());
        return new Result(all.pooled("", null), configurations.size() > 1 ? configurations : List.of(), shapes);
    }
}
