// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.util.Arrays;

/**
 * {@code assert_ts_sequence} and {@code assert_global_ts_sequence}: says where events are not in order of time, on each
 * row or altogether; the former also count executions on one device that overlap by their cycles.
 */
final class SequenceCheck implements Stage {
    private static final int SAID = 20;

    private static final class Device {
        double ts;
        long end;
    }

    private final boolean global;
    private final AiuLog log;
    private final Rows rows = new Rows();
    private double[] starts = new double[16];
    private double[] lengths = new double[16];
    private int known;
    private final ByProcess<Device> devices = new ByProcess<>(Device::new);
    private long executions;
    private long overlapping;
    private long worst;
    private long unordered;

    SequenceCheck(boolean global, AiuLog log) {
        this.global = global;
        this.log = log;
    }

    @Override
    public String name() {
        return global ? "assert_global_ts_sequence" : "assert_ts_sequence";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.phase == 'X' || event.phase == 'b' || event.phase == 'e') {
            check(event);
            if (!global && event.name.isExec() && event.device != null) {
                checkCycles(event, event.device.cycles);
            }
        }
        next.accept(event);
    }

    private void check(AiuEvent event) {
        int row = global ? 0 : rows.of(event);
        double dur = event.length();
        if (row == known) {
            if (known == starts.length) {
                starts = Arrays.copyOf(starts, known * 2);
                lengths = Arrays.copyOf(lengths, known * 2);
            }
            starts[known] = event.ts;
            lengths[known++] = dur;
            return;
        }
        double before = starts[row];
        if (before > event.ts) {
            say("Events out of order: " + Numbers.python(before) + " > " + Numbers.python(event.ts));
        } else if (before == event.ts && lengths[row] < dur) {
            say("Secondary key (dur) out of order: " + Numbers.python(lengths[row]) + " < " + Numbers.python(dur));
        }
        starts[row] = event.ts;
        lengths[row] = dur;
    }

    private void say(String line) {
        if (unordered++ < SAID) {
            log.error(line);
        }
    }

    private void checkCycles(AiuEvent event, long[] cycles) {
        executions++;
        Device device = devices.of(event.pid);
        if (device.ts < event.ts && cycles[2] < device.end) {
            overlapping++;
            worst = Math.max(worst, device.end - cycles[2]);
        }
        device.ts = event.ts;
        device.end = cycles[3];
    }

    @Override
    public void finish(AiuLog out) {
        if (unordered > SAID) {
            out.error("Events out of order: " + (unordered - SAID) + " more");
        }
        if (overlapping > 0) {
            out.warn("TS_SEQUENCE: detected cycles overlapping (TS3[n] < TS4[n-1]) between cmpt_exec events within the"
                    + " same PID  " + overlapping + " / " + executions + " max overlap cycles:  " + worst);
        }
    }
}
