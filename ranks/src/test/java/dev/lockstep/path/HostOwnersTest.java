// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.NearestAround;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostOwnersTest {
    private static HostOwners owners(Trace trace, HostNesting nesting) {
        Slices slices = trace.slices();
        int[] rows = IntStream.range(0, slices.size()).toArray();
        NearestAround operators =
                new NearestAround(nesting, slices.size(), slice -> slices.kind(slice) == SliceKind.CPU_OP);
        return new HostOwners(
                slices, rows, nesting, operators, new NearestAround(nesting, slices.size(), slice -> false), null);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void ownersAreTheInnermostThatCoverMostOfAPiece(long seed) {
        Random random = new Random(seed);
        EventText events = new EventText();
        nest(events, random, 0, 4000);
        Trace trace = TestTraces.of(events);
        Slices slices = trace.slices();
        HostNesting nesting = new DerivedCache(trace).get(new HostNesting.Key());
        HostOwners owners = owners(trace, nesting);
        long from = 0;
        while (from < 4000) {
            long to = from + random.nextInt(60);
            long middle = from + (to - from) / 2;
            owners.seek(from, to);
            int last = -1;
            for (int i = 0; i < slices.size() && slices.ts(i) <= middle; i++) {
                last = i;
            }
            int covering = nesting.covering(last, from, to);
            assertThat(owners.label).isEqualTo(covering < 0 ? -1 : slices.name(covering));
            int open = last;
            while (open >= 0 && (slices.end(open) < middle || slices.end(open) == middle && to > from)) {
                open = nesting.around(open);
            }
            assertThat(owners.operator).isEqualTo(open < 0 ? -1 : slices.name(open));
            from = to;
        }
    }

    private static void nest(EventText events, Random random, int from, int to) {
        int start = from;
        while (start < to) {
            int end = Math.min(to, start + 1 + random.nextInt(to - from));
            events.op("op" + start + "-" + end, start, end - start);
            if (end - start > 3 && end - start < to - from) {
                nest(events, random, start + random.nextInt(2), end - random.nextInt(2));
            }
            start = end + random.nextInt(10);
        }
    }

    @Test
    void whatIsOverIsNotPassedAgainForEveryPiece() {
        EventText events = new EventText();
        int n = 100_000;
        for (int i = 0; i < n; i++) {
            events.op("op" + i % 2, i, 4 * n - 2 * i);
        }
        Trace trace = TestTraces.of(events);
        HostOwners owners = owners(trace, new DerivedCache(trace).get(new HostNesting.Key()));
        for (int i = n - 1; i > 0; i--) {
            owners.seek(4L * n - i, 4L * n - i + 1);
            assertThat(owners.label).isEqualTo(trace.slices().name(i - 1));
        }
    }
}
