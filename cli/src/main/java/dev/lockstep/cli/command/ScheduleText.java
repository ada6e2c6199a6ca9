// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleCounts.OfPair;
import dev.lockstep.goal.model.ScheduleCounts.OfRank;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What schedules hold, for people. */
final class ScheduleText {
    private static final int ROWS = 32;

    private ScheduleText() {}

    /** One line. */
    static String summary(ScheduleCounts counts) {
        return String.format(
                Locale.ROOT,
                "%,d ranks, %,d operations, %,d dependencies, %,d messages",
                counts.ranks().size(),
                counts.operations(),
                counts.dependencies(),
                counts.messages());
    }

    /** A row for each rank, and the pairs that move most. */
    static void counts(PrintWriter out, ScheduleCounts counts) {
        out.println(String.format(
                Locale.ROOT,
                "%6s %12s %12s %18s %12s %12s %20s %20s %12s %5s",
                "rank",
                "operations",
                "calcs",
                "calc ns",
                "sends",
                "receives",
                "bytes sent",
                "bytes received",
                "requires",
                "cpus"));
        for (OfRank rank :
                counts.ranks().subList(0, Math.min(ROWS, counts.ranks().size()))) {
            out.println(String.format(
                    Locale.ROOT,
                    "%6d %,12d %,12d %,18d %,12d %,12d %,20d %,20d %,12d %5d",
                    rank.rank(),
                    rank.operations(),
                    rank.calcs(),
                    rank.calcNs(),
                    rank.sends(),
                    rank.receives(),
                    rank.bytesSent(),
                    rank.bytesReceived(),
                    rank.requires() + rank.irequires(),
                    rank.cpus()));
        }
        more(out, counts.ranks().size(), "ranks");
        pairs(out, counts.pairs());
    }

    private static void pairs(PrintWriter out, List<OfPair> pairs) {
        if (pairs.isEmpty()) {
            return;
        }
        out.println(String.format(Locale.ROOT, "%6s %6s %12s %20s", "from", "to", "messages", "bytes"));
        List<OfPair> most = pairs.stream()
                .sorted(Comparator.comparingLong(OfPair::bytes)
                        .reversed()
                        .thenComparingInt(OfPair::from)
                        .thenComparingInt(OfPair::to))
                .limit(ROWS)
                .toList();
        for (OfPair pair : most) {
            out.println(String.format(
                    Locale.ROOT, "%6d %6d %,12d %,20d", pair.from(), pair.to(), pair.messages(), pair.bytes()));
        }
        more(out, pairs.size(), "pairs, the largest are shown");
    }

    private static void more(PrintWriter out, int all, String what) {
        if (all > ROWS) {
            out.println(String.format(Locale.ROOT, "%6s of %,d %s; --json has all", "…", all, what));
        }
    }
}
