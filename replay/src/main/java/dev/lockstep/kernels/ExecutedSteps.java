// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.Steps;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import dev.lockstep.table.LongList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an execution trace. A step lasts from its mark until the next, or until the mark's thread does something
 * outside of it; what other threads did meanwhile belongs to it.
 */
public final class ExecutedSteps {
    private final long[] numbers;
    private final int[] stepOf;

    /**
     * @param nodes in order of their numbers
     * @param parent place of the node around a node, or -1
     * @param annotation name of marks, null for the profiler's own
     */
    public ExecutedSteps(List<Node> nodes, IntUnaryOperator parent, @Nullable String annotation) {
        stepOf = new int[nodes.size()];
        Arrays.fill(stepOf, -1);
        boolean[] calls = new boolean[nodes.size()];
        for (int i = 0; i < stepOf.length; i++) {
            if (parent.applyAsInt(i) >= 0) {
                calls[parent.applyAsInt(i)] = true;
            }
        }
        LongList found = new LongList(16);
        boolean[] within = new boolean[nodes.size()];
        int mark = -1;
        for (int i = 0; i < stepOf.length; i++) {
            int around = parent.applyAsInt(i);
            within[i] = around >= 0 && within[around];
            long number = within[i] ? -1 : Steps.number(nodes.get(i).name(), annotation, found.size());
            if (number >= 0) {
                found.add(number);
                mark = i;
                within[i] = true;
            } else if (mark >= 0
                    && calls[mark]
                    && !within[i]
                    && nodes.get(i).thread() == nodes.get(mark).thread()) {
                mark = -1;
            }
            stepOf[i] = mark < 0 ? -1 : found.size() - 1;
        }
        numbers = found.toArray();
    }

    public int count() {
        return numbers.length;
    }

    /** The number that the mark of a step carries. */
    public long number(int step) {
        return numbers[step];
    }

    /** The step of the node in this place, or -1. */
    public int of(int node) {
        return stepOf[node];
    }

    Steps.Source source() {
        return count() == 0 ? Steps.Source.NONE : Steps.Source.ANNOTATION;
    }
}
