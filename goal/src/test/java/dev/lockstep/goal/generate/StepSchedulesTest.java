// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.algorithm.AlgorithmFiles;
import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.check.ScheduleVerification;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.nccl.BinaryTrees;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.goal.schedule.UsualCosts;
import dev.lockstep.goal.stored.GoalFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedules of algorithms that files state. */
class StepSchedulesTest {
    private static final ExecutorService WORKERS = Executors.newFixedThreadPool(2);
    private static final long CHUNK = 512;

    @TempDir
    Path folder;

    @AfterAll
    static void stop() {
        WORKERS.shutdownNow();
    }

    private Algorithms file(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".steps"), AlgorithmFiles.example(name));
        return AlgorithmFiles.read(List.of(file)).algorithms();
    }

    @ParameterizedTest
    @CsvSource({"ring-all-reduce, RING", "tree-all-reduce, TREE"})
    void filesOfWhatTheProgramHasGiveTheSameBytes(String name, NcclAlgorithm algorithm) throws IOException {
        Algorithms stated = file(name);
        Random random = new Random(11);
        assertThat(stated.of(NcclFunction.ALL_REDUCE, algorithm))
                .isNotSameAs(Algorithms.BUILT_IN.of(NcclFunction.ALL_REDUCE, algorithm));
        for (int ranks : new int[] {2, 3, 4, 5, 8, 13, 24}) {
            for (int channels = 1; channels <= 3; channels++) {
                for (long elements : new long[] {1, CHUNK, 5000, ranks * CHUNK, 3L * ranks * CHUNK + 17}) {
                    int perNode = 1 + random.nextInt(ranks);
                    NcclProtocol protocol = NcclProtocol.values()[random.nextInt(3)];
                    RecordedRun run = run(ranks, perNode, plan(algorithm, protocol, ranks, channels, elements));

                    assertThat(text(run, stated)).isEqualTo(text(run, Algorithms.BUILT_IN));
                }
            }
        }
    }

    @Test
    void otherCommunicatorsAreCarriedOutAsWithoutTheFile() throws IOException {
        Algorithms halving = file("halving-all-reduce");
        for (int ranks = 2; ranks <= 17; ranks++) {
            RecordedRun run = run(ranks, 2, plan(NcclAlgorithm.RING, NcclProtocol.SIMPLE, ranks, 2, 9999));
            Path schedule = write(run, halving);

            assertThat(ScheduleVerification.check(new GoalFile(schedule).read(5))
                            .count())
                    .isZero();
            assertThat(Files.readString(schedule).equals(text(run, Algorithms.BUILT_IN)))
                    .as("%d ranks", ranks)
                    .isEqualTo(Integer.bitCount(ranks) != 1);
        }
    }

    @Test
    void filesAreCheckedWithTheCommunicatorsOfTheRecording() throws IOException {
        String text = AlgorithmFiles.example("ring-all-reduce")
                        .replace("receive part place + 1", "if ranks < 20\nreceive part place + 1")
                + "end\n";
        AlgorithmFiles files = AlgorithmFiles.read(List.of(Files.writeString(folder.resolve("ring.steps"), text)));
        RecordedRun few = run(19, 4, plan(NcclAlgorithm.RING, NcclProtocol.LL, 19, 2, 5000));
        RecordedRun many = run(20, 4, plan(NcclAlgorithm.RING, NcclProtocol.LL, 20, 2, 5000));

        assertThatCode(() -> files.demandComplete(few)).doesNotThrowAnyException();
        assertThatThrownBy(() -> files.demandComplete(many))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("ring.steps: line ")
                .hasMessageContaining("with 20 ranks: rank 0 sends part");
    }

    @Test
    void filesAreCheckedInEveryRoundOfTheRecording() throws IOException {
        String text = AlgorithmFiles.example("ring-all-reduce")
                        .replace("receive part place + 1", "if chunk < 24\nreceive part place + 1")
                + "end\n";
        AlgorithmFiles files = AlgorithmFiles.read(List.of(Files.writeString(folder.resolve("ring.steps"), text)));
        RecordedRun few = run(4, 4, plan(NcclAlgorithm.RING, NcclProtocol.LL, 4, 1, 4 * CHUNK * 24));
        RecordedRun many = run(4, 4, plan(NcclAlgorithm.RING, NcclProtocol.LL, 4, 1, 4 * CHUNK * 24 + 1));

        assertThatCode(() -> files.demandComplete(few)).doesNotThrowAnyException();
        assertThatThrownBy(() -> files.demandComplete(many))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("ring.steps: line ")
                .hasMessageContaining("with 4 ranks: rank 0 sends part");
    }

    @Test
    void communicatorsThatAreTooLargeToCheckAreNoted() throws IOException {
        AlgorithmFiles files = AlgorithmFiles.read(
                List.of(Files.writeString(folder.resolve("ring.steps"), AlgorithmFiles.example("ring-all-reduce"))));
        RecordedRun run = run(1500, 8, plan(NcclAlgorithm.RING, NcclProtocol.LL, 1500, 1, 5000));

        files.demandComplete(run);

        assertThat(run.notes().all())
                .extracting(ScheduleNote::first)
                .containsExactly(
                        "AllReduce of communicator c: its 1500 ranks take too many steps to check ring-all-reduce with,"
                                + " which was checked with up to 17");
    }

    @Test
    void whatAFileDoesNotTakeIsNoted() throws IOException {
        AlgorithmFiles files = AlgorithmFiles.read(List.of(
                Files.writeString(folder.resolve("halving.steps"), AlgorithmFiles.example("halving-all-reduce"))));
        CollectivePlan plan = plan(NcclAlgorithm.RING, NcclProtocol.LL, 6, 1, 5000);
        RecordedRun six = run(6, 2, plan);
        RecordedRun eight = run(8, 2, plan);

        assertThat(files.demandComplete(six)
                        .apply(six.gpus().getFirst().operations().getFirst(), plan))
                .isEqualTo("ring");
        assertThat(files.demandComplete(eight)
                        .apply(eight.gpus().getFirst().operations().getFirst(), plan))
                .isEqualTo("halving-all-reduce");
        assertThat(six.notes().all())
                .extracting(ScheduleNote::first)
                .anyMatch(note -> note.contains("does not take its 6 ranks"));
        assertThat(eight.notes().all()).isEmpty();
    }

    private static CollectivePlan plan(
            NcclAlgorithm algorithm, NcclProtocol protocol, int ranks, int channels, long elements) {
        List<ChannelWork> works = new ArrayList<>();
        for (int channel = 0; channel < channels; channel++) {
            long work = elements + channel;
            long rest = (work % (ranks * CHUNK) + ranks - 1) / ranks;
            works.add(new ChannelWork(work, CHUNK, (rest + 7) / 8 * 8, channel % 2 == 0));
        }
        return new CollectivePlan(algorithm, protocol, 0, 4, 2, 1, 2048, works);
    }

    private static RecordedRun run(int ranks, int perNode, CollectivePlan plan) {
        List<Gpu> gpus = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            List<RecordedOperation> operations = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                operations.add(new RecordedOperation(
                        NcclFunction.ALL_REDUCE, 0, i, "1", -1, 100L * i, 100L * i + 50, -1, 4000, plan));
            }
            gpus.add(new Gpu("node" + rank / perNode, 0, rank, 0, 1000, operations));
        }
        List<Ring> rings = new ArrayList<>();
        List<Tree> trees = new ArrayList<>();
        for (int channel = 0; channel < plan.channels().size(); channel++) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
            Collections.shuffle(order, new Random(channel + ranks));
            int[] previous = new int[ranks];
            int[] next = new int[ranks];
            for (int i = 0; i < ranks; i++) {
                next[order.get(i)] = order.get((i + 1) % ranks);
                previous[order.get((i + 1) % ranks)] = order.get(i);
            }
            rings.add(new Ring(previous, next));
            trees.add(Tree.of(BinaryTrees.parents(ranks, channel % 2 != 0)));
        }
        Communicator all = new Communicator("c", IntStream.range(0, ranks).toArray(), rings, trees);
        return new RecordedRun(gpus, List.of(all), false, new RecordingNotes());
    }

    private String text(RecordedRun run, Algorithms algorithms) throws IOException {
        return Files.readString(write(run, algorithms));
    }

    private Path write(RecordedRun run, Algorithms algorithms) throws IOException {
        ScheduleRules rules = ScheduleRules.of(run, WireRules.Real.USUAL, algorithms, UsualCosts.get());
        TimelineOptions plain = new TimelineOptions(false, false, false, false, TagLabel.NONE);
        GoalGenerator generator = GoalGenerator.prepare(
                run.gpus().size(), new TimelineStyle(run, rules, plain), null, WrittenSchedules.budget(), WORKERS);
        Path directory = Files.createTempDirectory(folder, "schedule");
        new ScheduleWriter(directory, false, false, 4096).text(generator, true, false, WORKERS);
        return directory.resolve(ScheduleWriter.TEXT);
    }
}
