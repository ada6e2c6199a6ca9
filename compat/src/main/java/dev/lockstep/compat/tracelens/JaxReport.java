// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.Track;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.perfmodel.Value;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The report of a JAX profile as TraceLens writes it, of all devices of a host. */
final class JaxReport {
    private static final double US_PER_MS = 1000;
    private static final double PERCENT = 100;
    private static final double MIB = 1 << 20;
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;
    private static final double US_PER_S = 1e6;

    /** So many numbers do not make Python's sets grow. */
    private static final int SMALL_SET = 4;

    private static final int SMALL_TABLE = 8;
    private static final String NOTHING = "()";
    private static final Pattern DIGITS = Pattern.compile("\\d+");

    private final List<JaxKernel> kernels = new ArrayList<>();
    private final List<DerivedCache> ranks;
    private final AnalysisRules rules;
    private final List<Section> sections = new ArrayList<>();

    private JaxReport(List<DerivedCache> ranks, ReportOptions options) {
        this.ranks = ranks;
        AnalysisRules plain = TraceLensReport.rules(options);
        this.rules = new AnalysisRules(
                plain.nesting(),
                plain.python(),
                LaunchRule.CORRELATION,
                new KernelRules(KernelRules.resource(JaxReport.class.getResourceAsStream("jax-kernel-classes.txt"))),
                plain.categories(),
                false,
                plain.collectivesAsOps(),
                plain.lastNames());
        ranks.forEach(rank -> kernels.addAll(JaxKernel.of(rank)));
        kernels.sort(Comparator.comparingLong(JaxKernel::uid));
    }

    /** Whether these are ranks of a JAX profile. */
    static boolean isFor(List<Trace> ranks) {
        return ranks.stream().allMatch(rank -> rank.info().format().equals(TraceFormat.XPLANE.id()));
    }

    /** The report of these ranks of one file. */
    static Report of(List<Trace> ranks, ReportOptions options) {
        return new JaxReport(ranks.stream().map(DerivedCache::new).toList(), options).build();
    }

    /** The report of one rank alone. */
    static Report of(DerivedCache rank, ReportOptions options) {
        return new JaxReport(List.of(rank), options).build();
    }

    private Report build() {
        timelines();
        if (!kernels.isEmpty()) {
            long devices = kernels.stream().map(JaxKernel::process).distinct().count();
            add(launchers("kernel_launchers", kernels, false));
            add(summary("kernel_launchers_summary", groups(kernels, JaxKernel::name), "name", true, devices));
            add(summary(
                    "kernel_launchers_summary_by_category",
                    groups(kernels, JaxKernel::category),
                    "op category",
                    false,
                    devices));
            add(unique());
            List<JaxKernel> ofXla = kernels.stream()
                    .filter(kernel -> kernel.category().equals(JaxKernel.OF_XLA))
                    .toList();
            add(launchers("df_xla_perf", ofXla, true));
            add(summary(
                    "xla_summary",
                    groups(ofXla, kernel -> DIGITS.matcher(kernel.name()).replaceAll("")),
                    "name",
                    true,
                    ofXla.stream().map(JaxKernel::process).distinct().count()));
            add(convolutions());
        }
        return new Report("TraceLens report", ranks.getFirst().trace().info().source(), sections);
    }

    private void add(Table table) {
        if (table.rows() > 0) {
            sections.add(new TableSection(table));
        }
    }

    private record Part(String type, double us, double percent, long process) {}

    /** A rank that did something, and the process that stands for its device. */
    private record Active(DerivedCache rank, long process) {}

