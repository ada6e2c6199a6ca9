// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.util.HashMap;
import java.util.Map;

/** {@code collect_iteration_stats}: finds the sequence of kernels that repeats on each process, and its mean period. */
final class IterationStats implements Stage {
    private final Map<AiuName, Integer> kernels = new HashMap<>();
    private final ByProcess<IterationSearch> processes;

    /** @param shortest whether what repeats within a sequence that repeats is the iteration */
    IterationStats(boolean shortest) {
        processes = new ByProcess<>(() -> new IterationSearch(shortest));
    }

    @Override
    public String name() {
        return "collect_iteration_stats";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && event.device != null && event.isTorch() && event.isAccelerator()) {
            processes.of(event.pid); // its kernels are no steps of jobs: nothing is found, and that is said
        } else if (event.isComplete() && event.device != null && event.name.lastStep() == AiuName.EXEC) {
            Integer letter = kernels.get(event.name);
            if (letter == null) {
                letter = kernels.size();
                kernels.put(event.name, letter);
            }
            processes.of(event.pid).add(letter, event.ts);
        }
        next.accept(event);
    }

    @Override
    public void finish(AiuLog log) {
        processes.forEach((pid, search) -> log.info("ITSTATS: [" + pid + "] avg_iteration_time="
                + Numbers.python(search.meanUs()) + ", iterations=" + search.iterations()));
    }
}
