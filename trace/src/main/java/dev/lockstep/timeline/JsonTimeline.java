// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import dev.lockstep.model.Flows;
import dev.lockstep.model.Marks;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongOrder;
import dev.lockstep.write.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/** The events of one rank as JSON text. Safe for any number of threads. */
final class JsonTimeline {
    /** Threads that have a name and no events, and whose number is none or another's, are numbered from here. */
    private static final int FIRST_EMPTY_ROW = 1_500_000_000;

    private static final byte[] SLICE = ascii(",\n{\"ph\":\"X\",\"cat\":");
    private static final byte[] SLICE_WITHOUT_CATEGORY = ascii(",\n{\"ph\":\"X\"");
    private static final byte[] NAME = ascii(",\"name\":");
    private static final byte[] DURATION = ascii(",\"dur\":");
    private static final byte[] ARGUMENTS = ascii(",\"args\":{");
    private static final byte[] FLOW = ascii(",\n{\"ph\":\"");
    private static final byte[] ID = ascii("\",\"id\":");
    private static final byte[] CATEGORY = ascii(",\"cat\":");
    private static final byte[] BINDING = ascii(",\"bp\":\"e\"");
    private static final byte[] ON_PATH = ascii("\"" + PathArrows.ARGUMENT + "\":");
    private static final byte[] PATH =
            ascii(",\"cat\":\"" + PathArrows.NAME + "\",\"name\":\"" + PathArrows.NAME + '"');

    private final RankTimeline rank;
    private final Trace trace;
    private final Recorded recorded;
    private final LongUnaryOperator clock;
    private final byte[] prefix;
    private final byte[][] places;
    /** Flow ends in order of the slices that they touch. */
    private final int[] flowRows;

    private final BitSet lonely;

    private final long[] flowSlices;
    /** By arrow: the slice where it starts. */
    private final int[] arrowStarts;

