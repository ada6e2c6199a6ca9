// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.input.CompilerInfo;
import dev.lockstep.aiu.input.IdealTable;
import dev.lockstep.aiu.output.CategoryTable;
import dev.lockstep.aiu.output.CycleTable;
import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code compute_utilization_fingerprints} and {@code compute_utilization}: how much of its time each kernel would have
 * needed at the full rate of the device, by the compiler's table that is most like the kernel's job.
 */
final class Utilization {
    static final AiuName COUNTER = new AiuName("PT Active");
    static final String UNIT = "Percent";
    private static final String EXEC = " Cmpt Exec";

    /** What kernels are called where only the total of all is known. */
    static final String TOTAL = "Total" + EXEC;

    private static final double IMPOSSIBLE = 101;
    private static final double CERTAIN = 0.8;
    private static final double CLEAR = 0.2;

    private record JobKey(int job, long correlation) {
        @Override
        public int hashCode() {
            return job * 31 + Long.hashCode(correlation);
        }
    }

    /** @param rank index of the log whose tables were looked at */
    private record Match(int rank, IdealTable table) {}

    private final AiuOptions options;
    private final AiuLog log;
    private final CategoryTable categories;
    private final @Nullable CycleTable cycles;
    private final double usPerCycle;
    private final List<CompilerInfo> logs = new ArrayList<>();
    private final Map<AiuName, String> kernels = new HashMap<>();
    private final Map<JobKey, JobFingerprint> jobs = new LinkedHashMap<>();
    private final Map<JobKey, Integer> ranks = new HashMap<>();
    private final Map<JobKey, Match> matches = new HashMap<>();
    private final AutopilotCounters autopilot;
    private final Set<String> uncertain = new LinkedHashSet<>();
    private JobKey recent = new JobKey(-1, 0);
    private boolean matched;
    private long above;
    private long unmatched;
    private long others;

    /** @param cycles takes kernels by their cycles, too; null when that is not wanted */
    Utilization(AiuOptions options, String paths, CategoryTable categories, @Nullable CycleTable cycles, AiuLog log) {
        this.cycles = cycles;
        this.options = options;
        this.log = log;
        this.categories = categories;
        usPerCycle = 1 / options.get(AiuOption.CORE_MHZ);
        autopilot = new AutopilotCounters(log);
        if (!Files.exists(Path.of(paths))) {
            log.warn("Invalid directory path provided. No utilization will be plotted.");
        }
        String[] each = paths.split(",");
        if (each.length > 1) {
            log.info("UTL: Multi-AIU logs provided. Entries: " + each.length);
        }
        for (String path : each) {
            logs.add(CompilerInfo.read(path, log));
        }
    }

    Stage collect() {
        return new Stage() {
            @Override
            public String name() {
                return "compute_utilization_fingerprints";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (isKernel(event)) {
                    JobKey job = job(event);
                    jobs.computeIfAbsent(job, key -> new JobFingerprint()).add(kernel(event), event.dur);
                    ranks.putIfAbsent(job, rank(event));
                }
                next.accept(event);
            }

            @Override
            public void drain(Next next) {
                match();
            }
        };
    }

