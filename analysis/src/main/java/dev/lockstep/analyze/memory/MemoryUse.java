// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import static dev.lockstep.table.ColumnSpec.count;
import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.percent;
import static dev.lockstep.table.ColumnSpec.text;
import static dev.lockstep.table.ColumnSpec.whole;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.memory.DeviceMemory.OwnerTraffic;
import dev.lockstep.analyze.memory.DeviceMemory.Span;
import dev.lockstep.analyze.memory.DeviceMemory.StreamTraffic;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.MemoryFailureDetails;
import dev.lockstep.model.SegmentDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the allocators allocated: how much in each step, who held it at the peak, how it grows, and what of the recording does
 * not add up.
 *
 * @param stepAnnotation annotations of this name mark steps; null to find what does
 * @param frames how many frames of a recorded stack name an owner, at least 1
 */
public record MemoryUse(@Nullable String stepAnnotation, int frames) implements Analysis<MemoryUse.Result> {
    private static final String DEVICE_DOC = "Number of the device; cpu for memory of the host.";

    /** A row of a device. */
    private record Of<R>(DeviceMemory device, R row) {}

    /**
     * A segment that an allocator holds at the end of the recording.
     *
     * @param stream number of the stream that it serves, -1 when not known
     * @param free bytes of it that are not allocated
     * @param largestFree bytes of the largest block of it that is not allocated
     * @param pool number of the private pool that it belongs to, as those of graphs; 0 for the common one
     */
    public record HeldSegment(long device, long stream, long total, long free, long largestFree, long pool) {}

    /**
     * A request that the allocator could not meet.
     *
     * @param at when, in ns
     * @param bytes that were asked for
     * @param free bytes of the device that nothing held, -1 when unknown
     * @param allocated bytes that were allocated then
     * @param reserved bytes that the allocator held
     * @param place the first frame of the stack outside of libraries, else the first of Python
     */
    public record Failure(long device, long at, long bytes, long free, long allocated, long reserved, String place) {}

    private record LossRow(String kind, long count, long bytes) {}

    /**
     * What is known of each device, the host first.
     *
     * @param graphs whether graphs were launched, whose private pools the events of a trace do not tell
     */
    public record Result(
            List<DeviceMemory> devices,
            List<HeldSegment> segments,
            List<Failure> failures,
            boolean graphs,
            RecordingTool recorder)
            implements AnalysisResult {
        public Result {
            failures = List.copyOf(failures);
            devices = List.copyOf(devices);
            segments = List.copyOf(segments);
        }

        @Override
        public List<Table> tables() {
            if (devices.isEmpty()) {
                List<Table> ends = new ArrayList<>();
                if (!failures.isEmpty()) {
                    ends.add(failed(failures));
                }
                if (!segments.isEmpty()) {
                    ends.add(held(segments));
                }
                return ends;
            }
            List<Table> tables = new ArrayList<>(List.of(
                    spans(rows(devices, device -> {
                        List<Span> all = new ArrayList<>(List.of(device.whole()));
                        all.addAll(device.steps());
                        return all;
                    })),
                    peak(rows(devices, DeviceMemory::peakRows)),
                    operators(rows(devices, DeviceMemory::operators)),
                    growth(devices.stream()
                            .filter(device -> device.growth().isKnown())
                            .toList()),
                    kept(rows(devices, DeviceMemory::kept)),
                    curve(rows(devices, device -> MemoryCurve.of(device.log()))),
                    losses(rows(devices, Result::lossOf))));
            List<Of<StreamTraffic>> streams = rows(devices, DeviceMemory::streams);
            if (!streams.isEmpty()) {
                tables.add(streams(streams));
            }
            if (!failures.isEmpty()) {
                tables.add(failed(failures));
            }
            if (!segments.isEmpty()) {
                tables.add(held(segments));
            }
            return tables;
        }

        private static List<LossRow> lossOf(DeviceMemory device) {
            AllocatorLog.Loss loss = device.log().loss();
            List<LossRow> rows = new ArrayList<>();
            add(rows, "unmatched_free", loss.unmatchedFrees(), loss.unmatchedBytes());
            add(rows, "lost_free", loss.lostFrees(), loss.lostBytes());
            add(rows, "broken_total", loss.brokenTotals(), loss.brokenBytes());
            add(rows, "capped_history", device.isHistoryCapped() ? 1 : 0, 0);
            add(rows, "no_totals", device.log().hasTotals() ? 0 : 1, 0);
            add(rows, "no_addresses", device.log().hasAddresses() ? 0 : 1, 0);
            return rows;
        }

        private static void add(List<LossRow> rows, String kind, long count, long bytes) {
            if (count > 0) {
                rows.add(new LossRow(kind, count, bytes));
            }
        }

        @Override
        public @Nullable String notApplicable() {
            return devices.isEmpty() && segments.isEmpty() && failures.isEmpty()
                    ? "the trace has no memory events" + recorder.torch("profile_memory=True records them")
                    : null;
        }
    }

