// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordedNamesTest {
    @ParameterizedTest
    @EnumSource(Keep.class)
    void rangesShareTheirNamesAndTheFilesOwnAreKept(Keep keep) throws IOException {
        Random random = new Random(5);
        List<String> events = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> recorded = new ArrayList<>();
        String[] kinds = {"cpu_op", "user_annotation", "gpu_user_annotation", "", "cuda_runtime", "kernel"};
        for (int i = 0; i < 200; i++) {
            String kind = kinds[random.nextInt(kinds.length)];
            String name = "range" + random.nextInt(4);
            String numbers = random.nextInt(3) == 0 ? "" : ", seq = " + random.nextInt(9) + ", op_id = " + i;
            boolean isRange = !kind.startsWith("cuda") && !kind.equals("kernel");
            events.add("{\"ph\": \"X\", \"cat\": \"" + kind + "\", \"name\": \"" + name + numbers
                    + "\", \"pid\": 1, \"tid\": " + random.nextInt(3) + ", \"ts\": " + i * 10
                    + ", \"dur\": 5, \"args\": {}}");
            names.add(isRange ? name : name + numbers);
            recorded.add(name + numbers);
        }
        byte[] content = TestTraces.document(String.join(",\n", events)).getBytes(StandardCharsets.UTF_8);
        Trace trace = TestTraces.read(content, 2, keep);

        List<String> readNames = new ArrayList<>();
        List<String> readRecorded = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            readNames.add(trace.name(i));
            readRecorded.add(trace.strings().get(trace.recordedName(i)));
        }
        assertThat(readNames).isEqualTo(names);
        assertThat(readRecorded).isEqualTo(recorded);
        assertThat(TraceBuilder.continuing(trace).build(trace.info()).recordedName(0))
                .isEqualTo(trace.recordedName(0));
    }
}
