// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.EventName;
import dev.lockstep.aiu.pipeline.OpenCount;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code queueing_counter}: how many preparations are open at a time, as a counter for each process. The preparations
 * themselves are dropped unless they shall stay.
 */
final class PrepQueue implements Stage {
    private static final EventName NAME = new EventName("ConcurrentPreps");
    private static final String CATEGORY = "Pending Prep Events";

    private final boolean keep;
    private final AiuRules rules;
    private final Map<Long, OpenCount> counts = new LinkedHashMap<>();

    PrepQueue(boolean keep, AiuRules rules) {
        this.keep = keep;
        this.rules = rules;
    }

    @Override
    public String name() {
        return "queueing_counter";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (!event.isComplete() || event.name.lastStep() != EventName.PREP) {
            next.accept(event);
            return;
        }
        if (keep) {
            next.accept(event);
        }
        long pid = event.pid;
        counts.computeIfAbsent(pid, key -> rules.openPreparations())
                .add(event.ts, event.end(), (ts, open) -> next.accept(counter(ts, open, pid)));
    }

    private static AiuEvent counter(double ts, long open, long pid) {
        return AiuEvent.counter(NAME, ts, pid, CATEGORY, Args.of("Concurrency", open));
    }

    @Override
    public void drain(Next next) {
        List<Long> pids = new ArrayList<>(counts.keySet());
        for (int i = pids.size() - 1; i >= 0; i--) {
            long pid = pids.get(i);
            OpenCount count = counts.remove(pid);
            if (count != null) {
                count.finish((ts, open) -> next.accept(counter(ts, open, pid)));
            }
        }
    }
}
