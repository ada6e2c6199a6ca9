// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.recording;

import dev.lockstep.goal.model.ScheduleNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was odd about a recording. Equal kinds are counted; the first of each stands for all. Confined to one thread. */
public final class RecordingNotes {
    private record Kind(boolean loss, String code) {}

    private static final class Count {
        private final String first;
        private long times;

        Count(String first) {
            this.first = first;
        }
    }

    private final Map<Kind, Count> kinds = new LinkedHashMap<>();
    private final List<String> besides = new ArrayList<>();

    /** Something that is missing in the schedule. */
    public void lost(String code, String message) {
        add(new Kind(true, code), message, 1);
    }

    /** Something that was assumed or put right. */
    public void assumed(String code, String message) {
        add(new Kind(false, code), message, 1);
    }

    /** Several of what was assumed or put right. */
    public void assumed(String code, String message, long times) {
        add(new Kind(false, code), message, times);
    }

    /** A file that is no recording, so that nothing is missing for it. */
    public void besides(String file) {
        besides.add(file);
    }

    /** The files that are no recordings. */
    public List<String> besides() {
        return List.copyOf(besides);
    }

    /** Takes what others noted. */
    public void addAll(RecordingNotes other) {
        besides.addAll(other.besides);
        other.kinds.forEach((kind, count) -> add(kind, count.first, count.times));
    }

    public boolean hasLoss() {
        return kinds.keySet().stream().anyMatch(Kind::loss);
    }

    /** One for each kind, in the order in which they first came up. */
    public List<ScheduleNote> all() {
        List<ScheduleNote> all = new ArrayList<>();
        kinds.forEach((kind, count) -> all.add(new ScheduleNote(kind.loss, kind.code, count.times, count.first)));
        return all;
    }

    private void add(Kind kind, String message, long times) {
        kinds.computeIfAbsent(kind, k -> new Count(message)).times += times;
    }
}
