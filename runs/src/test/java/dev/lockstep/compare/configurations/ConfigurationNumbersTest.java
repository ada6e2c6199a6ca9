// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.CollectiveInstance;
import dev.lockstep.compare.RunCollectives;
import dev.lockstep.compare.RunCollectives.Family;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.TwoRuns;
import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Settings;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.Shown;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every table, sentence and picture of a comparison of two runs of three ranks, in numbers that can be checked by hand: totals
 * of 100, 110 and 120 ms against 90, 104 and 106 ms differ by 10, 6 and 14 ms; that is 10 ms, give or take
 * 4.3027 * 4 / sqrt(3) ms, of 110 ms.
 */
class ConfigurationNumbersTest {
    private final ConfigurationComparison made =
            of(Averaging.MEAN, TwoRuns.slower("b", Settings.UNKNOWN, 2), TwoRuns.faster("t", Settings.UNKNOWN, 2));

    private static ConfigurationComparison of(Averaging averaging, RunSummary... runs) {
        return ConfigurationComparison.of(List.of(runs), new Options(averaging, 1));
    }

    private static ConfigurationComparison reversed() {
        return of(
                Averaging.MEAN,
                TwoRuns.faster("b", Settings.UNKNOWN, 2),
                TwoRuns.slower("t", Settings.UNKNOWN, 2),
                TwoRuns.nearlyAsFast("n", Settings.UNKNOWN, 2));
    }

    private static ConfigurationComparison geometric() {
        return of(
                Averaging.GEOMETRIC,
                TwoRuns.slower("b", Settings.UNKNOWN, 2),
                TwoRuns.faster("t", Settings.UNKNOWN, 2));
    }

    private static ConfigurationComparison byStep() {
        return of(Averaging.MEAN, TwoRuns.slower("b", Settings.UNKNOWN, 4), TwoRuns.faster("t", Settings.UNKNOWN, 2));
    }

    @Test
    void everyFigureStandsBesideThatOfTheBaseline() {
        assertThat(Shown.of(made.dashboard())).isEqualTo("""
                        total_time | ms | less | 110 | 100 | -9.0909 | -11.517 | -6.6652 | better
                        busy_time | ms | less | 93.333 | 83.333 | -10.714 | -13.119 | -8.3092 | better
                        computation_time | ms | less | 63.333 | 63.333 | 0 | -2.5412 | 2.5412 | same
                        exposed_comm_time | ms | less | 26.667 | 18.333 | -31.25 | -33.394 | -29.106 | better
                        exposed_memcpy_time | ms | less | 0 | 1.6667 | - | - | - | new
                        exposed_other_time | ms | less | 3.3333 | 0 | -100 | -101.27 | -98.729 | better
                        idle_time | ms | less | 16.667 | 16.667 | 0 | -2.5412 | 2.5412 | same
                        total_comm_time | ms | less | 50 | 54.667 | 9.3333 | 6.6735 | 11.993 | worse
                        communication that is hidden | % | more | 46.667 | 65.833 | 41.071 | 39.721 | 42.422 | better
                        collectives: sum of latencies | ms | less | 0.34 | 0.27 | -20.588 | - | - | unclear
                        collectives: bus bandwidth over all | GB/s | more | 18.504 | 17.476 | -5.5556 | - | - | unclear
                        collectives: mean skew of starts | µs | less | 7.75 | 20 | 158.06 | - | - | unclear
                        """);
    }

    @Test
    void thePlacesSayWhatTheTotalIsMadeOf() {
        assertThat(Shown.of(made.configurations())).isEqualTo("""
                        1 | t | test | 3 | 100 | -10 | -9.0909 | -11.517 | -6.6652 | better | 63.333 | 18.333 | 1.6667 | 0 | 16.667
                        2 | b | baseline | 3 | 110 | 0 | 0 | - | - | same | 63.333 | 26.667 | 0 | 3.3333 | 16.667
                        """);
    }

