// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Run;
import dev.lockstep.cli.Arguments;
import dev.lockstep.dataset.DatasetFolder;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetReport;
import dev.lockstep.fleet.FleetRun;
import dev.lockstep.fleet.FleetRun.Member;
import dev.lockstep.fleet.FleetSteps;
import dev.lockstep.fleet.SlowRanks;
import dev.lockstep.fleet.SlowRanks.Slow;
import dev.lockstep.read.RankNames;
import dev.lockstep.report.Report;
import dev.lockstep.sql.FleetTables;
import dev.lockstep.sql.QuerySources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What {@code lockstep fleet} reads, a dataset or traces, and what it finds there. */
final class FleetInputs {
    private static final Set<String> GAPS = Set.of("missing", "unreadable", "partial", "doubled");

    private final RankArguments ranks = new RankArguments();

    /**
     * What was found.
     *
     * @param report the report
     * @param isWhole whether nothing of the run is missing
     */
    record Analysed(Report report, boolean isWhole) {}

    void declare(Arguments arguments) {
        ranks.declare(arguments);
    }

    /** What must not be overwritten. */
    List<Path> files() throws IOException {
        return isDataset() ? List.of(dataset()) : ranks.files();
    }

    /** What to call the run. */
    String name() throws IOException {
        return isDataset()
                ? String.valueOf(dataset().toAbsolutePath().normalize().getFileName())
                : ranks.runName();
    }

    private boolean isDataset() {
        return ranks.inputs().size() == 1 && new DatasetFolder(dataset()).exists();
    }

    private Path dataset() {
        return Path.of(ranks.inputs().getFirst());
    }

    /** Of ranks with several traces the latest count: thousands of others should not have to wait for that. */
    QuerySources open(Lockstep lockstep, Progress progress) throws IOException {
        if (isDataset()) {
            return QuerySources.of(lockstep, ranks.inputs(), null);
        }
        Run run = ranks.run(lockstep, progress);
        try {
            return QuerySources.sketch(run);
        } catch (UserException e) {
            if (e.code() != ErrorCode.RANK_AMBIGUOUS) {
                throw e;
            }
            return QuerySources.sketch(ranks.latest(lockstep, progress));
        }
    }

    /** Analyses the tables. */
    Analysed analyse(QuerySources sources, FleetArguments asked) throws IOException {
        FleetTables tables = FleetTables.of(sources.database(), asked.run());
        FleetSteps steps = tables.steps();
        SlowRanks slow = SlowRanks.of(steps);
        List<Integer> late = slow.slow().stream().map(Slow::rank).toList();
        List<FleetRun.Start> starts = tables.starts(SlowRanks.leastStart(steps)).stream()
                .filter(start -> slow.slow().stream()
                        .noneMatch(
                                s -> s.rank() == start.rank() && s.since() == 0 && s.excessNs() * 3 > start.lateNs()))
                .toList();
        FleetRun run = new FleetRun(
                members(tables),
                asked.places(tables.hosts(), steps.ranks()),
                tables.kernels(late),
                tables.groups(),
                starts);
        return new Analysed(
                FleetReport.of(run, steps, slow, String.join(" ", ranks.inputs())),
                run.ranks().stream().noneMatch(member -> GAPS.contains(member.status())));
    }

    /** The ranks, and the files that were passed over for others of their ranks. */
    private List<Member> members(FleetTables tables) throws IOException {
        List<Member> members = new ArrayList<>(tables.members());
        if (!isDataset()) {
            Set<String> taken = new HashSet<>();
            members.forEach(member -> taken.add(String.valueOf(member.file())));
            for (Path file : ranks.files()) {
                if (!taken.contains(file.toString())) {
                    members.add(new Member(
                            RankNames.rankOf(file).orElse(-1),
                            "doubled",
                            file.toString(),
                            "a later trace of the rank counts"));
                }
            }
        }
        return members;
    }
}
