// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Run;
import dev.lockstep.cli.Arguments;
import dev.lockstep.compare.Lateness;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.PartRoom;
import dev.lockstep.session.FileRanks;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The two recordings that {@code lockstep diff} compares: traces, or one rank of two runs. */
final class DiffInputs {
    @SuppressWarnings("NullAway.Init") // a required argument
    private String baseline;

    @SuppressWarnings("NullAway.Init") // a required argument
    private String candidate;

    private int rank = -1;

    /** The trace that is compared, what is known of the other ranks of its run, and whether all of them are there and whole. */
    record Side(Path file, Lateness lateness, boolean whole) {}

    void declare(Arguments arguments) {
        arguments.examples(
                "lockstep diff before.json.gz after.json.gz -o diff",
                "lockstep diff before.json.gz after.json.gz --fail-on-regression 5");
        arguments.argument(
                "BASELINE",
                String.class,
                "The trace to compare with, or all ranks of a run: a directory or a pattern.",
                given -> baseline = given);
        arguments.argument(
                "CANDIDATE", String.class, "The trace to compare, or all ranks of a run.", given -> candidate = given);
        arguments.number(
                "--rank",
                "N",
                0,
                "Of all ranks, the one to compare (default: a slow one, else the lowest).",
                given -> rank = given);
    }

    /** The two traces; of two runs those of one rank, and who is slow in each. */
    List<Side> sides(Lockstep lockstep, Progress progress, PrintWriter err) throws IOException {
        List<Path> before = TraceFiles.of(List.of(baseline));
        List<Path> after = TraceFiles.of(List.of(candidate));
        if (before.size() == 1 && after.size() == 1) {
            if (rank >= 0) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        "--rank needs all ranks of two runs",
                        "Name two directories or patterns.");
            }
            return List.of(
                    new Side(before.getFirst(), Lateness.UNKNOWN, true),
                    new Side(after.getFirst(), Lateness.UNKNOWN, true));
        }
        List<RankSet<KeptRank>> runs = new ArrayList<>();
        for (String input : List.of(baseline, candidate)) {
            Run run = lockstep.read(List.of(input), RankSelection.any());
            PartRoom room = new PartRoom(run.files().size());
            RankSet<KeptRank> ranks = run.withProgress(progress.reading(run.files()))
                    .readEach(trace -> room.keep(DerivedCache.believing(trace)));
            RankArguments.report(ranks, err);
            runs.add(ranks);
        }
        List<Lateness> lateness = runs.stream()
                .map(ranks ->
                        Lateness.of(new MatchedRanks(ranks, "", CollectiveOptions.standard(), lockstep.session())))
                .toList();
        int compared = rank >= 0 ? rank : usual(runs, lateness);
        return List.of(
                side(runs.getFirst(), baseline, compared, lateness.getFirst()),
                side(runs.getLast(), candidate, compared, lateness.getLast()));
    }

    /**
     * The slowest rank of the candidate, else of the baseline; without any the lowest that both have. One of which a part is
     * missing is compared only where there is no other.
     */
    private static int usual(List<RankSet<KeptRank>> runs, List<Lateness> lateness) {
        List<Integer> both = new ArrayList<>(whole(runs.getFirst()));
        both.retainAll(whole(runs.getLast()));
        if (both.isEmpty()) {
            both.addAll(numbers(runs.getFirst()));
            both.retainAll(numbers(runs.getLast()));
        }
        return Stream.concat(lateness.getLast().late().stream(), lateness.getFirst().late().stream())
                .filter(both::contains)
                .findFirst()
                .orElse(Collections.min(both.isEmpty() ? numbers(runs.getLast()) : both));
    }

    private static List<Integer> whole(RankSet<?> ranks) {
        return ranks.present().stream()
                .filter(Member::isWhole)
                .map(Member::rank)
                .toList();
    }

    private static List<Integer> numbers(RankSet<?> ranks) {
        return ranks.present().stream().map(Member::rank).toList();
    }

    private static Side side(RankSet<?> ranks, String input, int rank, Lateness lateness) {
        return ranks.present().stream()
                .filter(member -> member.rank() == rank)
                .map(member -> new Side(Objects.requireNonNull(member.file()), lateness, ranks.isComplete()))
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.OPTION_INVALID,
                        input + ": there is no rank " + rank,
                        "There are " + FileRanks.ranges(numbers(ranks)) + "."));
    }
}
