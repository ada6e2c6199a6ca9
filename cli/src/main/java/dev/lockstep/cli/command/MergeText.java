// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.MergeResult;
import dev.lockstep.analyze.trust.PassedOver;
import dev.lockstep.merge.MergeSummary;
import dev.lockstep.merge.MergeSummary.Part;
import dev.lockstep.merge.Reason;
import dev.lockstep.ranks.RankCount;
import dev.lockstep.session.FileRanks;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What the command says about a merge. */
final class MergeText {
    private MergeText() {}

    static void summary(MergeResult result, boolean withPath, PrintWriter out) {
        MergeSummary summary = result.summary();
        List<Integer> written = summary.ranks().stream()
                .filter(Part::isShown)
                .map(Part::rank)
                .sorted()
                .toList();
        out.println(result.file() + ": " + (written.size() == 1 ? "rank " : "ranks ") + FileRanks.ranges(written)
                + " of " + result.ranks().worldSize() + RankCount.besides(result.ranks()));
        line(out, "slices", sum(summary, Part::slices));
        line(out, "instants, counters", sum(summary, Part::marks));
        line(out, "ends of arrows", sum(summary, Part::flowEnds));
        if (withPath) {
            line(out, "arrows of the path", summary.pathArrows());
        }
        line(out, "on overlap rows", sum(summary, Part::overlapping));
        for (Map.Entry<Reason, Long> reason : summary.leftOut().entrySet()) {
            line(out, "left out", reason.getValue(), reason.getKey().text());
        }
        for (Map.Entry<String, Long> problem : summary.unusable().entrySet()) {
            line(
                    out,
                    PassedOver.isOfFile(problem.getKey()) ? "not merged" : "problems",
                    problem.getValue(),
                    problem.getKey());
        }
        List<Integer> filtered = summary.ranks().stream()
                .filter(part -> !part.isShown() && !part.isEmpty())
                .map(Part::rank)
                .toList();
        if (!filtered.isEmpty()) {
            out.println("  nothing passes the filters of " + (filtered.size() == 1 ? "rank " : "ranks ")
                    + FileRanks.ranges(filtered));
        }
        summary.clocks().forEach(text -> out.println("  " + text));
        if (result.manifest() != null) {
            out.println("  manifest for Perfetto: " + result.manifest());
        }
    }

    /** Names the ranks in whose files there is nothing. */
    static void empty(MergeSummary summary, PrintWriter err) {
        summary.ranks().stream()
                .filter(Part::isEmpty)
                .forEach(part ->
                        err.println("rank " + part.rank() + ": " + part.source() + ": there are no events in it"));
    }

    private static long sum(MergeSummary summary, ToLongFunction<Part> count) {
        return summary.ranks().stream().mapToLong(count).sum();
    }

    private static void line(PrintWriter out, String label, long count) {
        line(out, label, count, "");
    }

    private static void line(PrintWriter out, String label, long count, String what) {
        out.println(String.format(Locale.ROOT, "  %-20s%,15d  %s", label, count, what)
                .stripTrailing());
    }
}
