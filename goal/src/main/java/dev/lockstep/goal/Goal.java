// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.algorithm.AlgorithmFiles;
import dev.lockstep.goal.generate.GoalGenerator;
import dev.lockstep.goal.generate.GoalRules;
import dev.lockstep.goal.generate.ScheduleStyle;
import dev.lockstep.goal.generate.TagFormat;
import dev.lockstep.goal.kineto.KinetoFiles;
import dev.lockstep.goal.kineto.KinetoRules;
import dev.lockstep.goal.model.ModelledAlgorithm;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.nccl.CommunicatorLog;
import dev.lockstep.goal.nccl.RecordingReader;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.Costs;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.nsys.NsysExports;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;

/**
 * Schedules in GOAL, the input of network simulators as LogGOPSim and htsim: for each rank calculations, sends and
 * receives, and which of them must wait for which.
 *
 * <pre>{@code
 * GeneratedSchedule made = Goal.generate(GoalInput.nsys(Path.of("exports")), GoalOptions.DEFAULT);
 * made.writeTo(Path.of("schedule"), GoalFiles.DEFAULT);
 *
 * GoalSchedule schedule = Goal.read(Path.of("schedule", GoalFiles.TEXT));
 * boolean runs = schedule.verify().correct();
 * long nanoseconds = schedule.simulate(Network.DEFAULT).makespanNs();
 * }</pre>
 */
public final class Goal {
    private static final String UNANNOTATED = "annotations_missing";

    /** What leaves operations out without being a loss. */
    private static final Set<String> LEAVE_OUT = Set.of("operation_alone", "ends_trimmed");

    private Goal() {}

    /**
     * Makes a schedule of the collectives that traces recorded. Nothing is written yet. Equal inputs and options give
     * equal schedules, whatever the number of threads.
     *
     * @param input the recordings of all ranks of one run
     * @param options how the schedule is made
     * @return the schedule, and what was left out or assumed for it
     * @throws TraceFormatException when a file cannot be read, or is something else
     * @throws UserException when no collective was recorded, when tags have no room for what they have to hold, when there
     *     would be more operations than may be, or when the library that reads exports is not installed
     * @throws IOException when reading fails
     */
    public static GeneratedSchedule generate(GoalInput input, GoalOptions options) throws IOException {
        return generate(input, options, GoalRules.OWN);
    }

    /**
     * Makes a schedule as another generator would.
     *
     * @param input the recordings of all ranks of one run
     * @param options how the schedule is made; rules may know fewer of them
     * @param rules how recordings are put together and laid out
     * @return the schedule, and what was left out or assumed for it
     * @throws TraceFormatException when a file cannot be read, or is something else
     * @throws UserException when no collective was recorded, when the rules do not know one, when tags have no room for
     *     what they have to hold, or when the library that reads exports is not installed
     * @throws IOException when reading fails
     * @hidden for the program's own modules
     */
    @SuppressWarnings("exports")
    public static GeneratedSchedule generate(GoalInput input, GoalOptions options, GoalRules rules) throws IOException {
        Costs costs = options.costs().read();
        AlgorithmFiles files = AlgorithmFiles.read(options.algorithms());
        ExecutorService workers = workers(options.reading().threads());
        try {
            RecordedRun run = read(input, options.reading(), rules, workers);
            demandOperations(input, run);
            BiFunction<RecordedOperation, CollectivePlan, String> names = files.demandComplete(run);
            if (options.costs().simple() == null) {
                run.notes()
                        .assumed(
                                "costs_assumed",
                                "reducing and copying cost what they were measured to cost on GH200; -s and -l say it"
                                        + " otherwise");
            }
            ScheduleStyle style = rules.style(
                    run,
                    costs,
                    options.nodeLink().wire(),
                    files.algorithms(),
                    options.streams().with(options.tags().parsed()));
            TagFormat wanted = options.tags().format();
            TagFormat format = wanted == null ? rules.usualTags() : wanted;
            GoalGenerator generator =
                    GoalGenerator.prepare(run.gpus().size(), style, format, options.budget(input), workers);
            return new GeneratedSchedule(input, options, rules, run, names, generator);
        } finally {
            workers.shutdownNow();
        }
    }

    /**
     * Reads a schedule, whoever made it: text or binary, packed with gzip or not. Flaws of single lines do not end the
     * reading; {@link GoalSchedule#verify()} tells them.
     *
     * @param file the schedule
     * @return the schedule, held in memory
     * @throws TraceFormatException when there is no such file, or it is no schedule; the message has the line or byte
     * @throws IOException when reading fails
     */
    public static GoalSchedule read(Path file) throws IOException {
        return GoalSchedule.read(file, GoalSchedule.FLAWS_IN_WORDS);
    }

