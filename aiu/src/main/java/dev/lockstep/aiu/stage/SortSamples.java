// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;

/** {@code sort_events} for samples that have a key: process after process; everything else passes. */
final class SortSamples implements Stage {
    private ByProcess<List<AiuEvent>> processes = new ByProcess<>(ArrayList::new);

    @Override
    public String name() {
        return "sort_events";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (Double.isNaN(event.key)) {
            next.accept(event);
        } else {
            processes.of(event.pid).add(event);
        }
    }

    @Override
    public void drain(Next next) {
        ByProcess<List<AiuEvent>> sorted = processes;
        processes = new ByProcess<>(ArrayList::new);
        sorted.forEach((pid, samples) -> {
            samples.sort((a, b) -> Double.compare(a.key, b.key));
            samples.forEach(next::accept);
        });
    }
}
