// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.AssumptionTable;
import dev.lockstep.goal.CollectiveTable;
import dev.lockstep.goal.GoalGenerator;
import dev.lockstep.goal.IntermediateFile;
import dev.lockstep.goal.LabelExpression;
import dev.lockstep.goal.RankTable;
import dev.lockstep.goal.ScheduleDialect;
import dev.lockstep.goal.ScheduleFiles;
import dev.lockstep.goal.ScheduleRules;
import dev.lockstep.goal.ScheduleStyle;
import dev.lockstep.goal.TagFormat;
import dev.lockstep.goal.TagLabel;
import dev.lockstep.goal.TagTable;
import dev.lockstep.goal.TimelineOptions;
import dev.lockstep.goal.TimelineStyle;
import dev.lockstep.goal.WireRules;
import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.nccl.CommunicatorLog;
import dev.lockstep.goal.nccl.Notes;
import dev.lockstep.goal.nccl.Recording;
import dev.lockstep.goal.nccl.RecordingReader;
import dev.lockstep.goal.nccl.ScopedRules;
import dev.lockstep.goal.schedule.CostTable;
import dev.lockstep.goal.schedule.Costs;
import dev.lockstep.goal.schedule.UsualCosts;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.nsys.NsysExports;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code lockstep goal}: schedules of the collectives that NCCL traces recorded. */
public final class GoalGenerateCommand implements Command {
    private static final String EXPORT = ".sqlite";
    private static final double GIGABYTES_TO_BYTES_PER_MICROSECOND = 1000;

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private final GoalArguments arguments = new GoalArguments();
    private boolean kineto;

    @Override
    public void declare(Arguments declared) {
        global = declared.global();
        arguments.declare(declared);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        arguments.check();
        TagLabel label = label();
        kineto = arguments.kineto();
        Costs costs = costs();
        Integer workers = arguments.workers;
        ExecutorService pool = Executors.newFixedThreadPool(
                workers != null ? workers : global.jobs(),
                Thread.ofPlatform().daemon().factory());
        try {
            Recording recording = read(pool);
            demandOperations(recording);
            noteCosts(recording.notes());
            GoalGenerator generator = prepare(recording, costs, label, pool);
            report(recording.notes(), err);
            demandWhole(recording.notes());
            write(recording, generator, pool, out);
            return global.status(!recording.notes().hasLoss());
        } finally {
            pool.shutdownNow();
        }
    }

    private Costs costs() throws IOException {
        Path simple = arguments.simple;
        Path lowLatency = arguments.lowLatency;
        Costs costs = simple == null || lowLatency == null ? UsualCosts.get() : Costs.read(simple, lowLatency);
        Path lowLatency128 = arguments.lowLatency128;
        if (lowLatency128 != null) {
            costs = costs.withLowLatency128(CostTable.read(lowLatency128, CostTable.REDUCE, CostTable.COPY));
        }
        Long seed = arguments.seed;
        return seed == null ? costs : costs.drawnWith(seed);
    }

    private void noteCosts(Notes notes) {
        if (arguments.simple == null) {
            notes.assumed(
                    "costs_assumed",
                    "reducing and copying cost what they were measured to cost on GH200; -s and -l say it otherwise");
        }
    }