    JsonTimeline(RankTimeline rank) {
        this.rank = rank;
        this.trace = rank.trace();
        this.recorded = Objects.requireNonNull(trace.recorded(), "the trace does not keep everything");
        this.clock = rank.clock();
        this.prefix =
                rank.namePrefix() == null ? new byte[0] : rank.namePrefix().getBytes(StandardCharsets.UTF_8);
        this.places = new byte[rank.rows().size()][];
        for (int i = 0; i < places.length; i++) {
            RankTimeline.Row row = rank.rows().get(i);
            places[i] =
                    ascii(",\"pid\":" + rank.processes().get(row.process()).id() + ",\"tid\":" + row.id() + ",\"ts\":");
        }
        lonely = MarksAsInstants.of(rank, recorded.marks().cursor());
        BoundFlows flows = rank.flows();
        flowRows = flows.order().clone();
        flowSlices = new long[flowRows.length];
        int arrows = 0;
        for (int i = 0; i < flowRows.length; i++) {
            flowSlices[i] = flows.slice()[flowRows[i]];
            arrows = Math.max(arrows, flows.arrow()[flowRows[i]] + 1);
        }
        arrowStarts = new int[arrows];
        for (int i = flowRows.length - 1; i >= 0; i--) {
            arrowStarts[flows.arrow()[flowRows[i]]] = flows.slice()[flowRows[i]];
        }
        LongOrder.sort(flowSlices, flowRows);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Names, labels and order of processes and rows, and further metadata events.
     *
     * @param first whether no event of the file precedes
     */
    void metadata(JsonBytes out, boolean first) {
        boolean separator = !first;
        for (RankTimeline.Process p : rank.processes()) {
            begin(out, separator, "process_name", p.id(), 0);
            end(out, "name", p.name());
            separator = true;
            if (p.labels() != null) {
                begin(out, true, "process_labels", p.id(), 0);
                end(out, "labels", p.labels());
            }
            sorted(out, "process_sort_index", p.id(), 0, p.id());
        }
        int index = 0;
        for (RankTimeline.Row row : rank.rows()) {
            int process = rank.processes().get(row.process()).id();
            begin(out, true, "thread_name", process, row.id());
            end(out, "name", row.name());
            sorted(out, "thread_sort_index", process, row.id(), index++);
        }
        otherMetadata(out);
    }

    private static void end(JsonBytes out, String key, String value) {
        out.text("\"" + key + "\":");
        out.quoted(value);
        out.text("}}");
    }

    private static void sorted(JsonBytes out, String what, int process, int thread, int index) {
        begin(out, true, what, process, thread);
        out.text("\"sort_index\":" + index + "}}");
    }

    private static void begin(JsonBytes out, boolean separator, String what, int process, int thread) {
        out.text((separator ? ",\n" : "\n") + "{\"ph\":\"M\",\"name\":\"" + what + "\",\"pid\":" + process + ",\"tid\":"
                + thread + ",\"args\":{");
    }

    private void otherMetadata(JsonBytes out) {
        Map<String, Integer> processes = new HashMap<>();
        Map<String, Integer> threads = new HashMap<>();
        Set<Integer> taken = new HashSet<>();
        int free = FIRST_EMPTY_ROW;
        for (RankTimeline.Row row : rank.rows()) {
            String process = trace.tracks().get(row.track()).process();
            processes.put(process, rank.processes().get(row.process()).id());
            taken.add(row.id());
            if (row.level() == 0) {
                threads.put(process + '\0' + trace.tracks().get(row.track()).thread(), row.id());
            }
        }
        RecordedTexts.Cursor text = recorded.metadata().cursor();
        for (int row : rank.metadata()) {
            String process = trace.strings().orNull(recorded.metadataProcess(row));
            String thread = trace.strings().orNull(recorded.metadataThread(row));
            if (thread != null && !threads.containsKey(process + '\0' + thread)) {
                boolean own = thread.matches("[1-9]\\d{0,8}") && !taken.contains(Integer.valueOf(thread));
                threads.put(process + '\0' + thread, own ? Integer.parseInt(thread) : free++);
            }
            out.text(",\n{\"ph\":\"M\",\"name\":");
            out.quoted(trace.strings(), recorded.metadataName(row), new byte[0]);
            out.text(",\"pid\":" + processes.getOrDefault(process == null ? "" : process, 0) + ",\"tid\":"
                    + threads.getOrDefault(process + '\0' + thread, 0));
            text.move(row);
            rest(out, text);
        }
    }

    /** Slices from one place to another of those shown, and the ends of arrows that touch them. */
    void slices(JsonBytes out, int from, int to) {
        Slices slices = trace.slices();
        RecordedTexts.Cursor text = recorded.slices().cursor();
        int flow = firstFlow(rank.slices()[from]);
        PathArrows.Cursor path = new PathArrows.Cursor(rank.path(), rank.slices()[from]);
        for (int i = from; i < to; i++) {
            int slice = rank.slices()[i];
            byte[] place = places[rank.sliceRow()[i]];
            int category = slices.category(slice);
            if (category < 0) {
                out.put(SLICE_WITHOUT_CATEGORY);
            } else {
                out.put(SLICE);
                out.quoted(trace.strings(), category, NOTHING);
            }
            out.put(NAME);
            out.quoted(trace.strings(), trace.recordedName(slice), prefix);
            out.put(place);
            out.micros(clock.applyAsLong(slices.ts(slice)));
            out.put(DURATION);
            out.micros(slices.dur(slice));
            text.move(slice);
            arguments(out, text, slice, path.onPath(slice));
            fields(out, text);
            out.put('}');
            for (; flow < flowRows.length && flowSlices[flow] == slice; flow++) {
                flow(out, flowRows[flow], slice, place);
            }
            for (int end = path.end(slice); end >= 0; end = path.end(slice)) {
                ofPath(out, end, slice, place);
            }
        }
    }

    private static final byte[] NOTHING = new byte[0];

    private int firstFlow(int slice) {
        int at = Arrays.binarySearch(flowSlices, slice);
        if (at < 0) {
            return -at - 1;
        }
        while (at > 0 && flowSlices[at - 1] == slice) {
            at--;
        }
        return at;
    }

    /** The arguments of a slice, with numbers that are unique in the file. */
    private void arguments(JsonBytes out, RecordedTexts.Cursor text, int slice, long onPath) {
        if (!text.hasArguments) {
            if (onPath >= 0) {
                out.put(ARGUMENTS);
                onPath(out, onPath);
                out.put('}');
            }
            return;
        }
        out.put(ARGUMENTS);
        Slices slices = trace.slices();
        long correlation = slices.correlation(slice);
        long external = slices.externalId(slice);
        int at = text.arguments;
        int first = correlation == -1 ? -1 : text.correlation;
        int second = external == -1 ? -1 : text.externalId;
        if (first >= 0 && (second < 0 || first < second)) {
            at = id(out, text, at, first, correlation);
            first = -1;
        }
        if (second >= 0) {
            at = id(out, text, at, second, external);
        }
        if (first >= 0) {
            at = id(out, text, at, first, correlation);
        }
        out.put(text.bytes, at, text.argumentsEnd);
        if (onPath >= 0) {
            if (text.argumentsEnd > text.arguments) {
                out.put(',');
            }
            onPath(out, onPath);
        }
        out.put('}');
    }

    private static void onPath(JsonBytes out, long ns) {
        out.put(ON_PATH);
        out.number(ns);
    }

    /** An end of an arrow along the path: where the slice begins. */
    private void ofPath(JsonBytes out, int end, int slice, byte[] place) {
        PathArrows path = rank.path();
        boolean starts = path.starts()[end];
        out.put(FLOW);
        out.put(starts ? 's' : 'f');
        out.put(ID);
        out.number(path.ids()[end]);
        out.put(place);
        out.micros(clock.applyAsLong(trace.slices().ts(slice)));
        out.put(PATH);
        if (!starts) {
            out.put(BINDING);
        }
        out.put('}');
    }

    /** Copies up to a number and puts another in its place; returns the place behind it. */
    private int id(JsonBytes out, RecordedTexts.Cursor text, int from, int place, long recordedId) {
        byte[] b = text.bytes;
        out.put(b, from, place);
        out.number(rank.ids().of(recordedId));
        int p = place;
        if (b[p] == '"') {
            p++;
            while (b[p] != '"') {
                p++;
            }
            return p + 1;
        }
        while (p < text.argumentsEnd && b[p] != ',' && b[p] > ' ') {
            p++;
        }
        return p;
    }

    private static void fields(JsonBytes out, RecordedTexts.Cursor text) {
        if (text.fieldsEnd > text.fields) {
            out.put(',');
            out.put(text.bytes, text.fields, text.fieldsEnd);
        }
    }

    /** Arguments and fields as they are, and the end of the event. */
    private static void rest(JsonBytes out, RecordedTexts.Cursor text) {
        if (text.hasArguments) {
            out.put(ARGUMENTS);
            out.put(text.bytes, text.arguments, text.argumentsEnd);
            out.put('}');
        }
        fields(out, text);
        out.put('}');
    }

    /**
     * An end of an arrow. It stands at the beginning of the slice that it touches, right behind it, so that every viewer
     * finds that slice; where the arrow's start comes later, one nanosecond behind that. So does the start on a device, where the
     * slice before may end.
     */
    private void flow(JsonBytes out, int row, int slice, byte[] place) {
        Flows flows = trace.flows();
        BoundFlows bound = rank.flows();
        char phase = flows.phase(row);
        long ts = trace.slices().ts(slice);
        if (phase == 's' && trace.slices().kind(slice).isOnDevice()) {
            ts = Math.min(ts + 1, trace.slices().end(slice)); // where nothing else begins or ends
        } else if (phase != 's') {
            ts = Math.max(ts, trace.slices().ts(arrowStarts[bound.arrow()[row]]) + 1);
        }
        out.put(FLOW);
        out.put(phase);
        out.put(ID);
        out.number(bound.id()[row]);
        out.put(place);
        out.micros(clock.applyAsLong(ts));
        if (flows.category(row) >= 0) {
            out.put(CATEGORY);
            out.quoted(trace.strings(), flows.category(row), NOTHING);
        }
        if (recorded.flowName(row) >= 0) {
            out.put(NAME);
            out.quoted(trace.strings(), recorded.flowName(row), NOTHING);
        }
        RecordedTexts.Cursor text = recorded.flows().cursor();
        boolean any = text.move(row);
        if (phase != 's' && !(any && JsonMembers.has(text.bytes, text.fields, text.fieldsEnd, "bp"))) {
            out.put(BINDING);
        }
        rest(out, text);
    }

    /** Marks from one place to another of those shown. */
    void marks(JsonBytes out, int from, int to) {
        Marks marks = trace.marks();
        RecordedTexts.Cursor text = recorded.marks().cursor();
        for (int i = from; i < to; i++) {
            int row = rank.marks()[i];
            char phase = marks.phase(row);
            boolean unpaired = lonely.get(row);
            out.put(FLOW);
            out.put(unpaired ? 'i' : phase);
            out.put('"');
            if (marks.category(row) >= 0) {
                out.put(CATEGORY);
                out.quoted(trace.strings(), marks.category(row), NOTHING);
            }
            out.put(NAME);
            out.quoted(trace.strings(), marks.name(row), prefix);
            out.put(places[rank.rowOfTrack()[marks.track(row)]]);
            out.micros(clock.applyAsLong(marks.ts(row)));
            boolean any = text.move(row);
            if (unpaired) {
                unpaired(out, text, phase);
            } else if (!any || phase == 'C' && text.fieldsEnd == text.fields) {
                rest(out, text);
            } else {
                scoped(out, text, phase);
            }
        }
    }

    /** Viewers would refuse it or let it run on, so it becomes an instant that says what it was. */
    private static void unpaired(JsonBytes out, RecordedTexts.Cursor text, char phase) {
        out.text(",\"s\":\"t\"");
        out.put(ARGUMENTS);
        out.put(text.bytes, text.arguments, text.argumentsEnd);
        out.text(text.argumentsEnd > text.arguments ? "," : "");
        boolean begin = phase == 'B' || AsyncSlices.isBegin(phase);
        boolean edge = begin || phase == 'E' || AsyncSlices.isEnd(phase);
        out.text(edge ? "\"unpaired\":\"" + (begin ? "begin" : "end") + "\"}" : "\"event.ph\":\"" + phase + "\"}");
        JsonMembers.each(text.bytes, text.fields, text.fieldsEnd, (key, value) -> {
            if (!key.equals("\"s\"")) {
                out.text("," + key + ":" + value);
            }
        });
        out.put('}');
    }

    /** Ids count within the process, and what concerned a whole trace concerns its processes: ranks do not mix. */
    private static void scoped(JsonBytes out, RecordedTexts.Cursor text, char phase) {
        if (text.hasArguments) {
            out.put(ARGUMENTS);
            out.put(text.bytes, text.arguments, text.argumentsEnd);
            out.put('}');
        }
        JsonMembers.each(text.bytes, text.fields, text.fieldsEnd, (key, value) -> {
            out.put(',');
            if (key.equals("\"id\"") && phase != 'C') {
                out.text("\"id2\":{\"local\":" + value + "}");
            } else if (key.equals("\"s\"") && value.equals("\"g\"")) {
                out.text("\"s\":\"p\"");
            } else {
                out.text(key + ":" + value);
            }
        });
        out.put('}');
    }
}
