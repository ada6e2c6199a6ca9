// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.output.KernelGroup;
import dev.lockstep.aiu.output.StatsFiles;
import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.EventName;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code calculate_stats}: durations and cycles of executions by kernel and process, and how much of the time the
 * device computed at its full rate. Samples of utilisation that only served this end here.
 */
final class KernelStats implements Stage {
    private static final String UTILIZATION = "PT Active";
    private static final String UNIT = "Percent";
    private static final double ZERO = 1e-9;

    private record Key(long pid, String name) {}

    private static final class Utilization {
        double mean;
        double multiplying;
        double other;
    }

    private final StatsFiles files;
    private final Map<EventName, String> stripped = new HashMap<>();
    private final Map<Key, KernelGroup> groups = new LinkedHashMap<>();
    private final Map<Long, Utilization> utilization = new TreeMap<>();
    private boolean written;

    KernelStats(StatsFiles files) {
        this.files = files;
    }

    @Override
    public String name() {
        return "calculate_stats";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && event.name.isExec() && event.device != null && event.dur > 0) {
            String name = stripped.computeIfAbsent(event.name, n -> n.text().replaceAll("[_-][0-9]+", "_[N]"));
            groups.computeIfAbsent(new Key(event.pid, name), key -> new KernelGroup(event.pid, name))
                    .add(event.ts, event.dur, event.device.cycles);
        } else if (event.phase == 'C'
                && !Double.isNaN(event.dur)
                && event.name.text().equals(UTILIZATION)) {
            Args args = event.args;
            double percent = args == null ? 0 : args.number(UNIT);
            measure(event, percent);
            if (Math.abs(percent) <= ZERO) {
                return;
            }
            event.dur = Double.NaN;
        }
        next.accept(event);
    }

    private void measure(AiuEvent event, double percent) {
        Utilization of = utilization.computeIfAbsent(event.pid, pid -> new Utilization());
        if (percent > 0) {
            of.multiplying += event.dur;
            of.mean += (percent - of.mean) * (event.dur / of.multiplying);
        } else {
            of.other += event.dur;
        }
    }

    @Override
    public void drain(Next next) {
        if (written) {
            return;
        }
        written = true;
        try {
            files.write(groups.values());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void finish(AiuLog log) {
        utilization.forEach((pid, of) -> {
            double total = of.multiplying + of.other;
            if (total > 0) {
                log.info("UTL: pid=" + pid + ": avg_mm_util=" + rounded(of.mean, 3) + ", avg_util="
                        + rounded(of.mean * (of.multiplying / total), 3) + ", t_mm=" + Numbers.python(of.multiplying)
                        + ", t_sf=" + Numbers.python(of.other) + ", ratio_mm/sf="
                        + rounded(of.multiplying / total * 100, 2) + ":" + rounded(of.other / total * 100, 2));
            }
        });
    }

    private static String rounded(double value, int decimals) {
        return Numbers.python(Rounding.of(value, decimals));
    }
}
