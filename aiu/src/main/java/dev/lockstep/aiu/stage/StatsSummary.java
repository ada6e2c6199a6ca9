// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.output.SideFiles;
import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** {@code calculate_stats_v2}: for each process the time it computed and communicated, and the share of its span. */
final class StatsSummary implements Stage {
    private static final String HEAD =
            "pid,elapsed_time,comp_active_atime,comm_active_atime,comp_active_atime_perc," + "comm_active_atime_perc\n";
    private static final long HOST = 1000;

    private static final class Times {
        double start = Double.POSITIVE_INFINITY;
        double end = Double.NEGATIVE_INFINITY;
        double computing = Double.NaN;
        double communicating = Double.NaN;
    }

    private final String target;
    private final boolean knowsSizes;
    private final Output output;
    private final Map<Long, Times> processes = new TreeMap<>();
    private boolean written;

    StatsSummary(String target, boolean knowsSizes, Output output) {
        this.target = target;
        this.knowsSizes = knowsSizes;
        this.output = output;
    }

    @Override
    public String name() {
        return "calculate_stats_v2";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && event.name.isExec()) {
            Times times = processes.computeIfAbsent(event.pid, pid -> new Times());
            times.start = Math.min(times.start, event.ts);
            times.end = Math.max(times.end, event.end());
            times.computing = (Double.isNaN(times.computing) ? 0 : times.computing) + event.dur;
        } else if (knowsSizes && event.isComplete() && event.args != null && event.args.has("Coll_data_size")) {
            long rank = event.pid >= HOST ? event.pid - HOST : event.pid;
            Times times = processes.computeIfAbsent(rank, pid -> new Times());
            times.communicating = (Double.isNaN(times.communicating) ? 0 : times.communicating) + event.dur;
        }
        next.accept(event);
    }

    @Override
    public void drain(Next next) {
        if (written) {
            return;
        }
        written = true;
        StringBuilder text = new StringBuilder(HEAD);
        processes.forEach((pid, times) -> {
            double elapsed = times.end - times.start;
            text.append(pid).append(',').append(cell(elapsed)).append(',').append(cell(times.computing));
            text.append(',').append(cell(times.communicating)).append(',').append(cell(times.computing / elapsed));
            text.append(',').append(cell(times.communicating / elapsed)).append('\n');
        });
        try {
            NamedFiles.write(output.file(Path.of(SideFiles.name(target, "stats_summary", "csv"))), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String cell(double value) {
        return Double.isFinite(value) ? Numbers.python(value) : "";
    }
}
