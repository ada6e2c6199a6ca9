// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.kernels.UniqueKernel.Place;
import dev.lockstep.kernels.UniqueKernels.Result;
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
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Lists of unique kernels as sheets. */
final class KernelSheets {
    private record Kind(String name, long unique, long calls, long ns) {}

    private record PlaceOf(int kernel, String name, Place place) {}

    private KernelSheets() {}

    static List<Table> of(Result result) {
        boolean timed = isTimed(result);
        List<Table> tables = new ArrayList<>();
        tables.add(unique(result, timed));
        tables.add(kinds("kernel_categories", "Kinds of kernels", "category", result, UniqueKernel::category));
        tables.add(kinds(
                "kernel_tiers",
                "Libraries that can do the work again",
                "tier",
                result,
                k -> k.tier().number() + " " + k.tier().library()));
        tables.add(places(result, timed));
        if (result.histogram() != null) {
            tables.add(histogram(result.histogram()));
        }
        return tables;
    }

    private static boolean isTimed(Result result) {
        return result.kernels().stream().allMatch(k -> k.durations() != null);
    }

    private static Table unique(Result result, boolean timed) {
        Fields<UniqueKernel> fields = new Fields<>();
        identity(fields, result);
        launch(fields, result);
        calls(fields, result);
        if (timed) {
            times(fields, result.time());
        }
        return fields.add(ColumnSpec.count("devices", "Devices it ran on."), UniqueKernel::devices)
                .addIf(
                        !result.content().isOperators(),
                        ColumnSpec.count("streams", "Streams it ran on, those of all devices."),
                        k -> k.places().size())
                .table("unique_kernels", "Unique kernels", result.kernels());
    }

    /** What a kernel is, and what launched it. */
    private static void identity(Fields<UniqueKernel> fields, Result result) {
        boolean kernels = !result.content().isOperators();
        fields.add(ColumnSpec.id("kernel", "Number of the unique kernel in this list."), UniqueKernel::number)
                .add(
                        ColumnSpec.text(
                                "name",
                                "Name of the kernel, copy or fill; of the operator where no kernels are known."),
                        k -> k.identity().name())
                .add(ColumnSpec.text("category", "What kind it is, by its name."), UniqueKernel::category)
                .add(
                        ColumnSpec.text("class", "What it is for: compute, communication, memory or other."),
                        k -> k.use().name().toLowerCase(Locale.ROOT))
                .add(
                        ColumnSpec.id(
                                "tier",
                                "What can do the work again: 1 the runtime, 2 the library of matrix products, 3 the"
                                        + " framework."),
                        k -> k.tier().number())
                .addIf(
                        kernels,
                        ColumnSpec.text(
                                "op", "Operator that launched it; missing when unknown or not part of the key."),
                        k -> k.identity().operator().name())
                .add(
                        ColumnSpec.json("shapes", "Shapes of the operator's inputs; missing when not recorded."),
                        k -> k.identity().operator().shapes())
                .add(
                        ColumnSpec.json("types", "Element types of the operator's inputs; missing when not recorded."),
                        k -> k.identity().operator().types())
                .addIf(
                        result.key().contains(KeyField.STRIDES),
                        ColumnSpec.json("strides", "Strides of the operator's inputs; missing when not recorded."),
                        k -> k.identity().operator().strides());
    }

    /** How it was launched. */
    private static void launch(Fields<UniqueKernel> fields, Result result) {
        boolean kernels = !result.content().isOperators();
        boolean launches = result.content().executed() == null;
        fields.addIf(
                        launches,
                        ColumnSpec.json("grid", "Launch grid; missing for copies and fills."),
                        k -> k.identity().launch().grid())
                .addIf(
                        launches,
                        ColumnSpec.json("block", "Thread block; missing for copies and fills."),
                        k -> k.identity().launch().block())
                .addIf(
                        launches,
                        bytes(ColumnNames.SHARED_MEMORY, "Shared memory of a block."),
                        k -> present(k.identity().launch().sharedMemory()))
                .addIf(
                        launches || !kernels,
                        bytes("bytes", "Bytes that a copy or fill moves."),
                        k -> present(k.identity().launch().bytes()))
                .addIf(
                        result.key().contains(KeyField.REGISTERS),
                        ColumnSpec.whole("registers", Unit.COUNT, Unit.COUNT, "Registers of a thread."),
                        k -> present(k.identity().launch().registers()));
    }

    private static void calls(Fields<UniqueKernel> fields, Result result) {
        ForwardPasses forwards = result.forwards();
        fields.add(ColumnSpec.count("calls", "How often it ran."), UniqueKernel::calls)
                .addIf(
                        forwards != null,
                        ColumnSpec.real(
                                "calls per forward",
                                Unit.COUNT,
                                Unit.COUNT,
                                "Calls over the number of passes of the model, which the report states."),
                        k -> forwards == null ? null : (double) k.calls() / forwards.count())
                .addIf(
                        result.steps() > 0,
                        ColumnSpec.real(
                                "calls per step", Unit.COUNT, Unit.COUNT, "Calls in steps over the number of steps."),
                        k -> k.steps() == null ? null : k.steps().mean())
                .addIf(
                        result.steps() > 0,
                        ColumnSpec.count("calls per step min", "Calls in the step with the fewest."),
                        k -> k.steps() == null ? null : k.steps().least())
                .addIf(
                        result.steps() > 0,
                        ColumnSpec.count("calls per step max", "Calls in the step with most."),
                        k -> k.steps() == null ? null : k.steps().most());
    }

