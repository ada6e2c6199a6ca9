// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.EndEvents;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.replay.plan.ExecutedWork;
import dev.lockstep.reporting.Observations;
import dev.lockstep.session.Session;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code lockstep info PATH...}: what files are, and every problem in them. */
public final class InfoCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> paths = List.of();
    private boolean json;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.arguments("PATH", "Traces, directories of traces, quoted patterns.", given -> paths = given);
        arguments.flag("--json", "Print one JSON document instead of text.", () -> json = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        List<Trace> traces = new ArrayList<>();
        List<ExecutionTraceInfo> executed = new ArrayList<>();
        int failed = 0;
        try (Session session = new Session(global.jobs());
                InfoJson document = json ? new InfoJson(out) : null;
                Progress progress = Progress.of(global)) {
            for (Path path : TraceFiles.of(paths)) {
                TraceInput input = TraceInput.of(path);
                try {
                    if (ExecutionTraceReader.matches(input)) {
                        executed.add(executed(input, document, out));
                        continue;
                    }
                    for (Trace trace : session.read(input, progress.reading(input))) {
                        Inputs.demandSound(trace, global);
                        traces.add(trace);
                        if (document != null) {
                            document.add(trace);
                        } else {
                            print(trace, out);
                        }
                    }
                } catch (TraceFormatException e) {
                    failed = e.code().exitStatus();
                    err.println("lockstep: " + e.getMessage());
                    if (e.hint() != null) {
                        err.println("Hint: " + e.hint());
                    }
                }
            }
        }
        if (failed != 0) {
            return failed;
        }
        if (traces.isEmpty() || executed.isEmpty() && traces.stream().allMatch(Trace::isEmpty)) {
            return executed.isEmpty() ? ExitStatus.NOTHING : whole(executed);
        }
        int status = Inputs.status(traces, global);
        return executed.isEmpty() || status != ExitStatus.COMPLETE ? status : whole(executed);
    }

    private int whole(List<ExecutionTraceInfo> executed) {
        return global.status(executed.stream().noneMatch(e -> e.odd().hasLoss()));
    }

    private ExecutionTraceInfo executed(TraceInput input, @Nullable InfoJson document, PrintWriter out)
            throws IOException {
        ExecutionTraces traces = new ExecutionTraces();
        ExecutionTraceInfo info = ExecutionTraceInfo.of(traces.read(input, global), traces.odd());
        if (document != null) {
            document.add(info);
        } else {
            print(info, out);
        }
        return info;
    }

    private static void print(ExecutionTraceInfo info, PrintWriter out) {
        ExecutedWork.Counts counts = info.counts();
        out.println(info.trace().source());
        line(
                out,
                "format",
                ExecutionTraceInfo.FORMAT + ", schema " + info.trace().schema());
        line(out, "devices", info.devices().isEmpty() ? "not recorded" : String.join(", ", info.devices()));
        line(out, "threads", count(info.threads()));
        line(
                out,
                "calls",
                count(info.trace().nodes().size()) + ": operators that do the work " + count(counts.work())
                        + ", within these " + count(counts.inside()) + ", containers " + count(counts.containers())
                        + ", marks " + count(counts.marks()));
        line(
                out,
                "linked",
                info.trace().isLinked()
                        ? count(info.trace().activities().size()) + " kernels, copies and fills"
                        : "no: operators without times");
        line(
                out,
                "steps",
                info.steps().isEmpty()
                        ? "none"
                        : count(info.steps().size()) + ", " + info.steps().getFirst() + " to "
                                + info.steps().getLast());
        List<Entry> problems = info.odd().problems();
        line(out, "problems", problems.isEmpty() ? "none" : "");
        problems.forEach(e -> entry(out, e));
        List<Entry> observations = info.odd().observations();
        if (!observations.isEmpty()) {
            line(out, "observations", "");
            observations.forEach(e -> entry(out, e));
        }
        out.println();
    }

    private static void print(Trace trace, PrintWriter out) {
        DerivedCache cache = new DerivedCache(trace);
        out.println(trace.info().source());
        line(out, "format", trace.info().format());
        String world = trace.info().worldSize() > 0 ? " of " + trace.info().worldSize() : "";
        line(
                out,
                "rank",
                trace.info().rank().index() + world + " (from the "
                        + trace.info().rank().origin().name().toLowerCase(Locale.ROOT) + ")");
        line(
                out,
                "devices",
                trace.info().devices().isEmpty()
                        ? "not recorded"
                        : trace.info().devices().stream()
                                .collect(Collectors.groupingBy(d -> d.name(), TreeMap::new, Collectors.counting()))
                                .entrySet()
                                .stream()
                                .map(e -> e.getValue() + " x " + e.getKey())
                                .collect(Collectors.joining(", ")));
        line(
                out,
                "events",
                count(trace.counts().events()) + ", complete "
                        + count(trace.counts().complete()) + pairs(trace) + ", on devices "
                        + count(trace.counts().device()));
        Steps steps = cache.get(new Steps.Key(null));
        line(
                out,
                "steps",
                steps.steps().isEmpty()
                        ? "none"
                        : count(steps.steps().size()) + ", "
                                + steps.steps().getFirst().number() + " to "
                                + steps.steps().getLast().number()
                                + (steps.source() == Steps.Source.INFERRED ? " (inferred)" : ""));
        trace.counts().byCategory().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .forEach(e -> out.println(String.format(
                        Locale.ROOT,
                        "    %-24s %,12d events %,14d bytes",
                        e.getKey(),
                        e.getValue(),
                        trace.counts().bytesByCategory().getOrDefault(e.getKey(), 0L))));
        List<Entry> problems = trace.diagnostics().problems();
        line(out, "problems", problems.isEmpty() ? "none" : "");
        problems.forEach(e -> entry(out, e));
        List<Entry> observations = Observations.of(cache);
        if (!observations.isEmpty()) {
            line(out, "observations", "");
            observations.forEach(e -> entry(out, e));
        }
        out.println();
    }

    private static String pairs(Trace trace) {
        EndEvents ends = trace.view(EndEvents.KEY);
        return ends == null || ends.size() == 0 ? "" : ", pairs of begin and end " + count(ends.size());
    }

    private static void line(PrintWriter out, String label, String value) {
        out.println(String.format(Locale.ROOT, "  %-13s%s", label, value).stripTrailing());
    }

    private static void entry(PrintWriter out, Entry e) {
        String where = e.position() < 0 ? "" : " (first at byte " + e.position() + ")";
        out.println("    " + count(e.count()) + " x " + e.code() + ": " + e.message() + where);
    }

    private static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }
}
