// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.Track;
import dev.lockstep.read.TraceInput;
import dev.lockstep.reporting.TraceOverlay;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trace with the lengths of launch queues and the bandwidth of copies as counters, and with the critical path: its events are
 * marked by {@code args.critical}, its edges between different events are arrows.
 */
record HtaOverlay() implements TraceOverlay {
    private static final int US_DIGITS = 3;
    private static final long ARROW_INSIDE_NS = 1000;

    @Override
    public List<String> write(Trace trace, TraceInput input, Options options, Target target) throws IOException {
        if (!TraceFormat.isEventList(trace.info().format())) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    input.name() + ": --overlay takes JSON of PyTorch's profiler, this is "
                            + trace.info().format(),
                    "Turn it into JSON first: lockstep merge TRACE -o trace.json");
        }
        HtaEvents events = new HtaEvents(trace, false);
        List<String> said = new ArrayList<>();
        HtaPath path = options.criticalPath() == null ? null : HtaPath.of(events, options.criticalPath());
        if (path == null && options.criticalPath() != null) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    "--overlay: no annotation " + options.criticalPath()
                            + " takes part; of several steps the last is left out",
                    "Ask for another, or for the whole recording: --critical-path=all");
        }
        BitSet critical = new BitSet();
        if (path != null) {
            said.addAll(HtaPathSheets.said(path));
            for (int edge : path.edges()) {
                critical.set(
                        trace.slices().index(path.graph().slice(path.graph().source(edge))));
                critical.set(
                        trace.slices().index(path.graph().slice(path.graph().target(edge))));
            }
        }
        BitSet left = options.onlyCritical() ? leftOut(trace, critical) : new BitSet();
        boolean whole = new OverlaidJson(critical, left).write(input, target, lines -> {
            queues(events, lines);
            bandwidths(events, lines);
            if (path != null) {
                arrows(events, path, lines);
            }
        });
        if (!whole) {
            said.add("The overlay ends where the trace is damaged.");
        }
        return said;
    }

    /** Complete events that are not shown. */
    private static BitSet leftOut(Trace trace, BitSet critical) {
        BitSet left = new BitSet();
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind != SliceKind.ANNOTATION && kind != SliceKind.PYTHON && !critical.get(slices.index(i))) {
                left.set(slices.index(i));
            }
        }
        return left;
    }

    private static void queues(HtaEvents events, OverlaidJson.Lines lines) throws IOException {
        HtaEvents.Streams streams = events.streams();
        for (int s = 0; s < streams.size(); s++) {
            IntList stream = streams.events()[s];
            Counter counter = new Counter(
                    "Queue Length",
                    "Queue Length",
                    process(events, stream.get(0)),
                    Long.toString(streams.numbers()[s]),
                    lines);
            QueueLength.walk(events, stream, (ns, level) -> counter.at(ns, Integer.toString(level)));
            counter.flush();
        }
    }

    private static void bandwidths(HtaEvents events, OverlaidJson.Lines lines) throws IOException {
        for (var kind : CopyBandwidth.kinds(events).entrySet()) {
            Counter counter = new Counter(
                    kind.getKey(), "Memcpy BW", process(events, kind.getValue().get(0)), null, lines);
            CopyBandwidth.walk(events, kind.getValue(), (ns, level) -> counter.at(ns, Double.toString(level)));
            counter.flush();
        }
    }

    private static String process(HtaEvents events, int event) {
        Trace trace = events.trace();
        return id(trace.tracks().get(trace.slices().track(events.slice(event))).process());
    }

    /** A number as it is, anything else as text. */
    private static String id(String text) {
        return text.matches("-?(0|[1-9]\\d{0,17})") ? text : quoted(text);
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    private static String micros(long ns) {
        return BigDecimal.valueOf(ns, US_DIGITS).stripTrailingZeros().toPlainString();
    }

    /** A counter's values; of changes at one moment the last. */
    private static final class Counter {
        private final String head;
        private final String value;
        private final OverlaidJson.Lines lines;
        private final List<String> ready = new ArrayList<>();
        private long when;
        private @Nullable String pending;

        private Counter(String name, String value, String process, @Nullable String id, OverlaidJson.Lines lines) {
            this.head = "{\"ph\":\"C\",\"name\":" + quoted(name) + ",\"pid\":" + process
                    + (id == null ? "" : ",\"id\":" + id) + ",\"ts\":";
            this.value = ",\"args\":{" + quoted(value) + ":";
            this.lines = lines;
        }

        private void at(long ns, String text) {
            if (pending != null && ns != when) {
                ready.add(head + micros(when) + value + pending + "}}");
            }
            when = ns;
            pending = text;
        }

        private void flush() throws IOException {
            for (String line : ready) {
                lines.line(line);
            }
            if (pending != null) {
                lines.line(head + micros(when) + value + pending + "}}");
            }
        }
    }

    private static void arrows(HtaEvents events, HtaPath path, OverlaidJson.Lines lines) throws IOException {
        HtaPathGraph graph = path.graph();
        LongIntMap taken = new LongIntMap(1024);
        for (int i = 0; i < events.trace().flows().size(); i++) {
            taken.put(events.trace().flows().id(i), 1);
        }
        long id = 0;
        for (int edge : path.edges()) {
            int source = graph.source(edge);
            int target = graph.target(edge);
            if (!graph.kind(edge).isArrow() || graph.slice(source) == graph.slice(target)) {
                continue;
            }
            do {
                id++;
            } while (taken.get(id) >= 0);
            String rest = ",\"name\":\"critical_path\",\"cat\":\"critical_path\",\"args\":{\"weight\":"
                    + micros(graph.weight(edge)) + ",\"critical\":true,\"type\":\""
                    + graph.kind(edge).label() + "\"}}";
            lines.line("{\"ph\":\"s\",\"id\":" + id + place(events, graph, source) + rest);
            lines.line("{\"ph\":\"f\",\"bp\":\"e\",\"id\":" + id + place(events, graph, target) + rest);
        }
    }

    private static String place(HtaEvents events, HtaPathGraph graph, int node) {
        int slice = graph.slice(node);
        Track track = events.trace().tracks().get(events.trace().slices().track(slice));
        long ns = graph.time(node);
        if (graph.isEnd(node) && events.isDevice(slice)) {
            ns -= Math.min(ARROW_INSIDE_NS, events.duration(slice));
        }
        return ",\"pid\":" + id(track.process()) + ",\"tid\":" + id(track.thread()) + ",\"ts\":" + micros(ns);
    }
}