    private void timelines() {
        List<Active> order = new ArrayList<>();
        for (DerivedCache rank : ranks) {
            if (rank.get(rules.activity()).size() > 0) {
                order.add(new Active(rank, process(rank.trace())));
            }
        }
        order.sort(Comparator.comparingLong(
                rank -> order.size() <= SMALL_SET ? rank.process % SMALL_TABLE : rank.process));
        List<Part> all = new ArrayList<>();
        Map<String, Double> sums = new LinkedHashMap<>();
        for (Active active : order) {
            for (DoubleTimeline.Row row : DoubleTimeline.rows(active.rank, rules)) {
                all.add(new Part(row.type(), row.us(), row.percent(), active.process));
                sums.merge(row.type(), row.us() / US_PER_MS, Double::sum);
            }
        }
        List<Part> means = new ArrayList<>();
        double total = sums.getOrDefault("total_time", 0.0);
        sums.forEach(
                (type, ms) -> means.add(new Part(type, ms / order.size(), total == 0 ? 0 : ms / total * PERCENT, -1)));
        add(new Fields<Part>()
                .add(ColumnSpec.text("type", "Part of the span of the device."), Part::type)
                .add(ColumnSpec.real("time ms", Unit.MICROSECONDS, Unit.MILLISECONDS, "Time of the part."), Part::us)
                .add(ColumnSpec.percent("percent", "Share of the device's total."), Part::percent)
                .add(ColumnSpec.id("gpu_pid", "Process that stands for the device."), Part::process)
                .table("gpu_timeline", "GPU timeline", all));
        add(new Fields<Part>()
                .add(ColumnSpec.text("type", "Part of the span of a device."), Part::type)
                .add(real("time ms", "Mean over devices."), Part::us)
                .add(ColumnSpec.percent("percent", "Share of the mean total."), Part::percent)
                .table("gpu_events_averages", "Means over devices", means));
    }

    /** The process that stands for the device of a rank. */
    private static long process(Trace rank) {
        for (int i = 0; i < rank.slices().size(); i++) {
            if (rank.slices().kind(i).isDeviceActivity()) {
                Track track = rank.tracks().get(rank.slices().track(i));
                return track.process().matches("\\d{1,9}") ? Long.parseLong(track.process()) : -1;
            }
        }
        return -1;
    }

    private static Table launchers(String id, List<JaxKernel> rows, boolean bytes) {
        return new Fields<JaxKernel>()
                .add(ColumnSpec.text("name", "Name of the kernel."), JaxKernel::name)
                .add(ColumnSpec.id("UID", "Place among the events of the file."), JaxKernel::uid)
                .add(
                        ColumnSpec.text("op category", "By words in the names of kernel and instruction."),
                        JaxKernel::category)
                .add(real("total_direct_kernel_time", "Duration in µs."), JaxKernel::us)
                .add(ColumnSpec.count("direct_kernel_count", "Always 1."), kernel -> 1L)
                .add(ColumnSpec.id("pid", "Process that stands for the device."), JaxKernel::process)
                .add(ColumnSpec.id("tid", "Stream."), JaxKernel::thread)
                .add(ColumnSpec.text("Input Dims", "Shapes of operands."), JaxKernel::dimsText)
                .add(ColumnSpec.text("Input type", "Types of operands."), JaxKernel::typesText)
                .add(ColumnSpec.text("Input Strides", "Always empty."), kernel -> NOTHING)
                .add(ColumnSpec.text("Concrete Inputs", "Always empty."), kernel -> NOTHING)
                .add(
                        ColumnSpec.text("kernel_details", "What is said of the kernel."),
                        kernel -> "[" + PythonValues.dictionary(kernel.details()) + "]")
                .add(real("GPU_kernel_launch_latency", "From its launch, in µs."), JaxKernel::latency)
                .addIf(bytes, ColumnSpec.count("total_input_bytes", "Bytes of all operands."), JaxKernel::inputBytes)
                .table(id, id, rows);
    }

    /** Kernels that have something in common, and the sum of their durations. */
    private record Group(String name, List<JaxKernel> kernels, double us) {
        static Group of(String name, List<JaxKernel> kernels) {
            LongList durations = new LongList(kernels.size());
            kernels.forEach(kernel -> durations.add(kernel.ns()));
            return new Group(name, kernels, DoubleTimes.sum(durations, 0, durations.size()));
        }

        double mean() {
            return us / kernels.size();
        }

