// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is to be said about the memory of one device. Immutable. */
public final class DeviceMemory {
    /**
     * A span of the recording.
     *
     * @param step what marks it
     * @param start bytes allocated before its first event
     * @param peak the most that is allocated
     * @param peakAt when that is reached first, in ns
     * @param end bytes allocated after its last event
     * @param reserved bytes that the allocator holds at the peak, -1 when not recorded
     */
    public record Span(String step, long start, long peak, long peakAt, long end, Traffic traffic, long reserved) {}

    /** Allocations and releases. */
    public record Traffic(int allocs, long allocBytes, int frees, long freeBytes) {}

    /**
     * What one owner did.
     *
     * @param net bytes allocated less bytes freed
     * @param largest bytes of the largest block
     */
    public record OwnerTraffic(String owner, int allocs, long bytes, long net, long largest) {}

    /**
     * What one stream did.
     *
     * @param atPeak bytes of its blocks that live at the peak of the device
     */
    public record StreamTraffic(long stream, Traffic traffic, long atPeak) {}

    /** The owner of what was allocated before the trace began. */
    public static final String BASELINE = LiveSet.BASELINE;

    /** What a snapshot says about the length of its history: a number for each device. */
    public static final String HISTORY = "history_entries";

    /** The length at which PyTorch cuts a history: what came before is lost. */
    private static final long CAPPED = 100_000;

    /** Memory of one owner. */
    public record Holder(String owner, long bytes) {}

    private final Trace trace;
    private final AllocatorLog log;
    private final AllocationOwners owners;
    private final Steps marked;
    private final LiveSet live;
    private final int peak;
    private final List<Span> spans = new ArrayList<>();
    private final List<KeptBlocks> kept;
    private final Confidence growth;

    DeviceMemory(AllocatorLog log, DerivedCache cache, MemoryUse options) {
        this.trace = cache.trace();
        this.log = log;
        this.owners = cache.get(new AllocationOwners.Key(options.frames()));
        this.marked = cache.get(new Steps.Key(options.stepAnnotation()));
        this.live = new LiveSet(log, owners, trace.slices(), marked.steps());
        this.peak = log.peak(0, log.size(), true);
        spans.add(span("all", 0, log.size(), peak, log.time(0)));
        for (Step step : marked.steps()) {
            int from = log.firstAt(step.start());
            int to = log.firstAt(step.end());
            spans.add(span(marked.name() + "#" + step.number(), from, to, log.peak(from, to, false), step.start()));
        }
        kept = KeptBlocks.of(log, owners, marked.steps());
        growth = atLeastKept(
                MemoryGrowth.of(steps().stream().mapToLong(Span::start).toArray()));
    }

    /** What each step is known to keep is no chance: as far as the slope shows it, the interval does not reach below. */
    private Confidence atLeastKept(Confidence slope) {
        double low = Math.min(slope.mean(), (double) keptBytesPerStep());
        return slope.low() < low && low > 0
                ? new Confidence(slope.count(), slope.mean(), slope.error(), low, slope.high())
                : slope;
    }

    /** @param at the event of the peak, -1 when it is the start of the span */
    private Span span(String step, int from, int to, int at, long begin) {
        int allocs = 0;
        long given = 0;
        long taken = 0;
        for (int i = from; i < to; i++) {
            if (log.givesOut(i)) {
                allocs++;
                given += log.bytes(i);
            } else {
                taken -= log.bytes(i);
            }
        }
        int known = at >= 0 ? at : from - 1;
        return new Span(
                step,
                log.before(from),
                log.before(at < 0 ? from : at + 1),
                at < 0 ? begin : log.time(at),
                log.before(to),
                new Traffic(allocs, given, to - from - allocs, taken),
                known < 0 ? -1 : log.reserved(known));
    }

    /** The replay. */
    public AllocatorLog log() {
        return log;
    }

    /** Number of the device, or {@code cpu}. */
    public String device() {
        return log.name();
    }

    /** The whole recording. */
    public Span whole() {
        return spans.getFirst();
    }

    /** The steps in order of time. */
    public List<Span> steps() {
        return spans.subList(1, spans.size());
    }

    /** The event of the peak, -1 when nothing is above what was allocated before the trace began. */
    public int peakEvent() {
        return peak;
    }

    /**
     * Bytes by which each step begins with more than the one before; unknown for fewer than three steps. Where steps leave
     * {@link #kept} blocks, the interval lies above 0 whatever else scatters, if the slope does.
     */
    public Confidence growth() {
        return growth;
    }

