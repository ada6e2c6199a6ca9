// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallTreeTest {
    private final EventText events = new EventText();

    private static CallTree tree(Trace trace, Nesting nesting) {
        return new DerivedCache(trace).get(new CallTree.Key(nesting, false));
    }

    private static String parent(Trace trace, CallTree tree, String name) {
        return TestTraces.name(trace, tree.parent(TestTraces.slice(trace, name)));
    }

    @ParameterizedTest
    @EnumSource(Nesting.class)
    void theInnermostSliceAroundIsTheParent(Nesting nesting) {
        events.op("outer", 0, 100_000)
                .op("inner", 10_000, 50_000)
                .call("call", 20_000, 5_000, 1)
                .op("next", 70_000, 5_000);
        Trace trace = TestTraces.of(events);
        CallTree tree = tree(trace, nesting);
        assertThat(parent(trace, tree, "outer")).isEqualTo("-");
        assertThat(parent(trace, tree, "inner")).isEqualTo("outer");
        assertThat(parent(trace, tree, "call")).isEqualTo("inner");
        assertThat(parent(trace, tree, "next")).isEqualTo("outer");
        assertThat(tree.misfits()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Nesting.class)
    void oneThatStartsAtTheEndIsASibling(Nesting nesting) {
        events.op("a", 0, 10_000).op("b", 10_000, 5_000).op("empty", 15_000, 0);
        Trace trace = TestTraces.of(events);
        CallTree tree = tree(trace, nesting);
        assertThat(parent(trace, tree, "b")).isEqualTo("-");
        assertThat(parent(trace, tree, "empty")).isEqualTo("-");
    }

    @Test
    void ofEqualStartsTheLongerEnclosesWhateverTheFileSays() {
        events.op("short", 0, 5_000).op("long", 0, 50_000);
        Trace trace = TestTraces.of(events);
        assertThat(parent(trace, tree(trace, Nesting.BY_TIME), "short")).isEqualTo("long");
    }

    @Test
    void inFileOrderTheFirstOfEqualStartsEncloses() {
        events.op("long", 0, 50_000).op("short", 0, 5_000);
        Trace trace = TestTraces.of(events);
        assertThat(parent(trace, tree(trace, Nesting.BY_FILE_ORDER), "short")).isEqualTo("long");
        Trace other = TestTraces.of(new EventText().op("short", 0, 5_000).op("long", 0, 50_000));
        CallTree tree = tree(other, Nesting.BY_FILE_ORDER);
        assertThat(parent(other, tree, "long")).isEqualTo("-");
        assertThat(parent(other, tree, "short")).isEqualTo("-");
        assertThat(tree.misfits()).isEqualTo(1);
    }

    /** The nanoseconds of times since 1970 are no doubles; their microseconds are. */
    @ParameterizedTest
    @EnumSource(Nesting.class)
    void oneThatEndsWithTheOneAroundIsItsChildWhereverTheClockBegins(Nesting nesting) {
        for (long base : new long[] {0, 1_784_600_000_000_000_000L}) {
            Trace trace = TestTraces.of(new EventText()
                    .op("outer", base + 647_000, 33_000)
                    .op("inner", base + 656_000, 24_000)
                    .call("call", base + 659_000, 11_000, 1));
            CallTree tree = tree(trace, nesting);
            assertThat(parent(trace, tree, "inner")).isEqualTo("outer");
            assertThat(parent(trace, tree, "call")).isEqualTo("inner");
        }
    }

    @Test
    void inFileOrderStartsThatAreOneDoubleAreOne() {
        long base = 1_784_600_000_000_000_000L;
        Trace trace =
                TestTraces.of(new EventText().op("first", base + 10_100, 50_000).op("second", base + 10_000, 50_000));
        assertThat(parent(trace, tree(trace, Nesting.BY_FILE_ORDER), "second")).isEqualTo("first");
        assertThat(parent(trace, tree(trace, Nesting.BY_TIME), "second")).isEqualTo("-");
    }

    @Test
    void oneThatBleedsByLessThanAMicrosecondIsASibling() {
        events.op("root", 0, 100_000)
                .op("a", 10_000, 20_000)
                .op("bleeds", 29_001, 10_000)
                .call("in it", 32_000, 1_000, 1);
        Trace trace = TestTraces.of(events);
        for (Nesting nesting : Nesting.values()) {
            CallTree tree = tree(trace, nesting);
            assertThat(parent(trace, tree, "bleeds")).isEqualTo("root");
            assertThat(parent(trace, tree, "in it")).isEqualTo("bleeds");
            assertThat(tree.misfits()).isEqualTo(1);
        }
    }

    @Test
    void oneThatOverlapsByMoreIsMovedOutwardsOrDropped() {
        events.op("root", 0, 100_000)
                .op("a", 10_000, 20_000)
                .op("misfit", 29_000, 10_000)
                .call("behind", 35_000, 1_000, 1);
        Trace trace = TestTraces.of(events);
        CallTree byTime = tree(trace, Nesting.BY_TIME);
        assertThat(parent(trace, byTime, "misfit")).isEqualTo("root");
        CallTree byFile = tree(trace, Nesting.BY_FILE_ORDER);
        assertThat(parent(trace, byFile, "misfit")).isEqualTo("-");
        assertThat(parent(trace, byFile, "behind")).isEqualTo("root");
        assertThat(byFile.isMember(TestTraces.slice(trace, "misfit"))).isTrue();
    }

    @Test
    void aBleedOutOfTheOnlySliceIsDroppedInFileOrder() {
        events.op("only", 0, 10_000).op("bleeds", 9_500, 10_000);
        Trace trace = TestTraces.of(events);
        assertThat(parent(trace, tree(trace, Nesting.BY_FILE_ORDER), "bleeds")).isEqualTo("-");
        assertThat(parent(trace, tree(trace, Nesting.BY_TIME), "bleeds")).isEqualTo("-");
    }

    @Test
    void threadsDoNotMix() {
        events.op("here", 0, 100_000).complete("cpu_op", "there", "1", "2", 10_000, 10_000, "");
        Trace trace = TestTraces.of(events);
        assertThat(parent(trace, tree(trace, Nesting.BY_TIME), "there")).isEqualTo("-");
    }

    @Test
    void pythonFramesTakePartOnDemand() {
        events.python("frame", 0, 100_000).op("op", 10_000, 10_000).annotation("note", 5_000, 90_000);
        Trace trace = TestTraces.of(events);
        DerivedCache cache = new DerivedCache(trace);
        assertThat(parent(trace, cache.get(new CallTree.Key(Nesting.BY_TIME, true)), "op"))
                .isEqualTo("frame");
        assertThat(parent(trace, cache.get(new CallTree.Key(Nesting.BY_TIME, false)), "op"))
                .isEqualTo("-");
        assertThat(cache.get(new CallTree.Key(Nesting.BY_TIME, true)))
                .isSameAs(cache.get(new CallTree.Key(Nesting.BY_TIME, true)));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void walkNumbersHoldEveryDescendant(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            events.op("n", random.nextInt(200) * 500L, random.nextInt(40) * 500L);
        }
        Trace trace = TestTraces.of(events);
        Slices slices = trace.slices();
        for (Nesting nesting : Nesting.values()) {
            CallTree tree = tree(trace, nesting);
            assertThat(tree.size()).isEqualTo(300);
            boolean[] met = new boolean[slices.size()];
            for (int i = 0; i < tree.size(); i++) {
                int node = tree.node(i);
                met[node] = true;
                assertThat(tree.enter(node)).isEqualTo(i);
                for (int above = tree.parent(node); above >= 0; above = tree.parent(above)) {
                    assertThat(tree.enter(above)).isLessThan(i);
                    assertThat(tree.exit(above)).isGreaterThanOrEqualTo(tree.exit(node));
                    assertThat(slices.ts(above)).isLessThanOrEqualTo(slices.ts(node));
                    if (nesting == Nesting.BY_TIME) {
                        assertThat(slices.end(above)).isGreaterThanOrEqualTo(slices.end(node));
                    }
                }
            }
            assertThat(Arrays.toString(met)).doesNotContain("false");
        }
    }

    @Test
    void deepStacksNeedNoStack() {
        for (int i = 0; i < 20_000; i++) {
            events.op("f", i * 10L, 1_000_000 - i * 20L);
        }
        Trace trace = TestTraces.of(events);
        CallTree tree = tree(trace, Nesting.BY_TIME);
        assertThat(tree.exit(tree.node(0))).isEqualTo(20_000);
        assertThat(tree.parent(tree.node(19_999))).isEqualTo(tree.node(19_998));
    }
}
