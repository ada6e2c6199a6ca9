// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta;

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
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The events of one rank in the order of its file, and which of them AORTA's merge keeps under which numbers. */
final class AortaRank {
    /** Distance between the process numbers of ranks, and of a rank's host from its devices. */
    static final int STRIDE = 1000;

    static final int HOST = 500;

    private static final Set<String> KEPT = Set.of(
            "kernel",
            "Kernel",
            "gpu_memcpy",
            "gpu_memset",
            "gpu_user_annotation",
            "cuda_runtime",
            "cuda_driver",
            "ac2g",
            "user_annotation",
            "fwdbwd",
            "cpu_instant_event");
    private static final Set<String> MAKES_DEVICE = Set.of("kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation");
    private static final Set<String> MAKES_HOST = Set.of("cpu_op", "cuda_runtime", "user_annotation", "fwdbwd");
    private static final int NEITHER = -1;
    private static final byte[] NOTHING = new byte[0];

    private final Trace trace;
    private final int rank;
    private final Slices slices;
    private final Flows flows;
    private final Marks marks;
    private final Recorded recorded;
    /** Slices, then flows, then marks are numbered through; this is their order in the file. */
    private final int[] order;

    private final boolean[] keptCategory;
    /** By track: {@link #HOST}, 0 for a device, or {@link #NEITHER}. */
    private final int[] side;

    private final int[] thread;
    private int deviceThreads;
    private int hostThreads;
    private long onDevice;
    private long onHost;
    private final byte[] prefix;
    private final RecordedTexts.Cursor sliceText;
    private final RecordedTexts.Cursor flowText;
    private final RecordedTexts.Cursor markText;

    AortaRank(Trace trace, int rank) {
        this.trace = trace;
        this.rank = rank;
        this.slices = trace.slices();
        this.flows = trace.flows();
        this.marks = trace.marks();
        this.recorded = Objects.requireNonNull(trace.withRecorded().recorded());
        this.prefix = ("[R" + rank + "] ").getBytes(StandardCharsets.US_ASCII);
        this.sliceText = recorded.slices().cursor();
        this.flowText = recorded.flows().cursor();
        this.markText = recorded.marks().cursor();
        this.order = order();
        this.keptCategory = among(KEPT);
        this.side = sides();
        this.thread = new int[trace.tracks().size()];
        Arrays.fill(thread, -1);
    }

    int size() {
        return order.length;
    }

    AortaMerge.Added added() {
        return new AortaMerge.Added(onDevice, onHost);
    }

    /** Whether the event at this place of the file is kept. */
    boolean isKept(int place) {
        int event = order[place];
        int category = category(event);
        return category >= 0 && keptCategory[category] && side[track(event)] != NEITHER;
    }

    /** Writes the event. Threads are numbered in the order in which they are first written. */
    void write(int place, JsonBytes out) {
        int event = order[place];
        int track = track(event);
        boolean host = side[track] == HOST;
        if (host) {
            onHost++;
        } else {
            onDevice++;
        }
        if (thread[track] < 0) {
            thread[track] = host ? hostThreads++ : deviceThreads++;
        }
        int afterSlices = event - slices.size();
        int afterFlows = afterSlices - flows.size();
        out.text("{\"ph\": \"");
        out.put(afterSlices < 0 ? 'X' : afterFlows < 0 ? flows.phase(afterSlices) : marks.phase(afterFlows));
        out.text("\", \"cat\": ");
        out.quoted(trace.strings(), category(event), NOTHING);
        out.text(", \"name\": ");
        int name = afterSlices < 0
                ? slices.name(event)
                : afterFlows < 0 ? recorded.flowName(afterSlices) : marks.name(afterFlows);
        if (name < 0) {
            out.quoted(new String(prefix, StandardCharsets.US_ASCII));
        } else {
            out.quoted(trace.strings(), name, prefix);
        }
        out.text(", \"pid\": " + (rank * STRIDE + side[track]) + ", \"tid\": " + thread[track] + ", \"ts\": ");
        out.micros(afterSlices < 0 ? slices.ts(event) : afterFlows < 0 ? flows.ts(afterSlices) : marks.ts(afterFlows));
        if (afterSlices < 0) {
            out.text(", \"dur\": ");
            out.micros(slices.dur(event));
            rest(out, sliceText, event);
        } else if (afterFlows < 0) {
            out.text(", \"id\": ");
            out.number(flows.id(afterSlices));
            rest(out, flowText, afterSlices);
        } else {
            rest(out, markText, afterFlows);
        }
    }

    private void rest(JsonBytes out, RecordedTexts.Cursor text, int row) {
        text.move(row);
        out.text(", \"args\": {");
        out.put(text.bytes, text.arguments, text.argumentsEnd);
        out.text((text.argumentsEnd > text.arguments ? ", " : "") + "\"rank\": " + rank + "}");
        if (text.fieldsEnd > text.fields) {
            out.text(", ");
            out.put(text.bytes, text.fields, text.fieldsEnd);
        }
        out.put('}');
    }

    private int category(int event) {
        int afterSlices = event - slices.size();
        int afterFlows = afterSlices - flows.size();
        return afterSlices < 0
                ? slices.category(event)
                : afterFlows < 0 ? flows.category(afterSlices) : marks.category(afterFlows);
    }

    private int track(int event) {
        int afterSlices = event - slices.size();
        int afterFlows = afterSlices - flows.size();
        return afterSlices < 0
                ? slices.track(event)
                : afterFlows < 0 ? flows.track(afterSlices) : marks.track(afterFlows);
    }

    private int[] order() {
        int n = slices.size() + flows.size() + marks.size();
        int[] events = new int[n];
        long[] places = new long[n];
        for (int i = 0; i < n; i++) {
            int afterSlices = i - slices.size();
            int afterFlows = afterSlices - flows.size();
            events[i] = i;
            places[i] = afterSlices < 0
                    ? slices.index(i)
                    : afterFlows < 0 ? recorded.flowIndex(afterSlices) : recorded.markIndex(afterFlows);
        }
        LongOrder.sort(places, events);
        return events;
    }

    private boolean[] among(Set<String> categories) {
        boolean[] among = new boolean[trace.strings().size()];
        for (String category : categories) {
            int id = trace.strings().find(category);
            if (id >= 0) {
                among[id] = true;
            }
        }
        return among;
    }

    /** A process is a device if any of its events says so, else a host if any says that. */
    private int[] sides() {
        boolean[] device = among(MAKES_DEVICE);
        boolean[] host = among(MAKES_HOST);
        Map<String, Integer> ofProcess = new HashMap<>();
        boolean[] deviceTrack = new boolean[trace.tracks().size()];
        boolean[] hostTrack = new boolean[trace.tracks().size()];
        for (int event = 0; event < order.length; event++) {
            int category = category(event);
            if (category >= 0) {
                deviceTrack[track(event)] |= device[category];
                hostTrack[track(event)] |= host[category];
            }
        }
        for (int track = 0; track < deviceTrack.length; track++) {
            int said = deviceTrack[track] ? 0 : hostTrack[track] ? HOST : NEITHER;
            ofProcess.merge(trace.tracks().get(track).process(), said, AortaRank::stronger);
        }
        int[] sides = new int[deviceTrack.length];
        for (int track = 0; track < sides.length; track++) {
            sides[track] = ofProcess.getOrDefault(trace.tracks().get(track).process(), NEITHER);
        }
        return sides;
    }

    private static int stronger(int a, int b) {
        return a == 0 || b == 0 ? 0 : Math.max(a, b);
    }
}
