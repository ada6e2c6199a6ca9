// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Arrays;

/**
 * What a file says about its events beyond the tables, verbatim: arguments, further fields, metadata events. With it, a
 * trace can be written again without loss. Immutable.
 */
public final class Recorded {
    private final RecordedTexts slices;
    private final FlowEvents flows;
    private final Moments marks;
    private final Metadata metadata;

    Recorded(RecordedTexts slices, FlowEvents flows, Moments marks, Metadata metadata) {
        this.slices = slices;
        this.flows = flows;
        this.marks = marks;
        this.metadata = metadata;
    }

    /** Of flow events: their texts, and as columns pool ids of their names and places in the file. */
    @SuppressWarnings("ArrayRecordComponent")
    record FlowEvents(RecordedTexts texts, int[] names, int[] indexes) {}

    /** Of marks: their texts, and places in the file. */
    @SuppressWarnings("ArrayRecordComponent")
    record Moments(RecordedTexts texts, int[] indexes) {}

    /** Metadata events: their texts, and as columns pool ids of name, process and thread. */
    @SuppressWarnings("ArrayRecordComponent")
    record Metadata(RecordedTexts texts, int[] names, int[] processes, int[] threads) {}

    /** Of a trace whose reader keeps no texts: what its tables know, as arguments. */
    static Recorded ofTables(Trace trace) {
        return of(trace, TableArguments.of(trace), TableArguments.ofMarks(trace));
    }

    /**
     * {@return the texts of a trace of a format that says nothing beyond the tables: none}
     *
     * @param trace the trace
     */
    public static Recorded nothing(Trace trace) {
        return of(trace, absent(trace.slices().size()), absent(trace.marks().size()));
    }

    private static Recorded of(Trace trace, RecordedTexts slices, RecordedTexts moments) {
        int flows = trace.flows().size();
        int marks = trace.marks().size();
        return new Recorded(
                slices,
                new FlowEvents(absent(flows), filled(flows), filled(flows)),
                new Moments(moments, filled(marks)),
                new Metadata(RecordedTexts.NONE, new int[0], new int[0], new int[0]));
    }

    private static RecordedTexts absent(int size) {
        long[] places = new long[size];
        Arrays.fill(places, -1);
        return new RecordedTexts(new TextBlocks.Block[0], places);
    }

    private static int[] filled(int size) {
        int[] values = new int[size];
        Arrays.fill(values, -1);
        return values;
    }

    /**
     * {@return the texts of slices, by row of {@link Slices}} Of a slice that was written as begin and end, the texts
     * of both.
     */
    public RecordedTexts slices() {
        return slices;
    }

    /** {@return the texts of flow events, by row of {@link Flows}} The id is not among the fields. */
    public RecordedTexts flows() {
        return flows.texts();
    }

    /**
     * {@return pool id of the name of a flow event, -1 when absent}
     *
     * @param row row of {@link Flows}
     */
    public int flowName(int row) {
        return flows.names()[row];
    }

    /**
     * {@return place of a flow event among all events of the file, as {@link Slices#index}}
     *
     * @param row row of {@link Flows}
     */
    public int flowIndex(int row) {
        return flows.indexes()[row];
    }

    /**
     * {@return place of a mark among all events of the file, as {@link Slices#index}}
     *
     * @param row row of {@link Marks}
     */
    public int markIndex(int row) {
        return marks.indexes()[row];
    }

    /** {@return the texts of marks, by row of {@link Marks}} */
    public RecordedTexts marks() {
        return marks.texts();
    }

    /**
     * {@return number of metadata events: names and labels of processes and threads, their order, and whatever else
     * there is}
     */
    public int metadataCount() {
        return metadata.names().length;
    }

    /** {@return the texts of metadata events, in the order of the file} */
    public RecordedTexts metadata() {
        return metadata.texts();
    }

    /**
     * {@return pool id of a metadata event's name}
     *
     * @param row number of the metadata event, from 0
     */
    public int metadataName(int row) {
        return metadata.names()[row];
    }

    /**
     * {@return pool id of the process that a metadata event is about, -1 when absent}
     *
     * @param row number of the metadata event, from 0
     */
    public int metadataProcess(int row) {
        return metadata.processes()[row];
    }

    /**
     * {@return pool id of the thread that a metadata event is about, -1 when absent}
     *
     * @param row number of the metadata event, from 0
     */
    public int metadataThread(int row) {
        return metadata.threads()[row];
    }
}