    @Override
    public String id() {
        return TableNames.MEMORY_STEPS;
    }

    @Override
    public Result run(DerivedCache cache) {
        List<DeviceMemory> devices = cache.get(new AllocatorLog.Key()).stream()
                .map(log -> new DeviceMemory(log, cache, this))
                .toList();
        return new Result(
                devices,
                segments(cache.trace()),
                failures(cache.trace()),
                launchesGraphs(cache.trace()),
                cache.get(new RecordingTool.Key()));
    }

    private static boolean launchesGraphs(Trace trace) {
        Slices slices = trace.slices();
        for (String name : LaunchLinks.GRAPH_LAUNCHES) {
            int wanted = trace.strings().find(name);
            for (int i = 0; wanted >= 0 && i < slices.size(); i++) {
                if (slices.name(i) == wanted) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Failure> failures(Trace trace) {
        MemoryFailureDetails failed = trace.view(MemoryFailureDetails.KEY);
        List<Failure> failures = new ArrayList<>();
        for (int row = 0; failed != null && row < failed.size(); row++) {
            StackOwner asked = StackOwner.of(trace.strings().get(failed.frames(row)), 1);
            failures.add(new Failure(
                    failed.device(row),
                    trace.marks().ts(failed.mark(row)),
                    failed.bytes(row),
                    failed.free(row),
                    failed.allocated(row),
                    failed.reserved(row),
                    asked.line() == null ? asked.name() : asked.line()));
        }
        return failures;
    }

    private static List<HeldSegment> segments(Trace trace) {
        SegmentDetails held = trace.view(SegmentDetails.KEY);
        List<HeldSegment> segments = new ArrayList<>();
        for (int row = 0; held != null && row < held.size(); row++) {
            segments.add(new HeldSegment(
                    held.device(row),
                    held.stream(row),
                    held.total(row),
                    held.free(row),
                    held.largestFree(row),
                    held.pool(row)));
        }
        segments.sort(Comparator.comparingLong(HeldSegment::device)
                .thenComparing(Comparator.comparingLong(HeldSegment::free).reversed())
                .thenComparingLong(HeldSegment::total));
        return segments;
    }

    private static <R> List<Of<R>> rows(List<DeviceMemory> devices, Function<DeviceMemory, List<R>> of) {
        List<Of<R>> rows = new ArrayList<>();
        for (DeviceMemory device : devices) {
            of.apply(device).forEach(row -> rows.add(new Of<>(device, row)));
        }
        return rows;
    }

    private static ColumnSpec bytes(String header, String doc) {
        return whole(header, Unit.BYTES, Unit.BYTES, doc);
    }

    private static @Nullable Long known(long bytes) {
        return bytes < 0 ? null : bytes;
    }

    private static Table spans(List<Of<Span>> rows) {
        return new Fields<Of<Span>>()
                .add(text("device", DEVICE_DOC), r -> r.device.device())
                .add(text("step", "Mark of the step; all for the whole recording."), r -> r.row.step())
                .add(bytes("start bytes", "Allocated before the first event of the step."), r -> r.row.start())
                .add(bytes("peak bytes", "The most that is allocated, its start included."), r -> r.row.peak())
                .add(micros("peak at us", "When that is reached first, on the clock of the file."), r -> r.row.peakAt())
                .add(bytes("end bytes", "Allocated after the last event of the step."), r -> r.row.end())
                .add(count("allocs", "Blocks allocated."), r -> r.row.traffic().allocs())
                .add(bytes("alloc bytes", "Their bytes."), r -> r.row.traffic().allocBytes())
                .add(count("frees", "Blocks freed."), r -> r.row.traffic().frees())
                .add(bytes("free bytes", "Their bytes."), r -> r.row.traffic().freeBytes())
                .add(
                        bytes(
                                "reserved bytes",
                                "What the allocator holds of the device at the peak, allocated or not; missing where"
                                        + " it was not recorded."),
                        r -> known(r.row.reserved()))
                .add(
                        bytes(
                                "fragmentation bytes",
                                "Reserved less peak: held, but of no use at the moment when most is needed."),
                        r -> r.row.reserved() < 0 ? null : r.row.reserved() - r.row.peak())
                .table(TableNames.MEMORY_STEPS, "Memory by step", rows);
    }

    private static Table peak(List<Of<LiveSet.Row>> rows) {
        return new Fields<Of<LiveSet.Row>>()
                .add(text("device", DEVICE_DOC), r -> r.device.device())
                .add(
                        text(
                                "owner",
                                "The innermost operator around the allocation, else the annotation or frame; baseline"
                                        + " for what was allocated before the trace began."),
                        r -> r.row.owner().name())
                .add(
                        text("module", "The innermost nn.Module around it; missing where frames were not recorded."),
                        r -> r.row.owner().module())
                .add(
                        text(
                                "line",
                                "The first frame of the stack outside of installed libraries; missing where no stack was"
                                        + " recorded or none is."),
                        r -> r.row.owner().line())
                .add(
                        ColumnSpec.json("dims", "Shapes of the operator's arguments; missing where not recorded."),
                        r -> r.row.owner().dims())
                .add(
                        count(
                                "blocks",
                                "Blocks alive at the peak; missing where the recording does not tell them apart."),
                        r -> known(r.row.blocks()))
                .add(bytes("bytes", "Their bytes; all rows of a device are its peak."), r -> r.row.bytes())
                .add(
                        percent("share", "Share of the peak."),
                        r -> r.device.whole().peak() == 0
                                ? null
                                : 100.0 * r.row.bytes() / r.device.whole().peak())
                .add(
                        text(
                                "lifetime class",
                                "baseline, persistent, activation, gradient, workspace or step, as"
                                        + " docs/concepts/memory.md says."),
                        r -> r.row.lifetime().word())
                .table(TableNames.MEMORY_PEAK, "Memory at the peak", rows);
    }

    private static Table operators(List<Of<OwnerTraffic>> rows) {
        return new Fields<Of<OwnerTraffic>>()
                .add(text("device", DEVICE_DOC), r -> r.device.device())
                .add(
                        text("op", "The innermost operator around the event, else the annotation or frame."),
                        r -> r.row.owner())
                .add(count("allocs", "Blocks that it asked for."), r -> r.row.allocs())
                .add(bytes("bytes", "Their bytes."), r -> r.row.bytes())
                .add(
                        bytes("net", "Their bytes less those of blocks that it freed, whoever asked for them."),
                        r -> r.row.net())
                .add(bytes("largest", "Bytes of the largest block that it asked for."), r -> r.row.largest())
                .table("memory_ops", "Memory by operator", rows);
    }

    private static Table growth(List<DeviceMemory> rows) {
        return new Fields<DeviceMemory>()
                .add(text("device", DEVICE_DOC), DeviceMemory::device)
                .add(count("steps", "Steps of the recording."), r -> r.steps().size())
                .add(
                        ColumnSpec.real(
                                "bytes per step",
                                Unit.BYTES,
                                Unit.BYTES,
                                "By how much more each step begins with than the one before: the median slope of all"
                                        + " pairs of steps."),
                        r -> r.growth().mean())
                .add(
                        ColumnSpec.real(
                                "low",
                                Unit.BYTES,
                                Unit.BYTES,
                                "Lower end of its interval of 95 %; where each step is known to leave blocks behind"
                                        + " (memory_kept), at least their bytes or the slope, whichever is less."),
                        r -> r.growth().low())
                .add(
                        ColumnSpec.real("high", Unit.BYTES, Unit.BYTES, "Upper end of it."),
                        r -> r.growth().high())
                .table("memory_growth", "Growth of memory from step to step", rows);
    }

    private static Table kept(List<Of<KeptBlocks>> rows) {
        return new Fields<Of<KeptBlocks>>()
                .add(text("device", DEVICE_DOC), r -> r.device.device())
                .add(
                        text(
                                "owner",
                                "The innermost operator around the allocations, else the annotation or frame, as in"
                                        + " memory_peak."),
                        r -> r.row.owner())
                .add(bytes("block bytes", "Bytes of one of the blocks."), r -> r.row.bytes())
                .add(
                        count(
                                "blocks per step",
                                "How many of them each step leaves at least that the trace never frees; the"
                                        + " last step is not asked."),
                        r -> r.row.blocks())
                .add(bytes("bytes per step", "Their bytes."), r -> r.row.bytesPerStep())
                .add(count("steps", "Steps that leave as many."), r -> r.row.steps())
                .table("memory_kept", "Memory kept by steps", rows);
    }

    private static Table curve(List<Of<MemoryCurve.Point>> rows) {
        return new Fields<Of<MemoryCurve.Point>>()
                .add(text("device", DEVICE_DOC), r -> r.device.device())
                .add(
                        micros(ColumnNames.FROM_US, "The first event of the part, on the clock of the file."),
                        r -> r.row.from())
                .add(micros("to us", "The last event of it."), r -> r.row.to())
                .add(bytes("least bytes", "The least that is allocated in it."), r -> r.row.least())
                .add(bytes("most bytes", "The most that is allocated in it."), r -> r.row.most())
                .add(
                        bytes("reserved bytes", "The most that the allocator holds in it; missing where not recorded."),
                        r -> known(r.row.reserved()))
                .table("memory_timeline", "Memory over time", rows);
    }

    private static Table losses(List<Of<LossRow>> rows) {
        return new Fields<Of<LossRow>>()
                .add(text("device", DEVICE_DOC), r -> r.device.device())
                .add(
                        text(
                                "kind",
                                "unmatched_free: a block freed that was not known; lost_free: an address allocated"
                                        + " twice; broken_total: a recorded total that is not the sum so far;"
                                        + " capped_history: the history begins late; no_totals, no_addresses: not"
                                        + " recorded."),
                        r -> r.row.kind)
                .add(count("count", "How many."), r -> r.row.count)
                .add(bytes("bytes", "Their bytes; of broken totals, by how much they differ in all."), r -> r.row.bytes)
                .table("memory_loss", "Memory accounting gaps", rows);
    }

    private static Table failed(List<Failure> rows) {
        return new Fields<Failure>()
                .add(text("device", DEVICE_DOC), r -> Long.toString(r.device))
                .add(micros("at us", "When it failed, on the clock of the file."), r -> r.at)
                .add(bytes("bytes", "Bytes that were asked for."), r -> r.bytes)
                .add(
                        bytes("free bytes", "Bytes of the device that nothing held then; missing where not recorded."),
                        r -> known(r.free))
                .add(bytes("allocated bytes", "Bytes that were allocated then."), r -> r.allocated)
                .add(bytes("reserved bytes", "Bytes that the allocator held then."), r -> r.reserved)
                .add(text("line", "Where it was asked for: the first frame outside of libraries."), r -> r.place)
                .table("memory_failures", "Requests for memory that failed", rows);
    }

    private static Table held(List<HeldSegment> rows) {
        return new Fields<HeldSegment>()
                .add(text("device", DEVICE_DOC), r -> Long.toString(r.device))
                .add(ColumnSpec.id("stream", "Number of the stream that the segment serves."), r -> known(r.stream))
                .add(bytes("total bytes", "Bytes of the segment."), r -> r.total)
                .add(
                        bytes("free bytes", "Bytes of it that are not allocated at the end of the recording."),
                        r -> r.free)
                .add(
                        bytes(
                                "largest free bytes",
                                "The largest block of them: a request that is larger finds no room, though all of them"
                                        + " together may be more."),
                        r -> r.largestFree)
                .add(
                        ColumnSpec.id(
                                "pool",
                                "Number of the private pool that it belongs to, as those of CUDA graphs; 0 for the common"
                                        + " one."),
                        r -> r.pool)
                .table("memory_segments", "Reserved memory at the end", rows);
    }

    private static Table streams(List<Of<StreamTraffic>> rows) {
        return new Fields<Of<StreamTraffic>>()
                .add(text("device", DEVICE_DOC), r -> r.device.device())
                .add(ColumnSpec.id("stream", "Number of the stream that blocks belong to."), r -> r.row.stream())
                .add(count("allocs", "Blocks allocated."), r -> r.row.traffic().allocs())
                .add(bytes("alloc bytes", "Their bytes."), r -> r.row.traffic().allocBytes())
                .add(count("frees", "Blocks freed."), r -> r.row.traffic().frees())
                .add(bytes("free bytes", "Their bytes."), r -> r.row.traffic().freeBytes())
                .add(bytes("peak bytes", "Bytes of its blocks at the peak of the device."), r -> r.row.atPeak())
                .table("memory_streams", "Memory by stream", rows);
    }
}
