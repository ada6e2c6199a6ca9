// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any number of threads may be asked for; what is no number of threads is refused. */
class JobsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @BeforeEach
    void prepare() {
        assertThat(run("synth -o IN --ranks 2 --size 20kB", "1")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report IN/rank0_trace.json -o OUT",
                "collectives IN -o OUT",
                "stragglers IN -o OUT",
                "merge IN -o OUT.json",
                "merge IN -o OUT.json.gz",
                "merge IN -o OUT.pftrace",
                "info IN",
                "split IN/rank0_trace.json -o OUT",
                "diff IN/rank0_trace.json IN/rank1_trace.json -o OUT",
                "kernels extract IN/rank0_trace.json -o OUT",
                "kernels gantt IN/rank0_trace.json -o OUT.svg",
                "replay plan IN/rank0_trace.json -o OUT.json",
                "aiu -i IN/rank0_trace.json -o OUT.json",
                "goal -i IN -o OUT",
                "synth -o OUT --ranks 2 --size 20kB"
            })
    void anyNumberOfThreadsIsTaken(String line) {
        assertThat(run(line, "2147483647")).as("%s: %s", line, err).isIn(ExitStatus.COMPLETE, ExitStatus.PARTIAL);
        for (String no : new String[] {"0", "-1", "2147483648", "two", "1.5", ""}) {
            assertThat(run(line, no)).as("%s --jobs %s", line, no).isEqualTo(ExitStatus.USAGE);
            assertThat(err.toString()).contains("--jobs");
        }
    }

    private int run(String line, String jobs) {
        Object[] words = Stream.concat(Arrays.stream(line.split(" ")), Stream.of("--jobs", jobs))
                .map(word -> word.replaceFirst("^IN\\b", folder + "/in").replaceFirst("^OUT\\b", folder + "/out"))
                .toArray();
        return TestProgram.run(out, err, words);
    }
}
