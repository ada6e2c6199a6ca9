// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.EventOrigin;
import dev.lockstep.aiu.pipeline.Job;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a file holds: its events in their order, and what stands beside them. The events are given away one by one. */
final class TraceFile {
    final Job job;
    final Map<String, String> metadata;
    /** What the file says of the distributed run, as JSON; empty where it does not. */
    final String distributed;

    private final List<@Nullable AiuEvent> events;
    private int at;

    /** Rank of all events; {@link AiuEvent#NO_RANK} while unknown. */
    int rank;

    long zeroDurations;
    long negativeDurations;
    long unmatched;
    long damaged;

    TraceFile(Job job, Map<String, String> metadata, String distributed, List<@Nullable AiuEvent> events, int rank) {
        this.job = job;
        this.metadata = metadata;
        this.distributed = distributed;
        this.events = events;
        this.rank = rank;
    }

    /** Forgets the events that are unwanted. */
    void leaveOut(Predicate<AiuEvent> unwanted) {
        events.replaceAll(event -> event != null && unwanted.test(event) ? null : event);
    }

    boolean isTorch() {
        return job.origin() == EventOrigin.TORCH;
    }

    /** The next event, null at the end. */
    @Nullable
    AiuEvent next() {
        while (at < events.size()) {
            AiuEvent event = events.set(at++, null);
            if (event != null) {
                return event;
            }
        }
        return null;
    }
}
