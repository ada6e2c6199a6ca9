// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.output.KernelGroup;
import dev.lockstep.aiu.output.StatsFiles;
import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    private final Map<Key, KernelGroup> ofName = new HashMap<>();
    private final ByProcess<Map<AiuName, KernelGroup>> known = new ByProcess<>(HashMap::new);
    private final List<KernelGroup> groups = new ArrayList<>();
    private final ByProcess<Utilization> utilization = new ByProcess<>(Utilization::new);
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
            group(event).add(event.ts, event.dur, event.device.cycles);
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

    private KernelGroup group(AiuEvent event) {
        Map<AiuName, KernelGroup> own = known.of(event.pid);
        KernelGroup group = own.get(event.name);
        if (group == null) {
            String name = event.name.text().replaceAll("[_-][0-9]+", "_[N]");
            group = ofName.computeIfAbsent(new Key(event.pid, name), this::add);
            own.put(event.name, group);
        }
        return group;
    }

    private KernelGroup add(Key key) {
        KernelGroup group = new KernelGroup(key.pid, key.name);
        groups.add(group);
        return group;
    }

    private void measure(AiuEvent event, double percent) {
        Utilization of = utilization.of(event.pid);
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
            files.write(groups);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void finish(AiuLog log) {
        utilization.forEachByNumber((pid, of) -> {
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