    /** The blocks that each step leaves behind, most bytes first. */
    public List<KeptBlocks> kept() {
        return kept;
    }

    /** Bytes of the blocks that each step leaves behind. */
    public long keptBytesPerStep() {
        return kept.stream().mapToLong(KeptBlocks::bytesPerStep).sum();
    }

    /** What is allocated at the peak, the largest first. */
    List<LiveSet.Row> peakRows() {
        return live.after(peak);
    }

    /** For how long the block lives that an event allocates. */
    Lifetime lifetime(int event) {
        return live.lifetime(event);
    }

    /** Who asked for the block that an event allocates. */
    String owner(int event) {
        return owners.of(log.row(event)).name();
    }

    /** Whether the recorded history is as long as PyTorch lets it become, so that its beginning may be lost. */
    public boolean isHistoryCapped() {
        String all = trace.info().metadata().get(HISTORY);
        if (all == null || log.device() < 0) {
            return false;
        }
        String[] entries = all.replaceAll("[\\[\\]\\s]", "").split(",");
        return log.device() < entries.length && Long.parseLong(entries[(int) log.device()]) == CAPPED;
    }

    /** Who holds the peak, the most first. */
    public List<Holder> holders() {
        Map<String, Long> sums = new TreeMap<>();
        peakRows().forEach(row -> sums.merge(row.owner().said(), row.bytes(), Long::sum));
        return sorted(sums);
    }

    /** Who asked for blocks within steps, but for the first and the last, that were never freed; the most first. */
    public List<Holder> keptFromSteps() {
        Map<String, Long> sums = new TreeMap<>();
        List<Step> steps = marked.steps();
        for (int step = 1; step + 1 < steps.size(); step++) {
            int to = log.firstAt(steps.get(step).end());
            for (int i = log.firstAt(steps.get(step).start()); i < to; i++) {
                if (log.givesOut(i) && log.end(i) == AllocatorLog.NEVER) {
                    sums.merge(owner(i), log.bytes(i), Long::sum);
                }
            }
        }
        return sorted(sums);
    }

    private static List<Holder> sorted(Map<String, Long> sums) {
        List<Holder> holders = new ArrayList<>();
        sums.forEach((owner, bytes) -> holders.add(new Holder(owner, bytes)));
        holders.sort(Comparator.comparingLong(holder -> -holder.bytes));
        return holders;
    }

    /** What each owner did, the most bytes first. */
    List<OwnerTraffic> operators() {
        Map<String, long[]> sums = new HashMap<>();
        for (int i = 0; i < log.size(); i++) {
            long[] sum = sums.computeIfAbsent(owner(i), name -> new long[4]);
            sum[2] += log.bytes(i);
            if (log.givesOut(i)) {
                sum[0]++;
                sum[1] += log.bytes(i);
                sum[3] = Math.max(sum[3], log.bytes(i));
            }
        }
        List<OwnerTraffic> rows = new ArrayList<>();
        sums.forEach((name, sum) -> rows.add(new OwnerTraffic(name, (int) sum[0], sum[1], sum[2], sum[3])));
        rows.sort(Comparator.comparingLong((OwnerTraffic row) -> -row.bytes).thenComparing(OwnerTraffic::owner));
        return rows;
    }

    /** What each stream did; empty where events name none. */
    List<StreamTraffic> streams() {
        MemoryDetails memory = trace.view(MemoryDetails.KEY);
        if (memory == null) {
            return List.of();
        }
        Map<Long, long[]> sums = new TreeMap<>();
        for (int i = 0; i < log.size(); i++) {
            long stream = memory.stream(log.row(i));
            if (stream < 0) {
                continue;
            }
            long[] sum = sums.computeIfAbsent(stream, s -> new long[5]);
            if (log.givesOut(i)) {
                sum[0]++;
                sum[1] += log.bytes(i);
                sum[4] += i <= peak && log.end(i) > peak ? log.bytes(i) : 0;
            } else {
                sum[2]++;
                sum[3] -= log.bytes(i);
            }
        }
        List<StreamTraffic> rows = new ArrayList<>();
        sums.forEach((stream, sum) ->
                rows.add(new StreamTraffic(stream, new Traffic((int) sum[0], sum[1], (int) sum[2], sum[3]), sum[4])));
        return rows;
    }
}
