// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.Observations;
import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.EndEvents;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.replay.plan.ExecutedWork;
import dev.lockstep.report.Trust;
import dev.lockstep.write.Unicode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is said of a file on a terminal. */
final class InfoText {
    private InfoText() {}

    static void print(ExecutionTraceInfo info, PrintWriter out) {
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

    /** The version of the tables of a database, as the file states it; null where it states none. */
    static @Nullable String schema(TraceInfo info) {
        return info.metadata().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("_schema"))
                .map(entry -> entry.getValue().replace("\"", ""))
                .findFirst()
                .orElse(null);
    }

    static void print(Trace trace, PrintWriter out) {
        DerivedCache cache = DerivedCache.believing(trace);
        out.println(trace.info().source());
        String schema = schema(trace.info());
        line(out, "format", trace.info().format() + (schema == null ? "" : ", schema " + schema));
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
                                .collect(Collectors.groupingBy(
                                        TraceInfo.Device::shownName, TreeMap::new, Collectors.counting()))
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
                        Unicode.line(e.getKey()),
                        e.getValue(),
                        trace.counts().bytesByCategory().getOrDefault(e.getKey(), 0L))));
        List<Entry> problems = trace.diagnostics().problems();
        line(out, "problems", problems.isEmpty() ? "none" : "");
        problems.forEach(e -> entry(out, e));
        Trust trust = TraceTrust.of(cache);
        line(out, "trust", trust.verdict().word());
        trust.reasons().forEach(reason -> out.println("    " + reason.code() + ": " + Unicode.line(reason.text())));
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
        out.println(String.format(Locale.ROOT, "  %-13s%s", label, Unicode.line(value))
                .stripTrailing());
    }

    private static void entry(PrintWriter out, Entry e) {
        String where = e.position() < 0 ? "" : " (first at byte " + e.position() + ")";
        out.println("    " + count(e.count()) + " x " + e.code() + ": " + Unicode.line(e.message()) + where);
    }

    private static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }
}
