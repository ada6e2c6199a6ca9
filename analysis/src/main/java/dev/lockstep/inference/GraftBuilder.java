// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.Grafts.Role;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Adds copies of captured calls to a trace. Of frames and calls without work of their own only what leads to work is kept. */
final class GraftBuilder {
    private static final String ROOT = "CaptureRoot";

    private final Trace trace;
    private final TraceBuilder builder;
    private final boolean ownTracks;
    private long nextEvent;
    private @Nullable Trace pooled;
    private int[] textIds = new int[0];

    GraftBuilder(Trace trace, boolean ownTracks) {
        this.trace = trace;
        this.builder = TraceBuilder.continuing(trace);
        this.ownTracks = ownTracks;
        this.nextEvent = trace.counts().nextNumber();
    }

    Diagnostics diagnostics() {
        return builder.diagnostics();
    }

    /** The id in the new trace of a text of a captured one. */
    int intern(Trace captured, int id) {
        if (id < 0) {
            return id;
        }
        if (pooled != captured) {
            pooled = captured;
            textIds = new int[captured.strings().size()];
            Arrays.fill(textIds, -1);
        }
        if (textIds[id] < 0) {
            textIds[id] = builder.strings().internFrom(captured.strings(), id);
        }
        return textIds[id];
    }

    /**
     * Copies a captured graph under its launch.
     *
     * @param activities device slices of the graph
     * @param calls for each of them which of the graph's launches enqueued it, -1 if it stays with the graph's launch
     */
    void add(int launch, CapturedGraph graph, int[] activities, int[] calls) {
        Slices slices = trace.slices();
        boolean[] kept = kept(graph, calls);
        long first = nextEvent;
        nextEvent += graph.size();
        int track = slices.track(launch);
        root(launch, first, track);
        int[] keptParent = new int[graph.size()];
        int copies = 0;
        for (int number = 1; number < graph.size(); number++) {
            int parent = graph.parent(number);
            keptParent[number] = parent == 0 || kept[parent] ? parent : keptParent[parent];
            if (kept[number]) {
                int copy = copy(launch, ++copies, graph, number, (int) first + number);
                place(copy, (int) first + keptParent[number]);
            }
        }
        DetailRows rows = builder.details(Grafts.KEY);
        for (int i = 0; i < activities.length; i++) {
            if (calls[i] >= 0) {
                rows.add(activities[i]);
                rows.number(Grafts.LAUNCH, first + graph.launch(calls[i]));
                rows.number(Grafts.ROLE, Role.MOVED.ordinal());
            }
        }
    }

    Trace build() {
        builder.counts().addNumbers(nextEvent - trace.counts().nextNumber());
        return builder.build(trace.info());
    }

    private static boolean[] kept(CapturedGraph graph, int[] calls) {
        boolean[] kept = new boolean[graph.size()];
        for (int call : calls) {
            for (int number = call < 0 ? 0 : graph.launch(call);
                    number > 0 && !kept[number];
                    number = graph.parent(number)) {
                kept[number] = true;
            }
        }
        Slices slices = graph.trace().slices();
        for (int number = 1; number < kept.length; number++) {
            kept[number] |= slices.kind(graph.slice(number)) == SliceKind.CPU_OP;
        }
        return kept;
    }

    private void root(int launch, long first, int track) {
        Slices slices = trace.slices();
        int name = builder.strings().intern(ROOT);
        int root = builder.slice(slices.ts(launch), slices.dur(launch), name, track, SliceKind.RUNTIME_CALL);
        builder.source(root, slices.category(launch), (int) first);
        place(root, slices.index(launch));
    }

    /**
     * @param later by how many ns it starts behind the launch: copies stand in the order of the captured calls
     * @param event its place among all events
     */
    private int copy(int launch, int later, CapturedGraph graph, int number, int event) {
        Slices slices = trace.slices();
        Trace captured = graph.trace();
        Slices source = captured.slices();
        int slice = graph.slice(number);
        int name = intern(captured, source.name(slice));
        int category = intern(captured, source.category(slice));
        int track = ownTracks ? track(captured, source.track(slice)) : slices.track(launch);
        int copy = builder.slice(slices.ts(launch) + later, slices.dur(launch), name, track, source.kind(slice));
        builder.source(copy, category, event);
        OpDetails details = captured.view(OpDetails.KEY);
        int row = details == null ? -1 : details.of(slice);
        if (details != null && row >= 0) {
            DetailRows rows = builder.details(OpDetails.KEY);
            rows.add(copy);
            rows.text(OpDetails.INPUT_DIMS, intern(captured, details.inputDims(row)));
            rows.text(OpDetails.INPUT_TYPES, intern(captured, details.inputTypes(row)));
            rows.text(OpDetails.INPUT_STRIDES, intern(captured, details.inputStrides(row)));
            rows.text(OpDetails.CONCRETE_INPUTS, intern(captured, details.concreteInputs(row)));
            rows.text(OpDetails.OUTPUT_TYPES, intern(captured, details.outputTypes(row)));
        }
        return copy;
    }

    private void place(int slice, int parentEvent) {
        DetailRows rows = builder.details(Grafts.KEY);
        rows.add(slice);
        rows.number(Grafts.PARENT, parentEvent);
        rows.number(Grafts.ROLE, Role.ADDED.ordinal());
    }

    private int track(Trace captured, int number) {
        return builder.track(
                builder.strings().intern(captured.tracks().get(number).process()),
                builder.strings().intern(captured.tracks().get(number).thread()));
    }
}
