// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.ranks.RankCount;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** What was expected and found, as a person reads it: how much, and every gap. */
final class CoverageText {
    private static final int MOST_LISTED = 60;

    private CoverageText() {}

    /** Says what was there: a summary where that was everything, a problem otherwise. */
    static void say(Coverage coverage, GlobalOptions global, PrintWriter out, PrintWriter err) {
        if (!coverage.isComplete()) {
            print(coverage, err);
        } else if (!global.quiet()) {
            print(coverage, out);
        }
    }

    static void print(Coverage coverage, PrintWriter out) {
        int configurations = coverage.labels().size();
        int ranks = coverage.expected().values().stream().mapToInt(n -> n).sum();
        long used = coverage.parts().stream()
                .filter(part -> part.rank() >= 0 && part.state().isUsable())
                .count();
        List<String> aside = coverage.parts().stream()
                .filter(part -> part.state() == State.SET_ASIDE)
                .map(Part::source)
                .toList();
        List<Part> said = coverage.parts().stream()
                .filter(part -> !part.state().isWhole() || !part.note().isEmpty())
                .toList();
        out.println(String.format(
                Locale.ROOT,
                "coverage: %,d of %,d ranks%s in %,d %s%s",
                used,
                ranks,
                RankCount.besides(aside),
                configurations,
                configurations == 1 ? "configuration" : "configurations",
                coverage.isComplete() ? "" : ", not all whole"));
        int label = said.stream()
                .mapToInt(part -> part.configuration().length())
                .max()
                .orElse(0);
        said.stream().limit(MOST_LISTED).forEach(part -> out.println(line(part, label)));
        if (said.size() > MOST_LISTED) {
            out.println("  and " + (said.size() - MOST_LISTED) + " more, see coverage.csv");
        }
    }

    /** A run of which nothing could be used is an error. */
    static void demandSomething(Coverage coverage, String source) throws TraceFormatException {
        if (!coverage.isEmpty()) {
            return;
        }
        for (Part part : coverage.parts()) {
            if (part.state() == State.UNREADABLE) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT, source, -1, "no trace can be read", part.note());
            }
        }
        throw new UserException(
                ErrorCode.NOTHING_TO_DO,
                source + ": there is no trace to report",
                "Traces lie in torch_profiler/rank* of each configuration.");
    }

    private static String line(Part part, int width) {
        StringBuilder line = new StringBuilder("  ").append(part.configuration());
        line.append(" ".repeat(Math.max(0, width + 2 - part.configuration().length())));
        line.append(String.format(
                Locale.ROOT,
                "%-10s",
                part.rank() >= 0 ? "rank " + part.rank() : part.state() == State.MISSING ? "all ranks" : ""));
        line.append(String.format(Locale.ROOT, "%-11s", part.state()));
        if (!part.source().isEmpty() && !part.note().startsWith(part.source())) {
            line.append(part.source()).append(": ");
        }
        return line.append(part.note()).toString();
    }
}
