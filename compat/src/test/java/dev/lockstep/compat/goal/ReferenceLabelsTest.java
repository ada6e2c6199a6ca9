// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordedOperation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceLabelsTest {
    private static RecordedOperation operation(NcclFunction kind, int communicator) {
        return new RecordedOperation(kind, communicator, 0, "s", -1, 0, 1, -1, 8, null);
    }

    @Test
    void hashesAreThoseOfPython() {
        assertThat(Long.remainderUnsigned(ReferenceLabels.hash(0, 0, 0), 1000)).isEqualTo(226);
    }

    @Test
    void hashesOfBothHalvesAreRounded() {
        List<RecordedOperation> operations = Stream.of(0, 1, 2, 3, 4, 5, 6, 7)
                .map(communicator -> operation(NcclFunction.ALL_REDUCE, communicator))
                .toList();

        assertThat(ReferenceLabels.of(operations.subList(0, 1), operations)[0]).isEqualTo(22_600);
        assertThat(ReferenceLabels.of(operations, operations)[0]).isEqualTo(15_200);
    }

    @ParameterizedTest
    @CsvSource({"AADD, 2", "ADADA, 2", "AADDA, 0", "AAD, 0", "EF, 1", "EEF, 1", "BEF, 1", "E, 0", "BBC, 0"})
    void streamsLookLikeAKindOfParallelism(String word, int parallelism) {
        assertThat(ReferenceLabels.parallelism(word)).isEqualTo(parallelism);
    }
}
