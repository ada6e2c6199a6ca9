// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.generate.Timeline.Item;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.DirectComposition;
import dev.lockstep.goal.schedule.ScheduleSink;
import dev.lockstep.table.IntList;
import java.io.IOException;
import java.util.List;

/** The schedule of a rank, operation by operation in order of time. */
public final class TimelineSchedule implements RankSchedule {
    private static final int CPUS = 256;

    private final RecordedRun recording;
    private final int self;
    private final ScheduleRules rules;
    private final TimelineOptions options;
    private final Timeline timeline;
    private final long origin;
    private final DenseTags tags;
    private final CpuRange[] cpus;

    /**
     * What a rank did, and from when on.
     *
     * @param origin when its schedule begins, on its own clock in nanoseconds
     */
    record Course(Timeline timeline, long origin) {}

    TimelineSchedule(
            RecordedRun recording,
            int self,
            ScheduleRules rules,
            TimelineOptions options,
            Course course,
            int[] parallelisms,
            OperationBudget budget)
            throws IOException {
        this.recording = recording;
        this.self = self;
        this.rules = rules;
        this.options = options;
        this.timeline = course.timeline;
        this.origin = course.origin;
        this.tags = DenseTags.of(
                recording.gpus().get(self).operations(),
                new MessageCensus(recording, self, rules, budget),
                options.label(),
                parallelisms,
                self);
        this.cpus = cpus(timeline);
    }

    @Override
    public TagNeeds needs() {
        return tags.needs();
    }

    /** What the tags of this rank's messages mean. */
    public DenseTags tags() {
        return tags;
    }

    /** Streams have cpus of their own; where there are not enough, channels share those of their stream. */
    private CpuRange[] cpus(Timeline timeline) {
        int[] wanted = new int[timeline.streams()];
        List<RecordedOperation> operations = timeline.gpu().operations();
        for (Item item : timeline.items()) {
            int sum = 0;
            for (int place : item.operations()) {
                sum += OperationWriter.cpus(operations.get(place), rules);
            }
            int stream = item.streams()[0];
            wanted[stream] = Math.max(wanted[stream], sum);
        }
        int most = CPUS;
        while (most > 1 && total(wanted, most) > CPUS) {
            most--;
        }
        CpuRange[] ranges = new CpuRange[wanted.length];
        int first = 0;
        for (int stream = 0; stream < wanted.length; stream++) {
            int count = Math.max(1, Math.min(wanted[stream], most));
            ranges[stream] = new CpuRange(first % CPUS, count);
            first += count;
        }
        return ranges;
    }

    private static long total(int[] wanted, int most) {
        long total = 0;
        for (int cpus : wanted) {
            total += Math.max(1, Math.min(cpus, most));
        }
        return total;
    }

    @Override
    public void write(ScheduleSink sink, TagFormat format) throws IOException {
        new Writing(sink, format).run();
    }

    private final class Writing {
        private final ScheduleSink sink;
        private final DirectComposition blocks;
        private final DenseTags.Giver giver;
        private final OperationWriter writer;
        /** The last operations of the last item of each stream, and of items that others may wait for. */
        private final IntList[] last = new IntList[timeline.streams()];

        private final int[] lastItem = new int[timeline.streams()];
        private final int[] ends;
        private final int[][] waits = timeline.waits(options.acrossStreams());

        Writing(ScheduleSink sink, TagFormat format) {
            this.sink = sink;
            blocks = new DirectComposition(sink);
            giver = tags.giver(format);
            PrimitiveWriter primitives = new PrimitiveWriter(
                    self, rules.nodes(), rules.wire(), rules.costs().forRank(self), sink, blocks, giver);
            writer = new OperationWriter(self, recording.communicators(), rules, blocks, primitives);
            ends = options.acrossStreams() ? new int[timeline.items().size()] : new int[0];
            for (int i = 0; i < last.length; i++) {
                last[i] = new IntList(8);
                lastItem[i] = -1;
            }
        }

        void run() throws IOException {
            for (int place = 0; place < waits.length; place++) {
                item(place, timeline.items().get(place));
            }
            for (int i = 0; options.wholeWindow() && i < last.length; i++) {
                long rest = lastItem[i] < 0
                        ? 0
                        : timeline.gpu().windowEnd()
                                - timeline.items().get(lastItem[i]).end();
                if (rest > 0) {
                    blocks.restart();
                    await(i);
                    blocks.add(sink.calc(rest, cpus[i].of(0)));
                }
            }
        }

        private void item(int place, Item item) throws IOException {
            blocks.restart();
            long before = waits[place].length == 0 ? origin : Long.MIN_VALUE;
            for (int waited : waits[place]) {
                before = Math.max(before, timeline.items().get(waited).end());
                if (options.acrossStreams()) {
                    blocks.await(ends[waited]);
                }
            }
            for (int stream : item.streams()) {
                if (!options.acrossStreams()) {
                    await(stream);
                }
            }
            CpuRange range = cpus[item.streams()[0]];
            gap(item, before, range.of(0));
            if (!operations(item, range)) {
                blocks.add(sink.calc(item.end() - item.start(), range.of(0)));
            }
            if (options.acrossStreams()) {
                if (blocks.waiting() > 1) {
                    blocks.add(sink.calc(0, range.of(0)));
                }
                ends[place] = blocks.waitingFor(0);
            }
            for (int stream : item.streams()) {
                lastItem[stream] = place;
                blocks.copyWaiting(last[stream]);
            }
        }

        private void gap(Item item, long before, int cpu) throws IOException {
            long gap = item.start() - before;
            if (gap > 0 || blocks.waiting() > 1) {
                blocks.add(sink.calc(Math.max(0, gap), cpu));
            }
        }

        /** Whether anything was written. */
        private boolean operations(Item item, CpuRange range) throws IOException {
            boolean many = item.operations().length > 1;
            if (many) {
                blocks.parallel(range.of(0));
            }
            int cpu = 0;
            long before = blocks.added();
            for (int place : item.operations()) {
                RecordedOperation operation = timeline.gpu().operations().get(place);
                giver.operation(place);
                writer.write(operation, range, cpu);
                cpu += OperationWriter.cpus(operation, rules);
            }
            if (many) {
                blocks.close();
            }
            return blocks.added() > before;
        }

        private void await(int stream) {
            for (int i = 0; i < last[stream].size(); i++) {
                blocks.await(last[stream].get(i));
            }
        }
    }
}
