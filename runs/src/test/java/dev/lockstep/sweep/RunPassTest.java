// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.session.Session;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunPassTest {
    @TempDir
    private Path folder;

    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger discarded = new AtomicInteger();

    private final Extract<String> names = new Extract<>() {
        @Override
        public String take(RankTrace trace) {
            taken.incrementAndGet();
            return trace.rank() + "=" + Path.of(trace.trace().info().source()).getFileName();
        }

        @Override
        public void discard(String name) {
            discarded.incrementAndGet();
        }
    };

    private void trace(String name, int stated) throws IOException {
        String document = TestTraces.document(new EventText().op("a", 0, 10).toString());
        if (stated >= 0) {
            document = document.replaceFirst("\\{", "{\"distributedInfo\": {\"rank\": " + stated + "}, ");
        }
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, document);
    }

    private List<ConfigurationRun> pass(String... runs) throws IOException {
        List<Configuration> configurations = new ArrayList<>();
        for (String run : runs) {
            configurations.add(Configuration.finished(folder.resolve(run), ReportNames.OWN));
        }
        List<ConfigurationRun> seen = new ArrayList<>();
        try (Session session = new Session(2)) {
            RunPass.over(session, configurations, PassOptions.standard(), List.of(names), seen::add);
        }
        return seen;
    }

    @Test
    void everyTraceIsReadOnceAndRunsComeInTheirOrder() throws IOException {
        for (String run : List.of("b", "a", "c")) {
            trace(run + "/torch_profiler/rank0/x.json", 0);
            trace(run + "/torch_profiler/rank1/y.json", 1);
        }

        List<ConfigurationRun> runs = pass("b", "a", "c");

        assertThat(runs).extracting(run -> run.configuration().label()).containsExactly("b", "a", "c");
        assertThat(runs.get(1).all(names).values()).containsExactly("0=x.json", "1=y.json");
        assertThat(taken).hasValue(6);
    }

    @Test
    void aTraceThatIsOfAnotherRankThanItSeemedIsTakenAgain() throws IOException {
        trace("run/torch_profiler/rank0/x.json", 5);
        trace("run/torch_profiler/rank1/y.json", 5);

        ConfigurationRun run = pass("run").getFirst();

        assertThat(run.all(names).values()).containsExactly("0=x.json", "1=y.json");
        assertThat(discarded)
                .as("two that were wrong, two when the run was done")
                .hasValue(4);
    }

    @Test
    void ranksWithoutNumbersAreNumberedByTheirNames() throws IOException {
        trace("run/torch_profiler/host_9.json", -1);
        trace("run/torch_profiler/host_10.json", -1);

        assertThat(pass("run").getFirst().all(names).values()).containsExactly("0=host_9.json", "1=host_10.json");
        assertThat(taken).hasValue(2);
    }

    @Test
    void aRunWithoutTracesIsHandedOverToo() throws IOException {
        Files.createDirectories(folder.resolve("failed"));
        trace("run/torch_profiler/rank0/x.json", 0);
        Files.createDirectories(folder.resolve("run/torch_profiler/rank3"));

        List<ConfigurationRun> runs = pass("failed", "run");

        assertThat(runs.getFirst().ranks()).isNull();
        assertThat(runs.getFirst().all(names)).isEmpty();
        assertThat(runs.getFirst().coverage().parts()).singleElement().satisfies(part -> {
            assertThat(part.state()).isEqualTo(State.MISSING);
            assertThat(part.note()).contains("did the run fail");
        });
        assertThat(runs.getLast().coverage().gaps()).singleElement().satisfies(part -> {
            assertThat(part.rank()).isEqualTo(3);
            assertThat(part.note()).isEqualTo("no trace in its folder");
        });
    }

    @Test
    void whenWorkFailsNothingOfItIsKept() throws IOException {
        for (String run : List.of("a", "b", "c")) {
            trace(run + "/torch_profiler/rank0/x.json", 0);
        }
        List<Configuration> configurations = List.of(
                Configuration.at(folder.resolve("a")),
                Configuration.at(folder.resolve("b")),
                Configuration.at(folder.resolve("c")));
        try (Session session = new Session(2)) {
            assertThatThrownBy(
                            () -> RunPass.over(session, configurations, PassOptions.standard(), List.of(names), run -> {
                                throw new IOException("disk full");
                            }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("disk full");
        }
        assertThat(discarded).hasValue(taken.get());
    }
}
