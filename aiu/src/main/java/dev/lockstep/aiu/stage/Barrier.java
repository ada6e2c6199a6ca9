// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayDeque;
import java.util.Deque;

/** {@code pipeline_barrier}: holds all events until what comes before has seen every one of them. */
final class Barrier implements Stage {
    private final Deque<AiuEvent> held = new ArrayDeque<>();

    @Override
    public String name() {
        return "pipeline_barrier";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        held.add(event);
    }

    @Override
    public void drain(Next next) {
        for (AiuEvent event = held.poll(); event != null; event = held.poll()) {
            next.accept(event);
        }
    }
}
