// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.percent;
import static dev.lockstep.table.ColumnSpec.real;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The sheets about stragglers, of tables and of traces alike. */
final class StragglerSheets {
    private static final double HUNDRED = 100;

    private StragglerSheets() {}

    /** A group that is as recorded while all else is typical, and the mean step then by the ideal one. */
    record Priced(String scope, String subject, double slowdown) {}

    /** A step; times in ns. */
    record StepTimes(long number, long recorded, long replayed, long ideal, double slowdown) {}

    /** What a rank costs in a step; -1 for what is not known. */
    record RankStep(int rank, int stage, int dpRank, long step, double slowdown) {}

    /** The rows of the sheet of prices that say this. */
    static Evidence pricesOf(List<Priced> rows, Predicate<Priced> which) {
        return new Evidence.Rows(
                "straggler_whatif",
                IntStream.range(0, rows.size())
                        .filter(row -> which.test(rows.get(row)))
                        .boxed()
                        .toList());
    }

    /** @param ideal length of the mean ideal step in ns */
    static Table prices(List<Priced> rows, double ideal) {
        return new Fields<Priced>()
                .add(
                        text("scope", "What kind of group it is: the job, a type of operation, a stage, a rank."),
                        Priced::scope)
                .add(text("subject", "The group that is as recorded while all else is typical."), Priced::subject)
                .add(
                        real("slowdown", Unit.NONE, Unit.NONE, "Mean step time with it as recorded, by the ideal one."),
                        Priced::slowdown)
                .add(
                        micros(
                                "cost us",
                                "By how much the mean step is longer than the ideal one; costs do not add up."),
                        p -> Math.round(ideal * (p.slowdown() - 1)))
                .add(percent("cost %", "The same as a share of the ideal step."), p -> HUNDRED * (p.slowdown() - 1))
                .table("straggler_whatif", "Cost of uneven work", rows);
    }

    static Table steps(List<StepTimes> rows) {
        return new Fields<StepTimes>()
                .add(
                        id("step", "Number of the step; missing where nothing marks steps."),
                        s -> s.number() < 0 ? null : s.number())
                .add(micros("recorded us", "Its length as recorded."), StepTimes::recorded)
                .add(micros("replayed us", "The same when nothing starts later than it has to."), StepTimes::replayed)
                .add(micros("ideal us", "The same with typical durations."), StepTimes::ideal)
                .add(real("slowdown", Unit.NONE, Unit.NONE, "Replayed by ideal."), StepTimes::slowdown)
                .table("straggler_steps", "Steps as recorded, replayed and ideal", rows);
    }

    static Table cells(List<RankStep> rows) {
        return new Fields<RankStep>()
                .add(id("rank", "The rank."), c -> (long) c.rank())
                .add(id("stage", "Its stage; missing where that is not known."), c -> known(c.stage()))
                .add(id("data-parallel rank", "Missing where that is not known."), c -> known(c.dpRank()))
                .add(
                        id(
                                "step",
                                "The step; missing where ranks were not replayed one by one, or nothing marks steps."),
                        c -> c.step() < 0 ? null : c.step())
                .add(
                        real(
                                "slowdown",
                                Unit.NONE,
                                Unit.NONE,
                                "Step time with this rank as recorded among typical ones, by the ideal one."),
                        RankStep::slowdown)
                .table("straggler_heatmap", "Cost of each rank by step", rows);
    }

    private static @Nullable Long known(int number) {
        return number < 0 ? null : Long.valueOf(number);
    }

    /** What a picture shows of slowdowns: by how many per cent a step is longer, at least nothing. */
    static double[][] cost(double[][] slowdowns) {
        double[][] cost = new double[slowdowns.length][];
        for (int i = 0; i < cost.length; i++) {
            cost[i] = Arrays.stream(slowdowns[i])
                    .map(slowdown -> Math.max(0, HUNDRED * (slowdown - 1)))
                    .toArray();
        }
        return cost;
    }

    /** @param cells slowdowns by rank, then step */
    static Chart.Heat map(int[] ranks, long[] steps, double[][] cells) {
        List<String> rows = new ArrayList<>();
        for (int rank : ranks) {
            rows.add("rank " + rank);
        }
        List<String> columns = new ArrayList<>();
        for (long step : steps) {
            columns.add(step < 0 ? "all" : "step " + step);
        }
        return new Chart.Heat(
                "Cost of each rank by step",
                "By how much a step is longer than the ideal one with this rank as recorded among typical ones. A row"
                        + " that stands out is a slow rank, a column a step in which the work was uneven.",
                "%",
                rows,
                columns,
                cost(cells),
                Chart.Scale.MAGNITUDE,
                IntStream.range(0, ranks.length * steps.length)
                        .mapToObj(line -> cells(line, 1))
                        .toList());
    }

    /** So many rows of the sheet of cells, from one on. */
    static Evidence cells(int first, int count) {
        return new Evidence.Rows(
                "straggler_heatmap",
                IntStream.range(first, first + count).boxed().toList());
    }
}
