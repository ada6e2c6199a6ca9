// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.analyze.time.StepParts.Part;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.Lateness;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.sheets.Amount;
import dev.lockstep.compare.sheets.MeasuredSheet;
import dev.lockstep.compare.sheets.SheetMeaning;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.SheetSet;
import dev.lockstep.table.Table;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Any number of finished reports against the first of them.
 *
 * <p>Sheets are matched by what they mean, rows by what they are about; rows of one report that are about the same are added
 * up first. Every table of contributions adds up to the difference of the total times.
 */
public final class RunComparison {
    /**
     * A sheet of rocprof recordings as TraceLens writes it calls nanoseconds microseconds. Kernels cannot take this many times
     * the busy time of the device; then a unit is meant that is a thousand times smaller.
     */
    private static final long IMPOSSIBLE = 500;

    private static final long THOUSAND = 1000;
    private static final double NS_PER_MS = 1e6;
    private static final int MOST_CHARTED = 4;

    private final List<SheetSet> reports;
    private final List<String> names;
    private final Predicate<String> wanted;
    private final long[] busy;
    private final boolean[] mended;
    private final List<Result.Missing> missing = new ArrayList<>();
    private final List<Result.Unread> unread = new ArrayList<>();
    private String totalsOf = "";

    private RunComparison(List<SheetSet> reports, Predicate<String> wanted) {
        this.reports = reports;
        this.names = reports.stream().map(SheetSet::name).toList();
        this.wanted = wanted;
        this.busy = new long[reports.size()];
        this.mended = new boolean[reports.size()];
    }

    /**
     * What a comparison finds.
     *
     * @param names of the reports, the baseline first
     * @param totals total time of each report in ns, -1 when unknown
     * @param totalsOf the sheet whose times are summed up as the total where no report has a timeline; else empty
     * @param changes of the total times of the candidates to that of the baseline in ns, by the scatter over steps
     * @param contributions by level, for each candidate
     * @param tables overview, contributions, sheets side by side
     * @param missing what cannot be compared
     * @param unread what is left out because a time is none
     * @param mended names of reports whose units were mended
     * @param lateness of each report, who kept other ranks waiting
     * @param same of each report, whether it has the numbers of the baseline in every sheet
     * @param byChance by candidate, the causes of idle time whose change the scatter over steps may make
     */
    public record Result(
            List<String> names,
            List<Long> totals,
            String totalsOf,
            List<Change> changes,
            List<Contributions> contributions,
            List<Table> tables,
            List<Chart> charts,
            List<Missing> missing,
            List<Unread> unread,
            List<String> mended,
            List<Lateness> lateness,
            List<Boolean> same,
            Map<String, Set<String>> byChance) {

        /** Whether the scatter over steps may make the change of a cause of idle time. */
        boolean mayBeChance(Contribution cause) {
            return byChance.getOrDefault(cause.candidate(), Set.of()).contains(cause.what());
        }

        /** A sheet that cannot be compared, and why. */
        public record Missing(String sheet, String reason) {}

        /**
         * Rows of a report that are left out.
         *
         * @param report its name
         * @param sheet what the comparison of the sheet is called
         * @param rows how many; with one of a timeline the whole timeline
         * @param timeline whether the sheet is a timeline
         */
        public record Unread(String report, String sheet, int rows, boolean timeline) {
            /** {@return the same in words} */
            public String words() {
                String what = report + ": table " + sheet + " has " + Words.count(rows, "row", "rows")
                        + " without a readable time";
                return timeline
                        ? what + ", or with a repeated part. Its timeline is not compared"
                        : what + ". Their subjects are left out of all reports";
            }
        }

        /** How the total time of a candidate, by its place among the reports, differs from the baseline's; parts of it may be NaN. */
        public Change change(int report) {
            return changes.get(report - 1);
        }
    }

    /** Whether a sheet that is compared is that of an operator family, with its parameters. */
    public static boolean isFamily(String sheet) {
        return !SheetMeaning.isKnown(sheet);
    }

    /**
     * Compares.
     *
     * @param reports at least two, the baseline first
     * @param wanted which sheets to show side by side, by name
     */
    public static Result of(List<SheetSet> reports, Predicate<String> wanted) {
        return new RunComparison(reports, wanted).run();
    }

