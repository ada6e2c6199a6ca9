// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.KernelDialect;
import dev.lockstep.kernels.KernelDialect.Charted;
import dev.lockstep.kernels.KernelDialect.Choice;
import dev.lockstep.kernels.KernelDialect.Found;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.FileRanks;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code kernels extract} and {@code kernels gantt} with {@code --compat}: the options of both, and their files. */
final class CompatKernels {
    private final CompatOption tool = new CompatOption();
    private String prefix = "";
    private @Nullable Path shapes;
    private int most;
    private double threshold = 0.5;

    void declareExtract(Arguments arguments) {
        tool.declare(arguments, "piep");
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

    void declareGantt(Arguments arguments) {
        tool.declare(arguments, "piep");
        arguments.number(
                "--max-kernels",
                "N",
                0,
                "With --compat: chart so many kernels (default 0: all).",
                given -> most = given);
        arguments.option(
                "--comm-threshold",
                "SHARE",
                Double.class,
                "With --compat: a stream with this share of communication counts as such (default 0.5).",
                given -> threshold = given);
    }

    /** Whether another tool's files are wanted; fails where the tool is unknown or has nothing to do with kernels. */
    boolean isWanted() {
        return tool.part(KernelDialect.class) != null;
    }

    private KernelDialect dialect() {
        return Objects.requireNonNull(tool.part(KernelDialect.class));
    }

    /** Writes the tool's lists into a folder. */
    int extract(KernelArguments.Options options, Path folder, GlobalOptions global, PrintWriter out, PrintWriter err)
            throws IOException {
        if (options.kind() == KernelArguments.Kind.EXECUTION_TRACE || options.executionTrace() != null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "with --compat, the other tool reads traces of the profiler and lists, no execution traces",
                    null);
        }
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global);
                Output output = new Output()) {
            Path staged = output.directory(folder);
            boolean lists = options.kind() == KernelArguments.Kind.LISTS;
            List<Trace> traces = lists ? List.of() : List.of(read(options, session, global, progress));
            Found found = lists ? lists(options, staged) : trace(options, traces.getFirst(), staged);
            if (found != null && !global.quiet()) {
                out.println(found.unique() + " unique kernels, " + found.kept() + " calls");
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

    private static Trace read(KernelArguments.Options options, Session session, GlobalOptions global, Progress progress)
            throws IOException {
        TraceInput input = options.input();
        List<Trace> traces = session.read(input, progress.reading(input), Keep.EVERYTHING);
        Trace trace = FileRanks.choose(traces, input, options.rank());
        Inputs.demandSound(trace, global);
        progress.step("writing");
        return trace;
    }

    private Found trace(KernelArguments.Options options, Trace trace, Path staged) throws IOException {
        return dialect().extract(choice(options), trace, options.names().getFirst(), staged);
    }

    /** Null for a list of unique kernels, of which signatures are made. */
    private @Nullable Found lists(KernelArguments.Options options, Path staged) throws IOException {
        if (options.computeLists().isEmpty()) {
            dialect().signatures(choice(options), options.inputs().getFirst(), shapes, staged);
            return null;
        }
        return dialect().extract(choice(options), options.inputs(), options.computeLists(), staged);
    }

    private Choice choice(KernelArguments.Options options) {
        if (prefix.indexOf('/') >= 0 || prefix.indexOf('\\') >= 0) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--prefix: '" + prefix + "' is a path, and names of files are expected to begin with it",
                    "-o names the folder.");
        }
        KernelSelection selection = options.selection();
        return new Choice(selection.devices(), selection.fields(), selection.exclude(), prefix);
    }

    /** Writes the tool's charts and lists into a folder. */
    int gantt(RankArguments ranks, Path folder, GlobalOptions global, PrintWriter out, PrintWriter err)
            throws IOException {
        KernelDialect dialect = dialect();
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global);
                Output output = new Output().sparing(ranks.files())) {
            Path staged = output.directory(folder);
            RankSet<Integer> read =
                    ranks.run(lockstep, progress).readInOrder(Keep.EVERYTHING, trace -> charts(dialect, trace, staged));
            if (read.members().stream().allMatch(m -> m.kept() == null || m.kept() == 0)) {
                throw new UserException(ErrorCode.NOTHING_TO_DO, "there are no kernels to draw", Inputs.RECORD_DEVICES);
            }
            output.commit();
            progress.close();
            if (!global.quiet()) {
                out.println("wrote " + folder);
            }
            RankArguments.report(read, err);
            return global.status(ranks.isAnsweredBy(read));
        }
    }

    private int charts(KernelDialect dialect, Trace trace, Path folder) {
        Charted charted = new Charted(Math.max(0, most), threshold);
        try {
            return dialect.charts(
                    charted, trace, Math.max(0, trace.info().rank().index()), folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
