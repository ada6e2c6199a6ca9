// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.table.DoubleList;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code analyze_power_statistics}: power weighted by time, while kernels run and while none does. */
final class PowerStats implements Stage {
    /** Microseconds at a power in watts. */
    private record Segment(double us, double watts) {}

    private static final class Device {
        final DoubleList starts = new DoubleList(64);
        final DoubleList ends = new DoubleList(64);
        final DoubleList watts = new DoubleList(64);
        final DoubleList kernelStarts = new DoubleList(64);
        final DoubleList kernelEnds = new DoubleList(64);
        double lastTs = Double.NaN;
        double lastWatts;
    }

    private final AiuRules.Power rules;
    private final AiuLog log;
    private final Map<Long, Device> devices = new LinkedHashMap<>();
    private boolean done;

    PowerStats(AiuRules.Power rules, AiuLog log) {
        this.rules = rules;
        this.log = log;
    }

    @Override
    public String name() {
        return "analyze_power_statistics";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.ts != 0) {
            if (event.phase == 'C' && event.name.text().equals("Power") && event.args != null) {
                sample(device(event), event.ts, event.args.number(PowerSamples.UNIT));
            } else if (event.isComplete() && event.name.isExec() && event.dur > 0) {
                device(event).kernelStarts.add(event.ts);
                device(event).kernelEnds.add(event.end());
            }
        }
        next.accept(event);
    }

    private Device device(AiuEvent event) {
        return devices.computeIfAbsent(rules.statisticsPerProcess() ? event.pid : 0, pid -> new Device());
    }

    private static void sample(Device device, double ts, double watts) {
        if (ts > device.lastTs) {
            device.starts.add(device.lastTs);
            device.ends.add(ts);
            device.watts.add(device.lastWatts);
        }
        device.lastTs = ts;
        device.lastWatts = watts;
    }

    @Override
    public void drain(Next next) {
        if (done) {
            return;
        }
        done = true;
        List<Segment> with = new ArrayList<>();
        List<Segment> without = new ArrayList<>();
        devices.values().forEach(device -> split(device, with, without));
        if (with.isEmpty() && without.isEmpty()) {
            log.warn("Insufficient power data (need at least 2 samples) for statistics");
            return;
        }
        report("Power with kernels", with);
        report("Power without kernels", without);
    }

    private static void split(Device device, List<Segment> with, List<Segment> without) {
        double[][] kernels = merged(device.kernelStarts.toArray(), device.kernelEnds.toArray());
        int first = 0;
        double before = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < device.starts.size(); i++) {
            double start = device.starts.get(i);
            double end = device.ends.get(i);
            double watts = device.watts.get(i);
            if (start < before) {
                first = 0;
            }
            before = start;
            while (first < kernels[0].length && kernels[1][first] <= start) {
                first++;
            }
            double at = start;
            for (int k = first; k < kernels[0].length && kernels[0][k] < end; k++) {
                double from = Math.max(start, kernels[0][k]);
                double to = Math.min(end, kernels[1][k]);
                if (at < from) {
                    without.add(new Segment(from - at, watts));
                }
                with.add(new Segment(to - from, watts));
                at = to;
            }
            if (at < end) {
                without.add(new Segment(end - at, watts));
            }
        }
    }

    private static double[][] merged(double[] starts, double[] ends) {
        Integer[] order = new Integer[starts.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> starts[i]));
        DoubleList from = new DoubleList(64);
        DoubleList to = new DoubleList(64);
        double start = Double.NaN;
        double end = Double.NEGATIVE_INFINITY;
        for (int i : order) {
            if (starts[i] <= end) {
                end = Math.max(end, ends[i]);
                continue;
            }
            if (!Double.isNaN(start)) {
                from.add(start);
                to.add(end);
            }
            start = starts[i];
            end = ends[i];
        }
        if (!Double.isNaN(start)) {
            from.add(start);
            to.add(end);
        }
        return new double[][] {from.toArray(), to.toArray()};
    }

    private void report(String what, List<Segment> segments) {
        if (segments.isEmpty()) {
            log.info(what + ": No data");
            return;
        }
        double us = 0;
        double energy = 0;
        double poweredUs = 0;
        double most = Double.NEGATIVE_INFINITY;
        List<Segment> powered = new ArrayList<>();
        for (Segment segment : segments) {
            us += segment.us;
            energy += segment.us * segment.watts;
            most = Math.max(most, segment.watts);
            if (segment.watts > 0) {
                poweredUs += segment.us;
                powered.add(segment);
            }
        }
        powered.sort(Comparator.comparingDouble(Segment::watts));
        double least = powered.isEmpty() ? 0 : powered.get(0).watts;
        double unit = rules.usPerMs();
        log.info(what + ": min_non_zero=" + fixed(least) + "W, max=" + fixed(most) + "W, mean_non_zero="
                + fixed(poweredUs > 0 ? energy / poweredUs : 0) + "W, median_non_zero="
                + fixed(median(powered, poweredUs))
                + "W, avg_total=" + fixed(us > 0 ? energy / us : 0) + "W (time-weighted, dur_total=" + fixed(us / unit)
                + "ms, dur_non_zero=" + fixed(poweredUs / unit) + "ms)");
    }

    private static double median(List<Segment> powered, double us) {
        double passed = 0;
        for (Segment segment : powered) {
            passed += segment.us;
            if (passed >= us / 2) {
                return segment.watts;
            }
        }
        return 0;
    }

    private static String fixed(double value) {
        return new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN).toPlainString();
    }
}
