// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.compat.aorta.run.Aorta;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.Extract;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.RunPass;
import dev.lockstep.sweep.merge.MergeDialect;
import dev.lockstep.sweep.merge.PassMerge;
import dev.lockstep.sweep.merge.SweepMerge;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.testkit.TestTraces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AortaMergeTest {
    @Test
    void deviceWorkAndItsContextStayInTheOrderOfTheFile() throws IOException {
        Trace trace = TestTraces.read(TestTraces.document("""
                        {"ph": "M", "name": "process_name", "pid": 9, "tid": 0, "args": {"name": "python"}},
                        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 2.5, "args": {"stream": 7}},
                        {"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 3, "pid": 0, "tid": 7, "ts": 5, "bp": "e"},
                        {"ph": "X", "cat": "cpu_op", "name": "op", "pid": 9, "tid": 4, "ts": 1, "dur": 3},
                        {"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 9, "tid": 5, "ts": 2, "dur": 1},
                        {"ph": "X", "cat": "cuda_driver", "name": "elsewhere", "pid": 10, "tid": 5, "ts": 2, "dur": 1}
                        """).getBytes(StandardCharsets.UTF_8), 1, Keep.EVERYTHING);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (AortaMerge merge = new AortaMerge(file)) {
            assertThat(merge.add(trace, 2)).isEqualTo(new AortaMerge.Added(2, 1));
            assertThat(merge.finish(3)).isEqualTo(12);
        }
        String text = file.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .startsWith("{\"traceEvents\": ["
                        + "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"[R2] k\", \"pid\": 2000, \"tid\": 0, \"ts\": 5, \"dur\": 2.5,"
                        + " \"args\": {\"stream\":7, \"rank\": 2}}, "
                        + "{\"ph\": \"f\", \"cat\": \"ac2g\", \"name\": \"[R2] ac2g\", \"pid\": 2000, \"tid\": 0, \"ts\": 5, \"id\": 3,"
                        + " \"args\": {\"rank\": 2}, \"bp\":\"e\"}, "
                        + "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"[R2] launch\", \"pid\": 2500, \"tid\": 0, \"ts\": 2, \"dur\": 1,"
                        + " \"args\": {\"rank\": 2}}, "
                        + "{\"pid\": 0, \"tid\": 0, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\", \"name\": \"process_name\","
                        + " \"args\": {\"name\": \"Rank 0 - GPU Stream\"}}");
        assertThat(text)
                .endsWith("{\"pid\": 2500, \"tid\": 0, \"ts\": 0, \"ph\": \"M\", \"cat\": \"__metadata\","
                        + " \"name\": \"process_sort_index\", \"args\": {\"sort_index\": 5}}]}");
    }

    @Test
    void mergedInTheSamePassAsReportsTheFilesAreTheSame(@TempDir Path folder) throws IOException {
        SyntheticSweep.write(folder, SweepRecipe.grid(SyntheticTraces.smallRecipe(2), List.of(256, 1024), List.of(28)));
        Sweep sweep = Sweep.at(folder);
        SweepMerge.Options options = new SweepMerge.Options(
                new Aorta().part(MergeDialect.class).orElseThrow().plan(), false, 0, RankSelection.any());
        Map<String, String> alone;
        try (Session session = new Session(2)) {
            SweepMerge.over(session, sweep.configurations(), sweep.reports(), options, bytes -> {}, outcome -> {});
            alone = merged(folder);
        }
        try (Session session = new Session(1);
                PassMerge merge = new PassMerge(session, sweep.reports(), options)) {
            List<Extract<?>> extracts = List.copyOf(merge.extracts());
            PassOptions reading = PassOptions.standard();
            RunPass.over(session, sweep.configurations(), reading, extracts, merge::begin, merge::finish);
            merge.outcomes(sweep.configurations());
        }
        assertThat(merged(folder)).isEqualTo(alone).hasSize(2);
    }

    private static Map<String, String> merged(Path sweep) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> list = Files.list(sweep.resolve("merged_traces"))) {
            for (Path file : list.toList()) {
                files.put(String.valueOf(file.getFileName()), Files.readString(file));
                Files.delete(file);
            }
        }
        return files;
    }
}
