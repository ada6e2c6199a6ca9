// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.memory.MemoryUse;
import dev.lockstep.testkit.Pickled;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a snapshot of the allocator is asked first: why there was no memory, and who has it. */
class SnapshotFindingsTest {
    private static final long GIB = 1L << 30;
    private static final List<?> STACK = List.of(
            Pickled.frame("malloc", "??", 0),
            Pickled.frame("cfunction_call", "/usr/local/src/conda/python-3.12.3/Objects/methodobject.c", 537),
            Pickled.frame("linear", "/opt/conda/lib/python3.12/site-packages/torch/nn/functional.py", 2),
            Pickled.frame("forward", "/home/me/model.py", 115));

    private static List<String> said(Map<String, Object> snapshot) throws IOException {
        return Said.all(MemoryReport.of(TestTraces.read(Pickled.of(snapshot, 2)), new MemoryUse(null, 1)));
    }

    private static Map<String, Object> failure(long bytes, long free, long micros) {
        Map<String, Object> failure = Pickled.change("oom", 0, bytes, micros, STACK);
        failure.put("device_free", free);
        return failure;
    }

    @Test
    void theErrorComesFirst() throws IOException {
        List<Object> history = new ArrayList<>();
        history.add(Pickled.change("segment_alloc", 4096, 2 * GIB, 1, List.of()));
        history.add(Pickled.change("alloc", 4096, GIB, 2, STACK));
        history.add(failure(6 * GIB, 96 << 20, 3));
        history.add(failure(5 * GIB, 95 << 20, 4));

        List<String> said = said(Pickled.snapshot(List.of(Pickled.segment(0, 2 * GIB, GIB)), history));

        assertThat(said.getFirst())
                .isEqualTo("PROBLEM out_of_memory: Device 0 ran out of memory: forward /home/me/model.py:115 "
                        + "requested 5 GiB with 95 MiB free. The allocator had reserved 2 GiB, 1 GiB of it "
                        + "allocated. It is the last of 2 such requests.");
        assertThat(said).noneMatch(text -> text.contains("cfunction_call"));
    }

    @Test
    void blocksFromBeforeTheRecordingAreNoLack() throws IOException {
        List<Object> history = List.of(
                Pickled.change("free_completed", 8192, GIB, 1, STACK), Pickled.change("alloc", 4096, GIB, 2, STACK));
        assertThat(said(Pickled.snapshot(List.of(Pickled.segment(0, 2 * GIB, GIB)), history)))
                .noneMatch(text -> text.contains("memory_incomplete"));

        List<Object> twice = new ArrayList<>(history);
        twice.add(Pickled.change("free_completed", 8192, GIB, 3, STACK));
        assertThat(said(Pickled.snapshot(List.of(Pickled.segment(0, 2 * GIB, GIB)), twice)))
                .anyMatch(text -> text.contains("memory_incomplete") && text.contains("freed twice"));
    }

    @Test
    void aSnapshotWithoutHistoryShowsItsSegments() throws IOException {
        List<String> said = said(
                Pickled.snapshot(List.of(Pickled.segment(0, 3 * GIB, GIB), Pickled.segment(0, GIB, GIB)), List.of()));

        assertThat(said)
                .containsExactly("INFO memory_held: Device 0 has 4 GiB reserved in 2 segments: 2 GiB allocated, 2 GiB "
                        + "unused. The snapshot does not say who allocated them. "
                        + "torch.cuda.memory._record_memory_history() records it.");
    }
}
