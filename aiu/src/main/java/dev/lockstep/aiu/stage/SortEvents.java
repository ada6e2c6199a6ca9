// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code sort_events}: holds events and gives them in order of time, longer ones first; equal ones keep their order.
 * Either all in one order, or row after row in the order in which rows appeared.
 */
final class SortEvents implements Stage {
    static final Comparator<AiuEvent> BY_TIME = SortEvents::compare;

    private final boolean global;
    private final Rows rows = new Rows();
    private final List<List<AiuEvent>> held = new ArrayList<>();

    SortEvents(boolean global) {
        this.global = global;
    }

    private static int compare(AiuEvent a, AiuEvent b) {
        int order = Double.compare(a.ts, b.ts);
        return order != 0 ? order : Double.compare(b.length(), a.length());
    }

    @Override
    public String name() {
        return "sort_events";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        int row = global ? 0 : rows.of(event);
        if (row == held.size()) {
            held.add(new ArrayList<>());
        }
        held.get(row).add(event);
    }

    @Override
    public void drain(Next next) {
        for (int row = 0; row < held.size(); row++) {
            held.get(row).sort(BY_TIME);
            // Given away one by one, so that what is behind may let them go.
            @Nullable AiuEvent[] events = held.set(row, List.of()).toArray(AiuEvent[]::new);
            for (int i = 0; i < events.length; i++) {
                AiuEvent event = events[i];
                events[i] = null;
                if (event != null) {
                    next.accept(event);
                }
            }
        }
        held.clear();
    }
}
