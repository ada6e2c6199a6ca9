// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.runs.Sweep;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.Extract;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.RunPass;
import dev.lockstep.sweep.merge.SweepMerge.Outcome;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SweepRecipe;
import dev.lockstep.synth.SyntheticSweep;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PassMergeTest {
    private static final int LARGE = 97 << 20;

    @TempDir
    private Path folder;

    private final List<String> read = Collections.synchronizedList(new ArrayList<>());
    private RankSelection selection = RankSelection.any();

    @BeforeEach
    void writeSweep() throws IOException {
        SyntheticSweep.write(
                folder,
                SweepRecipe.grid(SyntheticTraces.smallRecipe(4), List.of(256, 1024), List.of(28)),
                Layout.torchProfiler("trace_step3.json"),
                Workers.none());
    }

    private Path trace(int rank) {
        return folder.resolve("256thread/nccl_28channels/torch_profiler/rank" + rank + "/trace_step3.json");
    }

    private Map<String, byte[]> merged() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> list = Files.list(folder.resolve("merged_traces"))) {
            for (Path file : list.toList()) {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
                Files.delete(file);
            }
        }
        return files;
    }

    private SweepMerge.Options options(MergePlan plan, boolean aligned) {
        return new SweepMerge.Options(plan, aligned, 0, selection);
    }

    /** The files of a merge that does nothing else. */
    private Map<String, byte[]> alone(SweepMerge.Options options) throws IOException {
        Sweep sweep = Sweep.at(folder);
        try (Session session = new Session(2)) {
            SweepMerge.over(session, sweep.configurations(), sweep.reports(), options, bytes -> {}, outcome -> {});
        }
        return merged();
    }

    /** Notes every trace that was read, and takes it away if it must not be read again. */
    private Extract<String> note(boolean once) {
        return trace -> {
            Path file = Path.of(trace.trace().info().source());
            read.add(file.toString());
            if (once) {
                Files.delete(file);
            }
            return file.toString();
        };
    }

    private List<Outcome> pass(SweepMerge.Options options, int jobs, boolean once) throws IOException {
        Sweep sweep = Sweep.at(folder);
        PassOptions reading = new PassOptions(selection, PassOptions.Source.ANY, false, bytes -> {});
        try (Session session = new Session(jobs);
                PassMerge merge = new PassMerge(session, sweep.reports(), options)) {
            List<Extract<?>> extracts = new ArrayList<>(merge.extracts());
            extracts.add(note(once));
            RunPass.over(session, sweep.configurations(), reading, extracts, merge::begin, merge::finish);
            return merge.outcomes(sweep.configurations());
        }
    }

    private void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
        assertThat(actual.keySet()).isEqualTo(expected.keySet()).isNotEmpty();
        actual.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(expected.get(name)));
    }

    @Test
    void everyTraceIsReadOnceAndTheBytesAreThoseOfAMergeAlone() throws IOException {
        MergePlan plan = new WholeMergePlan(
                List.of(MergedFormat.STANDARD, new MergedFormat(".json.gz")),
                WholeMergePlan.standard().options());
        Map<String, byte[]> expected = alone(options(plan, false));

        List<Outcome> outcomes = pass(options(plan, false), 3, true);

        assertSame(merged(), expected);
        assertThat(read).hasSize(8).doesNotHaveDuplicates();
        assertThat(outcomes)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.files())
                        .hasSize(2)
                        .allSatisfy(file -> assertThat(file.ranks()).containsExactly(0, 1, 2, 3)));
    }

    @Test
    void clocksAreTakenFromTheFirstReadingAndNeedASecond() throws IOException {
        Map<String, byte[]> expected = alone(options(WholeMergePlan.standard(), true));

        pass(options(WholeMergePlan.standard(), true), 2, false);

        assertSame(merged(), expected);
        assertThat(read).hasSize(8);
    }

    @Test
    void ofSeveralTracesOfARankTheChosenOneIsMerged() throws IOException {
        Path other = trace(2).resolveSibling("trace_step9.json");
        Files.writeString(other, Files.readString(trace(2)).replace("aten::", "later::"));
        selection = new RankSelection(-1, null, true);
        Map<String, byte[]> expected = alone(options(WholeMergePlan.standard(), false));

        pass(options(WholeMergePlan.standard(), false), 3, true);

        assertSame(merged(), expected);
        assertThat(read).hasSize(8).contains(other.toString()).doesNotContain(trace(2).toString());
    }

    @Test
    void missingAndDamagedRanksLeaveTheOthers() throws IOException {
        Files.delete(trace(0));
        Files.writeString(trace(1), "no trace");
        String text = Files.readString(trace(2));
        Files.writeString(trace(2), text.substring(0, text.length() / 2));
        Map<String, byte[]> expected = alone(options(WholeMergePlan.standard(), false));

        List<Outcome> outcomes = pass(options(WholeMergePlan.standard(), false), 3, true);

        assertSame(merged(), expected);
        assertThat(outcomes)
                .anySatisfy(one -> assertThat(one.files().getFirst().ranks()).containsExactly(2, 3));
    }

    @Test
    void aConfigurationThatCannotBeReadHasNoFile() throws IOException {
        for (int rank = 0; rank < 4; rank++) {
            Files.writeString(trace(rank), "no trace");
        }

        List<Outcome> outcomes = pass(options(WholeMergePlan.standard(), false), 2, true);

        assertThat(outcomes).extracting(one -> one.files().size()).containsExactlyInAnyOrder(0, 1);
        assertThat(merged().keySet()).containsExactly("1024thread_28ch_merged.pftrace");
    }

    @Test
    void aLargeFileAmongSmallOnesHasItsTurn() throws IOException {
        Files.writeString(trace(1), Files.readString(trace(1)) + " ".repeat(LARGE));
        Map<String, byte[]> expected = alone(options(WholeMergePlan.standard(), false));

        pass(options(WholeMergePlan.standard(), false), 2, true);

        assertSame(merged(), expected);
        assertThat(read).hasSize(8);
    }

    @Test
    void tracesThatClaimOneRankHaveThoseOfTheirPathsAsInAMergeAlone() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            String text = Files.readString(trace(rank));
            Files.writeString(trace(rank), text.replaceFirst("\"rank\": *[0-9]+", "\"rank\": 0"));
        }
        SweepMerge.Options options = options(WholeMergePlan.standard(), false);
        Map<String, byte[]> expected = alone(options);

        pass(options, 2, false);

        assertSame(merged(), expected);
    }
}