    private Result run() {
        Map<String, SheetMeaning> meanings = new LinkedHashMap<>();
        for (SheetSet report : reports) {
            for (Table table : report.tables()) {
                SheetMeaning meaning = SheetMeaning.of(table);
                if (meaning != null) {
                    meanings.putIfAbsent(meaning.id(), meaning);
                }
            }
        }
        List<SheetComparison> sheets = new ArrayList<>();
        meanings.values().stream()
                .sorted(Comparator.comparing(SheetMeaning::level))
                .forEach(meaning -> {
                    SheetComparison sheet = compare(meaning);
                    if (sheet != null) {
                        sheets.add(sheet);
                    }
                });
        List<@Nullable TimeParts> parts = parts(sheets);
        List<Contributions> contributions = contributions(sheets, parts);
        List<Long> totals = totals(parts, sheets);
        return new Result(
                names,
                totals,
                totalsOf,
                changes(totals),
                contributions,
                tables(sheets, parts, contributions),
                charts(parts, contributions),
                missing,
                unread,
                mendedNames(),
                reports.stream()
                        .map(report -> SummarySheets.lateness(report.tables()))
                        .toList(),
                IntStream.range(0, names.size())
                        .mapToObj(report -> isSame(sheets, report))
                        .toList(),
                byChance());
    }

    /** Whether each row of each sheet says of the report what it says of the baseline. */
    private static boolean isSame(List<SheetComparison> sheets, int report) {
        boolean any = false;
        for (SheetComparison sheet : sheets) {
            int place = sheet.reports().indexOf(report);
            for (SheetComparison.Row row : sheet.rows()) {
                Amount own = place < 0 ? null : row.amounts()[place];
                Amount base = row.amounts()[0];
                boolean alike = own == null || base == null
                        ? own == null && base == null
                        : own.ns() == base.ns() && own.count() == base.count();
                if (!alike) {
                    return false;
                }
                any |= own != null && own.ns() > 0;
            }
        }
        return any;
    }

    /** By candidate, the causes of idle time that may have changed by chance, as far as the parts of steps tell. */
    private Map<String, Set<String>> byChance() {
        Map<String, Set<String>> found = new HashMap<>();
        for (int report = 1; report < names.size(); report++) {
            Set<String> causes = new HashSet<>();
            for (IdleCause cause : IdleCause.values()) {
                double[] base = SummarySheets.stepParts(reports.getFirst().tables(), Part.of(cause));
                double[] own = SummarySheets.stepParts(reports.get(report).tables(), Part.of(cause));
                Confidence change = LongRunMeans.of(List.of(base, own)).difference(1, 0, 1);
                if (base.length == own.length && change.isKnown() && !change.excludesZero()) {
                    causes.add(cause.id());
                }
            }
            found.put(names.get(report), causes);
        }
        return found;
    }

    private @Nullable SheetComparison compare(SheetMeaning meaning) {
        List<@Nullable MeasuredSheet> sheets = new ArrayList<>();
        List<String> without = new ArrayList<>();
        for (SheetSet report : reports) {
            Table table = meaning.in(report.tables());
            MeasuredSheet sheet = table == null ? null : measured(meaning, table, report.name());
            sheets.add(sheet);
            if (sheet == null) {
                without.add(report.name());
            }
        }
        if (!without.isEmpty()) {
            missing.add(new Result.Missing(meaning.id(), "not in " + String.join(", ", without)));
        }
        if (meaning.level() == SheetMeaning.Level.PART) {
            without.addAll(leaveOutRecomputing(meaning, sheets));
        }
        if (sheets.getFirst() == null || reports.size() - without.size() < 2) {
            return null;
        }
        long[] divisors = new long[reports.size()];
        for (int i = 0; i < divisors.length; i++) {
            MeasuredSheet own = sheets.get(i);
            divisors[i] = own == null ? 1 : divisor(meaning, own, i);
        }
        SheetComparison sheet = SheetComparison.of(meaning, sheets, divisors);
        if (sheet == null) {
            missing.add(
                    new Result.Missing(meaning.id(), "the sheets share no columns to match rows by, or have no times"));
        } else if (meaning.level() == SheetMeaning.Level.PART) {
            busy(sheet);
        }
        return sheet;
    }

