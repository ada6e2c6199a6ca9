// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.Set;

/**
 * Collects, beside a {@link TraceBuilder}, what the columns of the model do not hold, for a trace that shall be written
 * again without loss. Rows run in parallel with those of the builder. Confined to one thread.
 */
public final class Recorder {
    private final TextBlocks blocks;
    private final LongList slices;
    private final LongList flows = new LongList(16);
    private final IntList flowNames = new IntList(16);
    private final IntList flowIndexes = new IntList(16);
    private final LongList marks = new LongList(16);
    private final IntList markIndexes = new IntList(16);
    private final LongList edges = new LongList(16);
    private final IntList metadataNames = new IntList(16);
    private final IntList metadataProcesses = new IntList(16);
    private final IntList metadataThreads = new IntList(16);
    private final LongList metadata = new LongList(16);

    /** @param expectedSlices how many slices there may be; only a hint */
    Recorder(int expectedSlices) {
        this(new TextBlocks(), expectedSlices);
    }

    private Recorder(TextBlocks blocks, int expectedSlices) {
        this.blocks = blocks;
        this.slices = new LongList(expectedSlices);
    }

    /** {@return the text of an event to come, whose arguments are given as tokens; it belongs to this recorder} */
    public RecordedText tokens() {
        return new RecordedText(blocks.words());
    }

    /** Bytes of the words of tokens. */
    int wordBytes() {
        return blocks.words().bytes();
    }

    /** An empty recorder whose texts lie where those of this one do. */
    Recorder part() {
        return new Recorder(blocks, 16);
    }

    /** Takes over the text of a slice of the recorder of which this is a part. */
    void copySlice(Recorder whole, int from, int to) {
        put(slices, to, from < whole.slices.size() ? whole.slices.get(from) : -1);
    }

    /** Takes over what belongs to a flow event of the recorder of which this is a part. */
    void copyFlow(Recorder whole, int from) {
        flowNames.add(whole.flowNames.get(from));
        flowIndexes.add(whole.flowIndexes.get(from));
        flows.add(whole.flows.get(from));
    }

    /** Takes over what belongs to a mark of the recorder of which this is a part. */
    void copyMark(Recorder whole, int from) {
        markIndexes.add(whole.markIndexes.get(from));
        marks.add(whole.marks.get(from));
    }

    /** Takes over the metadata events of these processes, from the recorder of which this is a part. */
    void copyMetadata(Recorder whole, Set<Integer> processes) {
        for (int i = 0; i < whole.metadata.size(); i++) {
            if (processes.contains(whole.metadataProcesses.get(i))) {
                metadataNames.add(whole.metadataNames.get(i));
                metadataProcesses.add(whole.metadataProcesses.get(i));
                metadataThreads.add(whole.metadataThreads.get(i));
                metadata.add(whole.metadata.get(i));
            }
        }
    }

    /**
     * States the text of the slice that was added to the builder with this number.
     *
     * @param number the slice's number in the builder
     * @param text the event's text; free for the next event afterwards
     */
    public void slice(int number, RecordedText text) {
        put(slices, number, blocks.store(text));
    }

    /**
     * States name and text of the flow event that was added last.
     *
     * @param nameId pool id of the name, -1 for none
     * @param text the event's text; free for the next event afterwards
     * @param eventIndex place among all events of the file
     */
    public void flow(int nameId, RecordedText text, int eventIndex) {
        flowNames.add(nameId);
        flowIndexes.add(eventIndex);
        flows.add(blocks.store(text));
    }

    /**
     * States the text of the mark that was added last.
     *
     * @param text the event's text; free for the next event afterwards
     * @param eventIndex place among all events of the file
     */
    public void mark(RecordedText text, int eventIndex) {
        markIndexes.add(eventIndex);
        marks.add(blocks.store(text));
    }

    /**
     * States that the mark that was added last has the text of this slice, which is none.
     *
     * @param number the slice's number in the builder
     * @param eventIndex place among all events of the file
     */
    public void markOfSlice(int number, int eventIndex) {
        markIndexes.add(eventIndex);
        marks.add(number < slices.size() ? slices.get(number) : -1);
    }