    /**
     * Reads a schedule, see {@link #read(Path)}.
     *
     * @param file the schedule
     * @param flawsInWords how many flaws are described; all are counted
     * @return the schedule, held in memory
     * @throws TraceFormatException when there is no such file, or it is no schedule; the message has the line or byte
     * @throws IOException when reading fails
     */
    public static GoalSchedule read(Path file, int flawsInWords) throws IOException {
        return GoalSchedule.read(file, flawsInWords);
    }

    /**
     * Lists how collectives can be carried out.
     *
     * @param files of algorithms, each read and checked
     * @return what the program models, then what the files state
     * @throws TraceFormatException when a file is wrong or not complete; the message has the line
     * @throws UserException when two files are for the same
     * @throws IOException when reading fails
     */
    public static List<ModelledAlgorithm> algorithms(List<Path> files) throws IOException {
        return AlgorithmFiles.read(files).list();
    }

    /**
     * Gives an example of a file that states an algorithm.
     *
     * @param name of the example
     * @return its text
     * @throws UserException when there is no such example; the hint names those that there are
     */
    public static String algorithmExample(String name) {
        return AlgorithmFiles.example(name);
    }

    static ExecutorService workers(int threads) {
        return Executors.newFixedThreadPool(
                Math.min(threads, Session.MOST_JOBS),
                Thread.ofPlatform().daemon().factory());
    }

    private static RecordedRun read(
            GoalInput input, GoalOptions.Reading reading, GoalRules rules, ExecutorService workers) throws IOException {
        return switch (input) {
            case GoalInput.PyTorch traces -> {
                RecordedRun run = traced(traces, reading, reading.pyTorch().rules());
                noteLog(reading, "traces of PyTorch's profiler name their communicators", run);
                yield run;
            }
            case GoalInput.Nsys exports -> nsys(exports, reading, rules, workers);
        };
    }

    private static void noteLog(GoalOptions.Reading reading, String why, RecordedRun run) {
        if (reading.ncclLog() != null) {
            run.notes().assumed("log_unused", reading.ncclLog() + " is not used: " + why);
        }
    }

    private static RecordedRun traced(GoalInput traces, GoalOptions.Reading reading, KinetoRules rules)
            throws IOException {
        try (Session session = new Session(reading.threads())) {
            return new KinetoFiles(session, reading.pyTorch().selection(), reading.strict())
                    .read(traces.name(), traces.files(), rules, reading.progress());
        }
    }

    /** Kernels alone, as those of an NCCL as it is shipped. */
    private static RecordedRun unannotated(GoalInput.Nsys exports, GoalOptions.Reading reading) throws IOException {
        RecordedRun run = traced(exports, reading, reading.pyTorch().rules().guessing());
        run.notes()
                .assumed(
                        UNANNOTATED,
                        exports.name()
                                + ": no annotations say how collectives were carried out; they are told by the names"
                                + " of kernels, and planned as the library would");
        noteLog(reading, "kernels alone do not say which of its communicators they belong to", run);
        return run;
    }

    private static RecordedRun nsys(
            GoalInput.Nsys exports, GoalOptions.Reading reading, GoalRules rules, ExecutorService workers)
            throws IOException {
        NsysExports reader = ServiceLoader.load(NsysExports.class)
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.MODULE_MISSING,
                        "the module lockstep-sql, which reads exports, is not installed",
                        null));
        Path log = reading.ncclLog();
        CommunicatorLog members = log == null ? CommunicatorLog.NONE : CommunicatorLog.read(log);
        Optional<RecordedRun> annotated = new RecordingReader(reader, rules.recording(), members, workers)
                .read(exports.files().stream().map(TraceInput::of).toList());
        if (annotated.isEmpty()) {
            return unannotated(exports, reading);
        }
        if (reading.pyTorch().saysMore()) {
            annotated
                    .get()
                    .notes()
                    .assumed(
                            "plans_recorded",
                            exports.name()
                                    + ": which files are read, nodes, connections and plans are as recorded; what was"
                                    + " given for recordings that do not say them is not used");
        }
        return annotated.get();
    }

    private static void demandOperations(GoalInput input, RecordedRun run) {
        boolean kernelsOnly =
                run.notes().all().stream().anyMatch(note -> note.code().equals(UNANNOTATED));
        if (!kernelsOnly && run.gpus().stream().allMatch(gpu -> gpu.operations().isEmpty())) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    input.name() + ": no collective can be made a schedule: "
                            + run.notes().all().stream()
                                    .filter(note -> note.loss() || LEAVE_OUT.contains(note.code()))
                                    .sorted(Comparator.comparing(
                                            note -> !note.code().equals("rank_incomplete")))
                                    .map(ScheduleNote::first)
                                    .findFirst()
                                    .orElse("nothing was recorded of any that has several ranks"),
                    null);
        }
    }
}