    /**
     * Takes out timelines that tell recomputation apart where others do not: their rows are no parts of one span.
     *
     * @return the names of their reports
     */
    private List<String> leaveOutRecomputing(SheetMeaning meaning, List<@Nullable MeasuredSheet> sheets) {
        List<String> recomputing = new ArrayList<>();
        List<@Nullable MeasuredSheet> plain = new ArrayList<>();
        for (int i = 0; i < sheets.size(); i++) {
            MeasuredSheet sheet = sheets.get(i);
            boolean apart = sheet != null && meaning.optionalKeys().stream().anyMatch(sheet.heads()::contains);
            plain.add(apart ? null : sheet);
            if (apart) {
                recomputing.add(names.get(i));
            }
        }
        if (recomputing.isEmpty() || plain.stream().allMatch(Objects::isNull)) {
            return List.of();
        }
        Collections.copy(sheets, plain);
        missing.add(new Result.Missing(
                meaning.id(),
                "tells recomputation apart in " + String.join(", ", recomputing) + ", and not in the other reports"));
        return recomputing;
    }

    /** What a sheet measures; null for a timeline of which a row cannot be read: what is left does not add up. */
    private @Nullable MeasuredSheet measured(SheetMeaning meaning, Table table, String report) {
        MeasuredSheet sheet = MeasuredSheet.of(meaning, table);
        if (sheet.unread().isEmpty()) {
            return sheet;
        }
        boolean timeline = meaning.level() == SheetMeaning.Level.PART;
        unread.add(new Result.Unread(report, meaning.id(), sheet.unread().size(), timeline));
        return timeline ? null : sheet;
    }

    /** Timelines come first, so that busy times are known when other sheets are looked at. */
    private void busy(SheetComparison timelines) {
        for (int i = 0; i < timelines.reports().size(); i++) {
            TimeParts own = TimeParts.of(timelines, i);
            busy[timelines.reports().get(i)] = own == null ? 0 : own.busyNs();
        }
    }

    private long divisor(SheetMeaning meaning, MeasuredSheet sheet, int report) {
        boolean impossible = meaning.level().isWork() && busy[report] > 0 && sheet.sum() / IMPOSSIBLE > busy[report];
        mended[report] |= impossible;
        return impossible ? THOUSAND : 1;
    }

    private List<@Nullable TimeParts> parts(List<SheetComparison> sheets) {
        @Nullable TimeParts[] parts = new TimeParts[reports.size()];
        for (SheetComparison sheet : sheets) {
            if (sheet.meaning().level() == SheetMeaning.Level.PART) {
                for (int i = 0; i < sheet.reports().size(); i++) {
                    parts[sheet.reports().get(i)] = TimeParts.of(sheet, i);
                }
            }
        }
        return Arrays.asList(parts);
    }

    private List<Contributions> contributions(List<SheetComparison> sheets, List<@Nullable TimeParts> parts) {
        List<Contributions> found = new ArrayList<>();
        TimeParts base = parts.getFirst();
        for (int i = 1; i < names.size(); i++) {
            TimeParts own = parts.get(i);
            if (base != null && own != null) {
                found.add(Contributions.ofParts(names.get(i), base, own));
            }
        }
        for (SheetComparison sheet : sheets) {
            String level = level(sheet.meaning().level());
            for (int i = 1; !level.isEmpty() && i < sheet.reports().size(); i++) {
                int report = sheet.reports().get(i);
                TimeParts own = parts.get(report);
                Contributions rows = Contributions.of(level, names.get(report), sheet, i);
                found.add(base == null || own == null ? rows : rows.upTo(base, own));
            }
        }
        return found;
    }

    private static String level(SheetMeaning.Level level) {
        return switch (level) {
            case CATEGORY -> "category";
            case OPERATOR -> "operator";
            case KERNEL -> "kernel";
            case IDLE_CAUSE -> "idle cause";
            case PART, DETAIL -> "";
        };
    }