    private Recording read(ExecutorService pool) throws IOException {
        if (kineto) {
            return arguments.kineto.read(arguments.input.toString(), global);
        }
        List<TraceInput> files = files();
        NsysExports exports = ServiceLoader.load(NsysExports.class)
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.MODULE_MISSING,
                        "the module lockstep-sql, which reads exports, is not installed",
                        null));
        Path log = arguments.log;
        ScheduleDialect dialect = arguments.dialect();
        return new RecordingReader(
                        exports,
                        dialect == null ? new ScopedRules() : dialect.rules(),
                        log == null ? CommunicatorLog.NONE : CommunicatorLog.read(log),
                        pool)
                .read(files);
    }

    /** Exports below the directory, in the order of their paths. */
    private List<TraceInput> files() throws IOException {
        Path input = arguments.input;
        if (!Files.exists(input)) {
            throw new TraceFormatException(
                    ErrorCode.INPUT_NOT_FOUND, input.toString(), -1, "there is no such directory", null);
        }
        if (Files.isRegularFile(input)) {
            return List.of(TraceInput.of(input));
        }
        List<TraceInput> files;
        try (Stream<Path> walk = Files.walk(input)) {
            files = walk.filter(path -> path.toString().endsWith(EXPORT) && Files.isRegularFile(path))
                    .sorted()
                    .map(TraceInput::of)
                    .toList();
        }
        if (files.isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    input + ": no files ending in " + EXPORT,
                    "Export recordings first: nsys export --type=sqlite FILE.nsys-rep.");
        }
        return files;
    }

    private void demandOperations(Recording recording) {
        if (recording.gpus().stream().allMatch(gpu -> gpu.operations().isEmpty())) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    arguments.input + ": no collective can be made a schedule: "
                            + recording.notes().all().stream()
                                    .map(Notes.Note::first)
                                    .findFirst()
                                    .orElse("nothing was recorded of any"),
                    null);
        }
    }

    private void demandWhole(Notes notes) throws IOException {
        for (Notes.Note note : notes.all()) {
            if (global.strict() && note.loss()) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT, arguments.input.toString(), -1, note.first(), null);
            }
        }
    }

    private GoalGenerator prepare(Recording recording, Costs costs, TagLabel label, ExecutorService pool)
            throws IOException {
        ScheduleDialect dialect = arguments.dialect();
        ScheduleStyle style = dialect == null
                ? new TimelineStyle(
                        recording,
                        ScheduleRules.of(recording, wire(), Algorithms.BUILT_IN, costs),
                        new TimelineOptions(arguments.merged, arguments.wholeWindow, arguments.acrossStreams, label))
                : dialect.style(recording, costs, arguments.merged);
        TagFormat width = arguments.width;
        if (dialect != null && width == null) {
            width = dialect.tags();
        }
        return GoalGenerator.prepare(recording.gpus().size(), style, width, pool);
    }

    private void write(Recording recording, GoalGenerator generator, ExecutorService pool, PrintWriter out)
            throws IOException {
        boolean own = arguments.dialect() == null;
        try (Output output = new Output()) {
            Path staged = output.directory(arguments.output);
            if (!arguments.intermediateOnly) {
                schedule(generator, staged, pool);
            }
            if (arguments.intermediate || arguments.intermediateOnly) {
                IntermediateFile.write(recording, staged.resolve(IntermediateFile.NAME));
            }
            if (own && (arguments.tagTable || arguments.label != null)) {
                TagTable.write(recording, generator, staged.resolve(TagTable.NAME));
            }
            RankTable.write(recording, staged.resolve(RankTable.NAME));
            if (own) {
                CollectiveTable.write(recording, staged.resolve(CollectiveTable.NAME));
                AssumptionTable.write(recording.notes(), staged.resolve(AssumptionTable.NAME));
            }
            output.commit();
        }
        if (!global.quiet()) {
            out.println("wrote the schedule of " + recording.gpus().size() + " ranks into " + arguments.output);
        }
    }

    private void schedule(GoalGenerator generator, Path staged, ExecutorService pool) throws IOException {
        ScheduleFiles files =
                new ScheduleFiles(staged, arguments.dialect() != null || arguments.width != null, arguments.buffer);
        if (arguments.binary) {
            files.binary(generator, pool);
        } else {
            files.text(generator, arguments.whole(), arguments.parts(), pool);
        }
    }

    private WireRules wire() {
        Double bandwidth = arguments.nodeBandwidth;
        long perMicrosecond = bandwidth == null
                ? WireRules.Real.USUAL.bytesPerMicrosecond()
                : Math.max(1, Math.round(bandwidth * GIGABYTES_TO_BYTES_PER_MICROSECOND));
        return new WireRules.Real(perMicrosecond, arguments.nodeNic);
    }

    private TagLabel label() {
        @Nullable String expression = arguments.label;
        return expression == null ? TagLabel.NONE : LabelExpression.parse(expression);
    }

    private static void report(Notes notes, PrintWriter err) {
        for (Notes.Note note : notes.all()) {
            err.println(note.first() + (note.times() > 1 ? " (and " + (note.times() - 1) + " more like this)" : ""));
        }
    }
}
