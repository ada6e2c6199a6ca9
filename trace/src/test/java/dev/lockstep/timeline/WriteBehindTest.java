// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class WriteBehindTest {
    /** Notes what is done with it; waits with each rank for the latch. */
    private static final class Noted implements TimelineOutput {
        private final List<String> notes = new ArrayList<>();
        private final CountDownLatch mayWrite = new CountDownLatch(1);
        private int failing = -1;

        @Override
        public void add(RankTimeline rank) throws IOException {
            try {
                mayWrite.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            int number = rank.trace().info().rank().index();
            if (number == failing) {
                throw new IOException("disk full at rank " + number);
            }
            notes.add("rank " + number);
        }

        @Override
        public void finish(Map<String, String> metadata) {
            notes.add("end " + metadata.keySet());
        }

        @Override
        public void close() {
            notes.add("closed");
        }
    }

    private final Noted file = new Noted();

    private static RankTimeline rank(int number) {
        Trace trace = new TraceBuilder(0)
                .build(new TraceInfo(
                        "r.json", "kineto-json", new Rank(number, Rank.Origin.TRACE), -1, List.of(), 0, Map.of()));
        int[] none = {};
        return new RankTimeline(
                trace,
                List.of(),
                List.of(),
                none,
                none,
                none,
                none,
                none,
                new BoundFlows(none, new long[0], none, none),
                PathArrows.none(),
                time -> time,
                new RankIds(number, new long[0]),
                null);
    }

    @Test
    void ranksAreWrittenInTheirOrderBeforeTheEnd() throws IOException {
        try (WriteBehind behind = new WriteBehind(file)) {
            behind.add(rank(0)); // returns although nothing may be written yet
            file.mayWrite.countDown();
            behind.add(rank(1));
            behind.add(rank(2));
            behind.finish(Map.of("key", "1"));
        }
        assertThat(file.notes).containsExactly("rank 0", "rank 1", "rank 2", "end [key]", "closed");
    }

    @Test
    void whatGoesWrongIsThrownByTheNextCall() throws IOException {
        file.mayWrite.countDown();
        file.failing = 1;
        try (WriteBehind behind = new WriteBehind(file)) {
            behind.add(rank(0));
            behind.add(rank(1));
            assertThatThrownBy(() -> behind.add(rank(2)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("disk full at rank 1");
        }
        assertThat(file.notes).containsExactly("rank 0", "closed");
    }

    @Test
    void closingWaitsForWhatIsBeingWritten() throws IOException {
        WriteBehind behind = new WriteBehind(file);
        behind.add(rank(7));
        file.mayWrite.countDown();
        behind.close();
        assertThat(file.notes).containsExactly("rank 7", "closed");
    }
}
