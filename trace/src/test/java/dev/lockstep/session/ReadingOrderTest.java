// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReadingOrderTest {
    @TempDir
    private Path folder;

    private final List<Integer> ranks = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger released = new AtomicInteger();
    private boolean given;

    private final OrderedTraceSink line = new OrderedTraceSink() {
        @Override
        public void add(Trace trace) throws IOException {
            int rank = trace.info().rank().index();
            if (rank == 9) {
                throw new IOException("disk full");
            }
            ranks.add(rank);
        }

        @Override
        public void giveUp() {
            given = true;
        }
    };

    private final ReadingOrder turns = new ReadingOrder(line, Map.of());

    private ReadingOrder.Held file(int rank) throws IOException {
        Path file = folder.resolve("rank" + rank + ".json");
        Files.writeString(
                file, TestTraces.document(new EventText().op("a", 0, 10).toString()));
        try (Session session = new Session(1)) {
            List<Trace> traces = session.readAlone(TraceInput.of(file));
            Trace first = traces.getFirst();
            return new ReadingOrder.Held(
                    List.of(RankSet.Loaded.of(file, traces, 0, first.info(), "")), traces, released::incrementAndGet);
        }
    }

    /** Brings a file too early, and returns when it waits. */
    private CompletableFuture<Void> early(int place, ReadingOrder.Held held) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            turns.bring(place, held);
            gone.complete(null);
        });
        while (thread.getState() != Thread.State.WAITING && !gone.isDone()) {
            Thread.onSpinWait();
        }
        return gone;
    }

    @Test
    void whatComesEarlyWaitsForItsTurn() throws IOException {
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int place : List.of(3, 1, 2)) {
            waiting.add(early(place, file(place)));
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(ranks).isEmpty();
        assertThat(released).hasValue(0);

        turns.bring(0, file(0));
        waiting.forEach(CompletableFuture::join);
        turns.bring(4, file(4));

        assertThat(ranks).containsExactly(0, 1, 2, 3, 4);
        assertThat(released).hasValue(5);
    }

    @Test
    void filesThatClaimOneRankAreGivenUp() throws IOException {
        turns.bring(0, file(4));
        turns.bring(1, file(4));
        turns.bring(2, file(5));

        assertThat(given).isTrue();
        assertThat(ranks).containsExactly(4);
        assertThat(released).hasValue(3);
    }

    @Test
    void aFailureEndsAllWaiting() throws IOException {
        CompletableFuture<Void> waiting = early(1, file(1));

        assertThatThrownBy(() -> turns.bring(0, file(9)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("disk full");
        waiting.join();
        turns.bring(2, file(2));

        assertThat(ranks).isEmpty();
        assertThat(released).hasValue(3);
    }
}
