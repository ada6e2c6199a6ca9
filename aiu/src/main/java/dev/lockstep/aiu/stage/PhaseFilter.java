// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;

/** {@code processing_filter}: keeps events of the phases that the user named. */
record PhaseFilter(String phases) implements Stage {
    @Override
    public String name() {
        return "processing_filter";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (phases.indexOf(event.phase) >= 0) {
            next.accept(event);
        }
    }
}
