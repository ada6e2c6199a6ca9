// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where events go that do not fit on their row: each thread gets a chain of further rows above it that nobody uses. */
final class SpareRows {
    private record Row(long pid, long tid) {}

    private final int perThread;
    private final AiuLog log;
    private final Map<Long, Set<Long>> threads = new HashMap<>();
    /** By process: of each row that is taken, a higher one below which none is free. */
    private final Map<Long, Map<Long, Long>> taken = new HashMap<>();

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
            Map<Long, Long> used = taken.computeIfAbsent(pid, key -> new HashMap<>());
            tids.forEach(tid -> used.put(tid, tid + 1));
            for (long tid : tids) {
                long last = tid;
                for (int i = 0; i < perThread; i++) {
                    last = extend(pid, last, used);
                }
            }
        });
        threads.clear();
    }

    private long extend(long pid, long tid, Map<Long, Long> used) {
        long free = takeFrom(tid + 1, used);
        next.put(new Row(pid, tid), free);
        return free;
    }

    /** Takes the first free row from one on; the rows passed on the way lead there at once from now on. */
    private static long takeFrom(long first, Map<Long, Long> used) {
        List<Long> passed = new ArrayList<>();
        long free = first;
        for (Long higher = used.get(free); higher != null; higher = used.get(free)) {
            passed.add(free);
            free = higher;
        }
        used.put(free, free + 1);
        for (long row : passed) {
            used.put(row, free + 1);
        }
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
        return extend(pid, tid, taken.computeIfAbsent(pid, key -> new HashMap<>()));
    }

    void report() {
        if (insufficient > 0) {
            log.warn("POD: insufficient dynamic range for tid-based overlap resolution (" + perThread + "): "
                    + insufficient + " further rows were made");
        }
    }
}
