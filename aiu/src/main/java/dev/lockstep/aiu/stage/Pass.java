// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;

/** A stage whose work is done elsewhere: profiles know it, and events pass. */
record Pass(String name) implements Stage {
    @Override
    public void accept(AiuEvent event, Next next) {
        next.accept(event);
    }
}
