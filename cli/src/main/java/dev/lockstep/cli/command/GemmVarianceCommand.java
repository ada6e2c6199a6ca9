// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.runs.Sweep;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.gemm.GemmDialect;
import dev.lockstep.sweep.gemm.GemmFile;
import dev.lockstep.sweep.gemm.GemmSteps;
import dev.lockstep.sweep.gemm.Selection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep gemm variance}: the matrix multiplications of a sweep that lose most time by varying. */
public final class GemmVarianceCommand implements Command {
    private static final int DEFAULT_TOP = 5;

    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path analysis;

    private final TraceChoice choice = new TraceChoice();
    private final List<List<Integer>> threads = new ArrayList<>();
    private final List<List<Integer>> channels = new ArrayList<>();
    private final List<List<Integer>> ranks = new ArrayList<>();
    private int topK = DEFAULT_TOP;
    private @Nullable Path target;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep gemm variance --base-path sweep/lockstep_reports",
                "lockstep gemm variance --base-path sweep/lockstep_reports --top-k 10");
        global = arguments.global();
        arguments.required(
                "--base-path",
                "DIR",
                Path.class,
                "Folder of the sweep's reports, lockstep_reports. Traces are in the folder above it.",
                given -> analysis = given);
        arguments.numbers("--threads", "N", "Thread counts, divided by spaces (default: all).", threads::add);
        arguments.numbers("--channels", "N", "Channel counts, divided by spaces (default: all).", channels::add);
        arguments.numbers("--ranks", "N", "Ranks, divided by spaces (default: all).", ranks::add);
        arguments.number(
                "--top-k", "K", 1, "Rows for each rank of each configuration (default: 5).", given -> topK = given);
        arguments.option(
                "-o,--output-file",
                "FILE",
                Path.class,
                "The CSV file, below the base path unless absolute (default: gemm_variance.csv).",
                given -> target = given);
        arguments.writes("-o");
        choice.declare(arguments);
        compat.declare(arguments, "aorta");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        GemmDialect dialect = compat.part(GemmDialect.class);
        ReportNames names = compat.or(ReportNames.OWN, ReportNames.class);
        boolean last = dialect != null;
        Selection selection = new Selection(numbers(threads, last), numbers(channels, last), numbers(ranks, last));
        Path to = target != null ? analysis.resolve(target) : new SweepReports(analysis, names).variance();
        if (dialect != null) {
            GemmFile file = dialect.variance(analysis, selection, topK);
            return GemmOutput.status(file, GemmOutput.write(file, to, List.of(), analysis), global, out, err);
        }
        Sweep sweep = Sweep.ofAnalyses(analysis);
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            PassOptions options = choice.reading(GemmSteps.wanted(sweep, selection), global, progress);
            GemmFile file = new GemmSteps(session, sweep, options).variance(selection, topK);
            progress.close();
            return GemmOutput.status(file, GemmOutput.write(file, to, List.of(), analysis), global, out, err);
        }
    }

    /** All numbers, however often the option was given; the scripts heed only the last time. */
    private static List<Integer> numbers(List<List<Integer>> given, boolean last) {
        return last && !given.isEmpty()
                ? given.getLast()
                : given.stream().flatMap(List::stream).toList();
    }
}
