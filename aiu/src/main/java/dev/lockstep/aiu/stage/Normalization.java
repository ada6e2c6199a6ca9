// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuLog.Level;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code normalize_phase1} and {@code normalize_phase2}: one spelling of names and arguments, and counters that no
 * longer wrap. The first stage learns for each process when its counter was zero, the second one adds to each counter
 * the epochs that have passed since.
 */
final class Normalization {
    static final long WRAP = 1L << 32;
    private static final double SAME = 1e-9;

    /** @param epoch host time of cycle zero in microseconds */
    private record Reference(double epoch, double ts, long cycle) {}

    /** What is known about the counter of a process. */
    private static final class Device {
        final BitSet jobs = new BitSet();

        @Nullable
        Reference reference;
    }

    private final AiuOptions options;
    private final AiuLog log;
    private final double mhz;
    private final double wrapUs;
    private final EventFilter filter;
    private final Limiter limiter;
    private final Map<AiuName, AiuName> unified = new HashMap<>();
    private final ByProcess<Device> devices = new ByProcess<>(Device::new);
    private final ByProcess<FrequencyOfProcess> frequencies;
    private final JobFrequencies jobFrequencies = new JobFrequencies();
    private final TreeSet<Long> updatedPids = new TreeSet<>();
    private final TreeSet<Integer> updatedJobs = new TreeSet<>();
    private double earliest;
    private long updates;
    private long longDurations;
    private long identical;
    private long descending;

    Normalization(AiuOptions options, AiuLog log) {
        this.options = options;
        this.log = log;
        mhz = options.get(AiuOption.SOC_MHZ);
        wrapUs = WRAP / mhz;
        frequencies = new ByProcess<>(
                () -> new FrequencyOfProcess(options.rules().clocks().cyclesBetween()));
        filter = new EventFilter(options.get(AiuOption.EVENT_FILTER), log);
        limiter = new Limiter(
                options.get(AiuOption.LIMIT), options.rules().files().freeEventsUseLimit());
    }

    Stage first() {
        return new Stage() {
            @Override
            public String name() {
                return "normalize_phase1";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (!limiter.lets(event)) {
                    return;
                }
                if (!event.isComplete() || normalize(event)) {
                    next.accept(event);
                }
            }
        };
    }

    Stage second() {
        return new Stage() {
            @Override
            public String name() {
                return "normalize_phase2";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (event.isComplete() && event.device != null) {
                    addEpochs(event, event.device);
                }
                next.accept(event);
            }

            @Override
            public void finish(AiuLog log) {
                report();
            }
        };
    }

    private boolean normalize(AiuEvent event) {
        event.attr = false;
        if (event.name.isAged()) {
            event.name = unified.computeIfAbsent(event.name, name -> new AiuName(name.unified()));
        }
        if (event.args != null) {
            Object bytes = event.args.remove("Bytes");
            if (bytes != null) {
                event.args.put("bytes", bytes);
            }
        }
        if (filter.drops(event)) {
            return false;
        }
        event.namesJob = event.job != null;
        if (event.device != null) {
            event.device.spelling = null;
            unwrapWithin(event, event.device);
        }
        return true;
    }

    /** A counter that is smaller than the one before it has wrapped in between. */
    private void unwrapWithin(AiuEvent event, DeviceTimes device) {
        long[] cycles = device.cycles;
        for (int i = 1; i < cycles.length; i++) {
            if (cycles[i] < cycles[i - 1]) {
                device.wrapped = device.wrapped == 0 ? (byte) (i + 1) : device.wrapped;
                cycles[i] += WRAP;
            }
        }
        if (event.dur > wrapUs) {
            longDurations++;
        }
        long cycle = cycles[Math.max(event.name.step(), 0)];
        double epoch = event.ts - cycle / mhz;
        Device of = devices.of(event.pid);
        Reference known = of.reference;
        if (known == null) {
            of.reference = new Reference(epoch, event.ts, cycle);
            log.info("OVC: Reference Epoch for " + event.pid + " " + jobOf(event) + " "
                    + Numbers.python(event.ts - epoch) + " " + Numbers.python(epoch));
        } else if (epoch < known.epoch) {
            of.reference = new Reference(epoch, event.ts, cycle);
            updates++;
            updatedPids.add(event.pid);
            updatedJobs.add(jobOf(event));
            earliest = Math.min(earliest, epoch);
        }
        if (event.name.isExec()) {
            measure(event, cycles);
        }
    }

