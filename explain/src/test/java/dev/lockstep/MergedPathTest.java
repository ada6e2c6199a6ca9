// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.Lockstep.Options;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.MergeFilter;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.merge.Reason;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.RawEvents;
import dev.lockstep.testkit.Shown;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Critical paths that are drawn into merged timelines. */
class MergedPathTest {
    private static final int RANKS = 3;

    private final Lockstep lockstep = Lockstep.open(new Options(2, false));

    @TempDir
    private Path folder;

    /** An event as it stands in the file. */
    private record Event(String text) {
        String field(String key) {
            Matcher found = Pattern.compile("\"" + key + "\":\"?([^\",}]*)").matcher(text);
            return found.find() ? found.group(1) : "";
        }

        long ns(String key) {
            return new BigDecimal(field(key)).movePointRight(3).longValueExact();
        }

        boolean isOnPath() {
            return text.contains("\"critical_path_ns\":");
        }
    }

    /** An end of an arrow, and the slice behind which it stands. */
    private record End(Event slice, Event flow) {
        int rank() {
            return Integer.parseInt(flow.field("pid")) / 10_000;
        }
    }

    @BeforeEach
    void makeRanks() throws IOException {
        SyntheticRun.write(
                folder.resolve("run"),
                SyntheticTraces.smallRecipe(RANKS).withSyncEvents(true).withSeed(5),
                Layout.flat());
    }

    @AfterEach
    void close() {
        lockstep.close();
    }

    private Merge merge(String... filters) throws IOException {
        List<MergeFilter.Condition> conditions = Stream.of(filters)
                .filter(filter -> !filter.isEmpty())
                .map(filter -> MergeFilter.parse(filter, true))
                .toList();
        return lockstep.merge(lockstep.read(folder.resolve("run")))
                .with(new MergeOptions(new MergeFilter(conditions, false), false))
                .withCriticalPath();
    }

    private static List<Event> events(Path file) throws IOException {
        return RawEvents.of(Files.readAllBytes(file)).events().stream()
                .map(Event::new)
                .toList();
    }

    /** Both ends of every arrow, by its number: where it starts, and where it leads. */
    private static Map<String, End[]> arrows(List<Event> events) {
        Map<String, End[]> arrows = new HashMap<>();
        Event slice = null;
        for (Event event : events) {
            if (event.field("ph").equals("X")) {
                slice = event;
            } else if (slice != null && event.field("cat").equals("critical_path")) {
                End[] ends = arrows.computeIfAbsent(event.field("id"), id -> new End[2]);
                int place = event.field("ph").equals("s") ? 0 : 1;
                assertThat(ends[place]).as("one such end").isNull();
                ends[place] = new End(slice, event);
            }
        }
        return arrows;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "step=2..3", "cat=kernel", "rank=0,2", "time=1ms..6ms", "name=*nccl*"})
    void everyArrowJoinsTwoSlicesForwardInTime(String filter) throws IOException {
        Path file = folder.resolve("merged.json");
        MergeResult result = merge(filter).writeTo(file);
        Map<String, End[]> arrows = arrows(events(file));
        assertThat(arrows).hasSizeGreaterThan(3).hasSize((int) result.summary().pathArrows());
        long across = 0;
        for (End[] ends : arrows.values()) {
            assertThat(ends).doesNotContainNull();
            assertThat(ends[0].flow.ns("ts")).isLessThan(ends[1].flow.ns("ts"));
            across += ends[0].rank() == ends[1].rank() ? 0 : 1;
            for (End end : ends) {
                assertThat(end.slice.isOnPath()).isTrue();
                for (String place : List.of("ts", "pid", "tid")) {
                    assertThat(end.flow.field(place)).isEqualTo(end.slice.field(place));
                }
            }
        }
        assertThat(across).as("from rank to rank").isPositive();
    }

    /** What one step's path and the next one's have in common is not joined. */
    @ParameterizedTest
    @ValueSource(strings = {"merged.json", "merged.pftrace"})
    void everyStepHasAPathOfItsOwn(String name) throws IOException {
        long single = 0;
        for (int step = 0; step < 2; step++) {
            MergeResult one =
                    merge().withCriticalPath("ProfilerStep#" + step).writeTo(folder.resolve("step" + step + name));
            assertThat(one.summary().pathArrows()).isPositive();
            single += one.summary().pathArrows();
        }
        MergeResult all = merge().withCriticalPath("step").writeTo(folder.resolve(name));
        assertThat(all.summary().pathArrows()).isEqualTo(single);
        assertThatThrownBy(() -> merge().withCriticalPath("ProfilerStep#2").writeTo(folder.resolve("none.json")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("only 2");
        assertThat(folder.resolve("none.json")).doesNotExist();
    }

    @Test
    void slicesSayHowLongThePathIsInThem() throws IOException {
        Path rank = folder.resolve("run").resolve("rank0_trace.json");
        Path file = folder.resolve("rank0.json");
        lockstep.merge(lockstep.read(rank)).withCriticalPath().writeTo(file);
        long drawn = 0;
        for (Event event : events(file)) {
            if (event.isOnPath()
                    && List.of("kernel", "gpu_memcpy", "gpu_memset").contains(event.field("cat"))) {
                long onPath = Long.parseLong(event.field("critical_path_ns"));
                assertThat(onPath).isBetween(0L, event.ns("dur"));
                drawn += onPath;
            }
        }
        Table activities = sheet(rank, 0, "critical_path_ops");
        long listed = 0;
        for (int row = 0; row < activities.rows(); row++) {
            listed +=
                    activities.longs(activities.schema().indexOf("on-path us")).get(row);
        }
        assertThat(drawn).isPositive().isEqualTo(listed);
    }

    private Table sheet(Path file, int rank, String name) throws IOException {
        ReportOptions.Paths whole = new ReportOptions.Paths(ReportOptions.Paths.WHOLE, List.of());
        return lockstep.read(file)
                .with(ReportOptions.standard().with(whole))
                .rank(rank)
                .table(name);
    }

    /** What was drawn does not become part of the recording, and what waits for what is found as before. */
    @ParameterizedTest
    @ValueSource(strings = {"merged.json", "merged.pftrace"})
    void aFileWithAPathIsAsGoodAsItsRanks(String name) throws IOException {
        Path file = folder.resolve(name);
        merge().writeTo(file);
        for (int rank = 0; rank < RANKS; rank++) {
            Path alone = folder.resolve("run").resolve("rank" + rank + "_trace.json");
            for (String sheet : List.of("dependency_quality", "critical_path_summary", "critical_path_ops")) {
                assertThat(Shown.of(sheet(file, rank, sheet)))
                        .as("%s of rank %d", sheet, rank)
                        .isEqualTo(Shown.of(sheet(alone, rank, sheet)));
            }
            assertThat(Shown.of(sheet(file, rank, "dependency_quality"))).contains("wait | ");
        }
    }

    @Test
    void aNewPathTakesThePlaceOfAnOldOne() throws IOException {
        Path first = folder.resolve("first.json");
        Path second = folder.resolve("second.json");
        long old = merge().writeTo(first).summary().pathArrows();
        MergeResult result =
                lockstep.merge(lockstep.read(first)).withCriticalPath().writeTo(second);
        assertThat(result.summary().leftOut().get(Reason.FLOW_OF_PATH)).isEqualTo(2 * old);
        assertThat(arrows(events(second))).hasSize((int) result.summary().pathArrows());
    }
}
