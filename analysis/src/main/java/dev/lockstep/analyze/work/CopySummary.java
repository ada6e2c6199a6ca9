// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.millis;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Launchers;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.Device;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Copies by direction, memory of the host and operator: how much at what bandwidth, against what the link could carry, and
 * how long nothing was computed meanwhile.
 *
 * @param rules definitions
 * @param device what links could carry, null when not known
 */
public record CopySummary(AnalysisRules rules, @Nullable Device device) implements Analysis<CopySummary.Result> {
    private static final String UNKNOWN = "(no known launch)";

    /**
     * Copies that belong together.
     *
     * @param device number of the device
     * @param way where from, where to
     * @param operator that launched them
     */
    public record Key(String device, CopyWay way, String operator) implements Comparable<Key> {
        @Override
        public int compareTo(Key o) {
            int c = device.compareTo(o.device);
            c = c != 0 ? c : way.compareTo(o.way);
            return c != 0 ? c : operator.compareTo(o.operator);
        }
    }

    /**
     * Their sums.
     *
     * @param timed bytes of the copies whose bytes are known, -1 when none is
     * @param timedNs their time
     * @param ns time of all
     * @param exposedNs time of all in which the device computed nothing
     * @param calls that launched them
     */
    public record Row(Key key, int copies, long timed, long timedNs, long ns, long exposedNs, Calls calls) {
        /** Bytes per second, NaN when unknown. */
        public double bandwidth() {
            return timed < 0 || timedNs == 0 ? Double.NaN : timed * 1e9 / timedNs;
        }
    }

    /**
     * The calls that launched copies.
     *
     * @param ns time of all
     * @param idleNs the part of it in which the device did nothing
     */
    public record Calls(long ns, long idleNs) {}

