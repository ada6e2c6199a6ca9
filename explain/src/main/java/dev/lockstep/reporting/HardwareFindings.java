// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.hardware.KernelCounters;
import dev.lockstep.analyze.hardware.KernelOccupancy;
import dev.lockstep.analyze.hardware.KernelOccupancy.Row;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Notable;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * What is said about kernels that leave much of a device empty. Said is only what holds by counting: multiprocessors without a
 * block, threads that cannot fit, names that tell of vector units.
 */
final class HardwareFindings {
    private static final double NOTABLE = 0.05;
    private static final double MUCH = 0.10;

    private HardwareFindings() {}

    static List<Finding> of(KernelOccupancy.Result kernels) {
        List<Finding> findings = new ArrayList<>();
        smallGrids(kernels, findings);
        lowOccupancy(kernels, findings);
        vectorUnits(kernels, findings);
        return findings;
    }

    /** Whoever compares durations of such a trace is misled. */
    static List<Finding> of(KernelCounters.Result counters) {
        if (counters.rows().isEmpty()) {
            return List.of();
        }
        String operators = counters.isMatched()
                ? ""
                : " There are " + Words.count(counters.launches(), "launch", "launches")
                        + ", so the operators of the kernels are unknown.";
        return List.of(new Finding(
                Severity.INFO,
                "kernel_counters",
                "Hardware counters were recorded for " + Words.count(counters.ranges(), "kernel", "kernels")
                        + ". Kernels then run one at a time, and again for each set of counters. Times in this trace"
                        + " are not those of a normal run." + operators,
                "kernel_counters: counter, kernel, sum"));
    }

    private static void smallGrids(KernelOccupancy.Result kernels, List<Finding> findings) {
        Predicate<Row> small = row -> row.emptyNs() > 0;
        long empty = sum(kernels, small, Row::emptyNs);
        if (!Notable.is(empty, NOTABLE, kernels.span())) {
            return;
        }
        long ran = sum(kernels, small, Row::aloneNs);
        findings.add(new Finding(
                        Severity.NOTICE,
                        "small_grids",
                        String.format(
                                Locale.ROOT,
                                "Kernels with fewer blocks than multiprocessors run alone for %s. They leave %.0f %% of the"
                                        + " multiprocessors empty, as much as %s of the whole device.",
                                Words.time(ran),
                                100.0 * empty / ran,
                                Words.time(empty)),
                        "kernel_occupancy: blocks per SM below 1")
                .on(rows(kernels, small, Row::emptyNs)));
    }

    private static void lowOccupancy(KernelOccupancy.Result kernels, List<Finding> findings) {
        Predicate<Row> low = row -> row.compute()
                && !"matrix".equals(row.unit())
                && row.fill().fitting() < KernelOccupancy.LOW
                && row.fill().waves() >= 1;
        long time = sum(kernels, low, Row::ns);
        if (kernels.kernelNs() == 0 || time < kernels.kernelNs() * MUCH) {
            return;
        }
        Row most = kernels.rows().stream().filter(low).findFirst().orElseThrow();
        findings.add(new Finding(
                        Severity.NOTICE,
                        "low_occupancy",
                        String.format(
                                Locale.ROOT,
                                "Kernels that fit under %.0f %% of a multiprocessor's threads run %s (%s of the kernel time)."
                                        + " The longest is %s, limited by %s. More threads help only kernels that wait"
                                        + " for memory.",
                                KernelOccupancy.LOW,
                                Words.time(time),
                                Words.share(time, kernels.kernelNs()),
                                Words.name(most.launch().kernel()),
                                most.fill().limit()),
                        "kernel_occupancy: fitting %, limited by")
                .on(rows(kernels, low, Row::ns)));
    }

    private static void vectorUnits(KernelOccupancy.Result kernels, List<Finding> findings) {
        Predicate<Row> vector = row -> "vector".equals(row.unit());
        long time = sum(kernels, vector, Row::ns);
        if (kernels.kernelNs() == 0 || time < kernels.kernelNs() * MUCH) {
            return;
        }
        findings.add(new Finding(
                        Severity.NOTICE,
                        "vector_units",
                        String.format(
                                Locale.ROOT,
                                "Matrix multiplications without tensor or matrix cores take %s (%s of the kernel time)."
                                        + " Most of it is in %s. Where precision allows, use fp16, or TF32 and bf16 if"
                                        + " the device has them.",
                                Words.time(time),
                                Words.share(time, kernels.kernelNs()),
                                Words.name(longest(kernels, vector))),
                        "matrix_units: unit")
                .on(rows(kernels, vector, Row::ns)));
    }

    /** The name whose rows take longest together. */
    private static String longest(KernelOccupancy.Result kernels, Predicate<Row> which) {
        Map<String, Long> times = new TreeMap<>();
        kernels.rows().stream()
                .filter(which)
                .forEach(row -> times.merge(row.launch().kernel(), row.ns(), Long::sum));
        return Collections.max(times.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    private static long sum(KernelOccupancy.Result kernels, Predicate<Row> which, ToLongFunction<Row> value) {
        return kernels.rows().stream().filter(which).mapToLong(value).sum();
    }

    private static Evidence rows(KernelOccupancy.Result kernels, Predicate<Row> which, ToLongFunction<Row> value) {
        List<Row> rows = kernels.rows();
        return new Evidence.Rows(
                "kernel_occupancy",
                IntStream.range(0, rows.size())
                        .filter(i -> which.test(rows.get(i)))
                        .boxed()
                        .sorted(Comparator.comparingLong((Integer i) -> -value.applyAsLong(rows.get(i))))
                        .toList());
    }
}