    @Test
    void everyPartHasItsChange() {
        assertThat(Shown.of(made.timelineChange())).isEqualTo("""
                        t | total_time | 3 | 110 | 100 | -10 | -9.0909 | -11.517 | -6.6652 | better
                        t | busy_time | 3 | 93.333 | 83.333 | -10 | -10.714 | -13.119 | -8.3092 | better
                        t | computation_time | 3 | 63.333 | 63.333 | 0 | 0 | -2.5412 | 2.5412 | same
                        t | exposed_comm_time | 3 | 26.667 | 18.333 | -8.3333 | -31.25 | -33.394 | -29.106 | better
                        t | exposed_memcpy_time | 3 | 0 | 1.6667 | 1.6667 | - | - | - | new
                        t | exposed_other_time | 3 | 3.3333 | 0 | -3.3333 | -100 | -101.27 | -98.729 | better
                        t | idle_time | 3 | 16.667 | 16.667 | 0 | 0 | -2.5412 | 2.5412 | same
                        t | total_comm_time | 3 | 50 | 54.667 | 4.6667 | 9.3333 | 6.6735 | 11.993 | worse
                        """);
    }

    @Test
    void everyRankHasItsChange() {
        assertThat(Shown.of(made.timelineChangeByRank())).isEqualTo("""
                        t | 0 | total_time | 100 | 90 | -10 | -10 | better
                        t | 0 | busy_time | 80 | 80 | 0 | 0 | same
                        t | 0 | computation_time | 60 | 60 | 0 | 0 | same
                        t | 0 | exposed_comm_time | 20 | 15 | -5 | -25 | better
                        t | 0 | exposed_memcpy_time | 0 | 5 | 5 | - | new
                        t | 0 | exposed_other_time | 0 | 0 | 0 | - | same
                        t | 0 | idle_time | 20 | 10 | -10 | -50 | better
                        t | 0 | total_comm_time | 40 | 40 | 0 | 0 | same
                        t | 1 | total_time | 110 | 104 | -6 | -5.4545 | better
                        t | 1 | busy_time | 100 | 84 | -16 | -16 | better
                        t | 1 | computation_time | 60 | 60 | 0 | 0 | same
                        t | 1 | exposed_comm_time | 30 | 24 | -6 | -20 | better
                        t | 1 | exposed_memcpy_time | 0 | 0 | 0 | - | same
                        t | 1 | exposed_other_time | 10 | 0 | -10 | -100 | better
                        t | 1 | idle_time | 10 | 20 | 10 | 100 | worse
                        t | 1 | total_comm_time | 50 | 60 | 10 | 20 | worse
                        t | 2 | total_time | 120 | 106 | -14 | -11.667 | better
                        t | 2 | busy_time | 100 | 86 | -14 | -14 | better
                        t | 2 | computation_time | 70 | 70 | 0 | 0 | same
                        t | 2 | exposed_comm_time | 30 | 16 | -14 | -46.667 | better
                        t | 2 | exposed_memcpy_time | 0 | 0 | 0 | - | same
                        t | 2 | exposed_other_time | 0 | 0 | 0 | - | same
                        t | 2 | idle_time | 20 | 20 | 0 | 0 | same
                        t | 2 | total_comm_time | 60 | 64 | 4 | 6.6667 | worse
                        """);
    }

