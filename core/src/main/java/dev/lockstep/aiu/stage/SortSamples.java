// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code sort_events} for samples that have a key: process after process; everything else passes. */
final class SortSamples implements Stage {
    private final Map<Long, List<AiuEvent>> processes = new LinkedHashMap<>();

    @Override
    public String name() {
        return "sort_events";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (Double.isNaN(event.key)) {
            next.accept(event);
        } else {
            processes.computeIfAbsent(event.pid, pid -> new ArrayList<>()).add(event);
        }
    }

    @Override
    public void drain(Next next) {
        for (List<AiuEvent> samples : processes.values()) {
            samples.sort(Comparator.comparingDouble((AiuEvent e) -> e.key));
            samples.forEach(next::accept);
        }
        processes.clear();
    }
}
