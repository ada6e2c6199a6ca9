// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.links.Traffic.Communicator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Processes for which the others of a collective wait, as opposed to links that transfer slowly. */
final class LateRanks {
    /** Waiting below this share of the time of a communicator's collectives is not told. */
    private static final double LEAST_SHARE = 0.05;

    private static final int BINS = 64;

    /**
     * How late a process is.
     *
     * @param speaker number of the process
     * @param lateNs by how much it came behind the one before it, all operations together
     * @param share of the time that collectives of its communicator take
     * @param isSure whether it is late beyond chance, and not because it waits for another
     */
    record Late(int speaker, long lateNs, double share, boolean isSure) {}

    private LateRanks() {}

    /** Every process that was the last anywhere, that of the most first. */
    static List<Late> of(Traffic traffic) {
        Map<Communicator, List<Course>> groups = new LinkedHashMap<>();
        int comparisons = 0;
        for (Course course : traffic.courses()) {
            if (!course.isMessage() && course.communicator.ranks > 1) {
                groups.computeIfAbsent(course.communicator, c -> new ArrayList<>())
                        .add(course);
            }
        }
        for (Communicator one : groups.keySet()) {
            comparisons += one.ranks;
        }
        Map<Integer, Late> all = new TreeMap<>();
        Map<Integer, List<Communicator>> sureIn = new TreeMap<>();
        for (Map.Entry<Communicator, List<Course>> group : groups.entrySet()) {
            for (Late one : late(group.getKey(), group.getValue(), comparisons)) {
                Late known = all.getOrDefault(one.speaker, new Late(one.speaker, 0, 0, false));
                all.put(
                        one.speaker,
                        new Late(
                                one.speaker,
                                known.lateNs + one.lateNs,
                                Math.max(known.share, one.share),
                                known.isSure || one.isSure));
                if (one.isSure) {
                    sureIn.computeIfAbsent(one.speaker, s -> new ArrayList<>()).add(group.getKey());
                }
            }
        }
        List<Late> sorted = new ArrayList<>(all.values());
        sorted.sort(Comparator.comparingLong(Late::lateNs).reversed().thenComparingInt(Late::speaker));
        TreeSet<Integer> excused = new TreeSet<>();
        List<Late> told = new ArrayList<>();
        for (Late one : sorted) {
            boolean isSure = one.isSure && !excused.contains(one.speaker);
            told.add(new Late(one.speaker, one.lateNs, one.share, isSure));
            if (isSure) { // who shares a communicator with it is late elsewhere because it waits here
                sureIn.getOrDefault(one.speaker, List.of())
                        .forEach(c -> Arrays.stream(c.speakers).forEach(excused::add));
            }
        }
        return told;
    }

    private static List<Late> late(Communicator communicator, List<Course> courses, int comparisons) {
        double[][] late = new double[communicator.ranks][BINS];
        double time = 0;
        for (Course course : courses) {
            int[] rows = course.complete();
            long first = Arrays.stream(rows).mapToLong(course::sequence).min().orElse(0);
            long beyond =
                    1 + Arrays.stream(rows).mapToLong(course::sequence).max().orElse(0);
            for (int row : rows) {
                late[course.last(row)][Course.bin(course.sequence(row), first, beyond, BINS)] += course.late(row);
                time += course.longestNs(row);
            }
        }
        double[] mean = new double[BINS];
        for (double[] of : late) {
            for (int bin = 0; bin < BINS; bin++) {
                mean[bin] += of[bin] / late.length;
            }
        }
        List<Late> found = new ArrayList<>();
        for (int rank = 0; rank < late.length; rank++) {
            double sum = Arrays.stream(late[rank]).sum();
            if (sum > 0 && communicator.speakers[rank] >= 0) {
                boolean isSure = sum >= LEAST_SHARE * time
                        && LongRunMeans.of(List.of(late[rank], others(late[rank], mean, late.length)))
                                        .difference(0, 1, comparisons)
                                        .low()
                                > 0;
                found.add(new Late(communicator.speakers[rank], Math.round(sum), sum / time, isSure));
            }
        }
        return found;
    }

    private static double[] others(double[] own, double[] mean, int ranks) {
        double[] others = new double[own.length];
        for (int bin = 0; bin < own.length; bin++) {
            others[bin] = (mean[bin] * ranks - own[bin]) / (ranks - 1);
        }
        return others;
    }
}
