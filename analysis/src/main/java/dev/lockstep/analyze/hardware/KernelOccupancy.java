// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.hardware.DeviceLimits.Limit;
import dev.lockstep.analyze.hardware.DeviceLimits.Resident;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much of a device each kernel fills: blocks and warps for each multiprocessor, how many fit, in how many waves they run,
 * how full the last one is, and what matrices are multiplied with. Occupancy is the share of a multiprocessor's threads: that
 * of the blocks that fit, or of the blocks that there are where those are fewer on average.
 *
 * @param rules definitions
 */
public record KernelOccupancy(AnalysisRules rules) implements Analysis<KernelOccupancy.Result> {
    /** Below this occupancy in percent, little is there to hide latencies with. */
    public static final double LOW = 25;

    /**
     * How kernels were launched that are put together. Absent numbers are -1.
     *
     * @param device number of the device
     * @param kernel its name
     * @param grid blocks along each axis, as recorded; null when not
     * @param block threads along each axis, as recorded; null when not
     * @param registers of a thread
     * @param sharedMemory bytes of a block
     */
    public record Launch(
            long device,
            String kernel,
            @Nullable String grid,
            @Nullable String block,
            long registers,
            long sharedMemory) {}

    /**
     * How a launch fills a device. Numbers are NaN where the trace does not tell enough.
     *
     * @param processors of the device, 0 when not known
     * @param blocks of the grid
     * @param warps of a block
     * @param fitting occupancy in percent if there were blocks enough
     * @param limit what limits how many blocks fit, as a word; null when not known
     * @param occupancy in percent
     * @param waves how many times the device is filled
     */
    public record Fill(
            int processors,
            double blocks,
            double warps,
            double fitting,
            @Nullable String limit,
            double occupancy,
            double waves) {
        /** Blocks for each multiprocessor. */
        public double blocksEach() {
            return processors == 0 ? Double.NaN : blocks / processors;
        }

        /** Places for blocks that are empty over all waves, in percent. */
        public double empty() {
            return 100 * (1 - waves / Math.ceil(waves));
        }
    }

    /**
     * Kernels that were launched alike.
     *
     * @param compute whether they compute, rather than communicate or move
     * @param unit {@code matrix} or {@code vector}: what their names say they multiply matrices with; null for neither
     * @param precision of the operands, null when not told
     * @param ns their time added up
     * @param aloneNs that of those beside which nothing else ran on the device
     * @param recorded occupancy in percent as the profiler estimates it; NaN when it does not
     */
    public record Row(
            Launch launch,
            Fill fill,
            boolean compute,
            @Nullable String unit,
            @Nullable String precision,
            int count,
            long ns,
            long aloneNs,
            double recorded) {
        /** Occupancy in percent: by the resources, or as recorded where these are not told. */
        public double occupancy() {
            return Double.isNaN(fill.occupancy) ? recorded : fill.occupancy;
        }

        /** Time in which multiprocessors had no block, times their share, in ns. */
        public long emptyNs() {
            return compute && fill.blocksEach() < 1 ? Math.round(aloneNs * (1 - fill.blocksEach())) : 0;
        }
    }

    /**
     * Matrix multiplications by what they use.
     *
     * @param ns their time added up
     */
    public record Units(String unit, @Nullable String precision, int kernels, int count, long ns) {}

