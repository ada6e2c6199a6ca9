// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.lockstep.perfmodel.NotModelled;
import dev.lockstep.perfmodel.OpCall;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.perfmodel.Value;
import dev.lockstep.perfmodel.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares figures of models with those that TraceLens wrote into its sheets for the same calls. */
class TraceLensModelsTest {
    private static final OpModels MODELS = TraceLensModels.models();
    private static final Pattern KERNEL = Pattern.compile("'name': ('([^']*)'|\"([^\"]*)\")");
    private static final double MIB = 1 << 20;

    /** How a parameter that is none, or that the operator does not have, is shown. */
    private static final Set<String> NOTHING = Set.of("", "nan", "None");

    /** Families whose models live elsewhere. */
    private static final Set<String> ELSEWHERE = Set.of(
            "InferenceAttention",
            "RMSNorm",
            "MoE_unfused",
            "MoE_fused",
            "MoE_aux",
            "RoPE_fwd",
            "GroupQuant",
            "FusedRoPE",
            "CustomCollective",
            "mHC");

    @Test
    void everyRowOfTheUnifiedSheetHasTheSameFigures() throws IOException {
        List<Path> sheets = ReferenceSheets.named("unified_perf_summary.csv");
        assumeFalse(sheets.isEmpty(), "the collection of reference sheets is not there");
        List<String> wrong = new ArrayList<>();
        Map<String, Integer> seen = new TreeMap<>();
        for (Path sheet : sheets) {
            for (Map<String, String> row : ReferenceSheets.rows(sheet)) {
                if ("True".equals(row.get("has_perf_model")) && !ELSEWHERE.contains(row.get("op category"))) {
                    compareUnified(sheet, row, wrong, seen);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(seen).hasSizeGreaterThan(30);
    }

    private static void compareUnified(
            Path sheet, Map<String, String> row, List<String> wrong, Map<String, Integer> seen) {
        String name = row.get("name");
        OpModel model = MODELS.of(name);
        seen.merge(name.startsWith("triton_") ? "triton" : name, 1, Integer::sum);
        String expected = figures(row, "GFLOPS", "Data Moved (MB)") + row.get("perf_params");
        String actual = model == null ? "no model" : figures(model, call(row, "", "kernel_details_summary"));
        if (!expected.equals(actual)) {
            wrong.add(sheet.getParent().getFileName() + " " + name + " " + row.get("Input Dims") + "\n  expected "
                    + expected + "\n  actual   " + actual + "\n");
        }
    }

    @Test
    void everyRowOfTheSheetsOfFamiliesHasTheSameFigures() throws IOException {
        List<String> wrong = new ArrayList<>();
        int compared = 0;
        for (String family : List.of(
                "GEMM",
                "SDPA_fwd",
                "CONV_fwd",
                "CONV_bwd",
                "UnaryElementwise",
                "BinaryElementwise",
                "Normalization",
                "Normalization_fwd",
                "Reduce_fwd")) {
            for (Path sheet : ReferenceSheets.named(family + ".csv")) {
                for (Map<String, String> row : ReferenceSheets.rows(sheet)) {
                    compared++;
                    compareFamily(sheet, row, wrong);
                }
            }
        }
        assumeFalse(compared == 0, "the collection of reference sheets is not there");
        assertThat(wrong).isEmpty();
    }

    private static void compareFamily(Path sheet, Map<String, String> row, List<String> wrong) {
        OpModel model = MODELS.of(row.get("name"));
        String expected = figures(row, "GFLOPS_first", "Data Moved (MB)_first");
        String actual = "no model";
        Map<String, String> parameters = new TreeMap<>();
        try {
            if (model != null) {
                OpCall call = call(row, "_first", "kernel_details__summarize_kernel_stats");
                Work work = model.forward(call);
                actual = figures(work);
                work.parameters().stream()
                        .filter(p -> !p.value().equals(Value.NONE))
                        .forEach(p -> parameters.put("param: " + p.name(), PythonValues.str(p.value())));
            }
        } catch (NotModelled e) {
            actual = e.reason();
        }
        // A column in which some number has a fraction shows all of them with one.
        row.computeIfPresent("param: num_channels", (name, cell) -> cell.replaceFirst("\\.0$", ""));
        parameters.computeIfPresent("param: num_channels", (name, cell) -> cell.replaceFirst("\\.0$", ""));
        Map<String, String> shown = row.entrySet().stream()
                .filter(e -> e.getKey().startsWith("param: ") && !NOTHING.contains(e.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
        if (!expected.equals(actual) || !shown.equals(parameters)) {
            wrong.add(sheet.getParent().getFileName() + " " + row.get("name") + "\n  expected " + expected + shown
                    + "\n  actual   " + actual + parameters + "\n");
        }
    }

    private static OpCall call(Map<String, String> row, String suffix, String kernels) {
        List<String> names = new ArrayList<>();
        Matcher matcher = KERNEL.matcher(row.get(kernels));
        while (matcher.find()) {
            names.add(matcher.group(2) == null ? matcher.group(3) : matcher.group(2));
        }
        return OpCall.of(
                        row.get("name"),
                        argument(row.get("Input Dims" + suffix)),
                        argument(row.get("Input type" + suffix)),
                        argument(row.get("Input Strides" + suffix)),
                        argument(row.get("Concrete Inputs" + suffix)))
                .withKernels(names);
    }

    private static @Nullable String argument(String cell) {
        return cell.isEmpty() ? null : ReferenceSheets.json(cell);
    }

    private static String figures(OpModel model, OpCall call) {
        try {
            Work work = model.forward(call);
            return figures(work) + PythonValues.dictionary(work.parameters());
        } catch (NotModelled e) {
            return figures(Map.of("Compute Spec", "", "a", "", "b", ""), "a", "b");
        }
    }

    private static String figures(Work work) {
        return rounded(work.flops() / 1e9) + " " + rounded(work.bytes() / MIB) + " " + work.computeSpec() + " ";
    }

    private static String figures(Map<String, String> row, String gflops, String megabytes) {
        return rounded(number(row.get(gflops))) + " " + rounded(number(row.get(megabytes))) + " "
                + row.get("Compute Spec") + " ";
    }

    private static double number(String cell) {
        return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
    }

    private static String rounded(double value) {
        return String.format(java.util.Locale.ROOT, "%.9g", value);
    }
}
