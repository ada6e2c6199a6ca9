// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.memorytimeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceReader;
import dev.lockstep.testkit.TraceReaderContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class MemoryTimelineReaderTest extends TraceReaderContract {
    private static final String LEVELS =
            "[[100, 200, 200], [[0, 10, 0, 0, 0, 5, 0, 0, 0], [0, 10, 0, 0, 0, 0, 7, 0, 0], [0, 10, 0, 0, 0, 0, 7, 0,"
                    + " 2]]]";
    private static final String RAW =
            " [[-1, 0, 10, 0], [-1, 0, 3, 2],\n [100, 1, 5, 3], [150, 2, -5, 3], [150, 2, 5, 4], [200, 3, -5, 4]]";

    @Override
    protected TraceReader reader() {
        return new MemoryTimelineReader();
    }

    @Override
    protected List<Sample> samples() {
        return List.of(
                new Sample("levels", LEVELS.getBytes(UTF_8), new int[0]),
                new Sample("raw", RAW.getBytes(UTF_8), new int[0]));
    }

    private List<String> changes(String text) throws IOException {
        Trace trace = read(text.getBytes(UTF_8), 1).getFirst();
        MemoryDetails memory = Objects.requireNonNull(trace.view(MemoryDetails.KEY));
        List<String> changes = new ArrayList<>();
        for (int row = 0; row < memory.size(); row++) {
            changes.add(trace.marks().ts(memory.mark(row)) / 1000 + " " + memory.bytes(row) + " "
                    + trace.strings().get(memory.category(row)));
        }
        return changes;
    }

    @Test
    void levelsBecomeChangesAndFallsComeFirst() throws IOException {
        assertThat(changes(LEVELS))
                .containsExactly(
                        "100 10 parameter",
                        "100 5 activation",
                        "200 -5 activation",
                        "200 7 gradient",
                        "200 2 unknown category");
    }

    @Test
    void whatWasThereBeforeComesWithTheFirst() throws IOException {
        assertThat(changes(RAW))
                .containsExactly(
                        "100 10 parameter",
                        "100 3 input",
                        "100 5 temporary",
                        "150 -5 temporary",
                        "150 5 activation",
                        "200 -5 activation");
    }

    @Test
    void aCutKeepsWhatWasWholeBefore() throws IOException {
        Trace cut = read(LEVELS.substring(0, LEVELS.length() - 10).getBytes(UTF_8), 1)
                .getFirst();

        assertThat(cut.diagnostics().hasLoss()).isTrue();
        assertThat(Objects.requireNonNull(cut.view(MemoryDetails.KEY)).size()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[[1, 2], [\"x\"]]",
                "[[1], [[0, 1e400]]]",
                "[[1, 2, 3]]",
                "[[1",
                "[[1],[[0,\"a\"]]]",
                "[[-5],[[0,1]]]"
            })
    void whatIsNoTimelineIsRefused(String text) {
        assertThatThrownBy(() -> read(text.getBytes(UTF_8), 1)).isInstanceOf(TraceFormatException.class);
    }
}