    /**
     * States the text of the begin or end that was added last.
     *
     * @param text the event's text; free for the next event afterwards
     */
    public void edge(RecordedText text) {
        edges.add(blocks.store(text));
    }

    /**
     * Keeps a metadata event as it is, those included whose meaning the builder was told.
     *
     * @param nameId pool id of the event's name
     * @param processId pool id of the process, -1 when the event names none
     * @param threadId pool id of the thread, -1 when the event names none; so for the process
     * @param text the event's text; free for the next event afterwards
     */
    public void metadata(int nameId, int processId, int threadId, RecordedText text) {
        metadataNames.add(nameId);
        metadataProcesses.add(processId);
        metadataThreads.add(threadId);
        metadata.add(blocks.store(text));
    }

    /** Forgets all rows; words keep their numbers. */
    void restart() {
        blocks.restart();
        slices.clear();
        flows.clear();
        flowNames.clear();
        flowIndexes.clear();
        marks.clear();
        markIndexes.clear();
        edges.clear();
        metadataNames.clear();
        metadataProcesses.clear();
        metadataThreads.clear();
        metadata.clear();
    }

    void append(Recorder later, int slicesBefore, int[] renumbered, int indexShift) {
        long shift = blocks.append(later.blocks);
        pad(slices, slicesBefore);
        slices.addAll(later.slices, shift);
        flows.addAll(later.flows, shift);
        flowNames.addAll(later.flowNames, renumbered);
        flowIndexes.addAll(later.flowIndexes, indexShift);
        marks.addAll(later.marks, shift);
        markIndexes.addAll(later.markIndexes, indexShift);
        edges.addAll(later.edges, shift);
        metadataNames.addAll(later.metadataNames, renumbered);
        metadataProcesses.addAll(later.metadataProcesses, renumbered);
        metadataThreads.addAll(later.metadataThreads, renumbered);
        metadata.addAll(later.metadata, shift);
    }

    /** The texts of so many slices, by their number. */
    RecordedTexts slices(int count) {
        pad(slices, count);
        return new RecordedTexts(blocks.build(), slices.toArray());
    }

    /** The texts of marks so far, by their number. */
    RecordedTexts marks() {
        return new RecordedTexts(blocks.build(), marks.toArray());
    }

    /** The texts of begins and ends so far, by their number. */
    RecordedTexts edges() {
        return new RecordedTexts(blocks.build(), edges.toArray());
    }

    /** States that a slice was made of a begin and an end: it has the texts of both. */
    void pair(int slice, RecordedTexts.Cursor begin, RecordedTexts.Cursor end) {
        RecordedText text = new RecordedText();
        text.clear();
        text.append(begin);
        text.append(end);
        put(slices, slice, blocks.store(text));
    }

    /** States that a begin or end without a partner became the mark that was added last. */
    void leftOver(RecordedTexts.Cursor edge, int eventIndex) {
        RecordedText text = new RecordedText();
        text.clear();
        text.append(edge);
        mark(text, eventIndex);
    }

    Recorded build(int[] order, int sliceCount) {
        pad(slices, sliceCount);
        TextBlocks.Block[] texts = blocks.build();
        return new Recorded(
                new RecordedTexts(texts, slices.take(order)),
                new Recorded.FlowEvents(
                        new RecordedTexts(texts, flows.toArray()), flowNames.toArray(), flowIndexes.toArray()),
                new Recorded.Moments(new RecordedTexts(texts, marks.toArray()), markIndexes.toArray()),
                new Recorded.Metadata(
                        new RecordedTexts(texts, metadata.toArray()),
                        metadataNames.toArray(),
                        metadataProcesses.toArray(),
                        metadataThreads.toArray()));
    }

    private static void put(LongList places, int number, long place) {
        pad(places, number);
        if (places.size() == number) {
            places.add(place);
        } else {
            places.set(number, place);
        }
    }

    private static void pad(LongList places, int size) {
        while (places.size() < size) {
            places.add(-1);
        }
    }
}