    /** The copies, those that take longest first, and by row the longest copy. */
    public record Result(
            List<Row> rows,
            List<Evidence> longest,
            @Nullable Device device) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
            longest = List.copyOf(longest);
        }

        @Override
        public List<Evidence> places(String sheet) {
            return longest;
        }

        /** What a way could carry at best, in bytes per second; NaN when unknown. */
        public double peak(CopyWay way) {
            return device == null ? Double.NaN : way.peak(device);
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(this));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no copies" : null;
        }
    }

    /** Sums in the making. */
    private static final class Sum {
        private int copies;
        private long timed = -1;
        private long timedNs;
        private long ns;
        private long exposedNs;
        private long callNs;
        private long idleCallNs;
        private int lastCall = -1;
        private int longest = -1;

        Row row(Key key) {
            return new Row(key, copies, timed, timedNs, ns, exposedNs, new Calls(callNs, idleCallNs));
        }
    }

    @Override
    public String id() {
        return "copies";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        Slices slices = trace.slices();
        DeviceActivity activity = cache.get(rules.activity());
        List<String> devices = activity.devices();
        int[] deviceOf = activity.deviceOfStreams();
        List<Map<KernelClass, IntervalSet>> busy =
                activity.busyByClass(devices.size(), i -> deviceOf[activity.streamOf(i)]);
        List<IntervalSet> active = busy.stream().map(CopySummary::whole).toList();
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        Launchers launchers = cache.get(rules.launchers());
        LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
        Map<Key, Sum> sums = new TreeMap<>();
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            if (slices.kind(slice) != SliceKind.MEMCPY) {
                continue;
            }
            int place = deviceOf[activity.streamOf(i)];
            int operator = launchers.launcherOf(slice);
            Key key = new Key(
                    devices.get(place), CopyWay.of(trace.name(slice)), operator < 0 ? UNKNOWN : trace.name(operator));
            Sum sum = sums.computeIfAbsent(key, k -> new Sum());
            int row = details == null ? -1 : details.of(slice);
            long bytes = row < 0 || details == null ? -1 : details.bytes(row);
            sum.copies++;
            sum.ns += slices.dur(slice);
            if (sum.longest < 0 || slices.dur(slice) > slices.dur(sum.longest)) {
                sum.longest = slice;
            }
            if (bytes >= 0) {
                sum.timed = Math.max(0, sum.timed) + bytes;
                sum.timedNs += slices.dur(slice);
            }
            IntervalSet computing = busy.get(place).getOrDefault(KernelClass.COMPUTE, IntervalSet.EMPTY);
            sum.exposedNs += slices.dur(slice) - computing.within(slices.ts(slice), slices.end(slice));
            int call = links.launchOf(slice);
            if (call >= 0 && call != sum.lastCall) { // a graph launches several
                sum.lastCall = call;
                sum.callNs += slices.dur(call);
                sum.idleCallNs += slices.dur(call) - active.get(place).within(slices.ts(call), slices.end(call));
            }
        }
        List<Map.Entry<Key, Sum>> sorted = new ArrayList<>(sums.entrySet());
        sorted.sort(Comparator.comparingLong(entry -> -entry.getValue().ns));
        List<Row> rows = new ArrayList<>();
        List<Evidence> longest = new ArrayList<>();
        sorted.forEach(entry -> {
            Sum sum = entry.getValue();
            rows.add(sum.row(entry.getKey()));
            longest.add(
                    Evidence.place("the longest copy", slices.ts(sum.longest), slices.end(sum.longest), sum.copies));
        });
        return new Result(rows, longest, device);
    }

    private static IntervalSet whole(Map<KernelClass, IntervalSet> busy) {
        IntervalSet all = IntervalSet.EMPTY;
        for (IntervalSet of : busy.values()) {
            all = all.union(of);
        }
        return all;
    }

    private static Table sheet(Result result) {
        return new Fields<Row>()
                .add(text("device", "Number of the device."), r -> r.key.device())
                .add(
                        text("direction", "HtoD: to the device, DtoH: from it, DtoD: within it, PtoP: to another."),
                        r -> r.key.way().direction())
                .add(
                        text(
                                "host memory",
                                "pinned or pageable, where the recorder says which; missing for copies between"
                                        + " devices."),
                        r -> r.key.way().hostMemory())
                .add(text("operator", "What launched the copies."), r -> r.key.operator())
                .add(ColumnSpec.count("copies", "How many."), Row::copies)
                .add(
                        ColumnSpec.whole(
                                "bytes", Unit.BYTES, Unit.BYTES, "What they move; missing where not recorded."),
                        r -> r.timed < 0 ? null : r.timed)
                .add(millis(ColumnNames.TIME_MS, "Time of the copies on the device, one after the other."), Row::ns)
                .add(
                        ColumnSpec.real(
                                "GB/s",
                                Unit.BYTES_PER_SECOND,
                                Unit.GIGABYTES_PER_SECOND,
                                "Bytes over the time of the copies whose bytes are recorded."),
                        Row::bandwidth)
                .add(
                        ColumnSpec.real(
                                "peak GB/s",
                                Unit.BYTES_PER_SECOND,
                                Unit.GIGABYTES_PER_SECOND,
                                "What the link between host and device could carry in one direction; within a device"
                                        + " half of its memory's bandwidth, as each byte is read and written; missing"
                                        + " where not known."),
                        r -> result.peak(r.key.way()))
                .add(
                        ColumnSpec.percent("of peak %", "Bandwidth by peak."),
                        r -> 100 * r.bandwidth() / result.peak(r.key.way()))
                .add(millis("exposed ms", "Time of the copies in which the device computed nothing."), Row::exposedNs)
                .add(
                        millis(
                                "call ms",
                                "Time of the calls that launched them: copies from and to pageable memory keep the"
                                        + " host that long."),
                        r -> r.calls.ns)
                .add(
                        millis("idle call ms", "The part of call ms in which the device did nothing at all."),
                        r -> r.calls.idleNs)
                .table("copies", "Copies", result.rows);
    }
}