    /** Longest time first; {@code kernelNs} is that of all kernels, {@code span} that of all device activity. */
    public record Result(List<Row> rows, List<Units> units, long kernelNs, long span) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
            units = List.copyOf(units);
        }

        @Override
        public List<Table> tables() {
            List<Table> tables = new ArrayList<>();
            if (!rows.isEmpty()) {
                tables.add(OccupancySheets.kernels(this));
            }
            if (!units.isEmpty()) {
                tables.add(OccupancySheets.units(this));
            }
            return tables;
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "no kernel says how it was launched (grid, block)" : null;
        }
    }

    /** Sums in the making. */
    private static final class Sum {
        private final int first;
        private final int row;
        private int count;
        private long ns;
        private long aloneNs;

        private Sum(int first, int row) {
            this.first = first;
            this.row = row;
        }
    }

    private static final Pattern DIGITS = Pattern.compile("\\d{1,10}");

    @Override
    public String id() {
        return TableNames.KERNEL_OCCUPANCY;
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        DeviceActivity activity = cache.get(new DeviceActivity.Key(rules.kernels(), null));
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        if (details == null) {
            return new Result(List.of(), List.of(), 0, 0);
        }
        long kernelNs = 0;
        IntTuples tuples = new IntTuples();
        LongIntMap numbers = new LongIntMap(64);
        LongIntMap sumOf = new LongIntMap(64);
        List<Sum> sums = new ArrayList<>();
        boolean[] alone = alone(activity, trace.slices(), details);
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            if (trace.slices().kind(slice) != SliceKind.KERNEL) {
                continue;
            }
            long ns = trace.slices().dur(slice);
            kernelNs += ns;
            int row = details.of(slice);
            if (row < 0 || details.grid(row) < 0 || details.block(row) < 0) {
                continue;
            }
            int tuple = tuples.then(IntTuples.ROOT, trace.slices().name(slice));
            tuple = tuples.then(tuple, details.grid(row));
            tuple = tuples.then(tuple, details.block(row));
            tuple = tuples.then(tuple, numbers.numberOf(details.registers(row)));
            tuple = tuples.then(tuple, numbers.numberOf(details.sharedMemory(row)));
            tuple = tuples.then(tuple, numbers.numberOf(details.device(row)));
            int place = sumOf.get(tuple);
            if (place < 0) {
                place = sums.size();
                sumOf.put(tuple, place);
                sums.add(new Sum(slice, row));
            }
            Sum sum = sums.get(place);
            sum.count++;
            sum.ns += ns;
            sum.aloneNs += alone[i] ? ns : 0;
        }
        Map<Long, DeviceLimits> limits = DeviceLimits.of(trace.info());
        MatrixUnits units = new MatrixUnits();
        List<Row> rows = new ArrayList<>();
        for (Sum sum : sums) {
            rows.add(row(trace, activity, details, sum, limits, units));
        }
        rows.sort(Comparator.comparingLong((Row row) -> -row.ns)
                .thenComparing(row -> row.launch.kernel)
                .thenComparing(row -> String.valueOf(row.launch.grid))
                .thenComparing(row -> String.valueOf(row.launch.block))
                .thenComparingLong(row -> row.launch.registers)
                .thenComparingLong(row -> row.launch.sharedMemory)
                .thenComparingLong(row -> row.launch.device));
        return new Result(rows, OccupancySheets.unitsOf(rows), kernelNs, activity.span());
    }

    /** Which activities are not overlapped by another one of their device. */
    private static boolean[] alone(DeviceActivity activity, Slices slices, DeviceDetails details) {
        boolean[] alone = new boolean[activity.size()];
        Arrays.fill(alone, true);
        LongIntMap latest = new LongIntMap(8); // of each device, the activity that ends last so far
        for (int i = 0; i < alone.length; i++) {
            int row = details.of(activity.slice(i));
            long device = row < 0 ? -1 : details.device(row);
            int before = latest.get(device);
            if (before >= 0 && slices.end(activity.slice(before)) > slices.ts(activity.slice(i))) {
                alone[before] = false;
                alone[i] = false;
            }
            if (before < 0 || slices.end(activity.slice(i)) >= slices.end(activity.slice(before))) {
                latest.put(device, i);
            }
        }
        return alone;
    }

    private static Row row(
            Trace trace,
            DeviceActivity activity,
            DeviceDetails details,
            Sum sum,
            Map<Long, DeviceLimits> limits,
            MatrixUnits units) {
        Launch launch = new Launch(
                details.device(sum.row),
                trace.name(sum.first),
                trace.strings().get(details.grid(sum.row)),
                trace.strings().get(details.block(sum.row)),
                details.registers(sum.row),
                details.sharedMemory(sum.row));
        Fill fill = fill(launch, limits.get(launch.device));
        boolean compute = activity.classOf(sum.first) == KernelClass.COMPUTE;
        MatrixUnits.Use use = compute ? units.of(launch.kernel) : MatrixUnits.UNTOLD;
        boolean told = use.unit() != MatrixUnits.Unit.NONE;
        // The profiler writes 0 where its own calculation fails, as for shared memory beyond the default of a block.
        long recorded = details.occupancy(sum.row);
        return new Row(
                launch,
                fill,
                compute,
                told ? use.unit().name().toLowerCase(Locale.ROOT) : null,
                told ? use.precision() : null,
                sum.count,
                sum.ns,
                sum.aloneNs,
                recorded < 0 || recorded == 0 && !(fill.occupancy < 1) ? Double.NaN : recorded);
    }

    private static Fill fill(Launch launch, @Nullable DeviceLimits limits) {
        double blocks = product(launch.grid);
        double threads = product(launch.block);
        if (limits == null || !(blocks >= 1) || !(threads >= 1) || threads > limits.threads()) {
            return new Fill(
                    limits == null ? 0 : limits.processors(),
                    blocks,
                    Double.NaN,
                    Double.NaN,
                    null,
                    Double.NaN,
                    Double.NaN);
        }
        double warps = limits.warps((long) threads);
        double each = blocks / limits.processors();
        if (!limits.tellResident() || launch.registers < 0) {
            return new Fill(limits.processors(), blocks, warps, Double.NaN, null, Double.NaN, Double.NaN);
        }
        Resident resident = limits.resident((long) threads, launch.registers, launch.sharedMemory);
        double ofOne = 100 * threads / limits.threads();
        boolean fits = resident.blocks() > 0;
        return new Fill(
                limits.processors(),
                blocks,
                warps,
                fits ? resident.blocks() * ofOne : Double.NaN,
                word(resident.by()),
                fits ? Math.min(resident.blocks(), each) * ofOne : Double.NaN,
                fits ? each / resident.blocks() : Double.NaN);
    }

    private static String word(Limit limit) {
        return limit.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The product of the whole numbers of a JSON array; NaN when there are none. */
    static double product(@Nullable String array) {
        double product = 1;
        int count = 0;
        Matcher digits = DIGITS.matcher(array == null ? "" : array);
        while (digits.find()) {
            product *= Long.parseLong(digits.group());
            count++;
        }
        return count == 0 ? Double.NaN : product;
    }
}