        /** In order of the file. */
        double[] values(ToDoubleFunction<JaxKernel> value) {
            return kernels.stream().mapToDouble(value).toArray();
        }

        double[] sorted(ToDoubleFunction<JaxKernel> value) {
            double[] values = values(value);
            Arrays.sort(values);
            return values;
        }
    }

    /** The longest first. */
    private static List<Group> groups(List<JaxKernel> kernels, Function<JaxKernel, String> key) {
        Map<String, List<JaxKernel>> byKey = new LinkedHashMap<>();
        kernels.forEach(kernel ->
                byKey.computeIfAbsent(key.apply(kernel), k -> new ArrayList<>()).add(kernel));
        List<Group> groups = new ArrayList<>();
        byKey.forEach((name, of) -> groups.add(Group.of(name, of)));
        groups.sort(Comparator.comparingDouble((Group group) -> -group.us()));
        return groups;
    }

    private static Table summary(String id, List<Group> groups, String head, boolean sums, long devices) {
        double whole = whole(groups);
        double[] running = running(groups, whole);
        return new Fields<Integer>()
                .add(
                        ColumnSpec.text(head, "What the kernels have in common."),
                        i -> groups.get(i).name())
                .addIf(
                        sums,
                        real("total_direct_kernel_time_sum", "Time in µs."),
                        i -> groups.get(i).us())
                .add(ColumnSpec.count("Count", "Launches."), i ->
                        (long) groups.get(i).kernels().size())
                .add(
                        real("total_direct_kernel_time_ms", "Time in ms."),
                        i -> groups.get(i).us() / US_PER_MS)
                .add(
                        real("Percentage (%)", "Share of all kernels."),
                        i -> groups.get(i).us() / whole * PERCENT)
                .add(real("Cumulative Percentage (%)", "Share up to this row."), i -> running[i])
                .add(
                        real("time ms per gpu", "Time over devices."),
                        i -> groups.get(i).us() / US_PER_MS / devices)
                .table(id, id, places(groups));
    }

    private static double whole(List<Group> groups) {
        return groups.stream().mapToDouble(Group::us).sum();
    }

    private static double[] running(List<Group> groups, double whole) {
        double[] running = new double[groups.size()];
        double sum = 0;
        for (int i = 0; i < running.length; i++) {
            sum += groups.get(i).us() / whole * PERCENT;
            running[i] = sum;
        }
        return running;
    }