    @Test
    void ranksScatter() {
        assertThat(Shown.of(made.timelineSpread())).isEqualTo("""
                        b | total_time | 3 | 110 | 100 | 110 | 10 | 100 | 120 | 108.6 | 111.4
                        b | busy_time | 3 | 93.333 | 84.848 | 100 | 11.547 | 80 | 100 | 92.147 | 94.519
                        b | computation_time | 3 | 63.333 | 57.576 | 60 | 5.7735 | 60 | 70 | 62.529 | 64.138
                        b | exposed_comm_time | 3 | 26.667 | 24.242 | 30 | 5.7735 | 20 | 30 | 26.328 | 27.005
                        b | exposed_memcpy_time | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0
                        b | exposed_other_time | 3 | 3.3333 | 3.0303 | 0 | 5.7735 | 0 | 10 | 3.291 | 3.3757
                        b | idle_time | 3 | 16.667 | 15.152 | 20 | 5.7735 | 10 | 20 | 16.455 | 16.878
                        b | total_comm_time | 3 | 50 | 45.455 | 50 | 10 | 40 | 60 | 49.365 | 50.635
                        t | total_time | 3 | 100 | 100 | 104 | 8.7178 | 90 | 106 | 98.729 | 101.27
                        t | busy_time | 3 | 83.333 | 83.333 | 84 | 3.0551 | 80 | 86 | 82.274 | 84.392
                        t | computation_time | 3 | 63.333 | 63.333 | 60 | 5.7735 | 60 | 70 | 62.529 | 64.138
                        t | exposed_comm_time | 3 | 18.333 | 18.333 | 16 | 4.9329 | 15 | 24 | 18.1 | 18.566
                        t | exposed_memcpy_time | 3 | 1.6667 | 1.6667 | 0 | 2.8868 | 0 | 5 | 1.6455 | 1.6878
                        t | exposed_other_time | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0
                        t | idle_time | 3 | 16.667 | 16.667 | 20 | 5.7735 | 10 | 20 | 16.455 | 16.878
                        t | total_comm_time | 3 | 54.667 | 54.667 | 60 | 12.858 | 40 | 64 | 53.972 | 55.361
                        """);
    }

    @Test
    void collectivesHaveTheirChange() {
        assertThat(Shown.of(made.collectiveChange())).isEqualTo("""
                        t | allgather | Float | 512 | 1536 | 0 | [0, 1, 2] | 3 | 1 | 0 | 10 | - | - | - | - | - | gone | 157.29 | - | - | 0.01 | 0 | -0.01 | -100
                        t | allreduce | Float | 1024 | 1024 | 0 | [0, 1, 2] | 3 | 3 | 3 | 110 | 90 | -20 | -18.182 | -65.339 | 28.975 | unclear | 14.299 | 17.476 | 22.222 | 0.33 | 0.27 | -0.06 | -18.182
                        """);
    }

    @Test
    void collectivesScatter() {
        assertThat(Shown.of(made.collectiveSpread())).isEqualTo("""
                        b | allgather | Float | 512 | 1536 | 0 | [0, 1, 2] | 3 | 1 | 1 | 10 | 10 | - | 10 | 10 | - | - | 0.01 | 1 | 104.86 | 157.29
                        b | allreduce | Float | 1024 | 1024 | 0 | [0, 1, 2] | 3 | 1 | 3 | 110 | 110 | 10 | 100 | 120 | 58.127 | 161.87 | 0.33 | 10 | 9.5325 | 14.299
                        t | allreduce | Float | 1024 | 1024 | 0 | [0, 1, 2] | 3 | 1 | 3 | 90 | 90 | 10 | 80 | 100 | -56.719 | 236.72 | 0.27 | 20 | 11.651 | 17.476
                        """);
    }

    @Test
    void whatIsComparedWithNothingIsListed() {
        assertThat(Shown.of(made.unmatched())).isEqualTo("""
                        collective | allgather of 512 Float elements in group 0 | b | t
                        collective without latency | broadcast | b | t
                        """);
    }

    @Test
    void wordsSayWhichIsFasterAndWhy() {
        assertThat(Shown.findings(ConfigurationFindings.of(made))).isEqualTo("""
                        NOTICE best: t is the fastest: 100 ms in total, 10 ms (9.09 %) less than the baseline b. The main cause: \
                        exposed communication is 8.33 ms shorter (83 % of the difference). Of the collectives, allreduce of 1,024 \
                        Float elements in group 0 takes 60 µs less.
                        NOTICE faster: t takes 9.09 % less than b (95 % CI of the change -11.52 to -6.67 %). The main cause: exposed \
                        communication is 8.33 ms shorter (83 % of the difference). Of the collectives, allreduce of 1,024 Float \
                        elements in group 0 takes 60 µs less.
                        NOTICE unmatched: 2 ranks, parts or collectives are not compared: not in all configurations, or without known times.
                        """);
    }

