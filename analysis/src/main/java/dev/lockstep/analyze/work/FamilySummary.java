// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.perfmodel.OpModel;
import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operators of each family of performance models, by the parameters of their models. All operators count, also those
 * inside others of the family. A family has a sheet for forward and one for backward operators.
 *
 * @param rules definitions
 * @param layout which operators stand on which sheet
 * @param kernelCount whether the number of kernels tells rows apart
 * @param recompute whether recomputation is told apart
 * @param overlaps shows what ran on other streams at the same time; null not to
 */
public record FamilySummary(
        WorkRules rules,
        Layout layout,
        boolean kernelCount,
        boolean recompute,
        @Nullable OverlapRule overlaps) implements Analysis<FamilySummary.Result> {
    /** Which operators stand on which sheet. */
    public interface Layout {
        /** Whether the family has one sheet, named after it. */
        boolean single(String family);

        /** Whether operators with this model stand among the backward ones by themselves. */
        boolean isBackward(String name, OpModel model);

        /**
         * Whether the backward pass of a forward operator is listed with figures that follow from the forward one.
         *
         * @param explicit whether an operator of the backward pass has a model of the family itself
         */
        boolean derivesBackward(String name, boolean explicit);

        /** Every backward operator among the backward ones; what has a model of its own is not listed twice. */
        static Layout standard() {
            return new Layout() {
                @Override
                public boolean single(String family) {
                    return family.equals("GEMM") || family.endsWith("Elementwise");
                }

                @Override
                public boolean isBackward(String name, OpModel model) {
                    return model.category().endsWith("_bwd");
                }

                @Override
                public boolean derivesBackward(String name, boolean explicit) {
                    return !explicit;
                }
            };
        }
    }

    /**
     * Operators of one name whose models have equal parameters.
     *
     * @param parameters of the model
     * @param kernels number of kernels that each of them launched, -1 when it does not tell rows apart
     * @param recompute whether they ran as part of a recomputation
     * @param first arguments and place of the first of them
     * @param firstStart start of the first of them in ns
     * @param number place of the first of them in the file
     */
    public record Row(
            String name,
            List<Parameter> parameters,
            int kernels,
            boolean recompute,
            PerfSummary.Signature first,
            long firstStart,
            long number,
            WorkFigures figures,
            List<KernelPosition> positions,
            @Nullable Overlapping overlapping) {
        /** Time in ns of all these operators on the device. */
        public long time() {
            return figures.kernelTime().sum();
        }
    }

    /**
     * One sheet.
     *
     * @param parameters names of the parameters that occur
     */
    public record Sheet(String name, List<String> parameters, List<Row> rows) {
        public Sheet {
            parameters = List.copyOf(parameters);
            rows = List.copyOf(rows);
        }
    }

    /** Sheets in order of the families, without empty ones. */
    public record Result(
            List<Sheet> sheets,
            boolean kernelCount,
            boolean recompute,
            boolean roofline,
            boolean overlaps,
            RecordingTool recorder)
            implements AnalysisResult {
        public Result {
            sheets = List.copyOf(sheets);
        }

        @Override
        public List<Table> tables() {
            long first = sheets.stream()
                    .flatMap(s -> s.rows.stream())
                    .mapToLong(Row::firstStart)
                    .min()
                    .orElse(0);
            return sheets.stream()
                    .map(s -> FamilySheets.table(this, s, SheetHabits.standard(first)))
                    .toList();
        }

        @Override
        public @Nullable String notApplicable() {
            return sheets.isEmpty()
                    ? "no operator has both a performance model and recorded shapes"
                            + recorder.torch("record_shapes=True")
                    : null;
        }
    }

    @Override
    public String id() {
        return "families";
    }

    @Override
    public Result run(DerivedCache cache) {
        Map<String, FamilyRows> forward = new LinkedHashMap<>();
        Map<String, FamilyRows> backward = new LinkedHashMap<>();
        FamilyRun run = new FamilyRun(cache, this, forward, backward);
        for (String family : rules.models().families()) {
            forward.put(family, new FamilyRows());
            backward.put(family, new FamilyRows());
        }
        run.addAll();
        List<Sheet> sheets = new ArrayList<>();
        forward.forEach((family, rows) -> addSheets(sheets, family, run, rows, backward.getOrDefault(family, rows)));
        return new Result(
                sheets,
                kernelCount,
                recompute,
                rules.device() != null,
                overlaps != null,
                cache.get(new RecordingTool.Key()));
    }

    /** Operators that are backward ones by themselves follow behind those that follow from forward ones. */
    private void addSheets(List<Sheet> sheets, String family, FamilyRun run, FamilyRows direct, FamilyRows derived) {
        List<Row> forward = run.rows(direct, false);
        List<Row> backward = new ArrayList<>(run.rows(derived, true));
        boolean single = layout.single(family);
        List<Row> moved = single
                ? List.of()
                : forward.stream().filter(r -> run.isBackward(r.name())).toList();
        Set<String> names = direct.parameterNames();
        add(
                sheets,
                single ? family : family + "_fwd",
                names,
                forward.stream().filter(r -> !moved.contains(r)).toList());
        if (!single) {
            Set<String> all = new LinkedHashSet<>(derived.parameterNames());
            all.addAll(names);
            backward.addAll(moved);
            add(sheets, family + "_bwd", all, backward);
        }
    }

    private static void add(List<Sheet> sheets, String name, Set<String> parameters, List<Row> rows) {
        if (!rows.isEmpty()) {
            sheets.add(new Sheet(name, List.copyOf(parameters), rows));
        }
    }
}
