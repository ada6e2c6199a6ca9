// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import java.util.List;

/**
 * How a sheet is compared.
 *
 * @param sheet its name in the reports
 * @param result the name that results begin with
 * @param keys what rows are matched by
 * @param differences columns whose differences are shown; the first decides who has a row
 * @param dropped columns that nobody keeps
 * @param droppedLater columns that only the baseline keeps
 * @param sort the column by which rows are sorted
 */
record ComparedSheet(
        String sheet,
        String result,
        List<String> keys,
        List<String> differences,
        List<String> dropped,
        List<String> droppedLater,
        String sort) {
    private static final List<String> ARGUMENTS =
            List.of("name", "Input type", "Input Dims", "Input Strides", "Concrete Inputs");
    private static final List<String> CUMULATIVE = List.of("Cumulative Percentage (%)");
    private static final String DIRECT = "total_direct_kernel_time_sum";
    private static final String KERNELS = "Kernel Time (µs)_sum";
    private static final String KERNEL = "Kernel duration (µs)_sum";

    static final ComparedSheet TIMELINE = new ComparedSheet(
            "gpu_timeline", "gpu_timeline", List.of("type"), List.of("time ms"), List.of(), List.of(), "time ms");

    static final ComparedSheet OPERATORS = new ComparedSheet(
            "ops_summary",
            "ops_summary",
            List.of("name"),
            List.of("total_direct_kernel_time_ms", "Count"),
            List.of(DIRECT),
            CUMULATIVE,
            "total_direct_kernel_time_ms");

    static final ComparedSheet KERNEL_SUMMARY = new ComparedSheet(
            "kernel_summary",
            "kernel_summary",
            List.of("Kernel name"),
            List.of(KERNEL, "Kernel duration (µs)_mean", "Kernel duration (µs)_count"),
            List.of("Kernel duration (µs)_min", "Kernel duration (µs)_max", "Parent op category"),
            CUMULATIVE,
            KERNEL);

    /** The sheet of this name in reports of rocprof recordings. */
    static final ComparedSheet ROCPROF_KERNELS = new ComparedSheet(
            "kernel_summary",
            "kernel_summary",
            List.of("name"),
            List.of("Total Kernel Time (ms)", "Mean Kernel Time (µs)", "Count"),
            List.of(
                    "Total Kernel Time (µs)",
                    "Median Kernel Time (µs)",
                    "Std Kernel Time (µs)",
                    "Min Kernel Time (µs)",
                    "Max Kernel Time (µs)",
                    "Category"),
            CUMULATIVE,
            "Total Kernel Time (ms)");

    /** Sheets by arguments; older reports call one of them {@code ops_all}. */
    static final List<ComparedSheet> BY_ARGUMENTS = List.of(
            arguments("ops_all", DIRECT),
            arguments("ops_unique_args", DIRECT),
            arguments("unified_perf_summary", KERNELS));

    /** Sheets of operator families; their parameters are further keys. */
    static final List<ComparedSheet> FAMILIES = List.of(
            family("GEMM", "GEMM"),
            family("SDPA_fwd", "SDPA_fwd"),
            family("SDPA_bwd", "SDPA_bwd"),
            family("CONV_fwd", "CONV_fwd"),
            family("CONV_bwd", "CONV_bwd"),
            family("UnaryElementwise", "un_eltwise"),
            family("BinaryElementwise", "bin_eltwise"));

    ComparedSheet withKeys(List<String> others) {
        return new ComparedSheet(sheet, result, others, differences, dropped, droppedLater, sort);
    }

    private static ComparedSheet arguments(String sheet, String time) {
        String mean = time.substring(0, time.length() - "sum".length()) + "mean";
        return new ComparedSheet(
                sheet, sheet, ARGUMENTS, List.of(time, mean, "operation_count"), List.of(), List.of(), time);
    }

    private static ComparedSheet family(String sheet, String result) {
        return new ComparedSheet(
                sheet,
                result,
                List.of("name"),
                List.of(KERNELS, "Kernel Time (µs)_mean", "name_count", "TFLOPS/s_mean", "TB/s_mean"),
                List.of(),
                List.of(
                        "GFLOPS_first",
                        "Data Moved (MB)_first",
                        "FLOPS/Byte_first",
                        "Input type_first",
                        "Input Dims_first",
                        "Input Strides_first",
                        "Concrete Inputs_first"),
                KERNELS);
    }
}
