// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Arrays;

/**
 * What a file says about its events beyond the tables, verbatim: arguments, further fields, metadata events. With it, a
 * trace can be written again without loss. Immutable.
 */
public final class Recorded {
    private final RecordedTexts slices;
    private final RecordedTexts flows;
    private final int[] flowNames;
    private final int[] flowIndexes;
    private final RecordedTexts marks;
    private final int[] markIndexes;
    private final RecordedTexts metadata;
    private final int[] metadataNames;
    private final int[] metadataProcesses;
    private final int[] metadataThreads;

    Recorded(
            RecordedTexts slices,
            RecordedTexts flows,
            int[] flowNames,
            int[] flowIndexes,
            RecordedTexts marks,
            int[] markIndexes,
            RecordedTexts metadata,
            int[] metadataNames,
            int[] metadataProcesses,
            int[] metadataThreads) {
        this.slices = slices;
        this.flows = flows;
        this.flowNames = flowNames;
        this.flowIndexes = flowIndexes;
        this.marks = marks;
        this.markIndexes = markIndexes;
        this.metadata = metadata;
        this.metadataNames = metadataNames;
        this.metadataProcesses = metadataProcesses;
        this.metadataThreads = metadataThreads;
    }

    /** Of a trace whose reader keeps no texts: what its tables know, as arguments. */
    static Recorded ofTables(Trace trace) {
        return of(trace, TableArguments.of(trace));
    }

    /**
     * {@return the texts of a trace of a format that says nothing beyond the tables: none}
     *
     * @param trace the trace
     */
    public static Recorded nothing(Trace trace) {
        return of(trace, absent(trace.slices().size()));
    }

    private static Recorded of(Trace trace, RecordedTexts slices) {
        RecordedTexts none = RecordedTexts.NONE;
        return new Recorded(
                slices,
                absent(trace.flows().size()),
                filled(trace.flows().size()),
                filled(trace.flows().size()),
                absent(trace.marks().size()),
                filled(trace.marks().size()),
                none,
                new int[0],
                new int[0],
                new int[0]);
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
        return flows;
    }

    /**
     * {@return pool id of the name of a flow event, -1 when absent}
     *
     * @param row row of {@link Flows}
     */
    public int flowName(int row) {
        return flowNames[row];
    }

    /**
     * {@return place of a flow event among all events of the file, as {@link Slices#index}}
     *
     * @param row row of {@link Flows}
     */
    public int flowIndex(int row) {
        return flowIndexes[row];
    }

    /**
     * {@return place of a mark among all events of the file, as {@link Slices#index}}
     *
     * @param row row of {@link Marks}
     */
    public int markIndex(int row) {
        return markIndexes[row];
    }

    /** {@return the texts of marks, by row of {@link Marks}} */
    public RecordedTexts marks() {
        return marks;
    }

    /**
     * {@return number of metadata events: names and labels of processes and threads, their order, and whatever else
     * there is}
     */
    public int metadataCount() {
        return metadataNames.length;
    }

    /** {@return the texts of metadata events, in the order of the file} */
    public RecordedTexts metadata() {
        return metadata;
    }

    /**
     * {@return pool id of a metadata event's name}
     *
     * @param row number of the metadata event, from 0
     */
    public int metadataName(int row) {
        return metadataNames[row];
    }

    /**
     * {@return pool id of the process that a metadata event is about, -1 when absent}
     *
     * @param row number of the metadata event, from 0
     */
    public int metadataProcess(int row) {
        return metadataProcesses[row];
    }

    /**
     * {@return pool id of the thread that a metadata event is about, -1 when absent}
     *
     * @param row number of the metadata event, from 0
     */
    public int metadataThread(int row) {
        return metadataThreads[row];
    }
}
