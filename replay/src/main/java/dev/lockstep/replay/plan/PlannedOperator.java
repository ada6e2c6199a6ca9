// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one operator with equal arguments. What no recording may have run has {@link ReplayGap#REFUSED}, whatever else a
 * plan says.
 *
 * @param id number within the plan, in order of first calls
 * @param call what is called
 * @param gap why it cannot be replayed; null when it can be tried
 * @param substitute what to call where the operator itself has no kernel, as those of vendors on a CPU; null for none
 * @param counts how often it was called
 * @param recorded what its calls took when they were recorded
 */
public record PlannedOperator(
        int id,
        Call call,
        @Nullable ReplayGap gap,
        @Nullable Call substitute,
        Counts counts,
        Recorded recorded) {
    public PlannedOperator {
        if (gap == null
                && (OperatorNames.isRefused(call.name())
                        || substitute != null && OperatorNames.isRefused(substitute.name()))) {
            gap = ReplayGap.REFUSED;
        }
    }

    /**
     * An operator and its arguments.
     *
     * @param name with its namespace, without overload
     * @param schema as recorded; null when it was not
     */
    public record Call(String name, @Nullable String schema, List<Argument> arguments) {
        private static final int MOST_SHAPES = 4;

        public Call {
            arguments = List.copyOf(arguments);
        }

        /** Whether something is given, but of what is no tensor nothing: as recordings have it that hold no values. */
        public boolean lacksValues() {
            return arguments.contains(Argument.NONE)
                    && arguments.stream()
                            .allMatch(argument -> argument instanceof Argument.None
                                    || argument instanceof Argument.Tensor
                                    || argument instanceof Argument.Tensors);
        }

        /** The shapes of its tensors, in a few words. */
        public String shapes() {
            List<TensorSpec> tensors = Argument.tensors(arguments);
            String some = tensors.stream()
                    .limit(MOST_SHAPES)
                    .map(spec -> spec.shape().toString().replace(" ", ""))
                    .collect(Collectors.joining(" "));
            return tensors.size() > MOST_SHAPES ? some + " and " + (tensors.size() - MOST_SHAPES) + " more" : some;
        }

        /** The overload that the schema names; null when none was recorded, empty for the default one. */
        public @Nullable String overload() {
            if (schema == null) {
                return null;
            }
            int end = schema.indexOf('(');
            String head = end < 0 ? schema : schema.substring(0, end);
            int dot = head.indexOf('.');
            return dot < 0 ? "" : head.substring(dot + 1);
        }
    }

    /**
     * @param calls in the whole recording
     * @param inSteps of these, within steps
     * @param inside calls of recorded leaf operators within these calls, which run again with them
     */
    public record Counts(long calls, long inSteps, long inside) {}

    /**
     * Sums over all calls, in ns.
     *
     * @param cpuNs time on the host, what runs inside included; -1 when not recorded
     * @param deviceNs time of the device work launched by it or inside it; -1 when not recorded
     */
    public record Recorded(long cpuNs, long deviceNs, List<Kernel> kernels) {
        public Recorded {
            kernels = List.copyOf(kernels);
        }
    }

    /**
     * Device activities of one name and shape of launch.
     *
     * @param grid as JSON text, null when not recorded
     * @param block as JSON text, null when not recorded
     * @param ns sum of their durations
     */
    public record Kernel(
            String name, @Nullable String grid, @Nullable String block, long count, long ns) {}
}
