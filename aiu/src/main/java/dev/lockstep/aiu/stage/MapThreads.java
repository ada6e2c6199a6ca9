// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.Map;

/** {@code map_tid_to_range}: the long numbers of FLEX threads become 1000, 1100, 1200 in the order of appearance. */
final class MapThreads implements Stage {
    static final long FIRST = 1000;
    private static final long STEP = 100;

    private final Map<Long, Long> threads = new HashMap<>();

    @Override
    public String name() {
        return "map_tid_to_range";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && event.hasTid && event.job != null && !event.isTorch()) {
            Long mapped = threads.get(event.tid);
            if (mapped == null) {
                mapped = FIRST + STEP * threads.size();
                threads.put(event.tid, mapped);
            }
            event.tid = mapped;
            event.wideTid = false;
        }
        next.accept(event);
    }
}
