// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuLog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Where events go that do not fit on their row: each thread gets a chain of further rows above it that nobody uses. */
final class SpareRows {
    private record Row(long pid, long tid) {}

    private final int perThread;
    private final AiuLog log;
    private final Map<Long, Set<Long>> threads = new HashMap<>();
    private final Map<Long, Set<Long>> taken = new HashMap<>();
    private final Map<Row, Long> next = new HashMap<>();
    private long insufficient;

    /** @param perThread rows that a thread gets; -1 for as many as it needs, each the next number */
    SpareRows(int perThread, AiuLog log) {
        this.perThread = perThread;
        this.log = log;
    }

    void see(long pid, long tid) {
        threads.computeIfAbsent(pid, key -> new LinkedHashSet<>()).add(tid);
    }

    /** All threads have been seen: makes the chains. */
    void prepare() {
        if (perThread < 0) {
            return;
        }
        threads.forEach((pid, tids) -> {
            Set<Long> used = new HashSet<>(tids);
            taken.put(pid, used);
            for (long tid : tids) {
                long last = tid;
                for (int i = 0; i < perThread; i++) {
                    last = extend(pid, last, used);
                }
            }
        });
        threads.clear();
    }

    private long extend(long pid, long tid, Set<Long> used) {
        long free = tid + 1;
        while (!used.add(free)) {
            free++;
        }
        next.put(new Row(pid, tid), free);
        return free;
    }

    /** The row behind this one; a chain that is used up gets longer. */
    long behind(long pid, long tid) {
        if (perThread < 0) {
            return tid + 1;
        }
        Long found = next.get(new Row(pid, tid));
        if (found != null) {
            return found;
        }
        insufficient++;
        return extend(pid, tid, taken.computeIfAbsent(pid, key -> new HashSet<>()));
    }

    void report() {
        if (insufficient > 0) {
            log.warn("POD: insufficient dynamic range for tid-based overlap resolution (" + perThread + "): "
                    + insufficient + " further rows were made");
        }
    }
}
