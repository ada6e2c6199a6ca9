// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.table.Table;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Kernels, copies and fills that are the same, longest sum first: what would have to be run again to do the work of a
 * recording. Every device activity that the selection lets through belongs to exactly one.
 *
 * @param rules definitions
 * @param selection what is looked at, and what makes kernels the same
 * @param executed an execution trace of the same run, which knows inputs of operators that the recording lacks; null for
 *     none
 */
public record UniqueKernels(
        AnalysisRules rules, Selection selection, @Nullable ExecutionTrace executed)
        implements Analysis<UniqueKernels.Result> {
    /** Without an execution trace. */
    public UniqueKernels(AnalysisRules rules, Selection selection) {
        this(rules, selection, null);
    }

    /**
     * @param key what tells kernels apart, besides names and bytes
     * @param devices those that count; empty for all
     * @param exclude parts of names, in lower case, whose kernels are left out
     * @param stepAnnotation annotations that mark steps; null to find what does
     * @param forwards how often the model ran, if the user says so; 0 to find out
     * @param categories kinds of kernels
     */
    public record Selection(
            Set<KeyField> key,
            Set<String> devices,
            List<String> exclude,
            @Nullable String stepAnnotation,
            int forwards,
            KernelCategories categories) {
        /** With the standard categories. */
        public Selection(
                Set<KeyField> key,
                Set<String> devices,
                List<String> exclude,
                @Nullable String stepAnnotation,
                int forwards) {
            this(key, devices, exclude, stepAnnotation, forwards, KernelCategories.standard());
        }

        public Selection {
            key = key.isEmpty() ? EnumSet.noneOf(KeyField.class) : EnumSet.copyOf(key);
            devices = new HashSet<>(devices);
            exclude =
                    exclude.stream().map(part -> part.toLowerCase(Locale.ROOT)).toList();
        }

        /** Everything, by the standard key. */
        public static Selection standard() {
            return new Selection(KeyField.standard(), Set.of(), List.of(), null, 0);
        }

        boolean excludes(String name) {
            String plain = name.toLowerCase(Locale.ROOT);
            return exclude.stream().anyMatch(plain::contains);
        }
    }

    /**
     * What was looked at.
     *
     * @param seen device activities of the trace
     * @param kept of these, those in the list
     * @param excluded of these, those left out by name
     * @param deviceFiltered of these, those left out by device
     */
    public record Totals(long seen, long kept, long excluded, long deviceFiltered) {}

    /**
     * The unique kernels.
     *
     * @param steps number of steps, 0 when none are known
     * @param stepSource how steps are known
     * @param forwards how often the model ran, null when that cannot be told
     * @param histogram durations of all, null when no times are known
     * @param launches which activity is which unique kernel, null when only sums are known
     * @param content what the list was made from
     */
    public record Result(
            Set<KeyField> key,
            Totals totals,
            List<UniqueKernel> kernels,
            int steps,
            Steps.Source stepSource,
            @Nullable ForwardPasses forwards,
            @Nullable DurationHistogram histogram,
            @Nullable Launches launches,
            Content content)
            implements AnalysisResult {
        public Result {
            kernels = List.copyOf(kernels);
            key = key.isEmpty() ? EnumSet.noneOf(KeyField.class) : EnumSet.copyOf(key);
        }

        /** Sum of all durations in ns, 0 when no times are known. */
        public long time() {
            return kernels.stream()
                    .mapToLong(k -> k.durations() == null ? 0 : k.durations().sum())
                    .sum();
        }

        public long calls() {
            return kernels.stream().mapToLong(UniqueKernel::calls).sum();
        }

        @Override
        public List<Table> tables() {
            return kernels.isEmpty() ? List.of() : KernelSheets.of(this);
        }

        @Override
        public @Nullable String notApplicable() {
            return kernels.isEmpty() ? "there are no " + content.what() : null;
        }
    }

    @Override
    public String id() {
        return "unique_kernels";
    }

    @Override
    public Result run(DerivedCache cache) {
        return new Extraction(cache, rules, selection, executed).run();
    }

    /** How often the model ran: as given, by steps, else by counts. */
    static @Nullable ForwardPasses forwards(int given, int steps, Steps.Source source, Iterable<UniqueKernel> kernels) {
        if (given > 0) {
            return new ForwardPasses(given, ForwardPasses.Source.GIVEN, Double.NaN);
        }
        if (steps > 0 && source.isMarked()) {
            return new ForwardPasses(steps, ForwardPasses.Source.ANNOTATION, Double.NaN);
        }
        Map<String, Long> calls = ForwardPasses.byName(kernels);
        Optional<ForwardPasses> counted = ForwardPasses.fromCounts(calls);
        return steps > 0 ? new ForwardPasses(steps, ForwardPasses.Source.SEQUENCE, Double.NaN) : counted.orElse(null);
    }
}
