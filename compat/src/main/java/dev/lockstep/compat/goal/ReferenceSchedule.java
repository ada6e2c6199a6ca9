// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.generate.CpuRange;
import dev.lockstep.goal.generate.MessageCensus;
import dev.lockstep.goal.generate.MessageCounts;
import dev.lockstep.goal.generate.OperationWriter;
import dev.lockstep.goal.generate.PrimitiveWriter;
import dev.lockstep.goal.generate.RankSchedule;
import dev.lockstep.goal.generate.ScheduleRules;
import dev.lockstep.goal.generate.TagFormat;
import dev.lockstep.goal.generate.TagNeeds;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.schedule.ScheduleSink;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The schedule of a rank as the reference writes it. */
final class ReferenceSchedule implements RankSchedule {
    private final RecordedRun recording;
    private final int self;
    private final ScheduleRules rules;
    private final ReferenceStreams streams;
    private final TagNeeds needs;

    ReferenceSchedule(
            RecordedRun recording, int self, ScheduleRules rules, ReferenceStreams streams, MessageCensus census)
            throws IOException {
        this.recording = recording;
        this.self = self;
        this.rules = rules;
        this.streams = streams;
        this.needs = count(census);
    }

    @Override
    public TagNeeds needs() {
        return needs;
    }

    private TagNeeds count(MessageCensus census) throws IOException {
        ReferenceTags tags = new ReferenceTags(new TagFormat(0, 0));
        TagNeeds largest = TagNeeds.NONE;
        for (int[] stream : streams.streams()) {
            Set<Integer> done = new HashSet<>();
            for (int place : stream) {
                for (int member : streams.members(place, done)) {
                    largest = largest.and(count(census, member, tags));
                }
            }
        }
        return largest;
    }

    private TagNeeds count(MessageCensus census, int place, ReferenceTags tags) throws IOException {
        TagNeeds largest = new TagNeeds(0, streams.labels()[place], "");
        tags.label(streams.labels()[place]);
        MessageCounts counts = census.of(streams.operations().get(place));
        for (int i = 0; i < counts.size(); i++) {
            int peer = counts.peer(i);
            String there = "messages from rank " + self + " to rank " + peer;
            String back = "messages from rank " + peer + " to rank " + self;
            largest = largest.and(new TagNeeds(tags.skip(peer, true, counts.sent(i)), 0, there))
                    .and(new TagNeeds(tags.skip(peer, false, counts.received(i)), 0, back));
        }
        return largest;
    }

    @Override
    public void write(ScheduleSink sink, TagFormat format) throws IOException {
        ReferenceTags tags = new ReferenceTags(format);
        int cpu = 0;
        for (int[] stream : streams.streams()) {
            NestedComposition blocks = new NestedComposition(sink);
            PrimitiveWriter primitives = new PrimitiveWriter(
                    self, rules.nodes(), rules.wire(), rules.costs().forRank(self), sink, blocks, tags);
            OperationWriter writer = new OperationWriter(self, recording.communicators(), rules, blocks, primitives);
            cpu = stream(stream, cpu, sink, blocks, writer, tags);
        }
    }

    /** Writes a stream; returns the first cpu that it leaves free. */
    private int stream(
            int[] stream,
            int first,
            ScheduleSink sink,
            NestedComposition blocks,
            OperationWriter writer,
            ReferenceTags tags)
            throws IOException {
        Set<Integer> done = new HashSet<>();
        CpuRange cpus = CpuRange.from(first);
        int used = 0;
        long end = 0;
        for (int place : stream) {
            List<Integer> members = streams.members(place, done);
            if (members.isEmpty()) {
                continue;
            }
            RecordedOperation operation = streams.operations().get(place);
            if (end > 0) {
                blocks.add(sink.calc(Math.max(0, operation.start() - end), first));
            }
            end = operation.end();
            boolean grouped = operation.group() >= 0;
            if (grouped) {
                blocks.parallel(first);
            }
            int next = 0;
            for (int member : members) {
                tags.label(streams.labels()[member]);
                RecordedOperation o = streams.operations().get(member);
                writer.write(o, cpus, next);
                next += OperationWriter.cpus(o, rules);
            }
            if (grouped) {
                blocks.close();
            }
            used = Math.max(used, next);
        }
        return first + used;
    }
}
