// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.TestTraces;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls inside of calls of the same name: a moment counts once for a name, and is the own time of one call alone. */
class NestedCallsTest {
    private static final AnalysisRules RULES = AnalysisRules.standard();

    private final Map<String, Long> total = new HashMap<>();
    private final Map<String, Long> own = new HashMap<>();
    private final StringBuilder events = new StringBuilder();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aMomentCountsOnceForEachName(long seed) {
        for (String category : new String[] {"cpu_op", "python_function", "user_annotation"}) {
            total.clear();
            own.clear();
            events.setLength(0);
            Random random = new Random(seed);
            for (int thread = 1; thread <= 2; thread++) {
                nest(random, category, thread, 0, 400, new int[4], 0);
            }
            DerivedCache cache = new DerivedCache(TestTraces.of(events.toString()));
            switch (category) {
                case "cpu_op" -> {
                    check(new HostSummary(RULES).run(cache).rows(), HostSummary.Row::total, HostSummary.Row::self);
                    check(
                            new HostOperators(RULES).run(cache).rows(),
                            HostOperators.Row::total,
                            HostOperators.Row::self);
                }
                case "python_function" ->
                    check(new HostFrames(RULES).run(cache).rows(), HostFrames.Row::total, HostFrames.Row::self);
                default ->
                    check(
                            new HostAnnotations().run(cache).rows(),
                            HostAnnotations.Row::total,
                            HostAnnotations.Row::self);
            }
        }
    }

    private <R> void check(Iterable<R> rows, ToLongFunction<R> ofTotal, ToLongFunction<R> ofOwn) {
        Map<String, Long> totals = new HashMap<>();
        Map<String, Long> owns = new HashMap<>();
        for (R row : rows) {
            String name = row.toString().replaceAll(".*name=([^,]*),.*", "$1");
            totals.put(name, ofTotal.applyAsLong(row));
            owns.put(name, ofOwn.applyAsLong(row));
        }
        assertThat(totals).isEqualTo(total);
        assertThat(owns).isEqualTo(own);
    }

    /** Fills a part of a thread with calls, some of which hold others; {@code open} says how many of each name are open. */
    private void nest(Random random, String category, int thread, int from, int to, int[] open, int depth) {
        int at = from + random.nextInt(3);
        while (at + 4 < to) {
            int end = Math.min(to - 1, at + 4 + random.nextInt(60));
            int name = random.nextInt(open.length);
            String called = "call" + name;
            events.append("{\"ph\": \"X\", \"cat\": \"").append(category).append("\", \"name\": \"");
            events.append(called)
                    .append("\", \"pid\": 1, \"tid\": ")
                    .append(thread)
                    .append(", \"ts\": ");
            events.append(at).append(", \"dur\": ").append(end - at).append(", \"args\": {}},\n");
            total.merge(called, open[name] > 0 ? 0 : 1000L * (end - at), Long::sum);
            own.merge(called, 1000L * (end - at), Long::sum);
            if (depth < 5 && random.nextInt(3) > 0) {
                open[name]++;
                long before = inside;
                inside = 0;
                nest(random, category, thread, at + 1, end - 1, open, depth + 1);
                own.merge(called, -1000L * inside, Long::sum);
                inside = before;
                open[name]--;
            }
            inside += end - at;
            at = end + 1 + random.nextInt(5);
        }
    }

    private long inside;
}