    @Test
    void wordsSayWhichIsSlowerAndWhy() {
        assertThat(Shown.findings(ConfigurationFindings.of(reversed()))).isEqualTo("""
                        NOTICE best: The baseline b is among the fastest: 100 ms in total. Next is n with 100 ms (0.33 %).
                        INFO same_time: n takes as long as b within 1 %.
                        PROBLEM slower: t takes 10.00 % more than b (95 % CI of the change +7.33 to +12.67 %). The main cause: \
                        exposed communication is 8.33 ms longer (83 % of the difference). Of the collectives, allreduce of 1,024 \
                        Float elements in group 0 takes 60 µs more.
                        NOTICE unmatched: 3 ranks, parts or collectives are not compared: not in all configurations, or without known times.
                        """);
    }

    @Test
    void severalConfigurationsHaveTheirPlaces() {
        assertThat(Shown.of(reversed().configurations())).isEqualTo("""
                        1 | b | baseline | 3 | 100 | 0 | 0 | - | - | same | 63.333 | 18.333 | 1.6667 | 0 | 16.667
                        2 | n | test | 3 | 100.33 | 0.33333 | 0.33333 | 0.3291 | 0.33757 | same | 63.333 | 18.333 | 1.6667 | 0 | 17
                        3 | t | test | 3 | 110 | 10 | 10 | 7.3317 | 12.668 | worse | 63.333 | 26.667 | 0 | 3.3333 | 16.667
                        """);
    }

    @Test
    void picturesShowTheSameNumbers() {
        assertThat(made.charts().stream().map(Shown::of).collect(Collectors.joining("\n")))
                .isEqualTo("""
                        Parts of the total time [computation_time, exposed_comm_time, exposed_memcpy_time, exposed_other_time, idle_time]
                        t: [63.333, 18.333, 1.6667, 0, 16.667]
                        b: [63.333, 26.667, 0, 3.3333, 16.667]

                        From b to t
                        b: 110
                        exposed_comm_time: -8.3333
                        exposed_other_time: -3.3333
                        exposed_memcpy_time: 1.6667
                        computation_time: 0
                        idle_time: 0

                        Change by rank: t against b [rank 0, rank 1, rank 2]
                        total_time: [-10, -5.4545, -11.667]
                        busy_time: [0, -14.545, -11.667]
                        computation_time: [0, 0, 0]
                        exposed_comm_time: [-5, -5.4545, -11.667]
                        exposed_memcpy_time: [5, 0, 0]
                        exposed_other_time: [0, -9.0909, 0]
                        idle_time: [-10, 9.0909, 0]
                        total_comm_time: [0, 9.0909, 3.3333]

                        Bus bandwidth of collectives by size
                        b: x [1048600, 1048600], y [157.29, 14.299], weight [0.01, 0.33]
                        t: x [1048600], y [17.476], weight [0.27]

                        Change of latency of collectives [t]
                        allgather of 512 Float elements in group 0: [-]
                        allreduce of 1,024 Float elements in group 0: [-18.182]
                        """);
    }

    @Test
    void geometricMeansLeaveZerosOut() {
        assertThat(Shown.of(geometric().dashboard())).isEqualTo("""
                        total_time | ms | less | 109.7 | 99.738 | -9.0779 | -11.549 | -6.6073 | better
                        busy_time | ms | less | 92.832 | 83.296 | -10.272 | -13.19 | -7.3546 | better
                        computation_time | ms | less | 63.164 | 63.164 | 0 | -2.5481 | 2.5481 | same
                        exposed_comm_time | ms | less | 26.207 | 17.926 | -31.601 | -33.979 | -29.223 | better
                        exposed_memcpy_time | ms | less | 0 | 5 | - | - | - | new
                        exposed_other_time | ms | less | 10 | 0 | -100 | -167.09 | -32.91 | better
                        idle_time | ms | less | 15.874 | 15.874 | 0 | -2.6681 | 2.6681 | same
                        total_comm_time | ms | less | 49.324 | 53.555 | 8.5767 | 4.9959 | 12.157 | worse
                        communication that is hidden | % | more | 46.667 | 65.833 | 41.071 | 39.721 | 42.422 | better
                        collectives: sum of latencies | ms | less | 0.34 | 0.27 | -20.588 | - | - | unclear
                        collectives: bus bandwidth over all | GB/s | more | 18.504 | 17.476 | -5.5556 | - | - | unclear
                        collectives: mean skew of starts | µs | less | 7.75 | 20 | 158.06 | - | - | unclear
                        """);
    }

