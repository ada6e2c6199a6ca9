// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Gathers, from the events of a result as they pass by, what the page shows beyond the tables. */
public final class PageFigures {
    private static final double FULL = 100;
    private static final double IMPOSSIBLE = 101;

    /** Time of a class of events on a device. */
    static final class Busy {
        double us;
        long events;
    }

    /** How much of the time of kernels the device computed at its full rate. */
    static final class Utilization {
        double multiplying;
        double other;
        double weighted;

        /** Mean utilisation, in percent, of kernels that use the arrays. */
        double mean() {
            return multiplying == 0 ? 0 : weighted / multiplying;
        }
    }

    /** By rank, then class. */
    final Map<Long, Map<String, Busy>> classes = new TreeMap<>();

    final Map<Long, Utilization> utilization = new TreeMap<>();
    final Map<Long, SampleSeries> power = new TreeMap<>();

    /** By name of a counter of bandwidth and its process. */
    final Map<String, SampleSeries> bandwidth = new TreeMap<>();

    private boolean utilized;

    /** Whether kernels were compared with what the compiler said. */
    boolean isUtilized() {
        return utilized;
    }

    /** Takes an event of the result. */
    public void add(AiuEvent event) {
        if (event.phase == 'C') {
            sample(event);
        } else if (event.isComplete() && event.isAccelerator() && event.kind != null) {
            Busy busy = classes.computeIfAbsent(event.pid, pid -> new LinkedHashMap<>())
                    .computeIfAbsent(event.kind, kind -> new Busy());
            busy.us += event.length();
            busy.events++;
            if (event.kind.equals("COMPUTE_EXEC")) {
                utilize(event);
            }
        }
    }

    private void utilize(AiuEvent event) {
        Utilization of = utilization.computeIfAbsent(event.pid, pid -> new Utilization());
        double active = event.args == null ? Double.NaN : event.args.number("pt_active");
        if (active > 0) {
            double percent = active * FULL;
            utilized = true;
            of.multiplying += event.length();
            of.weighted += (percent > FULL ? IMPOSSIBLE : percent) * event.length();
        } else {
            of.other += event.length();
        }
    }

    private void sample(AiuEvent event) {
        if (event.args == null || event.args.size() == 0) {
            return;
        }
        String name = event.name.text();
        double value = event.args.value(0) instanceof Number number ? number.doubleValue() : Double.NaN;
        if (Double.isNaN(value)) {
            return;
        }
        if (name.equals("Power")) {
            power.computeIfAbsent(event.pid, pid -> new SampleSeries()).add(event.ts, value);
        } else if (name.contains("BW") || name.contains("Bandwidth")) {
            bandwidth
                    .computeIfAbsent(name + (event.pid < 0 ? "" : ", rank " + event.pid), key -> new SampleSeries())
                    .add(event.ts, value);
        }
    }
}
