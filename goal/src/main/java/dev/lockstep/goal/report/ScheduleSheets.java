// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.report;

import dev.lockstep.goal.generate.CollectiveTable;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleCounts.OfPair;
import dev.lockstep.goal.model.ScheduleCounts.OfRank;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.simulate.BusyTimeline;
import dev.lockstep.goal.simulate.BusyTimeline.Part;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.Comparator;
import java.util.List;

/** The sheets about a schedule. */
final class ScheduleSheets {
    static final String PAIRS = "schedule_pairs";
    static final String COLLECTIVES = "schedule_collectives";

    private ScheduleSheets() {}

    static Table ranks(
            ScheduleCounts counts, SimulatedTimes times, BusyTimeline timeline, List<RecordedSpan> recorded) {
        return new Fields<OfRank>()
                .add(ColumnSpec.id("rank", "Rank of the schedule."), OfRank::rank)
                .add(ColumnSpec.count("operations", "Calculations, sends and receives."), OfRank::operations)
                .add(ColumnSpec.count("messages sent", "How many."), OfRank::sends)
                .add(size("data sent", "Bytes of all messages that it sends."), OfRank::bytesSent)
                .add(size("data received", "Bytes of all messages that it receives."), OfRank::bytesReceived)
                .add(
                        time(
                                "calculating",
                                "Time in which any of its processors calculates; the time until it begins is among"
                                        + " it."),
                        row -> timeline.total(row.rank(), Part.CALCULATION))
                .add(
                        time("messages", "Time in which any of its processors sends or takes a message."),
                        row -> timeline.total(row.rank(), Part.MESSAGES))
                .add(
                        time("idle", "Time up to the makespan in which none of its processors is busy."),
                        row -> times.idleNs(row.rank()))
                .add(time("finish", "When it is done."), row -> times.finishNs()[row.rank()])
                .add(
                        time(
                                "recorded begin",
                                "When it began in the recording, behind the first rank; 0 where all begin together,"
                                        + " missing where nobody says it."),
                        row -> recorded.isEmpty()
                                ? null
                                : recorded.get(row.rank()).beginNs())
                .add(
                        time("recorded finish", "When it was done in the recording; missing likewise."),
                        row -> recorded.isEmpty()
                                ? null
                                : recorded.get(row.rank()).endNs())
                .table("schedule_ranks", "Ranks", counts.ranks());
    }

    static Table pairs(ScheduleCounts counts) {
        return new Fields<OfPair>()
                .add(ColumnSpec.id("from", "Rank that sends."), OfPair::from)
                .add(ColumnSpec.id("to", "Rank that receives."), OfPair::to)
                .add(ColumnSpec.count("messages", "How many."), OfPair::messages)
                .add(size("data", "Bytes of all of them."), OfPair::bytes)
                .table(PAIRS, "Pairs by data", byData(counts));
    }

    /** Pairs in the order of the sheet. */
    static List<OfPair> byData(ScheduleCounts counts) {
        return counts.pairs().stream()
                .sorted(Comparator.comparingLong(OfPair::bytes)
                        .reversed()
                        .thenComparingInt(OfPair::from)
                        .thenComparingInt(OfPair::to))
                .toList();
    }

    static Table collectives(List<CollectiveTable.Row> collectives) {
        return new Fields<CollectiveTable.Row>()
                .add(
                        ColumnSpec.text("collective", "What it does, in the library's words."),
                        CollectiveTable.Row::collective)
                .add(ColumnSpec.count("ranks", "Ranks of its communicator."), r -> (long) r.ranks())
                .add(size("data", "Bytes that the call of a rank names."), CollectiveTable.Row::bytes)
                .add(
                        ColumnSpec.text("algorithm", "How it is carried out; missing for messages."),
                        r -> r.algorithm().isEmpty() ? null : r.algorithm())
                .add(
                        ColumnSpec.text("protocol", "How data is put on the wire; missing for messages."),
                        r -> r.protocol().isEmpty() ? null : r.protocol())
                .add(
                        ColumnSpec.count("channels", "How many it uses; missing for messages."),
                        r -> r.channels() == 0 ? null : (long) r.channels())
                .add(ColumnSpec.count("count", "How many there are that are alike."), CollectiveTable.Row::count)
                .table(COLLECTIVES, "Collectives", collectives);
    }

    private static ColumnSpec time(String header, String doc) {
        return ColumnSpec.whole(header + " ms", Unit.NANOSECONDS, Unit.MILLISECONDS, doc);
    }

    private static ColumnSpec size(String header, String doc) {
        return ColumnSpec.whole(header + " MiB", Unit.BYTES, Unit.MEBIBYTES, doc);
    }
}
