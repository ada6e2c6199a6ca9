// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Stage;

/**
 * {@code tighten_hts_by_instr_type}: an event of the device lasts as long as its own step did; it keeps its end. An
 * event of no known step keeps its start and lasts from TS1 to TS5.
 */
final class TightenByStep implements Stage {
    private final double mhz;

    TightenByStep(double mhz) {
        this.mhz = mhz;
    }

    @Override
    public String name() {
        return "tighten_hts_by_instr_type";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && event.device != null) {
            tighten(event, event.device);
        }
        next.accept(event);
    }

    private void tighten(AiuEvent event, DeviceTimes times) {
        times.map(mhz);
        double[] host = times.toHost();
        for (int i = 0; i < host.length; i++) {
            host[i] = times.device(i) - times.device(0);
        }
        int step = event.name.step();
        if (step == AiuName.NO_STEP) {
            for (int i = 0; i < host.length; i++) {
                host[i] = event.ts + host[i];
            }
            event.dur = host[4] - host[0];
        } else {
            double end = event.ts + event.dur;
            event.dur = host[step + 1] - host[step];
            event.ts = end - event.dur;
            double last = host[step + 1];
            for (int i = 0; i < host.length; i++) {
                host[i] = host[i] - last + end;
            }
        }
    }
}
