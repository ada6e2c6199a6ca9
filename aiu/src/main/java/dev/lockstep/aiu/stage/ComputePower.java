// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code compute_power}: the power between two samples of the charge stands at the first of them. By TS4 it is in watts,
 * of a supply of 12 V whose meter counts 512 steps; by TS3 it is charge per cycle.
 */
final class ComputePower implements Stage {
    private static final double VOLTS = 12;
    private static final double STEP = 1.0 / 512;
    private static final double IMPOSSIBLE = 100;
    private static final String[] KINDS = {"DmaI", "DmaO", "AllGather", "AllReduce", "Cmpt Exec"};
    private static final double JUST_BEFORE = 0.001;

    /** The sample of a process whose power is not known yet. */
    private static final class Sample {
        @Nullable
        AiuEvent last;
    }

    private final boolean byTs4;
    private final boolean skips;
    private final boolean keepsLast;
    private final boolean equalIsWrap;
    private final ByProcess<Sample> previous = new ByProcess<>(Sample::new);
    private final Map<String, AiuName> names = new HashMap<>();
    private long taken;
    private long given;
    private long bad;

    ComputePower(AiuOptions options) {
        byTs4 = options.counts("power_ts4");
        skips = options.get(AiuOption.SKIP_EVENTS);
        keepsLast = options.rules().power().endsAtLastSample();
        equalIsWrap = options.rules().power().equalIsWrap();
    }

    @Override
    public String name() {
        return "compute_power";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (Double.isNaN(event.key)) {
            next.accept(event);
            return;
        }
        taken++;
        Sample previousOf = previous.of(event.pid);
        AiuEvent before = previousOf.last;
        if (before == null) {
            previousOf.last = event;
        } else {
            compute(before, event, previousOf, next);
        }
    }

    private void compute(AiuEvent before, AiuEvent event, Sample previousOf, Next next) {
        long from = charge(before);
        long to = charge(event);
        if (from == 0) {
            previousOf.last = event;
            return;
        }
        if (to == 0) {
            return;
        }
        if (before.key == event.key) {
            if (name(before).contains(" Prep")) {
                previousOf.last = event;
            }
            return;
        }
        if (skips && isSkipped(name(before), name(event))) {
            return;
        }
        long charge = to > from || to == from && !equalIsWrap ? to - from : Normalization.WRAP + to - from;
        emit(before, power(charge, event.key - before.key), next);
        if (!byTs4) {
            AiuEvent zero = before.copy();
            zero.ts = event.ts - JUST_BEFORE;
            zero.args = Args.of(PowerSamples.UNIT, 0.0);
            next.accept(zero);
        }
        previousOf.last = event;
        given++;
    }

    private double power(long charge, double distance) {
        if (!byTs4) {
            return Rounding.of(charge / distance, 3);
        }
        double watts = VOLTS * charge * STEP / distance;
        if (watts > IMPOSSIBLE) {
            bad++;
            return 0;
        }
        return watts;
    }

    private void emit(AiuEvent sample, double power, Next next) {
        sample.args = Args.of(PowerSamples.UNIT, power);
        if (!byTs4) {
            sample.name = names.computeIfAbsent("Power" + kind(name(sample)), AiuName::new);
        }
        sample.category = byTs4 ? "Power4" : "Power3";
        sample.key = Double.NaN;
        next.accept(sample);
    }

    private static String kind(String name) {
        for (String kind : KINDS) {
            if (name.contains(kind)) {
                return " " + kind;
            }
        }
        return " Other";
    }

    private static boolean isSkipped(String before, String name) {
        boolean exec = before.contains("Cmpt Exec");
        boolean in = name.contains(" DmaI");
        return exec && name.contains("Cmpt Exec") || before.contains(" DmaO") && in || exec && in;
    }

    private static String name(AiuEvent sample) {
        return sample.category == null ? "" : sample.category;
    }

    private static long charge(AiuEvent sample) {
        return sample.args == null ? 0 : (long) sample.args.number(PowerSamples.UNIT);
    }

    /** What follows the last sample is not known: the counter ends there. */
    @Override
    public void drain(Next next) {
        if (keepsLast) {
            previous.forEach((pid, sample) -> end(sample, next));
        }
    }

    private void end(Sample sample, Next next) {
        AiuEvent last = sample.last;
        sample.last = null;
        if (last != null) {
            emit(last, 0, next);
        }
    }

    @Override
    public void finish(AiuLog log) {
        if (bad > 0) {
            log.warn("PEC encountered " + bad + " bad power events set to 0.0W. Enable DEBUG (-D 3) to display.");
        }
        log.info("PEC event stats o/i: " + given + " / " + taken);
    }
}
