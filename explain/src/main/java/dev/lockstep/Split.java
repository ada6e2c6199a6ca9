// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.SplitOptions.Iterations;
import dev.lockstep.SplitOptions.Load;
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
import dev.lockstep.reporting.SplitReport;
import dev.lockstep.session.TraceFormats;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Iterations and steady states of a trace as traces of their own. Immutable: what changes it gives another one.
 *
 * {@snippet :
 * lockstep.split(Path.of("trace.json.gz")).writeTo(Path.of("iterations"));
 * }
 */
public final class Split {
    private final Lockstep lockstep;
    private final TraceInput input;
    private final Trace trace;
    private final LongConsumer progress;
    private final SplitOptions options;

    Split(Lockstep lockstep, TraceInput input, Trace trace, LongConsumer progress) {
        this(lockstep, input, trace, progress, SplitOptions.standard());
    }

    private Split(Lockstep lockstep, TraceInput input, Trace trace, LongConsumer progress, SplitOptions options) {
        this.lockstep = lockstep;
        this.input = input;
        this.trace = trace;
        this.progress = progress;
        this.options = options;
    }

    /**
     * {@return the same cut of other parts}
     *
     * @param other what is cut out
     */
    public Split with(SplitOptions other) {
        return new Split(lockstep, input, trace, progress, other);
    }

    /**
     * What was written.
     *
     * @param report the parts, the iterations and what they hold
     * @param whole whether the trace was read to its end; else what stands behind the first damage is in no part
     * @param remarks what does not fit together, in words
     */
    public record Parts(Report report, boolean whole, List<String> remarks) {
        /** Copies the remarks. */
        public Parts {
            remarks = List.copyOf(remarks);
        }
    }

    /**
     * Writes the parts, packed with gzip, and beside them {@code index.json}, {@code iterations.csv} and {@code files.csv}.
     * All files appear together, at the end.
     *
     * @param folder where they go; it is made if need be
     * @return what was written
     * @throws UserException when the trace is not in Kineto JSON, has no iterations, or not those that are asked for
     * @throws IOException when reading or writing fails
     */
    public Parts writeTo(Path folder) throws IOException {
        demandKineto();
        DerivedCache cache = new DerivedCache(trace);
        SplitPlan plan = SplitPlan.of(cache, options.annotation());
        if (plan.windows().isEmpty()) {
            throw new UserException(
                            ErrorCode.NOTHING_TO_DO,
                            input.name() + ": no iterations: no annotations mark any, and nothing repeats",
                            "Name the annotations that mark them.")
                    .about("step annotation");
        }
        List<SplitPart> parts = parts(plan);
        EventOwners owners = EventOwners.of(cache, plan.windows());
        TraceSplitter splitter = new TraceSplitter(input, owners, plan.windows().size(), progress);
        try (Output output = new Output().sparing(List.of(input.path()))) {
            Path staged = output.directory(folder);
            TraceSplitter.Copied copied = splitter.write(parts, staged);
            Report report = SplitReport.of(trace, plan, owners, parts, copied);
            lockstep.session().registry().writer("csv").write(report, staged, CellStyle.PLAIN);
            lockstep.session().registry().writer("json").write(report, staged.resolve("index.json"), CellStyle.PLAIN);
            output.commit();
            return new Parts(report, copied.whole(), remarks(plan));
        }
    }

    private void demandKineto() {
        if (!TraceFormat.isEventList(trace.info().format())) {
            throw invalid(input.name() + ": only traces in Kineto JSON can be cut, this is "
                    + trace.info().format());
        }
    }

    private List<SplitPart> parts(SplitPlan plan) {
        int n = plan.windows().size();
        Range range = range(n);
        List<SplitPart> parts = new ArrayList<>();
        String stem = new TraceFormats().stem(input.path());
        boolean some = options.iterations() != null;
        if (options.each() || (!some && !options.steady() && !options.phases())) {
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
        if (options.steady()) {
            steady(plan, steadyState(chosen), range.from(), stem, parts);
        }
        if (options.phases()) {
            phases(plan, steadyState(chosen), range.from(), stem, parts);
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
                    "phases are told apart by what is in the batches, and the iterations were found by "
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

    private SteadyState steadyState(List<Window> chosen) {
        Load load = options.load();
        if (load == null || !load.knowsTokens()) {
            return new SteadyState(chosen, options.steps(), Double.NaN);
        }
        if (load.concurrency() < 1 || load.tokens() <= 0) {
            throw invalid("a load has at least 1 request at a time, and more than 0 tokens of each");
        }
        return SteadyState.ofLoad(chosen, options.steps(), load.concurrency(), load.tokens(), load.least());
    }

    private List<String> remarks(SplitPlan plan) {
        Load load = options.load();
        if (load == null || !options.steady() && !options.phases()) {
            return List.of();
        }
        Range range = range(plan.windows().size());
        long peak = plan.windows().subList(range.from(), range.to()).stream()
                .mapToLong(Window::requests)
                .max()
                .orElse(0);
        return peak == load.concurrency()
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "a load of %d requests at a time was named, but the largest batch has %d",
                        load.concurrency(),
                        peak));
    }

    private Range range(int n) {
        Iterations wanted = options.iterations();
        if (wanted == null) {
            return new Range(0, n);
        }
        int to = Math.min(n, wanted.to());
        if (wanted.from() >= to) {
            throw invalid("there are no iterations from " + wanted.from() + " to " + (wanted.to() - 1) + ": there are "
                    + n + ", counted from 0");
        }
        return new Range(wanted.from(), to);
    }

    private static UserException invalid(String message) {
        return new UserException(ErrorCode.OPTION_INVALID, message, null);
    }
}