    private static void times(Fields<UniqueKernel> fields, long time) {
        fields.add(us(ColumnNames.TIME_US, "Sum of the durations."), of(Durations::sum))
                .add(
                        ColumnSpec.percent("time %", "Share of the sum of all durations."),
                        k -> k.durations() == null || time == 0
                                ? null
                                : 100.0 * k.durations().sum() / time)
                .add(
                        ColumnSpec.real(ColumnNames.MEAN_US, Unit.NANOSECONDS, Unit.MICROSECONDS, "Mean duration."),
                        k -> k.durations() == null ? null : k.durations().mean())
                .add(us("min us", "Shortest duration."), of(Durations::least))
                .add(us("p10 us", "A tenth of the kernels is at most as long."), of(Durations::p10))
                .add(
                        ColumnSpec.real("median us", Unit.NANOSECONDS, Unit.MICROSECONDS, "Median duration."),
                        k -> k.durations() == null ? null : k.durations().median())
                .add(us("p90 us", "Nine tenths of the kernels are at most as long."), of(Durations::p90))
                .add(us("max us", "Longest duration."), of(Durations::most))
                .add(
                        ColumnSpec.real(
                                "std us",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "Sample standard deviation; missing for a single kernel."),
                        k -> k.durations() == null ? null : k.durations().std());
    }

    private static Table kinds(
            String table, String title, String column, Result result, Function<UniqueKernel, String> kindOf) {
        boolean timed = isTimed(result);
        Map<String, Kind> kinds = new TreeMap<>();
        for (UniqueKernel kernel : result.kernels()) {
            long ns = kernel.durations() == null ? 0 : kernel.durations().sum();
            kinds.merge(
                    kindOf.apply(kernel),
                    new Kind(kindOf.apply(kernel), 1, kernel.calls(), ns),
                    (a, b) -> new Kind(a.name, a.unique + b.unique, a.calls + b.calls, a.ns + b.ns));
        }
        List<Kind> rows = new ArrayList<>(kinds.values());
        rows.sort(Comparator.comparingLong(Kind::ns)
                .reversed()
                .thenComparingLong(k -> -k.calls)
                .thenComparing(Kind::name));
        long calls = result.calls();
        long time = result.time();
        ForwardPasses forwards = result.forwards();
        return new Fields<Kind>()
                .add(ColumnSpec.text(column, title + "."), Kind::name)
                .add(ColumnSpec.count("unique kernels", "Unique kernels of this kind."), Kind::unique)
                .add(ColumnSpec.count("calls", "How often they ran."), Kind::calls)
                .add(ColumnSpec.percent("calls %", "Share of all calls."), k -> 100.0 * k.calls / Math.max(1, calls))
                .addIf(
                        forwards != null,
                        ColumnSpec.real(
                                "calls per forward",
                                Unit.COUNT,
                                Unit.COUNT,
                                "Calls over the number of passes of the model."),
                        k -> forwards == null ? null : (double) k.calls / forwards.count())
                .addIf(timed, us(ColumnNames.TIME_US, "Sum of the durations."), Kind::ns)
                .addIf(
                        timed,
                        ColumnSpec.percent("time %", "Share of the sum of all durations."),
                        k -> time == 0 ? null : 100.0 * k.ns / time)
                .table(table, title, rows);
    }

    private static Table places(Result result, boolean timed) {
        List<PlaceOf> rows = new ArrayList<>();
        for (UniqueKernel kernel : result.kernels()) {
            for (Place place : kernel.places()) {
                rows.add(new PlaceOf(kernel.number(), kernel.identity().name(), place));
            }
        }
        return new Fields<PlaceOf>()
                .add(ColumnSpec.id("kernel", "Number of the unique kernel."), PlaceOf::kernel)
                .add(ColumnSpec.text("name", "Its name."), PlaceOf::name)
                .add(ColumnSpec.text("device", "Device."), p -> p.place.device())
                .addIf(!result.content().isOperators(), ColumnSpec.text("stream", "Stream."), p -> p.place.stream())
                .add(ColumnSpec.count("calls", "How often it ran there."), p -> p.place.calls())
                .addIf(timed, us(ColumnNames.TIME_US, "Sum of the durations there."), p -> p.place.ns())
                .table("kernel_places", "Places of unique kernels", rows);
    }

    private static Table histogram(DurationHistogram histogram) {
        return new Fields<Integer>()
                .add(us(ColumnNames.FROM_US, "Shortest duration of the class."), DurationHistogram::from)
                .add(us("below us", "Durations of the class are below this."), DurationHistogram::to)
                .add(
                        ColumnSpec.count("kernels", "Kernels that took so long."),
                        i -> histogram.counts()[i])
                .add(
                        us(ColumnNames.TIME_US, "Sum of their durations."),
                        i -> histogram.ns()[i])
                .table(
                        "kernel_durations",
                        "Durations of kernels",
                        IntStream.range(0, histogram.size()).boxed().toList());
    }

    private static Function<UniqueKernel, @Nullable Object> of(ToLongFunction<Durations> figure) {
        return kernel -> kernel.durations() == null ? null : figure.applyAsLong(kernel.durations());
    }

    private static @Nullable Long present(long value) {
        return value < 0 ? null : value;
    }

    private static ColumnSpec us(String header, String doc) {
        return ColumnSpec.whole(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }

    private static ColumnSpec bytes(String header, String doc) {
        return ColumnSpec.whole(header, Unit.BYTES, Unit.BYTES, doc + " Missing where it does not apply.");
    }
}
