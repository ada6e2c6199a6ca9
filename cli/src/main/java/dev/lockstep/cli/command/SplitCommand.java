// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.iterations.EventOwners;
import dev.lockstep.iterations.SplitPart;
import dev.lockstep.iterations.SplitPlan;
import dev.lockstep.iterations.SteadyState;
import dev.lockstep.iterations.SteadyState.Range;
import dev.lockstep.iterations.TraceSplitter;
import dev.lockstep.iterations.Window;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.reporting.SplitReport;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code lockstep split TRACE}: iterations and steady states as traces of their own. */
public final class SplitCommand implements Command {
    private static final int MOST_LINES = 20;

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path trace;

    private @Nullable Path directory;
    private String iterations = "all";
    private boolean single;
    private boolean steady;
    private boolean phases;
    private int steps = 32;
    private @Nullable Integer concurrency;
    private @Nullable Double outputLength;
    private @Nullable Double ratio;
    private @Nullable String annotation;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argument("TRACE", Path.class, "The trace to cut; it is not changed.", given -> trace = given);
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Where the parts go (default: TRACE's name with _split).",
                given -> directory = given);
        arguments.option(
                "-i,--iterations",
                "WHICH",
                String.class,
                "all, a number N, or A:B for those from A to B-1, counted from 0 (default: all).",
                given -> iterations = given);
        arguments.flag(
                "--store-single-iteration",
                "Write each iteration into a file of its own (what happens when nothing else is asked for).",
                () -> single = true);
        arguments.flag(
                "--find-steady-state",
                "Write windows of the steady state: a representative one, decode only, prefill.",
                () -> steady = true);
        arguments.option(
                "--num-steps", "N", Integer.class, "Iterations of a window (default 32).", given -> steps = given);
        arguments.option(
                "--conc",
                "N",
                Integer.class,
                "Concurrent requests of the load; with --osl and --r, the representative window is chosen by them.",
                given -> concurrency = given);
        arguments.option(
                "--osl", "TOKENS", Double.class, "Most tokens that a request produces.", given -> outputLength = given);
        arguments.option(
                "--r",
                "SHARE",
                Double.class,
                "Requests produce from SHARE times --osl to --osl tokens (0 to 1).",
                given -> ratio = given);
        arguments.flag(
                "--divide-phases",
                "Write each iteration of the steady state into prefilldecodemix/ or decode_only/.",
                () -> phases = true);
        arguments.option(
                "--step-annotation",
                "NAME",
                String.class,
                "Annotations of this name mark iterations (default: those of serving engines, else ProfilerStep#N,"
                        + " else what repeats).",
                given -> annotation = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (steps < 1) {
            throw invalid("--num-steps wants a number of at least 1", null);
        }
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            TraceInput input = TraceInput.of(trace);
            Trace read = Inputs.readOne(session, input, global, progress);
            if (!read.info().format().equals(TraceFormat.KINETO.id())) {
                throw invalid(
                        trace + ": only traces in Kineto JSON can be cut, this is "
                                + read.info().format(),
                        null);
            }
            DerivedCache cache = new DerivedCache(read);
            SplitPlan plan = SplitPlan.of(cache, annotation);
            if (plan.windows().isEmpty()) {
                throw new UserException(
                        ErrorCode.NOTHING_TO_DO,
                        trace + ": no iterations: no annotations mark any, and nothing repeats",
                        "Name the annotations that mark them with --step-annotation.");
            }
            List<SplitPart> parts = parts(plan, err);
            EventOwners owners = EventOwners.of(cache, plan.windows());
            TraceSplitter splitter =
                    new TraceSplitter(input, owners, plan.windows().size(), progress.reading(input));
            Path into = directory != null ? directory : Path.of(Inputs.stem(trace) + "_split");
            TraceSplitter.Copied copied = write(session, into, splitter, parts, read, plan, owners, out);
            progress.close();
            Inputs.reportProblems(List.of(read), err);
            if (!copied.whole()) {
                err.println(trace + ": what stands behind the first damage is in no part");
                return global.status(false);
            }
            return Inputs.status(List.of(read), global);
        }
    }

    private TraceSplitter.Copied write(
            Session session,
            Path into,
            TraceSplitter splitter,
            List<SplitPart> parts,
            Trace read,
            SplitPlan plan,
            EventOwners owners,
            PrintWriter out)
            throws IOException {
        try (Output output = new Output()) {
            Path staged = output.directory(into);
            TraceSplitter.Copied copied = splitter.write(parts, staged);
            Report report = SplitReport.of(read, plan, owners, parts, copied);
            session.registry().writer("csv").write(report, staged, CellStyle.PLAIN);
            session.registry().writer("json").write(report, staged.resolve("index.json"), CellStyle.PLAIN);
            output.commit();
            if (!global.quiet()) {
                print(report, into, out);
            }
            return copied;
        }
    }

    private List<SplitPart> parts(SplitPlan plan, PrintWriter err) {
        int n = plan.windows().size();
        Range range = range(n);
        List<SplitPart> parts = new ArrayList<>();
        String stem = Inputs.stem(trace);
        boolean some = !iterations.equals("all");
        if (single || (!some && !steady && !phases)) {
            for (int i = range.from(); i < range.to(); i++) {
                parts.add(new SplitPart(stem + "_iteration_" + i + ".json.gz", "iteration", i, i + 1));
            }
        } else if (some) {
            String name = range.size() == 1
                    ? "_iteration_" + range.from()
                    : "_iterations_" + range.from() + "-" + (range.to() - 1);
            parts.add(new SplitPart(stem + name + ".json.gz", "iterations", range.from(), range.to()));
        }
        List<Window> chosen = plan.windows().subList(range.from(), range.to());
        if (steady) {
            steady(plan, steadyState(chosen, err), range.from(), stem, parts);
        }
        if (phases) {
            phases(plan, steadyState(chosen, err), range.from(), stem, parts);
        }
        return parts;
    }

    private void steady(SplitPlan plan, SteadyState state, int shift, String stem, List<SplitPart> parts) {
        if (!plan.knowsBatches()) {
            add(parts, stem, "steady_state", state.even(), shift);
            return;
        }
        add(parts, stem, "mixed_steady_state", state.mixed(), shift);
        add(parts, stem, "decode_only_steady_state", state.decodeOnly(), shift);
        add(parts, stem, "prefilldecode_steady_state", state.prefill(), shift);
    }

    private static void add(List<SplitPart> parts, String stem, String what, @Nullable Range range, int shift) {
        if (range != null && range.size() > 0) {
            parts.add(new SplitPart(stem + "_" + what + ".json.gz", what, range.from() + shift, range.to() + shift));
        }
    }

    private void phases(SplitPlan plan, SteadyState state, int shift, String stem, List<SplitPart> parts) {
        if (!plan.knowsBatches()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    "--divide-phases needs to know what is in the batches, and the iterations were found by "
                            + plan.source().words(),
                    "vLLM, SGLang and ATOM annotate iterations with it.");
        }
        for (Range region : state.regions()) {
            for (int i = region.from() + shift; i < region.to() + shift; i++) {
                String phase = plan.windows().get(i).isDecodeOnly() ? "decode_only" : "prefilldecodemix";
                parts.add(new SplitPart(phase + "/" + stem + "_iteration_" + i + ".json.gz", phase, i, i + 1));
            }
        }
    }

    private SteadyState steadyState(List<Window> chosen, PrintWriter err) {
        if (concurrency == null) {
            return new SteadyState(chosen, steps, Double.NaN);
        }
        long peak = chosen.stream().mapToLong(Window::requests).max().orElse(0);
        if (peak != concurrency) {
            err.println(String.format(
                    Locale.ROOT, "--conc is %d, but the largest batch has %d requests", concurrency, peak));
        }
        if (outputLength == null || ratio == null) {
            return new SteadyState(chosen, steps, Double.NaN);
        }
        if (concurrency < 1 || outputLength <= 0) {
            throw invalid("--conc and --osl want numbers above 0", null);
        }
        return SteadyState.ofLoad(chosen, steps, concurrency, outputLength, ratio);
    }

    private Range range(int n) {
        if (iterations.equals("all")) {
            return new Range(0, n);
        }
        if (!iterations.matches("\\d{1,9}(:\\d{1,9})?")) {
            throw invalid("--iterations wants all, N or A:B, not " + iterations, null);
        }
        String[] ends = iterations.split(":");
        int from = Integer.parseInt(ends[0]);
        int to = Math.min(n, ends.length == 1 ? from + 1 : Integer.parseInt(ends[1]));
        if (from >= to) {
            throw invalid("--iterations " + iterations + " is empty: there are " + n + ", counted from 0", null);
        }
        return new Range(from, to);
    }

    private static void print(Report report, Path into, PrintWriter out) {
        out.println(report.title() + "  (" + report.subtitle() + ")");
        report.sections().stream()
                .filter(FactsSection.class::isInstance)
                .map(FactsSection.class::cast)
                .forEach(facts -> out.println(String.join(
                        " · ",
                        facts.facts().stream()
                                .map(f -> f.label() + " " + f.value())
                                .toList())));
        out.println();
        Table files = report.tables().getLast();
        out.println(String.format(Locale.ROOT, "  %12s %12s %12s  %s", "iterations", "events", "activities", "file"));
        int events = files.schema().indexOf("events");
        for (int row = 0; row < Math.min(MOST_LINES, files.rows()); row++) {
            out.println(String.format(
                    Locale.ROOT,
                    "  %12s %,12d %,12d  %s",
                    files.longs(2).get(row) == files.longs(3).get(row)
                            ? Long.toString(files.longs(2).get(row))
                            : files.longs(2).get(row) + "-" + files.longs(3).get(row),
                    files.longs(events).get(row),
                    files.longs(events + 1).get(row),
                    files.strings(0).get(row)));
        }
        if (files.rows() > MOST_LINES) {
            out.println("  and " + (files.rows() - MOST_LINES) + " more; see files.csv");
        }
        out.println();
        out.println("wrote " + files.rows() + " traces, index.json, iterations.csv and files.csv into " + into);
    }

    private static UserException invalid(String message, @Nullable String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }
}
