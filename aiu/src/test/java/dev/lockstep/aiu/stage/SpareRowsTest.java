// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuLog;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpareRowsTest {
    private static AiuLog log() {
        return new AiuLog(AiuLog.Level.ERROR, (level, line) -> {});
    }

    /** Chains by search number by number. */
    private static final class Searched {
        private final Set<Long> taken = new LinkedHashSet<>();
        private final Map<Long, Long> next = new HashMap<>();

        long extend(long tid) {
            long free = tid + 1;
            while (!taken.add(free)) {
                free++;
            }
            next.put(tid, free);
            return free;
        }

        long behind(long tid) {
            Long found = next.get(tid);
            return found == null ? extend(tid) : found;
        }
    }

    @Test
    void chainsTakeTheFirstRowsThatAreFree() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            int perThread = random.nextInt(6);
            SpareRows rows = new SpareRows(perThread, log());
            Searched searched = new Searched();
            Set<Long> tids = new LinkedHashSet<>();
            for (int i = 0; i < 1 + random.nextInt(20); i++) {
                tids.add((long) random.nextInt(40));
            }
            tids.forEach(tid -> rows.see(3, tid));
            searched.taken.addAll(tids);
            for (long tid : tids) {
                long last = tid;
                for (int i = 0; i < perThread; i++) {
                    last = searched.extend(last);
                }
            }
            rows.prepare();
            for (int i = 0; i < 100; i++) {
                long tid = random.nextInt(60);
                for (int step = 0; step < 8; step++) {
                    long behind = rows.behind(3, tid);
                    assertThat(behind).isEqualTo(searched.behind(tid));
                    tid = behind;
                }
            }
        }
    }

    @Test
    void withoutLimitTheNextNumberIsTheNextRow() {
        SpareRows rows = new SpareRows(-1, log());
        rows.see(3, 5);
        rows.see(3, 6);
        rows.prepare();
        assertThat(rows.behind(3, 5)).isEqualTo(6);
    }
}
