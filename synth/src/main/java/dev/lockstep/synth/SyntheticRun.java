// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.write.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the traces of one run and {@code truth.json} beside them. */
public final class SyntheticRun {
    /** Name of the file that holds the truth about a run or a sweep. */
    public static final String TRUTH_FILE = "truth.json";

    /** Of a run of more ranks, files are open only while they are written to. */
    private static final int MOST_OPEN = 256;

    private SyntheticRun() {}

    /** Writes with the calling thread alone. */
    public static RunTruth write(Path directory, TraceRecipe recipe, Layout layout) throws IOException {
        return write(directory, recipe, layout, Workers.none());
    }

    /**
     * Writes the run's traces; earlier files of the same names in the directory are replaced. Memory does not grow with the
     * number of steps. On failure nothing of the run appears.
     */
    public static RunTruth write(Path directory, TraceRecipe recipe, Layout layout, Workers workers)
            throws IOException {
        for (int rank : layout.ranks()) {
            if (rank < 0 || rank >= recipe.cluster().ranks()) {
                throw new IllegalArgumentException("rank " + rank + " is not one of the job's");
            }
        }
        int steps = steps(recipe);
        SyntheticJob job = new SyntheticJob(recipe);
        List<SyntheticRankWriter> writers = new ArrayList<>();
        boolean many = recipe.cluster().ranks() > MOST_OPEN;
        try (Output output = new Output()) {
            for (RankActivity rank : job.ranks()) {
                int number = rank.place().rank();
                if (layout.writes(number)) {
                    String path = layout.path(number);
                    OutputStream trace = many
                            ? OutputFile.createClosed(output, directory, path)
                            : OutputFile.create(output, directory, path);
                    OutputStream edges = recipe.recording().edges()
                            ? OutputFile.create(output, directory, layout.edges(number))
                            : null;
                    writers.add(new SyntheticRankWriter(
                            recipe, rank, job.kinds().size(), new SyntheticRankWriter.Target(path, trace, edges)));
                }
            }
            workers.forEach(writers, SyntheticRankWriter::begin);
            List<Long> stepNanos = new ArrayList<>();
            for (int step = 0; step < steps; step++) {
                stepNanos.add(job.playStep());
                workers.forEach(writers, SyntheticRankWriter::step);
                workers.written()
                        .accept(writers.stream()
                                .mapToLong(SyntheticRankWriter::bytes)
                                .sum());
            }
            workers.forEach(writers, SyntheticRankWriter::end);
            List<RankTruth> ranks =
                    writers.stream().map(SyntheticRankWriter::truth).toList();
            RunTruth truth = new RunTruth(recipe, steps, stepNanos, ranks, collectives(job, steps));
            TruthJson.write(output, directory, TruthJson.of(truth));
            output.commit();
            return truth;
        } finally {
            for (SyntheticRankWriter writer : writers) {
                writer.close();
            }
        }
    }

    /** One rank's trace in memory, for traces that are small. */
    public static byte[] bytes(TraceRecipe recipe, int rank) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            emit(recipe, rank, steps(recipe), out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new AssertionError("memory does not fail to write", e);
        }
    }

    /** The traces of all ranks in memory, by rank: the job is played once. */
    public static List<byte[]> bytes(TraceRecipe recipe) {
        try {
            int steps = steps(recipe);
            SyntheticJob job = new SyntheticJob(recipe);
            List<ByteArrayOutputStream> traces = new ArrayList<>();
            List<ByteSink> sinks = new ArrayList<>();
            List<KinetoJsonEmitter> emitters = new ArrayList<>();
            for (RankActivity rank : job.ranks()) {
                traces.add(new ByteArrayOutputStream());
                sinks.add(new ByteSink(traces.getLast()));
                emitters.add(emitter(recipe, job, rank, sinks.getLast()));
                emitters.getLast().begin();
            }
            for (int step = 0; step < steps; step++) {
                job.playStep();
                for (int rank = 0; rank < emitters.size(); rank++) {
                    emitters.get(rank).append(job.ranks().get(rank).events());
                }
            }
            for (int rank = 0; rank < emitters.size(); rank++) {
                emitters.get(rank).end();
                sinks.get(rank).close();
            }
            return traces.stream().map(ByteArrayOutputStream::toByteArray).toList();
        } catch (IOException e) {
            throw new AssertionError("memory does not fail to write", e);
        }
    }

    /** How long each step takes, in ns, until its last rank is through; nothing is written. */
    public static List<Long> stepNanos(TraceRecipe recipe) {
        SyntheticJob job = new SyntheticJob(recipe);
        List<Long> stepNanos = new ArrayList<>();
        for (int step = 0; step < recipe.recording().steps(); step++) {
            stepNanos.add(job.playStep());
        }
        return stepNanos;
    }

    /** Number of steps a recipe asks for, directly or by size. */
    static int steps(TraceRecipe recipe) throws IOException {
        long wanted = recipe.recording().bytesPerRank();
        if (wanted == 0) {
            return recipe.recording().steps();
        }
        long one = emit(recipe, 0, 1, OutputStream.nullOutputStream());
        long three = emit(recipe, 0, 3, OutputStream.nullOutputStream());
        long perStep = (three - one) / 2;
        long rest = wanted - (one - perStep);
        return Math.clamp(Math.round((double) rest / perStep), 1, 100_000_000);
    }

    private static long emit(TraceRecipe recipe, int rank, int steps, OutputStream out) throws IOException {
        SyntheticJob job = new SyntheticJob(recipe);
        RankActivity activity = job.ranks().get(rank);
        try (ByteSink sink = new ByteSink(out)) {
            KinetoJsonEmitter emitter = emitter(recipe, job, activity, sink);
            emitter.begin();
            for (int step = 0; step < steps; step++) {
                job.playStep();
                emitter.append(activity.events());
            }
            emitter.end();
            return sink.count();
        }
    }

    private static KinetoJsonEmitter emitter(TraceRecipe recipe, SyntheticJob job, RankActivity rank, ByteSink sink) {
        String name = Layout.flat().path(rank.place().rank());
        return new KinetoJsonEmitter(recipe, rank.place(), job.kinds().size(), name, sink);
    }

    private static List<RunTruth.CollectiveTotal> collectives(SyntheticJob job, int steps) {
        Map<String, RunTruth.CollectiveTotal> totals = new LinkedHashMap<>();
        for (StepCollective collective : job.collectives()) {
            ProcessGroup group = job.ranks().get(0).place().group(collective.lane());
            String name = collective.kind().recorded();
            totals.merge(
                    name + ' ' + group.description(),
                    new RunTruth.CollectiveTotal(
                            name, group.description(), group.size(), steps, steps * collective.bytes()),
                    (a, b) -> new RunTruth.CollectiveTotal(
                            a.name(),
                            a.group(),
                            a.groupSize(),
                            a.countPerRank() + b.countPerRank(),
                            a.bytesPerRank() + b.bytesPerRank()));
        }
        return List.copyOf(totals.values());
    }
}
