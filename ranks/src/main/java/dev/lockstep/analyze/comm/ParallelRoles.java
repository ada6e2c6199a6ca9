// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.derive.RankPasses;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What part each rank has in the run: its place in pipelines and in the groups that share data, layers, sequences or experts.
 * Groups say what they are for, or show it: messages from stage to stage, collectives inside of passes or behind them,
 * all-to-alls. What neither says nor shows it has no role.
 */
public final class ParallelRoles {
    /** Ways in which ranks share work. */
    enum Way {
        DATA("(?i)(^|[^a-z])(dp|fsdp|hsdp|ddp)([^a-z]|$)|data_?parallel|replicate"),
        PIPELINE("(?i)(^|[^a-z])pp([^a-z]|$)|pipeline"),
        TENSOR("(?i)(^|[^a-z])tp([^a-z]|$)|tensor"),
        CONTEXT("(?i)(^|[^a-z])(cp|sp)([^a-z]|$)|context|sequence"),
        EXPERT("(?i)(^|[^a-z])(ep|edp|etp)([^a-z]|$)|expert");

        private final Pattern said;

        Way(String said) {
            this.said = Pattern.compile(said);
        }

        /** As people abbreviate it. */
        String word() {
            return switch (this) {
                case DATA -> "dp";
                case PIPELINE -> "pp";
                case TENSOR -> "tp";
                case CONTEXT -> "cp";
                case EXPERT -> "ep";
            };
        }
    }

    /** A rank's places, and how they are known. */
    private record Row(int rank, Map<Way, Integer> places, List<String> evidence) {}

    private final List<Row> rows = new ArrayList<>();

    private ParallelRoles() {}

    /** Finds the roles of the ranks of a run. */
    public static ParallelRoles of(Collectives collectives, Pipelines pipelines) {
        ParallelRoles roles = new ParallelRoles();
        for (RankCollectives rank : collectives.match().ranks()) {
            roles.rows.add(row(rank, pipelines));
        }
        return roles;
    }

    private static Row row(RankCollectives rank, Pipelines pipelines) {
        Map<Way, Integer> places = new EnumMap<>(Way.class);
        Set<String> evidence = new LinkedHashSet<>();
        for (PipelineStep pipeline : pipelines.all()) {
            int stage = pipeline.ranks().indexOf(rank.rank());
            if (stage >= 0) {
                places.put(Way.PIPELINE, stage);
                evidence.add("pp: gets from and gives to ranks " + pipeline.ranks());
                break;
            }
        }
        Map<String, String> members = new TreeMap<>();
        Map<String, Set<CollectiveKind>> kinds = new TreeMap<>();
        for (CollectiveCall call : rank.calls()) {
            if (call.group() != null && call.groupRanks() != null) {
                members.put(call.group(), call.groupRanks());
                kinds.computeIfAbsent(call.group(), g -> EnumSet.noneOf(CollectiveKind.class))
                        .add(call.kind());
            }
        }
        members.forEach((group, listed) -> {
            long[] ranks = RankNumbers.of(listed);
            int place = placeOf(ranks, rank.rank());
            if (place < 0 || ranks.length < 2) {
                return;
            }
            String purpose = rank.purposes().getOrDefault(group, "");
            Way said = said(purpose);
            Way way = said == null ? shown(rank, group, ranks, kinds.getOrDefault(group, Set.of())) : said;
            if (way != null && places.putIfAbsent(way, place) == null) {
                evidence.add(
                        way.word() + ": group " + group + (said == null ? " " + why(way) : " is called " + purpose));
            }
        });
        return new Row(rank.rank(), places, List.copyOf(evidence));
    }

    private static int placeOf(long[] ranks, int rank) {
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == rank) {
                return i;
            }
        }
        return -1;
    }

    private static @Nullable Way said(String purpose) {
        Way found = null;
        for (Way way : Way.values()) {
            if (way.said.matcher(purpose).find()) {
                if (found != null) {
                    return null; // of several ways at once
                }
                found = way;
            }
        }
        return found;
    }

    /** By what a group does: all-to-alls alone, or collectives inside the passes of a pipeline's stage, or behind them. */
    private static @Nullable Way shown(RankCollectives rank, String group, long[] ranks, Set<CollectiveKind> kinds) {
        if (EnumSet.of(CollectiveKind.ALL_TO_ALL, CollectiveKind.ALL_TO_ALL_V).containsAll(kinds)) {
            return Way.EXPERT;
        }
        boolean messages = kinds.contains(CollectiveKind.SEND) || kinds.contains(CollectiveKind.RECEIVE);
        IntervalSet.Builder passing = new IntervalSet.Builder();
        for (RankPasses.Pass pass : rank.passes().all()) {
            if (pass.received() || pass.sends()) {
                passing.add(pass.start(), pass.end());
            }
        }
        IntervalSet passes = passing.build();
        if (messages || passes.isEmpty() || rank.info().worldSize() == ranks.length) {
            return null;
        }
        int inside = 0;
        int all = 0;
        for (int i = 0; i < rank.size(); i++) {
            if (group.equals(rank.call(i).group())) {
                long middle = rank.ts(i) + rank.dur(i) / 2;
                all++;
                inside += passes.within(middle, middle + 1) > 0 ? 1 : 0;
            }
        }
        return inside > all * 0.9 ? Way.TENSOR : inside < all * 0.1 ? Way.DATA : null;
    }

    private static String why(Way way) {
        return switch (way) {
            case EXPERT -> "only exchanges all to all";
            case TENSOR -> "meets inside of passes";
            default -> "meets outside of passes";
        };
    }

    /** Whether nothing is known. */
    public boolean isEmpty() {
        return rows.stream().allMatch(row -> row.places.isEmpty());
    }

    /** A row for each rank. */
    public Table table() {
        Fields<Row> fields = new Fields<Row>().add(id("rank", "The rank."), r -> (long) r.rank);
        for (Way way : Way.values()) {
            fields = fields.add(
                    id(
                            way.word(),
                            switch (way) {
                                case DATA ->
                                    "Place among the ranks that hold the same part of the model; missing if not known.";
                                case PIPELINE -> "Stage of the pipeline; missing if not known.";
                                case TENSOR -> "Place among the ranks that share each layer; missing if not known.";
                                case CONTEXT -> "Place among the ranks that share sequences; missing if not known.";
                                case EXPERT -> "Place among the ranks that share experts; missing if not known.";
                            }),
                    r -> r.places.containsKey(way) ? (long) r.places.get(way) : null);
        }
        return fields.add(
                        text("evidence", "How it is known."),
                        r -> r.evidence.isEmpty() ? null : String.join("; ", r.evidence))
                .table("parallel_roles", "Roles of ranks", rows);
    }
}
