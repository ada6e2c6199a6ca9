// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code mp_ts_calibration_v2}: brings the clocks of the devices together by the ends of all-reduces, whose distances
 * also tell how much faster one clock is than another.
 */
final class MpCalibration implements Stage {
    private static final int LAST = 4;

    /** End of a group on a process: by the device's clock, and by the host's. */
    private record End(double device, double host) {}

    /** A device's clock: its reading when the first one's was {@code origin}, and how much faster it runs. */
    private record Clock(double base, double dilation, double origin) {
        double right(double us) {
            return (us - base) / dilation + origin;
        }
    }

    private final AiuLog log;
    private final List<AiuEvent> events = new ArrayList<>();
    private final Map<Long, Map<String, End>> ends = new TreeMap<>();

    MpCalibration(AiuLog log) {
        this.log = log;
    }

    @Override
    public String name() {
        return "mp_ts_calibration_v2";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        events.add(event);
        DeviceTimes times = event.device;
        String group = event.args == null ? null : event.args.text("CollGroup");
        if (event.isComplete() && times != null && times.isMapped() && group != null && group.contains("AllReduce")) {
            End end = new End(times.device(LAST), event.end());
            ends.computeIfAbsent(event.pid, pid -> new HashMap<>())
                    .merge(group, end, (a, b) -> b.device > a.device ? b : a);
        }
    }

    @Override
    public void drain(Next next) {
        Map<String, End> first = ends.get(0L);
        Set<String> common = new LinkedHashSet<>();
        if (first != null) {
            common.addAll(new TreeSet<>(first.keySet()));
            ends.values().forEach(of -> common.retainAll(of.keySet()));
        }
        if (common.isEmpty() || ends.size() < 2 || first == null) {
            log.info("MP SYNC: no collective group detected or single process, no action");
        } else {
            calibrate(first, common);
        }
        for (AiuEvent event : events) {
            next.accept(event);
        }
        events.clear();
    }

    private void calibrate(Map<String, End> first, Set<String> common) {
        String reference = "";
        double least = Double.POSITIVE_INFINITY;
        for (String group : common) {
            double sum = 0;
            for (Map<String, End> of : ends.values()) {
                sum += end(of, group).device - end(first, group).device;
            }
            if (sum < least) {
                least = sum;
                reference = group;
            }
        }
        double origin = end(first, reference).device;
        double ownSpan = span(first, common);
        Map<Long, Clock> clocks = new HashMap<>();
        for (Map.Entry<Long, Map<String, End>> process : ends.entrySet()) {
            double span = span(process.getValue(), common);
            // One group tells nothing about the rates of the clocks.
            double dilation = ownSpan > 0 && span > 0 ? span / ownSpan : 1;
            clocks.put(process.getKey(), new Clock(end(process.getValue(), reference).device, dilation, origin));
        }
        double offset = end(first, reference).host - origin;
        for (AiuEvent event : events) {
            Clock clock = clocks.get(event.pid);
            if (event.device != null && clock != null && event.device.isMapped()) {
                move(event, event.device, clock, offset);
            }
        }
    }

    private static void move(AiuEvent event, DeviceTimes times, Clock clock, double offset) {
        double[] host = times.toHost();
        for (int i = 0; i < host.length; i++) {
            host[i] = clock.right(times.device(i)) + offset;
        }
        event.ts = host[LAST] - event.dur;
    }

    private static double span(Map<String, End> of, Set<String> groups) {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (String group : groups) {
            min = Math.min(min, end(of, group).device);
            max = Math.max(max, end(of, group).device);
        }
        return max - min;
    }

    private static End end(Map<String, End> of, String group) {
        return of.getOrDefault(group, new End(0, 0));
    }
}
