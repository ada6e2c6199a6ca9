// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.RankKinds;
import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetRun;
import dev.lockstep.fleet.FleetSource;
import dev.lockstep.fleet.SlowLinks;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust;
import dev.lockstep.table.ColumnSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes from the tables of a run what a report of very many ranks needs. */
public final class FleetTables implements FleetSource {
    /** What is asked of the tables of a run that is read for this alone: columns, and of kernels their sums over steps. */
    static final Map<DatasetTable, UnaryOperator<String>> NEEDED = Map.of(
            DatasetTables.STEPS,
            rows ->
                    "SELECT rank, step, step_index, activities, period_ns, own_ns, computation_ns, exposed_copies_ns FROM "
                            + rows,
            DatasetTables.KERNELS,
            rows -> "SELECT rank, name, dims, kernel_class, max(step) AS step, sum(\"count\") AS \"count\","
                    + " sum(sum_ns) AS sum_ns FROM " + rows
                    + " WHERE kernel_class IN ('compute', 'communication') GROUP BY rank, name, dims, kernel_class,"
                    + " step IS NULL",
            DatasetTables.COLLECTIVES,
            rows -> "SELECT rank, instance, \"group\", kind, bytes, group_size, ranks_found, ts_ns, wait_ns,"
                    + " transfer_ns, peer FROM " + rows,
            DatasetTables.RANKS,
            rows -> "SELECT rank, status, file, note, host, clock_offset_ns, clock_error_ns, clock_drift_ppm FROM "
                    + rows,
            DatasetTables.TRUST,
            rows -> "SELECT rank, code, \"count\", of_count, share, text, withheld, advice FROM " + rows,
            DatasetTables.SLOW_RANKS,
            rows -> "SELECT rank, slow, gain_ns, remaining_ns, together_ns, of_ns, confidence FROM " + rows);

    /** Columns whose numbers are places, and the last that there can be. */
    private static final Map<String, Long> PLACES = Map.of("rank", 131_071L, "step_index", 9_999_999L);

    /** No other number, a time in ns among them, is beyond it: differences of two stay whole numbers of 64 bits. */
    private static final long LARGEST = 1L << 61;

    /** Places of steps of ranks that a table may have, 32 bytes each. */
    private static final long MOST_CELLS = 100_000_000;

    private final QueryDatabase database;
    private final String run;

    private FleetTables(QueryDatabase database, String run) {
        this.database = database;
        this.run = DuckDatabase.text(run);
    }

    /** The tables of a dataset that are asked, and that it must have. */
    public static Set<DatasetTable> tables() {
        Set<DatasetTable> tables = new HashSet<>(NEEDED.keySet());
        tables.remove(DatasetTables.SLOW_RANKS);
        tables.remove(DatasetTables.TRUST);
        return tables;
    }

