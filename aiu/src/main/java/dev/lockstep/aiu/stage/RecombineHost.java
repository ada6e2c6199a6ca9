// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;

/** {@code recombine_cpu_events}: what ran on the host gets one row, but for the waits for whole jobs. */
final class RecombineHost implements Stage {
    @Override
    public String name() {
        return "recombine_cpu_events";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete()
                && event.device == null
                && event.job != null
                && !event.isTorch()
                && !event.name.contains("AIU Roundtrip")) {
            event.tid = MapThreads.FIRST;
            event.hasTid = true;
            event.wideTid = false;
        }
        next.accept(event);
    }
}
