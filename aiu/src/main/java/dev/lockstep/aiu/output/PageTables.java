// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import java.util.ArrayList;
import java.util.List;

/** Rows of the tables that are written beside a result, for the page that shows them, too. */
public final class PageTables {
    /**
     * Executions of one kernel on one process; times are microseconds, as precise as the table has them.
     *
     * @param share percent of the time of all kernels of the process
     */
    record KernelRow(long pid, String name, double share, SampleStats durations) {}

    /**
     * Time of the kernels of a process.
     *
     * @param us microseconds of all kernels
     * @param elapsedUs microseconds from the first kernel's start to the last one's end
     * @param percent the former in percent of the latter
     */
    record ActivityRow(long pid, double us, double elapsedUs, double percent) {}

    /**
     * Time of the kernels of a category on a process.
     *
     * @param share part of the time of all categories
     * @param idealUs microseconds at the full rate of the device
     * @param idealCycles the same in cycles of the core
     * @param idealShare part of the ideal time of all categories
     * @param utilization ideal time over time
     */
    record CategoryRow(
            long pid,
            String phase,
            String category,
            double us,
            double share,
            long calls,
            double idealUs,
            long idealCycles,
            double idealShare,
            double utilization) {}

    final List<KernelRow> kernels = new ArrayList<>();
    final List<ActivityRow> activity = new ArrayList<>();
    final List<CategoryRow> categories = new ArrayList<>();
}