    @Test
    void differentNumbersOfStepsAreComparedByStep() {
        assertThat(Shown.of(byStep().dashboard())).isEqualTo("""
                        total_time | ms | less | 27.5 | 50 | 81.818 | 79.866 | 83.771 | worse
                        busy_time | ms | less | 23.333 | 41.667 | 78.571 | 76.664 | 80.479 | worse
                        computation_time | ms | less | 15.833 | 31.667 | 100 | 97.794 | 102.21 | worse
                        exposed_comm_time | ms | less | 6.6667 | 9.1667 | 37.5 | 36.169 | 38.831 | worse
                        exposed_memcpy_time | ms | less | 0 | 0.83333 | - | - | - | new
                        exposed_other_time | ms | less | 0.83333 | 0 | -100 | -100.49 | -99.514 | better
                        idle_time | ms | less | 4.1667 | 8.3333 | 100 | 97.794 | 102.21 | worse
                        total_comm_time | ms | less | 12.5 | 27.333 | 118.67 | 116.2 | 121.13 | worse
                        communication that is hidden | % | more | 46.667 | 65.833 | 41.071 | 39.721 | 42.422 | better
                        collectives: sum of latencies | ms | less | 0.085 | 0.135 | 58.824 | - | - | unclear
                        collectives: bus bandwidth over all | GB/s | more | 18.504 | 17.476 | -5.5556 | - | - | unclear
                        collectives: mean skew of starts | µs | less | 7.75 | 20 | 158.06 | - | - | unclear
                        """);
        assertThat(Shown.findings(ConfigurationFindings.of(byStep()))).isEqualTo("""
                        NOTICE best: The baseline b is the fastest: 27.5 ms in total. Next is t with 50 ms (81.82 %).
                        PROBLEM slower: t takes 81.82 % more than b (95 % CI of the change +79.87 to +83.77 %). The main cause: \
                        computation is 15.8 ms longer (70 % of the difference).
                        INFO per_step: The configurations recorded different numbers of steps. Times are those of a step.
                        NOTICE unmatched: 2 ranks, parts or collectives are not compared: not in all configurations, or without known times.
                        """);
    }

    /** Computation makes 4 of the 13 ms, which is more than any other part and less than half. */
    @Test
    void whatMakesLessThanHalfIsNotMostOfIt() {
        ConfigurationComparison evenly = of(
                Averaging.MEAN,
                TwoRuns.slower("b", Settings.UNKNOWN, 8),
                TwoRuns.evenlySlower("t", Settings.UNKNOWN, 8));

        assertThat(Shown.findings(ConfigurationFindings.of(evenly)))
                .contains("The largest cause: computation is 4 ms longer (31 % of the difference).");
    }