    /** Of the timeline; without one, the time of all kernels or operators, unless some of it cannot be read. */
    private List<Long> totals(List<@Nullable TimeParts> parts, List<SheetComparison> sheets) {
        Long[] totals = new Long[names.size()];
        Arrays.fill(totals, -1L);
        boolean timelines = parts.getFirst() != null || unread.stream().anyMatch(Result.Unread::timeline);
        for (int i = 0; i < totals.length; i++) {
            TimeParts own = parts.get(i);
            if (timelines && own != null) {
                totals[i] = own.totalNs();
            }
        }
        for (SheetComparison sheet : sheets) {
            if (!timelines && totalsOf.isEmpty() && sheet.meaning().level().isWork()) {
                totalsOf = sheet.meaning().id();
                for (int i = 0; i < sheet.reports().size(); i++) {
                    int report = sheet.reports().get(i);
                    totals[report] = isWhole(sheet, report) ? sheet.total(i) : -1;
                }
            }
        }
        return List.of(totals);
    }

    private boolean isWhole(SheetComparison sheet, int report) {
        return unread.stream()
                .noneMatch(one ->
                        one.sheet().equals(sheet.meaning().id()) && one.report().equals(names.get(report)));
    }

    private List<Change> changes(List<Long> totals) {
        double[] base = bySteps(reports.getFirst());
        List<Change> changes = new ArrayList<>();
        for (int i = 1; i < totals.size(); i++) {
            double from = totals.getFirst() <= 0 ? Double.NaN : totals.getFirst();
            double to = totals.get(i) < 0 ? Double.NaN : totals.get(i);
            double[] own = bySteps(reports.get(i));
            Confidence interval = base.length == own.length
                    ? LongRunMeans.of(List.of(base, own)).difference(1, 0, 1).about(to - from, own.length)
                    : Confidence.UNKNOWN;
            changes.add(new Change(from, to, interval, false));
        }
        return changes;
    }

    /** Times of steps in ns; none where the report does not tell steps apart. */
    private static double[] bySteps(SheetSet report) {
        double[] ms = SummarySheets.times(Map.of(0, report.tables())).bySteps(RankBreakdown.TOTAL, List.of(0));
        return Arrays.stream(ms).map(step -> step * NS_PER_MS).toArray();
    }

    private List<Table> tables(
            List<SheetComparison> sheets, List<@Nullable TimeParts> parts, List<Contributions> contributions) {
        List<Table> tables = new ArrayList<>();
        if (parts.stream().anyMatch(part -> part != null)) {
            tables.add(ComparisonSheets.overview(names, parts));
        }
        Map<String, List<Contributions>> levels = new LinkedHashMap<>();
        contributions.forEach(
                c -> levels.computeIfAbsent(c.level(), l -> new ArrayList<>()).add(c));
        levels.values().forEach(level -> tables.add(Contributions.table(level)));
        for (SheetComparison sheet : sheets) {
            if (wanted.test(sheet.meaning().id())) {
                tables.add(ComparisonSheets.of(sheet, names));
            }
        }
        return tables;
    }

    private List<Chart> charts(List<@Nullable TimeParts> parts, List<Contributions> contributions) {
        List<Chart> charts = new ArrayList<>();
        List<Chart.Bar> bars = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            TimeParts own = parts.get(i);
            if (own != null) {
                bars.add(new Chart.Bar(
                        names.get(i),
                        Arrays.stream(own.ns()).mapToDouble(ns -> ns / 1e6).toArray(),
                        new Evidence.Rows("overview", List.of(bars.size()))));
            }
        }
        if (!bars.isEmpty()) {
            charts.add(new Chart.StackedBars(
                    "Where the time goes",
                    "The span from the first to the last device activity of each report, in parts that add up to it.",
                    "ms",
                    TimeParts.NAMES,
                    bars));
        }
        Map<String, Integer> lines = new HashMap<>();
        for (Contributions c : contributions) {
            int first = lines.merge(c.level(), c.rows().size(), Integer::sum)
                    - c.rows().size();
            if (names.indexOf(c.candidate()) <= MOST_CHARTED) {
                charts.add(c.chart(names.getFirst(), first));
            }
        }
        return charts;
    }

    private List<String> mendedNames() {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < mended.length; i++) {
            if (mended[i]) {
                found.add(names.get(i));
            }
        }
        return found;
    }
}
