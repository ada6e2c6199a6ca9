// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.ComparedRuns.Calls;
import dev.lockstep.report.ComparedRuns.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What AORTA's pictures show, read from the sheets that it reads. */
final class Pictured {
    private static final List<String> METRICS =
            List.of("comm_latency_mean", "algo bw (GB/s)_mean", "bus bw (GB/s)_mean", "Total comm latency (ms)");

    private Pictured() {}

    /** From the final report of two runs: rounded means of its dashboard, ranks that both have. */
    static ComparedRuns ofTwo(FinalReport report) {
        Labels labels = report.timelines().combined().labels();
        List<Times> times = new ArrayList<>();
        Frame dashboard = report.dashboard();
        for (int row = 0; row < dashboard.size(); row++) {
            String metric = dashboard.text(row, "Metric");
            double[] ms = {dashboard.number(row, labels.baseline()), dashboard.number(row, labels.test())};
            double[] change = {Double.NaN, dashboard.number(row, "Improvement (%)")};
            times.add(times(metric.substring("GPU_".length()), metric, ms, change, report.timelines(), labels));
        }
        Frame compared = report.collectives().compared().getOrDefault("nccl_implicit_sync_cmp", new Frame(List.of()));
        return new ComparedRuns(List.of(labels.baseline(), labels.test()), times, calls(compared, labels));
    }

    private static Times times(
            String type, String label, double[] ms, double[] change, GpuTimelineComparison timelines, Labels labels) {
        Frame own = timelines
                .byRank()
                .where(row -> timelines.byRank().text(row, "type").equals(type));
        int[] ranks = new int[own.size()];
        double[][] rankMs = new double[2][own.size()];
        double[][] rankChange = new double[2][own.size()];
        Arrays.fill(rankChange[0], Double.NaN);
        for (int row = 0; row < own.size(); row++) {
            ranks[row] = (int) own.number(row, "rank");
            rankMs[0][row] = own.number(row, labels.baseline() + "_time_ms");
            rankMs[1][row] = own.number(row, labels.test() + "_time_ms");
            rankChange[1][row] = own.number(row, "percent_change");
        }
        return new Times(type, label, ms, change, ranks, rankMs, rankChange);
    }

    private static List<Calls> calls(Frame compared, Labels labels) {
        List<Calls> calls = new ArrayList<>();
        for (int row = 0; row < compared.size(); row++) {
            double[][] values = new double[METRICS.size()][2];
            double[][] changes = new double[METRICS.size()][2];
            for (int m = 0; m < values.length; m++) {
                values[m][0] = compared.number(row, labels.baseline() + "_" + METRICS.get(m));
                values[m][1] = compared.number(row, labels.test() + "_" + METRICS.get(m));
                changes[m][0] = Double.NaN;
                changes[m][1] = compared.number(row, "percent_change_" + METRICS.get(m));
            }
            calls.add(new Calls(
                    compared.text(row, "Collective name"), "", compared.text(row, "In msg nelems"), values, changes));
        }
        return calls;
    }

    /** From the report of all runs: the ranks of the first run. */
    static ComparedRuns ofAll(AllRuns all) {
        List<String> labels = all.labels();
        TreeSet<Integer> ranks = new TreeSet<>();
        String suffix = "_" + labels.getFirst();
        for (String head : all.timePerRank().heads()) {
            if (head.endsWith(suffix) && head.matches("\\d+" + Pattern.quote(suffix))) {
                ranks.add(Integer.parseInt(head.substring(0, head.length() - suffix.length())));
            }
        }
        List<Times> times = new ArrayList<>();
        for (int row = 0; row < all.summary().size(); row++) {
            times.add(times(all, row, List.copyOf(ranks)));
        }
        return new ComparedRuns(labels, times, calls(all));
    }

    private static Times times(AllRuns all, int row, List<Integer> ranks) {
        List<String> labels = all.labels();
        String type = all.summary().text(row, "type");
        double[] ms = new double[labels.size()];
        double[] change = new double[labels.size()];
        double[][] rankMs = new double[labels.size()][ranks.size()];
        double[][] rankChange = new double[labels.size()][ranks.size()];
        for (int run = 0; run < labels.size(); run++) {
            ms[run] = all.summary().number(row, "time ms_" + labels.get(run));
            double percent = all.summary().number(row, "percentage_change_" + labels.get(run));
            change[run] = Double.isFinite(percent) ? percent : Double.NaN;
            Arrays.fill(rankChange[run], Double.NaN);
            for (int i = 0; i < ranks.size(); i++) {
                rankMs[run][i] = perRank(all.timePerRank(), type, ranks.get(i) + "_" + labels.get(run));
            }
        }
        int[] numbers = ranks.stream().mapToInt(Integer::intValue).toArray();
        return new Times(type, type, ms, change, numbers, rankMs, rankChange);
    }

    private static double perRank(Frame times, String type, String head) {
        for (int row = 0; row < times.size(); row++) {
            if (times.text(row, "type").equals(type)) {
                return times.number(row, head);
            }
        }
        return Double.NaN;
    }

    private static List<Calls> calls(AllRuns all) {
        List<Calls> calls = new ArrayList<>();
        Frame joined = all.collectives();
        for (int row = 0; row < joined.size(); row++) {
            double[][] values = new double[METRICS.size()][all.labels().size()];
            double[][] changes = new double[METRICS.size()][all.labels().size()];
            for (int m = 0; m < values.length; m++) {
                Arrays.fill(changes[m], Double.NaN);
                for (int run = 0; run < values[m].length; run++) {
                    values[m][run] = joined.number(
                            row, METRICS.get(m) + "_" + all.labels().get(run));
                }
            }
            String index = Objects.toString(joined.cell(row, "index"), "");
            int cut = Math.max(0, index.lastIndexOf('_'));
            calls.add(new Calls(
                    index.substring(0, cut), "", index.substring(Math.min(index.length(), cut + 1)), values, changes));
        }
        return calls;
    }
}
