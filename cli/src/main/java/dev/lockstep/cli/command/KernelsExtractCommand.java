// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.dialect.Dialects;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.Content;
import dev.lockstep.kernels.ExecutedKernels;
import dev.lockstep.kernels.KernelCategories;
import dev.lockstep.kernels.KernelDialect;
import dev.lockstep.kernels.KernelFiles;
import dev.lockstep.kernels.KernelList;
import dev.lockstep.kernels.KernelReport;
import dev.lockstep.kernels.KeyField;
import dev.lockstep.kernels.Launches;
import dev.lockstep.kernels.ListedKernels;
import dev.lockstep.kernels.UniqueKernels;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.report.Report;
import dev.lockstep.session.FileRanks;
import dev.lockstep.session.Session;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code lockstep kernels extract}: the unique kernels of a trace, or of lists that were written before. */
public final class KernelsExtractCommand implements Command {
    private final ReportTargets targets = new ReportTargets();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<Path> inputs = List.of();
    private int rank = -1;
    private @Nullable Path executionTrace;
    private @Nullable List<String> fields;
    private @Nullable List<String> devices;
    private @Nullable List<String> exclude;
    private List<Path> computeLists = List.of();
    private @Nullable String stepAnnotation;
    private int forwards;
    private @Nullable String categories;
    private boolean launches;
    private @Nullable Path shapes;
    private String prefix = "";
    private final CompatOption compat = new CompatOption();

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.words(
                "INPUT",
                "A trace, an execution trace (ET), or lists of kernels that were written before (.jsonl, .csv,"
                        + " kernel_signatures.json).",
                given -> inputs = paths(given));
        targets.declare(arguments, "INPUT's name with _kernels");
        arguments.option(
                "--inputs",
                "FILE,...",
                String.class,
                "Lists of kernels, separated by commas.",
                given -> inputs = paths(split(given)));
        arguments.option(
                "--compute-csvs",
                "FILE,...",
                String.class,
                "Lists with categories: keep only what they call compute.",
                given -> computeLists = paths(split(given)));
        arguments.option(
                "--sig-fields",
                "FIELD,...",
                String.class,
                "What tells kernels apart, besides names and bytes (default: grid,block,shared memory,op,shapes,types).",
                given -> fields = split(given));
        arguments.option(
                "--devices", "N,...", String.class, "Keep only these devices.", given -> devices = split(given));
        arguments.option(
                "--exclude",
                "TEXT,...",
                String.class,
                "Leave out kernels with one of these in their names.",
                given -> exclude = split(given));
        arguments.option(
                "--categories",
                "FILE|piep",
                String.class,
                "Kinds of kernels: lines of a name and a regular expression (default: those that ship).",
                given -> categories = given);
        declareScope(arguments);
        compat.declare(arguments, "piep");
        arguments.option(
                "--prefix",
                "TEXT",
                String.class,
                "With --compat: what file names begin with.",
                given -> prefix = given);
        arguments.option(
                "--shapes",
                "FILE",
                Path.class,
                "With --compat and a list of unique kernels: log of shapes of linear layers.",
                given -> shapes = given);
    }

    private void declareScope(Arguments arguments) {
        arguments.option(
                "--rank", "N", Integer.class, "Of a file with several ranks, take this one.", given -> rank = given);
        arguments.option(
                "--execution-trace",
                "FILE",
                Path.class,
                "The execution trace of the run that INPUT shows: it knows shapes and types that INPUT lacks.",
                given -> executionTrace = given);
        arguments.option(
                "--step-annotation",
                "NAME",
                String.class,
                "Annotations of this name mark steps (default: the profiler's ProfilerStep#N).",
                given -> stepAnnotation = given);
        arguments.option(
                "--forwards",
                "N",
                Integer.class,
                "How often the model ran (default: told from steps, repetition or counts).",
                given -> forwards = given);
        arguments.flag(
                "--launches",
                "Also write every launch with its unique kernel: kernel_launches.csv.",
                () -> launches = true);
    }

    static List<String> split(String list) {
        return java.util.Arrays.stream(list.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private static List<Path> paths(List<String> names) {
        return names.stream().map(Path::of).toList();
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (inputs.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "there is no input", "Name a trace, or lists of kernels with --inputs.");
        }
        if (forwards < 0) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--forwards wants a number of at least 1", null);
        }
        KernelDialect dialect = compat.part(KernelDialect.class);
        boolean lists = isLists();
        if (!lists && inputs.size() > 1) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "one trace at a time",
                    "Lists of several traces can be put together: lockstep kernels extract A.jsonl B.jsonl.");
        }
        if (!lists && !computeLists.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--compute-csvs goes with lists of kernels, not with a trace", null);
        }
        if (!lists) {
            TraceFiles.demandFile(TraceInput.of(inputs.getFirst()));
        }
        boolean executed = !lists && ExecutionTraceReader.matches(TraceInput.of(inputs.getFirst()));
        demandFitting(lists, executed);
        if (executed) {
            return executed(out, err);
        }
        return dialect != null ? extract(dialect, lists, out, err) : lists ? listed(out) : traced(out, err);
    }

    private void demandFitting(boolean lists, boolean executed) {
        String problem = null;
        if (compat.isGiven() && (executed || executionTrace != null)) {
            problem = "with --compat, the other tool reads traces of the profiler and lists, no execution traces";
        } else if (executionTrace != null && lists) {
            problem = "--execution-trace goes with a trace, not with lists of kernels";
        } else if (executionTrace != null && executed) {
            problem = "--execution-trace goes with a trace of the profiler; INPUT is an execution trace itself";
        } else if (executed && rank >= 0) {
            problem = "--rank: an execution trace is of a single rank";
        }
        if (problem != null) {
            throw new UserException(ErrorCode.OPTION_INVALID, problem, null);
        }
    }

    private boolean isLists() throws IOException {
        for (Path input : inputs) {
            if (!KernelList.recognises(input)) {
                return false;
            }
        }
        return true;
    }

    private KernelCategories kinds(boolean operators) throws IOException {
        if (categories == null) {
            return operators ? KernelCategories.operators() : KernelCategories.standard();
        }
        Path rules = Path.of(categories);
        KernelDialect dialect = Files.exists(rules)
                ? null
                : Dialects.named(categories)
                        .flatMap(tool -> tool.part(KernelDialect.class))
                        .orElse(null);
        if (dialect != null) {
            if (operators) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        "--categories " + categories + " tells kernels apart; this execution trace holds operators",
                        "Name a file with rules for operators, or leave the option out.");
            }
            return dialect.categories();
        }
        try {
            return KernelCategories.parse(Files.readString(rules), categories);
        } catch (NoSuchFileException | CharacterCodingException e) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--categories " + categories + ": no such file of rules",
                    "A line: a name, and a regular expression that is sought in names of kernels.",
                    e);
        }
    }

    /** @param operators whether these are listed, and not kernels */
    private Selection selection(boolean operators) throws IOException {
        return new Selection(
                fields == null ? KeyField.standard() : KeyField.parse(fields),
                devices == null ? Set.of() : new HashSet<>(devices),
                exclude == null ? List.of() : exclude,
                stepAnnotation,
                forwards,
                kinds(operators));
    }

    private int traced(PrintWriter out, PrintWriter err) throws IOException {
        Selection selection = selection(false);
        Path input = inputs.getFirst();
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Trace trace = Inputs.readOne(session, TraceInput.of(input), rank, global, progress);
            progress.step("analysing");
            DerivedCache cache = new DerivedCache(trace);
            ExecutionTraces executed = new ExecutionTraces();
            ExecutionTrace known = executionTrace == null ? null : executed.read(TraceInput.of(executionTrace), global);
            UniqueKernels.Result result = new UniqueKernels(AnalysisRules.standard(), selection, known).run(cache);
            demandKernels(result, Inputs.RECORD_DEVICES);
            progress.step("writing");
            write(session, result, folder -> launches(cache, result, folder), out);
            Inputs.reportProblems(List.of(trace), err);
            executed.report(err);
            boolean joined = isJoined(result);
            if (!joined) {
                err.println(executionTrace + ": none of its calls is in " + input);
            }
            boolean whole = !trace.diagnostics().hasLoss() && !executed.odd().hasLoss() && joined;
            return global.status(whole);
        }
    }

    /** An execution trace of which nothing was found gave nothing. */
    private static boolean isJoined(UniqueKernels.Result result) {
        Content.Joined joined = result.content().joined();
        return joined == null || joined.found() > 0;
    }

    private int executed(PrintWriter out, PrintWriter err) throws IOException {
        ExecutionTraces executed = new ExecutionTraces();
        try (Session session = new Session(1);
                Progress progress = Progress.of(global)) {
            progress.step("reading");
            ExecutionTrace trace = executed.read(TraceInput.of(inputs.getFirst()), global);
            ExecutedKernels kernels = ExecutedKernels.of(trace, selection(!trace.isLinked()));
            demandKernels(kernels.result(), null);
            progress.step("writing");
            write(
                    session,
                    kernels.result(),
                    folder -> {
                        if (launches) {
                            kernels.writeLaunches(folder.resolve("kernel_launches.csv"));
                        }
                    },
                    out);
        }
        executed.report(err);
        return global.status(!executed.odd().hasLoss());
    }

    private void launches(DerivedCache cache, UniqueKernels.Result result, Path folder) throws IOException {
        Launches all = result.launches();
        if (launches && all != null) {
            KernelFiles.launches(cache, all, stepAnnotation, folder.resolve("kernel_launches.csv"));
        }
    }

    private int listed(PrintWriter out) throws IOException {
        UniqueKernels.Result result = ListedKernels.of(inputs, computeLists, selection(false));
        demandKernels(result, null);
        try (Session session = new Session(1)) {
            write(session, result, folder -> {}, out);
        }
        return ExitStatus.COMPLETE;
    }

    /** @param hint what to do where there are none at all */
    private void demandKernels(UniqueKernels.Result result, @Nullable String hint) {
        if (!result.kernels().isEmpty()) {
            return;
        }
        String what = result.content().isOperators() ? "operators" : "kernels";
        UniqueKernels.Totals totals = result.totals();
        if (totals.seen() == 0) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, inputs.getFirst() + ": there are no " + what, hint);
        }
        List<String> reasons = new ArrayList<>();
        if (totals.deviceFiltered() > 0) {
            reasons.add("--devices leaves out " + totals.deviceFiltered());
        }
        if (totals.excluded() > 0) {
            reasons.add("--exclude leaves out " + totals.excluded());
        }
        throw new UserException(
                ErrorCode.NOTHING_TO_DO,
                inputs.getFirst() + ": no " + what + " are left of " + totals.seen(),
                String.join(", ", reasons) + ".");
    }

    private void write(Session session, UniqueKernels.Result result, ReportTargets.Companions more, PrintWriter out)
            throws IOException {
        List<String> names = inputs.stream().map(Path::toString).toList();
        Report report = KernelReport.of(result, String.join(", ", names));
        List<Path> read = new ArrayList<>(inputs);
        read.addAll(computeLists);
        if (executionTrace != null) {
            read.add(executionTrace);
        }
        List<Path> written = targets.write(
                session,
                report,
                read,
                Path.of(Inputs.stem(inputs.getFirst()) + "_kernels"),
                CellStyle.PLAIN,
                folder -> {
                    KernelFiles.write(result, names, folder);
                    more.write(folder);
                });
        if (!global.quiet()) {
            Summary.print(report, written, out);
        }
    }

    private int extract(KernelDialect dialect, boolean lists, PrintWriter out, PrintWriter err) throws IOException {
        KernelDialect.Choice choice = new KernelDialect.Choice(devices, fields, exclude, prefix);
        Path folder = targets.directoryOr(Path.of("."));
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global);
                Output output = new Output()) {
            Path staged = output.directory(folder);
            List<Trace> traces = List.of();
            if (lists && computeLists.isEmpty()) {
                dialect.signatures(choice, inputs.getFirst(), shapes, staged);
            } else if (lists) {
                say(dialect.extract(choice, inputs, computeLists, staged), out);
            } else {
                traces = session.read(
                        TraceInput.of(inputs.getFirst()),
                        progress.reading(TraceInput.of(inputs.getFirst())),
                        ReadOptions.Keep.EVERYTHING);
                Trace trace = FileRanks.choose(traces, TraceInput.of(inputs.getFirst()), rank);
                traces = List.of(trace);
                Inputs.demandSound(trace, global);
                progress.step("writing");
                say(dialect.extract(choice, trace, inputs.getFirst().toString(), staged), out);
            }
            output.commit();
            progress.close();
            if (!global.quiet()) {
                out.println("wrote " + folder);
            }
            Inputs.reportProblems(traces, err);
            return traces.isEmpty() ? ExitStatus.COMPLETE : Inputs.status(traces, global);
        }
    }

    private void say(KernelDialect.Found result, PrintWriter out) {
        if (!global.quiet()) {
            out.println(result.unique() + " unique kernels, " + result.kept() + " calls");
        }
    }
}
