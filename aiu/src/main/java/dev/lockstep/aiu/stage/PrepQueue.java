// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.OpenCount;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * {@code queueing_counter}: how many preparations are open at a time, as a counter for each process. The preparations
 * themselves are dropped unless they shall stay.
 */
final class PrepQueue implements Stage {
    private static final AiuName NAME = new AiuName("ConcurrentPreps");
    private static final String CATEGORY = "Pending Prep Events";

    private final boolean keep;
    private final Supplier<OpenCount> open;
    private final Map<Long, OpenCount> counts = new LinkedHashMap<>();

    PrepQueue(boolean keep, Supplier<OpenCount> open) {
        this.keep = keep;
        this.open = open;
    }

    @Override
    public String name() {
        return "queueing_counter";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (!event.isComplete() || event.name.lastStep() != AiuName.PREP) {
            next.accept(event);
            return;
        }
        if (keep) {
            next.accept(event);
        }
        long pid = event.pid;
        counts.computeIfAbsent(pid, key -> open.get())
                .add(event.ts, event.end(), (ts, count) -> next.accept(counter(ts, count, pid)));
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
                count.finish((ts, number) -> next.accept(counter(ts, number, pid)));
            }
        }
    }
}
