// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Stage;

/** {@code event_sanity_checks}: counts device events whose counters do not ascend. */
final class SanityChecks implements Stage {
    private long descending;

    @Override
    public String name() {
        return "event_sanity_checks";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && event.device != null) {
            long[] cycles = event.device.cycles;
            for (int i = 1; i < cycles.length; i++) {
                if (cycles[i] < cycles[i - 1]) {
                    descending++;
                    break;
                }
            }
        }
        next.accept(event);
    }

    @Override
    public void finish(AiuLog log) {
        if (descending > 0) {
            log.warn("SANITY: the counters TS1 to TS5 of " + descending + " event(s) do not ascend");
        }
    }
}