    private static List<Integer> places(List<Group> groups) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            places.add(i);
        }
        return places;
    }

    private Table unique() {
        List<Group> groups = groups(kernels, kernel -> kernel.name() + '\0' + kernel.dimsText() + kernel.typesText());
        double whole = whole(groups);
        double[] running = running(groups, whole);
        return new Fields<Integer>()
                .add(
                        ColumnSpec.text("name", "Name of the kernels."),
                        i -> head(groups.get(i)).name())
                .add(
                        ColumnSpec.text("Input Dims", "Shapes of operands."),
                        i -> head(groups.get(i)).dimsText())
                .add(
                        ColumnSpec.text("Input type", "Types of operands."),
                        i -> head(groups.get(i)).typesText())
                .add(ColumnSpec.text("Input Strides", "Always empty."), i -> NOTHING)
                .add(ColumnSpec.text("Concrete Inputs", "Always empty."), i -> NOTHING)
                .add(ColumnSpec.count("operation_count", "Launches."), i ->
                        (long) groups.get(i).kernels().size())
                .add(
                        real("total_direct_kernel_time_mean", "In µs."),
                        i -> groups.get(i).mean())
                .add(real("total_direct_kernel_time_median", "In µs."), i -> median(groups.get(i), JaxKernel::us))
                .add(
                        real("total_direct_kernel_time_std", "Of a sample, in µs."),
                        i -> deviation(groups.get(i), JaxKernel::us))
                .add(
                        real("total_direct_kernel_time_min", "In µs."),
                        i -> groups.get(i).sorted(JaxKernel::us)[0])
                .add(
                        real("total_direct_kernel_time_max", "In µs."),
                        i -> last(groups.get(i).sorted(JaxKernel::us)))
                .add(
                        real("total_direct_kernel_time_sum", "In µs."),
                        i -> groups.get(i).us())
                .add(
                        ColumnSpec.id("ex_UID", "Place of the first among the events."),
                        i -> head(groups.get(i)).uid())
                .add(
                        ColumnSpec.text("kernel_details_summary", "What is said of the kernels."),
                        i -> details(groups.get(i), true))
                .add(
                        real("Percentage (%)", "Share of all kernels."),
                        i -> groups.get(i).us() / whole * PERCENT)
                .add(real("Cumulative Percentage (%)", "Share up to this row."), i -> running[i])
                .table("kernel_launchers_unique_args", "Kernels by shapes", places(groups));
    }

    private static double last(double[] values) {
        return values[values.length - 1];
    }

    private static double median(Group group, ToDoubleFunction<JaxKernel> value) {
        double[] sorted = group.sorted(value);
        return Quantiles.median(sorted, sorted.length);
    }

    private static double mean(Group group, ToDoubleFunction<JaxKernel> value) {
        return group.kernels().stream().mapToDouble(value).sum()
                / group.kernels().size();
    }

    /** Of a sample; null for a single one. */
    private static @Nullable Double deviation(Group group, ToDoubleFunction<JaxKernel> value) {
        int n = group.kernels().size();
        return n < 2 ? null : Quantiles.deviation(group.values(value), n, mean(group, value));
    }

    /** What is said of the first kernel of a group, and times of all of them. */
    private static String details(Group group, boolean instruction) {
        List<Parameter> said = head(group).details().stream()
                .filter(one ->
                        one.name().equals("name") || instruction && !one.name().equals("dur"))
                .toList();
        String begin = PythonValues.dictionary(said);
        double[] sorted = group.sorted(JaxKernel::us);
        int n = sorted.length;
        double squares = Quantiles.squares(group.values(JaxKernel::us), n, mean(group, JaxKernel::us));
        return "[" + begin.substring(0, begin.length() - 1) + ", 'count': " + n
                + number("total_duration_us", group.us())
                + number("mean_duration_us", group.mean())
                + number("median_duration_us", Quantiles.median(sorted, n))
                + number("std_dev_duration_us", Math.sqrt(squares / n))
                + number("min_duration_us", sorted[0])
                + number("max_duration_us", sorted[n - 1]) + "}]";
    }

    private static String number(String key, double value) {
        return ", '" + key + "': np.float64(" + PythonValues.repr(Value.of(value)) + ")";
    }

    /** Convolutions forward, by cuDNN's functions: of the weights only the extent counts. */
    private Table convolutions() {
        List<JaxKernel> those = kernels.stream()
                .filter(kernel -> kernel.category().equals("Conv")
                        && kernel.target().contains("convForward")
                        && kernel.dims().size() >= 2
                        && kernel.output().size() >= 2
                        && filter(kernel).size() >= 1)
                .toList();
        List<Group> groups = groups(those, kernel -> kernel.name() + '\0' + kernel.dimsText() + kernel.output());
        Fields<Group> fields = new Fields<Group>()
                .add(ColumnSpec.text("name", "Name of the kernels."), g -> head(g).name())
                .add(
                        ColumnSpec.text("param: convNd", "Dimensions."),
                        g -> "conv" + filter(head(g)).size() + "d")
                .add(ColumnSpec.text("param: input_shape", "Shape of the input."), g -> tuple(numbers(head(g), 0)))
                .add(ColumnSpec.text("param: filter_shape", "Extent of the weights."), g -> tuple(filter(head(g))))
                .add(ColumnSpec.text("param: output_shape", "Shape of the result."), g -> tuple(head(g).output()))
                .add(ColumnSpec.bool("param: bias", "Whether a bias is added."), g -> false)
                .add(ColumnSpec.count("param: bytes_per_element", "Bytes of an element."), g -> head(g).elementBytes())
                .add(ColumnSpec.bool("param: transposed_conv", "Whether it is transposed."), g -> false)
                .add(real("GFLOPS_first", "Work of one."), g -> flops(head(g)) / GIGA)
                .add(real("Data Moved (MB)_first", "Bytes of one, in MiB."), g -> bytes(head(g)) / MIB)
                .add(real("FLOPS/Byte_first", "Their quotient."), g -> flops(head(g)) / bytes(head(g)));
        spread(fields, "TB/s", "Bytes over time.", JaxReport::bandwidth);
        spread(fields, "TFLOPS/s", "Work over time.", JaxReport::speed);
        return fields.add(
                        ColumnSpec.text("kernel_details__summarize_kernel_stats", "Times of the kernels."),
                        g -> details(g, false))
                .add(ColumnSpec.text("Input Dims_first", "Shapes of operands."), g -> head(g).dimsText())
                .add(ColumnSpec.text("Input type_first", "Types of operands."), g -> head(g).typesText())
                .add(real("Kernel Time (µs)_mean", "Mean."), Group::mean)
                .add(real("Kernel Time (µs)_median", "Median."), g -> median(g, JaxKernel::us))
                .add(real("Kernel Time (µs)_std", "Of a sample."), g -> deviation(g, JaxKernel::us))
                .add(real("Kernel Time (µs)_min", "Shortest."), g -> g.sorted(JaxKernel::us)[0])
                .add(real("Kernel Time (µs)_max", "Longest."), g -> last(g.sorted(JaxKernel::us)))
                .add(real("Kernel Time (µs)_sum", "Sum."), Group::us)
                .add(ColumnSpec.count("name_count", "Launches."), g ->
                        (long) g.kernels().size())
                .add(ColumnSpec.id("UID_first", "Place of the first among the events."), g -> head(g).uid())
                .table("op_conv", "Convolutions", groups);
    }

    /** Adds how a value of kernels is spread over a group. */
    private static void spread(Fields<Group> fields, String head, String doc, ToDoubleFunction<JaxKernel> value) {
        fields.add(real(head + "_mean", doc), g -> mean(g, value))
                .add(real(head + "_median", doc), g -> median(g, value))
                .add(real(head + "_std", doc), g -> deviation(g, value))
                .add(real(head + "_min", doc), g -> g.sorted(value)[0])
                .add(real(head + "_max", doc), g -> last(g.sorted(value)));
    }

    private static JaxKernel head(Group group) {
        return group.kernels().getFirst();
    }

    private static List<Long> numbers(JaxKernel kernel, int operand) {
        return ((Value.Sequence) kernel.dims().get(operand))
                .values().stream().map(value -> ((Value.Int) value).value()).toList();
    }

    private static List<Long> filter(JaxKernel kernel) {
        List<Long> weights = numbers(kernel, 1);
        return weights.size() <= 2 ? List.of() : weights.subList(2, weights.size());
    }

    private static String tuple(List<Long> numbers) {
        return PythonValues.repr(Value.tuple(numbers.stream().map(Value::of).toArray(Value[]::new)));
    }

    private static double product(List<Long> numbers) {
        return numbers.stream().mapToDouble(Long::doubleValue).reduce(1, (a, b) -> a * b);
    }

    private static double flops(JaxKernel kernel) {
        return 2 * product(kernel.output()) * product(filter(kernel));
    }

    private static double bytes(JaxKernel kernel) {
        double elements = product(numbers(kernel, 0)) + product(filter(kernel)) + product(kernel.output());
        return elements * kernel.elementBytes();
    }

    private static double bandwidth(JaxKernel kernel) {
        return bytes(kernel) / (kernel.us() / US_PER_S) / TERA;
    }

    private static double speed(JaxKernel kernel) {
        return flops(kernel) / (kernel.us() / US_PER_S) / TERA;
    }

    private static ColumnSpec real(String header, String doc) {
        return ColumnSpec.real(header, Unit.NONE, Unit.NONE, doc);
    }
}
