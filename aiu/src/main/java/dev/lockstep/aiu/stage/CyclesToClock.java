// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Stage;

/**
 * {@code cycle_count_to_wallclock}: an event of the device ends when the host says; where it began and where its
 * counters lie on the host's clock comes from the cycles. It reaches from TS1 to the end of its step, until
 * {@link TightenByStep} narrows it.
 */
final class CyclesToClock implements Stage {
    private final double mhz;
    private long early;

    CyclesToClock(double mhz) {
        this.mhz = mhz;
    }

    @Override
    public String name() {
        return "cycle_count_to_wallclock";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && event.device != null) {
            map(event, event.device);
        }
        next.accept(event);
    }

    private void map(AiuEvent event, DeviceTimes times) {
        int last = lastCounter(event.name);
        times.map(mhz);
        double end = event.ts + event.dur;
        double[] host = times.toHost();
        for (int i = 0; i < host.length; i++) {
            host[i] = end + (times.device(i) - times.device(last));
        }
        double dur = host[last] - host[0];
        double ts = end - dur;
        if (ts != event.ts || dur != event.dur) {
            times.adjustedTs = ts - event.ts;
            times.adjustedDur = dur - event.dur;
        }
        if (ts < 0) {
            early++;
        }
        event.ts = ts;
        event.dur = dur;
    }

    private static int lastCounter(AiuName name) {
        int step = name.lastStep();
        return step == AiuName.NO_STEP || step == AiuName.DMA_OUT ? DeviceTimes.COUNT - 1 : step + 1;
    }

    @Override
    public void finish(AiuLog log) {
        if (early > 0) {
            log.warn("TS CONV: " + early + " event(s) begin before time zero by their cycles."
                    + " Please check the frequency setting.");
        }
    }
}
