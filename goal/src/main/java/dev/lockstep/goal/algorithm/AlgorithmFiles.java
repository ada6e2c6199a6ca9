// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.model.ModelledAlgorithm;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collective algorithms that files state. Each is checked when it is read, with up to {@value #MOST_TRIED} ranks in rings
 * of any order and on nodes of several shapes, and again with the communicators of a recording before it is used; those
 * that ask which round it is, in every round.
 */
public final class AlgorithmFiles {
    /** Files that come with the program; the first two are algorithms that it has anyway. */
    public static final List<String> EXAMPLES = List.of("ring-all-reduce", "tree-all-reduce", "halving-all-reduce");

    private static final int MOST_TRIED = 17;
    private static final int ROUNDS_TRIED = 16;

    private final List<StatedAlgorithm> programs;

    private AlgorithmFiles(List<StatedAlgorithm> programs) {
        this.programs = programs;
    }

    /**
     * Reads and checks files.
     *
     * @throws TraceFormatException when one is wrong or not complete; the message has file and line
     * @throws UserException when two are for the same
     */
    public static AlgorithmFiles read(List<Path> files) throws IOException {
        List<StatedAlgorithm> programs = new ArrayList<>();
        for (Path file : files) {
            programs.add(tried(StepFile.read(file)));
        }
        for (int i = 0; i < programs.size(); i++) {
            for (int k = 0; k < i; k++) {
                if (sameJob(programs.get(i), programs.get(k))) {
                    throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            programs.get(k).file() + " and " + programs.get(i).file() + " both carry out "
                                    + programs.get(i).kind().word(),
                            "Leave one out, or say with instead of which algorithms of NCCL each stands for.");
                }
            }
        }
        return new AlgorithmFiles(List.copyOf(programs));
    }

    /**
     * The text of an example.
     *
     * @throws UserException when there is none of that name
     */
    public static String example(String name) {
        if (!EXAMPLES.contains(name)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "there is no example " + name,
                    "There are " + String.join(", ", EXAMPLES) + ".");
        }
        try (InputStream in = AlgorithmFiles.class.getResourceAsStream(name + ".steps")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }

    /** The algorithms that there are; those of files come first. */
    public Algorithms algorithms() {
        Algorithms modelled = Algorithms.BUILT_IN.orRings();
        return Algorithms.BUILT_IN.preferring(programs.stream()
                .flatMap(program -> Stream.of(NcclAlgorithm.values())
                        .filter(program::standsFor)
                        .map(algorithm -> new StepAlgorithm(
                                program, algorithm, Objects.requireNonNull(modelled.of(program.kind(), algorithm)))))
                .toArray(CollectiveAlgorithm[]::new));
    }

    /** What is modelled: by the program, then by files. */
    public List<ModelledAlgorithm> list() {
        List<ModelledAlgorithm> list = new ArrayList<>();
        for (NcclFunction kind : NcclFunction.values()) {
            for (NcclAlgorithm algorithm : NcclAlgorithm.values()) {
                if (!kind.pairwise() && Algorithms.BUILT_IN.of(kind, algorithm) != null) {
                    list.add(new ModelledAlgorithm(kind.word(), nameOf(algorithm), nameOf(algorithm), ""));
                }
            }
        }
        for (StatedAlgorithm program : programs) {
            String others = program.insteadOf().isEmpty()
                    ? "all"
                    : Stream.of(NcclAlgorithm.values())
                            .filter(program.insteadOf()::contains)
                            .map(AlgorithmFiles::nameOf)
                            .collect(Collectors.joining(", "));
            list.add(new ModelledAlgorithm(program.kind().word(), program.name(), others, program.file()));
        }
        return list;
    }

    /**
     * Checks each file with the communicators of a recording that it is for. Communicators that it does not take are noted.
     *
     * @return what the algorithm of a collective is called
     * @throws TraceFormatException when a file is not complete for one
     */
    public BiFunction<RecordedOperation, CollectivePlan, String> demandComplete(RecordedRun run) throws IOException {
        Map<Use, Checked> checked = new HashMap<>();
        List<String> places = run.gpus().stream().map(Gpu::node).toList();
        for (Gpu gpu : run.gpus()) {
            for (RecordedOperation o : gpu.operations()) {
                StatedAlgorithm program = o.plan() instanceof CollectivePlan plan ? program(o, plan) : null;
                Communicator communicator = run.communicators().get(o.communicator());
                if (program == null || !communicator.whole() || !(o.plan() instanceof CollectivePlan plan)) {
                    continue;
                }
                Use use = Use.of(program, o, plan);
                Checked so = checked.computeIfAbsent(use, u -> Checked.of(plan));
                if (so.lacks(program, plan)) {
                    so.verdict = verdict(program, communicator, places, plan, so);
                    if (so.verdict != Verdict.TAKEN) {
                        run.notes().assumed("algorithm_assumed", told(so.verdict, program, o, communicator));
                    }
                }
            }
        }
        return (o, plan) -> {
            StatedAlgorithm program = program(o, plan);
            Checked so = program == null ? null : checked.get(Use.of(program, o, plan));
            return program != null && so != null && so.verdict != Verdict.REFUSED
                    ? program.name()
                    : nameOf(plan.algorithm());
        };
    }

    /** What a program is to be checked with. */
    private record Use(String file, int communicator, int channels, int root, boolean inPlace) {
        static Use of(StatedAlgorithm program, RecordedOperation o, CollectivePlan plan) {
            boolean inPlace = plan.channels().stream().anyMatch(ChannelWork::inPlace);
            return new Use(program.file(), o.communicator(), plan.channels().size(), plan.root(), inPlace);
        }
    }

    /** How far a program is checked for a use. */
    private static final class Checked {
        private final StepBudget budget;
        private final long least;

        /** For each channel how many rounds. */
        private final long[] rounds;

        private final Set<List<ChannelWork>> works = new HashSet<>();
        private @Nullable Verdict verdict;

        /** @param least rounds that are checked, however few there are */
        Checked(StepBudget budget, int channels, long least) {
            this.budget = budget;
            this.rounds = new long[channels];
            this.least = least;
        }

        static Checked of(CollectivePlan plan) {
            int channels = plan.channels().size();
            return new Checked(StepBudget.checks(channels), channels, 1);
        }

        /** Whether a plan may have something that was not checked. */
        boolean lacks(StatedAlgorithm program, CollectivePlan plan) {
            return verdict == null || (verdict == Verdict.TAKEN && program.needsRound() && works.add(plan.channels()));
        }
    }

    private enum Verdict {
        /** It is complete. */
        TAKEN,
        /** It is not meant for the communicator. */
        REFUSED,
        /** There are too many steps to tell. */
        UNCHECKED
    }

    private static String told(
            Verdict verdict, StatedAlgorithm program, RecordedOperation o, Communicator communicator) {
        String what = o.kind().word() + " of communicator " + communicator.id() + ": ";
        return what
                + (verdict == Verdict.REFUSED
                        ? program.name() + " does not take its " + communicator.size()
                                + " ranks; it is carried out as without the file"
                        : "its " + communicator.size() + " ranks take too many steps to check " + program.name()
                                + " with, which was checked with up to " + MOST_TRIED);
    }

    /** The program that stands for what the library did; null if there is none. */
    private @Nullable StatedAlgorithm program(RecordedOperation o, CollectivePlan plan) {
        return programs.stream()
                .filter(program -> program.kind() == o.kind() && program.standsFor(plan.algorithm()))
                .findFirst()
                .orElse(null);
    }

    private static String nameOf(NcclAlgorithm algorithm) {
        return algorithm.name().toLowerCase(Locale.ROOT);
    }

    private static Verdict verdict(
            StatedAlgorithm program, Communicator communicator, List<String> places, CollectivePlan plan, Checked so)
            throws IOException {
        boolean taken = communicator.size() < 2 || so.verdict == Verdict.TAKEN;
        for (int channel = 0; channel < plan.channels().size() && communicator.size() > 1; channel++) {
            List<ChannelJob> jobs = new ArrayList<>();
            for (int rank = 0; rank < communicator.size(); rank++) {
                jobs.add(new ChannelJob(
                        communicator,
                        places,
                        rank,
                        channel,
                        plan,
                        plan.channels().get(channel)));
            }
            try {
                long rounds = Math.max(so.least, StepProof.rounds(program, jobs, so.budget));
                long last = program.needsRound() ? rounds : 1;
                for (; so.rounds[channel] < last; so.rounds[channel]++) {
                    taken |= StepProof.holds(program, jobs, so.rounds[channel], so.budget);
                }
            } catch (StepBudget.Spent tooMany) {
                return Verdict.UNCHECKED;
            }
        }
        return taken ? Verdict.TAKEN : Verdict.REFUSED;
    }

    private static boolean sameJob(StatedAlgorithm a, StatedAlgorithm b) {
        return a.kind() == b.kind()
                && (a.insteadOf().isEmpty()
                        || b.insteadOf().isEmpty()
                        || !Collections.disjoint(a.insteadOf(), b.insteadOf()));
    }

    /** The program, after it was tried with communicators that are made up. */
    static StatedAlgorithm tried(StatedAlgorithm program) throws IOException {
        boolean taken = false;
        StepBudget budget = StepBudget.checks(1);
        Random random = new Random(1);
        for (int ranks = 2; ranks <= MOST_TRIED; ranks++) {
            for (int perNode : IntStream.of(1, 2, 3, 4, 8, ranks).distinct().toArray()) {
                if (perNode > ranks || (!program.needsNodes() && perNode > 1)) {
                    continue;
                }
                for (int channels = 1; channels <= 2; channels++) {
                    boolean inPlace = random.nextBoolean();
                    int root = random.nextInt(ranks);
                    List<String> places = IntStream.range(0, ranks)
                            .mapToObj(rank -> "node" + rank / perNode)
                            .toList();
                    Communicator tried = communicator(ranks, channels, random);
                    Checked nothing = new Checked(budget, channels, ROUNDS_TRIED);
                    Verdict verdict = verdict(program, tried, places, plan(channels, root, inPlace), nothing);
                    if (verdict == Verdict.UNCHECKED) {
                        throw program.wrong(
                                1,
                                "with " + ranks + " ranks there are too many steps to check",
                                "Loops of fewer turns and fewer parts take less.");
                    }
                    taken |= verdict == Verdict.TAKEN;
                }
            }
        }
        if (!taken) {
            throw program.wrong(
                    1, program.name() + " takes no communicator of 2 to " + MOST_TRIED + " ranks", "See only if.");
        }
        return program;
    }

    private static CollectivePlan plan(int channels, int root, boolean inPlace) {
        ChannelWork work = new ChannelWork(10, 10, 10, inPlace);
        return new CollectivePlan(
                NcclAlgorithm.RING, NcclProtocol.SIMPLE, root, 4, 2, 1, 2048, Collections.nCopies(channels, work));
    }

    /** Rings in any order, trees of any shape. */
    private static Communicator communicator(int ranks, int channels, Random random) {
        List<Ring> rings = new ArrayList<>();
        List<Tree> trees = new ArrayList<>();
        for (int channel = 0; channel < channels; channel++) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
            Collections.shuffle(order, random);
            int[] previous = new int[ranks];
            int[] next = new int[ranks];
            int[] parents = new int[ranks];
            for (int i = 0; i < ranks; i++) {
                next[order.get(i)] = order.get((i + 1) % ranks);
                previous[order.get((i + 1) % ranks)] = order.get(i);
                parents[order.get(i)] = i == 0 ? Communicator.NONE : order.get(random.nextInt(i));
            }
            rings.add(new Ring(previous, next));
            trees.add(Tree.of(parents));
        }
        return new Communicator("tried", IntStream.range(0, ranks).toArray(), rings, trees);
    }
}