    Stage apply() {
        return new Stage() {
            @Override
            public String name() {
                return "compute_utilization";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (!isKernel(event)) {
                    next.accept(event);
                    return;
                }
                match();
                Match match = matches.get(job(event));
                if (match == null) {
                    unmatched++;
                    next.accept(event);
                    return;
                }
                utilize(event, match, next);
            }

            @Override
            public void drain(Next next) {
                autopilot.finish(counter -> emit(counter, next));
            }

            @Override
            public void finish(AiuLog out) {
                report();
                try {
                    categories.write(log);
                    if (cycles != null) {
                        cycles.write(log);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    private static boolean isKernel(AiuEvent event) {
        return event.isComplete() && event.job != null && event.isAccelerator() && EventClasses.isKernel(event);
    }

    /** The job of an event; most often that of the event before. */
    private JobKey job(AiuEvent event) {
        double given = event.args == null ? 0 : event.args.number("correlation");
        long correlation = Double.isNaN(given) ? 0 : (long) given;
        int number = event.job == null ? -1 : event.job.number();
        if (recent.job != number || recent.correlation != correlation) {
            recent = new JobKey(number, correlation);
        }
        return recent;
    }

    private int rank(AiuEvent event) {
        return logs.size() == 1 ? 0 : (int) event.pid;
    }

    private @Nullable CompilerInfo info(int rank) {
        return rank >= 0 && rank < logs.size() ? logs.get(rank) : null;
    }

    private String kernel(AiuEvent event) {
        CompilerInfo info = info(rank(event));
        if (info != null && info.isAutopilot()) {
            return TOTAL;
        }
        String kernel = kernels.get(event.name);
        if (kernel == null) {
            String name = event.name.text();
            kernel = name.endsWith("Cmpt Exec") ? name : name + EXEC;
            kernels.put(event.name, kernel);
        }
        return kernel;
    }

    private void match() {
        if (matched) {
            return;
        }
        matched = true;
        jobs.forEach((job, fingerprint) -> {
            Match best = null;
            double most = -1;
            double second = -1;
            for (int rank = 0; rank < logs.size(); rank++) {
                if (!options.rules().tables().ofAllLogs() && rank != ranks.getOrDefault(job, 0)) {
                    continue;
                }
                for (IdealTable table : logs.get(rank).tables()) {
                    double likeness =
                            options.rules().tables().likeness().applyAsDouble(fingerprint.with(table, usPerCycle));
                    if (likeness > most) {
                        second = most;
                        most = likeness;
                        best = new Match(rank, table);
                    } else {
                        second = Math.max(second, likeness);
                    }
                }
            }
            if (best != null) {
                matches.put(job, best);
                note(job, most, second);
            }
        });
        jobs.clear();
    }

    private void note(JobKey job, double most, double second) {
        if (most < CERTAIN) {
            uncertain.add("'" + job.job + ":" + Numbers.python(Rounding.of(most, 2)) + "'");
        } else if (second >= 0 && most - second <= CLEAR) {
            uncertain.add("'" + job.job + ":mm=" + tables() + "'");
        }
    }

    private int tables() {
        return logs.stream().mapToInt(info -> info.tables().size()).sum();
    }

    private void utilize(AiuEvent event, Match match, Stage.Next next) {
        IdealTable table = match.table;
        String kernel = kernel(event);
        double ideal = table.cycles(kernel) * usPerCycle;
        double utilization = Math.abs(event.dur) <= 1e-9 ? 0 : Math.abs(ideal / event.dur);
        if (!table.has(kernel)) {
            others++;
        }
        String category = categories.add(event.pid, table, kernel, ideal, event.dur);
        if (cycles != null && event.device != null) {
            cycles.add(event.pid, table, kernel, event.device);
        }
        if (event.category == null) {
            event.category = category;
        } else {
            event.put("user_cat", category);
        }
        if (utilization > 0) {
            event.put("pt_active", utilization);
            event.put("core used", true);
        }
        double ts = event.ts;
        double dur = event.dur;
        long pid = event.pid;
        next.accept(event);
        CompilerInfo info = info(rank(event));
        if (info != null && info.isAutopilot()) {
            JobKey job = job(event);
            AutopilotCounters.Span kernelSpan =
                    new AutopilotCounters.Span(pid, ts, dur, table.cycles(TOTAL) * usPerCycle);
            autopilot.add(rank(event), job, kernelSpan, c -> emit(c, next));
            return;
        }
        AiuEvent sample = counter(ts, pid, utilization * 100);
        sample.dur = dur;
        emit(sample, next);
        if (utilization > 0) {
            next.accept(counter(ts + dur, pid, 0));
        }
    }

    static AiuEvent counter(double ts, long pid, double percent) {
        return AiuEvent.counter(COUNTER, ts, pid, null, Args.of(UNIT, percent));
    }

    private void emit(AiuEvent counter, Stage.Next next) {
        double percent = counter.args == null ? 0 : counter.args.number(UNIT);
        if (percent > 100) {
            above++;
            log.warn(
                    "UTL: Event with +100% utilization. This could indicate a problem with table fingerprinting:  (pid,"
                            + " utilization) " + counter.pid + ", " + Numbers.python(percent) + " at "
                            + Numbers.python(counter.ts));
            counter.args = Args.of(UNIT, IMPOSSIBLE);
        }
        next.accept(counter);
    }

    private void report() {
        for (CompilerInfo info : logs) {
            if (info.found() > 1) {
                log.warn("UTL: " + info.tables().size() + "/" + info.found()
                        + " unique tables with ideal cycles have been"
                        + " detected. Utilization results should be inspected carefully!!!!");
            }
        }
        if (!uncertain.isEmpty()) {
            log.warn("UTL: Detected uncertain Ideal Cycles table match for " + uncertain.size() + " jobs: {"
                    + String.join(", ", uncertain) + "}");
        }
        if (unmatched > 0) {
            log.warn("UTL: No matching Ideal Cycles table found for " + unmatched
                    + " Events. This might indicate a wrong frequency setting.");
        }
        if (others > 0) {
            log.warn("UTL: Found " + others + " Events without a matching kernel category and accounted for 'other'");
        }
        if (above > 0) {
            log.warn("UTL: Encountered " + above + " Events with >100% utilization");
        }
    }
}