    /**
     * The tables of a run.
     *
     * @param name of the run, null for the only one
     * @throws UserException when there is none of that name, or several and none is named
     * @throws TraceFormatException when the tables are not what a dataset has
     */
    public static FleetTables of(QueryDatabase database, @Nullable String name) throws IOException {
        for (DatasetTable table : tables()) {
            check(
                    database,
                    table,
                    new HashSet<>(Arrays.asList(
                            Objects.requireNonNull(NEEDED.get(table)).apply("").split("\\W+"))));
        }
        List<String> runs = new ArrayList<>();
        rows(database, "SELECT DISTINCT run FROM ranks ORDER BY 1", row -> runs.add(String.valueOf(row.get(0))));
        if (name == null ? runs.size() != 1 : !runs.contains(name)) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            name == null
                                    ? "the dataset has " + runs.size() + " runs"
                                    : "the dataset has no run " + name,
                            "Say which is meant: " + String.join(", ", runs).replaceAll("\\R", " ") + ".")
                    .about("run of a dataset");
        }
        return new FleetTables(database, name == null ? runs.getFirst() : name);
    }

    /** That the columns are of the types of a dataset, and numbers of a size that they can have. */
    private static void check(QueryDatabase database, DatasetTable table, Set<String> needed) throws IOException {
        Map<String, String> found = database.columns(table.name());
        List<String> sound = new ArrayList<>();
        for (ColumnSpec column : table.schema().columns()) {
            String name = column.header();
            if (!needed.contains(name)) {
                continue;
            }
            String type = found.getOrDefault(name, "missing");
            boolean whole = type.endsWith("INT") || type.equals("INTEGER");
            boolean sameType = switch (column.type()) {
                case LONG -> whole;
                case DOUBLE -> type.equals("DOUBLE");
                default -> type.equals("VARCHAR");
            };
            if (!sameType) {
                throw database.unexpected(table.name(), "the column " + name + " is " + type);
            }
            if (whole) {
                Long most = PLACES.get(name);
                sound.add("coalesce(" + DuckDatabase.quoted(name) + ", 0) BETWEEN "
                        + (most == null ? -LARGEST + " AND " + LARGEST : "0 AND " + most));
            }
        }
        try (QueryAnswer answer = database.query(
                "SELECT count(*) FROM " + table.name() + " WHERE NOT (" + String.join(" AND ", sound) + ")")) {
            List<@Nullable Object> unsound = answer.next();
            if (unsound != null && number(unsound.getFirst()) > 0) {
                throw database.unexpected(table.name(), unsound.getFirst() + " rows hold numbers that cannot be");
            }
        }
    }

    private interface Row {
        void accept(List<@Nullable Object> cells);
    }

    private static void rows(QueryDatabase database, String query, Row row) throws IOException {
        try (QueryAnswer answer = database.query(query)) {
            for (List<@Nullable Object> cells = answer.next(); cells != null; cells = answer.next()) {
                row.accept(cells);
            }
        }
    }

    private static double number(@Nullable Object cell) {
        return cell instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static int whole(@Nullable Object cell) {
        return (int) count(cell);
    }

    private static long count(@Nullable Object cell) {
        return cell instanceof Number number ? number.longValue() : -1;
    }

    @Override
    public FleetSteps steps() throws IOException {
        StepsByRank steps = new StepsByRank();
        rows(
                database,
                "SELECT rank, step, step_index, period_ns, own_ns, computation_ns, exposed_copies_ns FROM steps WHERE run = "
                        + run
                        + " AND step_index IS NOT NULL AND activities > 0 AND period_ns IS NOT NULL AND own_ns IS NOT NULL"
                        + " ORDER BY rank, step_index",
                row -> steps.add(whole(row.get(0)), step(row)));
        int[] ranks = steps.ranks();
        int number = steps.numbers().length;
        if ((long) ranks.length * number > MOST_CELLS) {
            throw database.unexpected("steps", ranks.length + " ranks of up to " + number + " steps are too many");
        }
        return steps.sideBySide(kinds(ranks));
    }

    private static StepsByRank.Step step(List<@Nullable Object> row) {
        return new StepsByRank.Step(
                count(row.get(1)),
                whole(row.get(2)),
                count(row.get(3)),
                count(row.get(4)),
                count(row.get(5)),
                count(row.get(6)));
    }

    private int[] kinds(int[] ranks) throws IOException {
        Map<Integer, Set<String>> groups = groupsOfStages();
        TreeMap<Integer, RankKinds.Member> members = new TreeMap<>();
        rows(
                database,
                "WITH kernels_of AS (SELECT * FROM kernels WHERE run = " + run + "), own AS (SELECT rank, count(*) AS n"
                        + " FROM steps WHERE run = " + run + " AND step_index IS NOT NULL AND activities > 0 GROUP BY"
                        + " rank), launched AS (SELECT rank, name, sum(\"count\") / coalesce(any_value(n), 1) AS often FROM"
                        + " kernels_of LEFT JOIN own USING (rank) WHERE kernel_class = 'compute' GROUP BY rank, name),"
                        + " computing AS (SELECT rank, list(name ORDER BY name) AS names, list(often ORDER BY name) AS"
                        + " launches FROM launched GROUP BY rank), calls AS (SELECT rank, name,"
                        + " sum(\"count\") / any_value(n) AS often FROM kernels_of JOIN own USING (rank) WHERE"
                        + " kernel_class = 'communication' AND step IS NOT NULL GROUP BY rank, name), messages AS"
                        + " (SELECT rank, list(name ORDER BY name) AS called, list(often ORDER BY name) AS often FROM"
                        + " calls GROUP BY rank), sides AS (SELECT rank, bit_or(CASE WHEN peer < rank THEN 1 WHEN peer >"
                        + " rank THEN 2 WHEN peer IS NULL AND kind IN ('send', 'recv', 'send_recv') THEN 4 ELSE 0 END) AS"
                        + " neighbours FROM collectives WHERE run = " + run
                        + " GROUP BY rank), work AS (SELECT rank, names, called, often, coalesce(neighbours, 0) AS"
                        + " neighbours, launches FROM computing"
                        + " LEFT JOIN messages USING (rank) LEFT JOIN sides USING (rank)) SELECT names, coalesce(called, []),"
                        + " coalesce(often, []), list_sort(list(rank)) AS ranks, neighbours, launches FROM work"
                        + " GROUP BY names, called, often, neighbours, launches ORDER BY ranks[1]",
                row -> {
                    List<?> called = (List<?>) row.get(1);
                    List<?> often = (List<?>) row.get(2);
                    Map<String, Double> messages = new HashMap<>();
                    for (int i = 0; i < called.size(); i++) {
                        messages.put(String.valueOf(called.get(i)), number(often.get(i)));
                    }
                    List<?> names = (List<?>) row.get(0);
                    List<?> launches = (List<?>) row.get(5);
                    Map<String, Double> computing = new HashMap<>();
                    for (int i = 0; i < names.size(); i++) {
                        computing.put(String.valueOf(names.get(i)), number(launches.get(i)));
                    }
                    RankKinds.Work work = new RankKinds.Work(computing, messages, whole(row.get(4)));
                    for (Object rank : (List<?>) row.get(3)) {
                        members.put(
                                whole(rank), new RankKinds.Member(work, groups.getOrDefault(whole(rank), Set.of())));
                    }
                });
        Map<Integer, Integer> kinds = RankKinds.of(members);
        return Arrays.stream(ranks).map(rank -> kinds.getOrDefault(rank, 0)).toArray();
    }

    /** By rank, as {@link RankKinds#groupsOfStage}: a group is told by its name and the first of its ranks that are here. */
    private Map<Integer, Set<String>> groupsOfStages() throws IOException {
        Map<Integer, Set<String>> groups = new HashMap<>();
        rows(
                database,
                "WITH own AS (SELECT * FROM collectives WHERE run = " + run + "), peers AS (SELECT DISTINCT rank, peer"
                        + " FROM own WHERE peer IS NOT NULL), unknown AS (SELECT DISTINCT rank FROM own WHERE peer IS NULL"
                        + " AND kind IN ('send', 'recv', 'send_recv')), instances AS (SELECT instance, min(rank) AS first"
                        + " FROM own WHERE peer IS NULL AND ranks_found > 1 GROUP BY instance), members AS (SELECT DISTINCT"
                        + " rank, concat_ws(' ', first, group_size, \"group\") AS members FROM own JOIN instances"
                        + " USING (instance) SEMI JOIN peers USING (rank) ANTI JOIN unknown USING (rank)), mixed AS (SELECT"
                        + " p.rank, o.members FROM peers p JOIN members o ON o.rank = p.peer) SELECT rank, members FROM"
                        + " members ANTI JOIN mixed USING (rank, members)",
                row -> groups.computeIfAbsent(whole(row.get(0)), rank -> new HashSet<>())
                        .add(String.valueOf(row.get(1))));
        return groups;
    }

    @Override
    public List<FleetRun.Member> members() throws IOException {
        List<FleetRun.Member> members = new ArrayList<>();
        rows(
                database,
                "SELECT rank, status, file, note, clock_offset_ns, clock_error_ns, clock_drift_ppm FROM ranks WHERE run = "
                        + run + " ORDER BY rank NULLS LAST, file",
                row -> members.add(new FleetRun.Member(
                        whole(row.get(0)),
                        String.valueOf(row.get(1)),
                        (String) row.get(2),
                        (String) row.get(3),
                        row.get(4) instanceof Long offset
                                ? new FleetRun.Clock(offset, count(row.get(5)), number(row.get(6)))
                                : null)));
        return members;
    }

    @Override
    public Map<Integer, String> hosts() throws IOException {
        TreeMap<Integer, String> hosts = new TreeMap<>();
        rows(
                database,
                "SELECT rank, host FROM ranks WHERE run = " + run + " AND host IS NOT NULL AND rank IS NOT NULL",
                row -> hosts.put(whole(row.get(0)), String.valueOf(row.get(1))));
        return hosts;
    }

    @Override
    public Trust trust() throws IOException {
        if (!database.tables().contains(DatasetTables.TRUST.name())) {
            return Trust.SOUND; // an older dataset
        }
        check(
                database,
                DatasetTables.TRUST,
                Set.of("rank", "code", "count", "of_count", "share", "text", "withheld", "advice"));
        List<Trust.Reason> reasons = new ArrayList<>();
        rows(
                database,
                "SELECT code, \"count\", of_count, share, text, withheld, advice FROM trust WHERE run = " + run
                        + " AND rank IS NULL ORDER BY ALL",
                row -> reasons.add(new Trust.Reason(
                        text(row.get(0)),
                        count(row.get(1)),
                        count(row.get(2)),
                        row.get(3) == null ? 0 : number(row.get(3)),
                        text(row.get(4)),
                        topics(text(row.get(5))),
                        text(row.get(6)))));
        return new Trust(reasons);
    }

    private static Set<Topic> topics(String words) {
        return Arrays.stream(words.split(" "))
                .map(Topic::of)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private static String text(@Nullable Object cell) {
        return cell == null ? "" : String.valueOf(cell);
    }

    @Override
    public RankGains gains(List<Integer> slow) throws IOException {
        if (!database.tables().contains(DatasetTables.SLOW_RANKS.name())) {
            return RankGains.NONE; // an older dataset
        }
        check(database, DatasetTables.SLOW_RANKS, Set.of("rank", "gain_ns", "remaining_ns", "together_ns", "of_ns"));
        List<RankGains.Row> rows = new ArrayList<>();
        List<Integer> priced = new ArrayList<>();
        double[] run = {0, 0, Double.NaN};
        rows(
                database,
                "SELECT rank, slow, gain_ns, remaining_ns, together_ns, of_ns, confidence FROM slow_ranks WHERE run = "
                        + this.run + " AND gain_ns IS NOT NULL ORDER BY rank",
                row -> {
                    int rank = whole(row.get(0));
                    rows.add(new RankGains.Row(rank, count(row.get(2)), count(row.get(3))));
                    if (Boolean.TRUE.equals(row.get(1))) {
                        priced.add(rank);
                    }
                    run[0] = number(row.get(4));
                    run[1] = number(row.get(5));
                    run[2] = number(row.get(6));
                });
        return rows.isEmpty() ? RankGains.NONE : new RankGains((long) run[1], (long) run[0], run[2], priced, rows);
    }

    @Override
    public List<FleetRun.Kernel> kernels(List<Integer> ranks) throws IOException {
        List<FleetRun.Kernel> kernels = new ArrayList<>();
        if (ranks.isEmpty()) {
            return kernels;
        }
        String wanted = String.join(", ", ranks.stream().map(String::valueOf).toList());
        rows(
                database,
                "WITH sums AS (SELECT rank, name, dims, sum(\"count\") AS n, sum(sum_ns) AS ns FROM kernels WHERE run"
                        + " = "
                        + run + " AND kernel_class = 'compute' AND step IS NOT NULL GROUP BY rank, name, dims),"
                        + " middle AS (SELECT name, dims, quantile_disc(n, 0.5) AS n, quantile_disc(ns, 0.5) AS ns"
                        + " FROM sums GROUP BY name, dims HAVING count(*) >= 3)"
                        + " SELECT s.rank, s.name, s.dims, s.n, m.n, s.ns / m.ns, s.ns - m.ns FROM sums s JOIN middle m"
                        + " ON s.name = m.name AND s.dims IS NOT DISTINCT FROM m.dims"
                        + " WHERE s.rank IN (" + wanted + ") AND m.ns > 0 AND s.ns > m.ns QUALIFY row_number() OVER"
                        + " (PARTITION BY s.rank ORDER BY s.ns - m.ns DESC, s.name,"
                        + " s.dims) <= 5 ORDER BY s.rank, s.ns - m.ns DESC, s.name,"
                        + " s.dims",
                row -> kernels.add(new FleetRun.Kernel(
                        whole(row.get(0)),
                        String.valueOf(row.get(1)),
                        (String) row.get(2),
                        count(row.get(3)),
                        count(row.get(4)),
                        number(row.get(5)),
                        number(row.get(6)))));
        return kernels;
    }

    @Override
    public List<FleetRun.Group> groups() throws IOException {
        List<FleetRun.Group> groups = new ArrayList<>();
        rows(
                database,
                "WITH instances AS (SELECT instance, \"group\", kind, bytes, group_size, median(transfer_ns) AS ns,"
                        + " list(rank) AS ranks FROM collectives WHERE run = " + run
                        + " AND transfer_ns IS NOT NULL AND ranks_found > 1 GROUP BY instance, \"group\", kind, bytes,"
                        + " group_size), medians AS (SELECT \"group\", kind, bytes, group_size, median(ns) AS ns,"
                        + " count(*) AS n, any_value(ranks ORDER BY instance) AS ranks FROM instances GROUP BY ALL),"
                        + " likes AS (SELECT kind, bytes, group_size, median(ns) AS middle, mad(ns) AS spread,"
                        + " count(*) AS groups FROM medians GROUP BY ALL)"
                        + " SELECT m.\"group\", m.kind, m.bytes, m.ranks, m.ns / l.middle, l.groups - 1,"
                        + " (m.ns - l.middle) * m.n FROM medians m JOIN likes l ON m.kind = l.kind"
                        + " AND m.bytes IS NOT DISTINCT FROM l.bytes AND m.group_size IS NOT DISTINCT FROM l.group_size"
                        + " WHERE l.groups >= " + SlowLinks.FEWEST_GROUPS + " AND l.middle > 0 AND m.ns > "
                        + SlowLinks.LEAST_RATIO
                        + " * l.middle"
                        + " AND m.ns - l.middle > " + SlowLinks.DEVIATIONS + " * l.spread"
                        + " ORDER BY 7 DESC, 1, 2, 3",
                row -> groups.add(new FleetRun.Group(
                        String.valueOf(row.get(0)),
                        String.valueOf(row.get(1)),
                        row.get(2) instanceof Long bytes ? bytes : -1,
                        new TreeSet<>(((List<?>) row.get(3))
                                        .stream().map(FleetTables::whole).toList())
                                .stream().toList(),
                        number(row.get(4)),
                        whole(row.get(5)),
                        number(row.get(6)))));
        return groups;
    }

    @Override
    public List<FleetRun.Start> starts(double least) throws IOException {
        List<FleetRun.Start> starts = new ArrayList<>();
        rows(
                database,
                "WITH waits AS (SELECT * FROM collectives WHERE run = " + run
                        + " AND wait_ns IS NOT NULL AND ranks_found > 1),"
                        + " first AS (SELECT rank, arg_min(instance, ts_ns) AS instance, arg_min(wait_ns, ts_ns) AS ns"
                        + " FROM waits GROUP BY rank),"
                        + " middle AS (SELECT instance, median(wait_ns) AS ns FROM waits GROUP BY instance)"
                        + " SELECT f.rank, m.ns - f.ns AS late_ns FROM first f JOIN middle m USING (instance)"
                        + " WHERE late_ns >= " + Math.round(least) + " ORDER BY late_ns DESC, f.rank",
                row -> starts.add(new FleetRun.Start(whole(row.get(0)), number(row.get(1)))));
        return starts;
    }
}
