// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.perfmodel.Value;

/** The kernels of a row as lists of one object, which older readers look into for the kernel's name. */
final class KernelDetails {
    private static final int LONGEST_NAME = 64;
    private static final double NS_PER_US = 1e3;

    private KernelDetails() {}

    static String whole(Gemm gemm) {
        DurationSpread spread = gemm.spread();
        return head(gemm, gemm.shape().kernel()) + ", \"count\": " + spread.count()
                + number(ColumnNames.TOTAL_DURATION_US, (double) spread.sum())
                + number(ColumnNames.MEAN_DURATION_US, spread.mean())
                + number("median_duration_us", spread.p50())
                + number("std_dev_duration_us", spread.sigma())
                + number("min_duration_us", (double) spread.min())
                + number("max_duration_us", (double) spread.max())
                + "}]";
    }

    static String brief(Gemm gemm) {
        String name = gemm.shape().kernel();
        String shown = name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "...";
        return head(gemm, shown)
                + number(ColumnNames.MEAN_DURATION_US, gemm.spread().mean()) + "}]";
    }

    private static String head(Gemm gemm, String name) {
        return "[{\"name\": " + Value.of(name).json() + ", \"stream\": "
                + Value.of(gemm.stream()).json();
    }

    private static String number(String key, double ns) {
        return ", \"" + key + "\": " + Value.of(ns / NS_PER_US).json();
    }
}