    private void measure(AiuEvent event, long[] cycles) {
        if (event.dur == 0) {
            return;
        }
        if (!frequencies.of(event.pid).add(event.ts, event.dur, cycles[2], cycles[3])) {
            identical++;
        }
    }

    private static int jobOf(AiuEvent event) {
        return event.job == null ? -1 : event.job.number();
    }

    private void addEpochs(AiuEvent event, DeviceTimes device) {
        long cycle = device.cycles[Math.max(event.name.step(), 0)];
        double epoch = event.ts - cycle / mhz;
        Device of = devices.of(event.pid);
        Reference reference = of.reference;
        if (reference == null) {
            reference = new Reference(epoch, event.ts, cycle);
            of.reference = reference;
        }
        // The counter's own position tells the epoch best: where the event stands is late by its own cycles.
        long epochs =
                options.rules().clocks().epochs().wraps(event.ts - reference.epoch, epoch - reference.epoch, wrapUs);
        int job = jobOf(event) + 1;
        if (!of.jobs.get(job)) {
            of.jobs.set(job);
            long told = options.rules().clocks().jobsByFirstCounter() ? device.cycles[0] : cycle;
            double drift = event.ts - told / mhz - (reference.epoch + epochs * wrapUs);
            double span = event.ts - reference.ts;
            if (Math.abs(span) > SAME) {
                jobFrequencies.add((told + epochs * WRAP - reference.cycle) / span, (long) drift);
            }
        }
        long before = Long.MIN_VALUE;
        for (int i = 0; i < device.cycles.length; i++) {
            device.cycles[i] += epochs * WRAP;
            if (device.cycles[i] < before) {
                descending++;
            }
            before = device.cycles[i];
        }
        device.epoch = (int) epochs;
    }

    private void report() {
        jobFrequencies.report(mhz, log);
        report("duration", true);
        report("interval", false);
        if (identical > 0) {
            log.warn("Detected " + identical + " identical timestamps between consecutive events. This suggests a"
                    + " timestamp issue in the trace and causes unreliable interval-based frequency calculation.");
        }
        if (longDurations > 0) {
            log.warn("OVC: Detected " + longDurations + " event(s) with long duration and thus potential undetected"
                    + " overflow in TSx counter.");
        }
        if (descending > 0) {
            log.error("OVC: local_correction fix has missed a spot in TS-sequence of " + descending + " event(s).");
        }
        if (updates > 0) {
            log.warn("OVC: reference epoch had to be updated " + updates + " times with newly detected earlier"
                    + " timestamps. This indicates events with 0.0-timestamps or out-of-order input events. (pid="
                    + braces(updatedPids, "") + ", job=" + braces(updatedJobs, "'") + ", start="
                    + Numbers.python(earliest) + ")");
        }
    }

    private static String braces(Set<?> values, String quote) {
        StringBuilder text = new StringBuilder("{");
        for (Object value : values) {
            text.append(text.length() > 1 ? ", " : "")
                    .append(quote)
                    .append(value)
                    .append(quote);
        }
        return text.append('}').toString();
    }

    private void report(String what, boolean byDuration) {
        RunningMean means = new RunningMean();
        RunningMean ends = new RunningMean();
        frequencies.forEach((pid, frequency) -> {
            RunningMean of = byDuration ? frequency.byDuration : frequency.byInterval;
            means.add(of.mean());
            ends.add(of.min());
            ends.add(of.max());
        });
        double mean = means.mean();
        if (Math.abs(mean) <= SAME) {
            return;
        }
        double min = ends.min();
        double max = ends.max();
        double range = Rounding.of((max - min) / mean, 3);
        double ratio = Rounding.of(mhz / mean, 3);
        Level level = range > 0.1 || Math.abs(1 - ratio) > 0.1 ? Level.WARNING : Level.INFO;
        log.say(
                level,
                "FREQ: Detected Event-" + what + "-based frequency (min/mean/max): " + rounded(min) + " "
                        + rounded(mean) + " " + rounded(max) + " ; rel_range=" + Numbers.python(range)
                        + ", input_soc_freq/detected=" + Numbers.python(ratio));
    }

    private static String rounded(double value) {
        return Numbers.python(Rounding.of(value, 2));
    }
}