    private static String figures(double[]... rows) {
        return Arrays.stream(rows)
                .map(row -> Arrays.stream(row)
                        .mapToObj(value -> Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value))
                        .collect(Collectors.joining(" ")))
                .collect(Collectors.joining(" | "));
    }

    /** Medians of 100, 110, 120 and of 90, 104, 106; 1 MiB in 110 and 90 µs, 1.5 times that on a link. */
    @Test
    void plotsTakeTheFiguresOfTheTables() {
        ComparedRuns pictured = made.pictured();

        assertThat(pictured.runs()).containsExactly("b", "t");
        ComparedRuns.Times total = pictured.times().getFirst();
        assertThat(total.type()).isEqualTo("total_time");
        assertThat(total.ranks()).containsExactly(0, 1, 2);
        assertThat(figures(total.ms(), total.change())).isEqualTo("110.00 100.00 | - -9.09");
        assertThat(figures(total.rankMs())).isEqualTo("100.00 110.00 120.00 | 90.00 104.00 106.00");
        assertThat(figures(total.rankChange())).isEqualTo("- - - | -10.00 -5.45 -11.67");
        ComparedRuns.Times copies = pictured.times().stream()
                .filter(times -> times.type().equals("exposed_memcpy_time"))
                .findFirst()
                .orElseThrow();
        assertThat(figures(copies.rankChange())).as("nothing is no base").isEqualTo("- - - | - - -");
        assertThat(pictured.calls())
                .extracting(ComparedRuns.Calls::name, ComparedRuns.Calls::what, ComparedRuns.Calls::elements)
                .containsExactly(
                        tuple("allgather", "Float, group 0 [0, 1, 2]", "512"),
                        tuple("allreduce", "Float, group 0 [0, 1, 2]", "1024"));
        ComparedRuns.Calls reduce = pictured.calls().getLast();
        assertThat(figures(reduce.values())).isEqualTo("110.00 90.00 | 9.53 11.65 | 14.30 17.48 | 0.33 0.27");
        assertThat(figures(reduce.changes())).isEqualTo("- -18.18 | - 22.22 | - 22.22 | - -18.18");
        ComparedRuns.Calls gather = pictured.calls().getFirst();
        assertThat(figures(gather.values())).isEqualTo("10.00 - | 104.86 - | 157.29 - | 0.01 -");
    }

    private static String colors(StyledSheet sheet) {
        return sheet.colors().stream()
                .map(scale -> sheet.table().schema().get(scale.column()).header() + " [" + scale.fromRow() + ", "
                        + scale.toRow() + ") " + scale.low().value() + " "
                        + scale.low().color() + ", " + scale.middle().value() + " "
                        + scale.middle().color() + ", " + scale.high().value() + " "
                        + scale.high().color() + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void workbooksShowWhatIsBetterInBlueAndWhatIsWorseInOrange() {
        ConfigurationWorkbooks books = new ConfigurationWorkbooks(new ConfigurationReport(made, Coverage.none()));

        assertThat(books.timelines().sheets())
                .extracting(sheet -> sheet.table().name())
                .containsExactly("timeline_change", "timeline_change_by_rank", "timeline_spread", "coverage");
        assertThat(books.collectives().sheets())
                .extracting(sheet -> sheet.table().name())
                .containsExactly("collective_change", "collective_spread", "coverage");
        assertThat(books.all().sheets())
                .extracting(sheet -> sheet.table().name())
                .containsExactly(
                        "summary_dashboard",
                        "notes",
                        "configurations",
                        "timeline_change",
                        "timeline_change_by_rank",
                        "timeline_spread",
                        "collective_change",
                        "collective_spread",
                        "unmatched",
                        "coverage");
        StyledSheet dashboard = books.all().sheets().getFirst();
        assertThat(dashboard.colors()).hasSize(12);
        assertThat(colors(dashboard))
                .contains("t change % (test - baseline) [0, 1) -10.0 5B9BD5, 0.0 FFFFFF, 10.0 F4A460\n")
                .contains("t change % (test - baseline) [8, 9) -10.0 F4A460, 0.0 FFFFFF, 10.0 5B9BD5\n");
        assertThat(colors(books.collectives().sheets().getFirst())).isEqualTo("""
                        latency change % (test - baseline) [0, -1) -10.0 5B9BD5, 0.0 FFFFFF, 10.0 F4A460
                        bus bw change % (test - baseline) [0, -1) -10.0 F4A460, 0.0 FFFFFF, 10.0 5B9BD5
                        total latency change % (test - baseline) [0, -1) -10.0 5B9BD5, 0.0 FFFFFF, 10.0 F4A460
                        """);
        Table notes = books.all().sheets().get(1).table();
        assertThat(Shown.of(notes, "severity")).isEqualTo("notice\nnotice\nnotice\n");
    }

    /** 4 of 100 µs and 2 of 30; 1 MiB in each; bus over algorithm bandwidth is 1.5. No latency scatters in a sum. */
    @Test
    void sumsStandInWhereInstancesAreNotKnown() {
        RunSummary whole = TwoRuns.slower("b", Settings.UNKNOWN, 2);
        RunCollectives sums = new RunCollectives(
                List.of(new Family(
                        List.of(), whole.collectives().families().getFirst().sums())),
                new TreeSet<>());
        RunSummary summed = new RunSummary("t", whole.settings(), whole.expectedRanks(), whole.times(), sums);

        assertThat(Shown.of(of(Averaging.MEAN, whole, summed).collectiveSpread()))
                .endsWith("""
                        t | allgather | Float | 512 | 1536 | 0 | [0, 1, 2] | 3 | 1 | 2 | 30 | - | - | - | - | - | - | 0.06 | 2 | 34.953 | 52.429
                        t | allreduce | Float | 1024 | 1024 | 0 | [0, 1, 2] | 3 | 1 | 4 | 100 | - | - | - | - | - | - | 0.4 | 2 | 10.486 | 15.729
                        """);
        assertThat(Shown.of(
                        of(Averaging.MEAN, summed, whole).collectiveChange(),
                        "Collective name",
                        "baseline count",
                        "latency change % (test - baseline)",
                        "change low %",
                        "total latency change % (test - baseline)"))
                .isEqualTo("""
                        allgather | 2 | -66.667 | - | -83.333
                        allreduce | 4 | 10 | - | -17.5
                        """);
    }

    /** A run without a column of skews against one whose ranks come 10, 20, 0 and 1 µs apart. */
    @Test
    void aSkewThatNobodyMeasuredIsNotZero() {
        RunSummary whole = TwoRuns.slower("b", Settings.UNKNOWN, 2);
        List<CollectiveInstance> instances =
                new ArrayList<>(whole.collectives().families().getFirst().instances());
        CollectiveInstance last = instances.removeLast();
        List<CollectiveInstance> unknown = instances.stream()
                .map(one -> new CollectiveInstance(one.key(), one.latency(), Double.NaN, one.bytes(), one.busFactor()))
                .toList();
        List<CollectiveInstance> partly = new ArrayList<>(unknown);
        partly.add(last);
        ConfigurationComparison compared =
                of(Averaging.MEAN, whole, with("none", whole, unknown), with("some", whole, partly));

        assertThat(skews(compared)).isEqualTo("collectives: mean skew of starts | 7.75 | - | 1\n");
    }

    private static String skews(ConfigurationComparison compared) {
        return Shown.of(compared.dashboard(), "metric", "b", "none", "some")
                .lines()
                .filter(line -> line.contains("skew"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static RunSummary with(String label, RunSummary run, List<CollectiveInstance> instances) {
        RunCollectives collectives = new RunCollectives(List.of(new Family(instances, List.of())), new TreeSet<>());
        return new RunSummary(label, run.settings(), run.expectedRanks(), run.times(), collectives);
    }

    private static String totals(ConfigurationComparison compared) {
        return Shown.of(
                        compared.timelineChangeByRank(),
                        "rank",
                        "type",
                        "baseline time ms",
                        "test time ms",
                        "time difference ms (test - baseline)")
                .lines()
                .filter(line -> line.contains("total_time"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    /** Four steps of 100, 110 and 120 ms in all against two of 90, 104 and 106. */
    @Test
    void ranksAreComparedByStepToo() {
        assertThat(totals(byStep())).isEqualTo("""
                        0 | total_time | 25 | 45 | 20
                        1 | total_time | 27.5 | 52 | 24.5
                        2 | total_time | 30 | 53 | 23
                        """);
        assertThat(figures(byStep().pictured().times().getFirst().ms())).isEqualTo("27.50 50.00");
        assertThat(figures(byStep().pictured().times().getFirst().rankMs()))
                .isEqualTo("25.00 27.50 30.00 | 45.00 52.00 53.00");
    }

    @Test
    void ranksThatOnlyOneRunHasStandAlone() {
        assertThat(totals(of(
                        Averaging.MEAN,
                        TwoRuns.slower("b", Settings.UNKNOWN, 2).only(List.of(0, 2)),
                        TwoRuns.faster("t", Settings.UNKNOWN, 2).only(List.of(0, 1)))))
                .isEqualTo("""
                        0 | total_time | 100 | 90 | -10
                        1 | total_time | - | 104 | -
                        2 | total_time | 120 | - | -
                        """);
    }
}
