// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.HostNesting;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import org.jspecify.annotations.Nullable;

/** Numbers that activities share which do the same work, or are launched alike. */
final class WorkNumbers {
    private static final int PRIME = 1_000_003;

    private final RankGraph rank;
    private final Trace trace;
    private final Slices slices;
    private final HostNesting nesting;
    private final @Nullable DeviceDetails devices;
    private final @Nullable OpDetails operators;

    WorkNumbers(RankGraph rank, Trace trace, HostNesting nesting) {
        this.rank = rank;
        this.trace = trace;
        this.slices = trace.slices();
        this.nesting = nesting;
        devices = trace.view(DeviceDetails.KEY);
        operators = trace.view(OpDetails.KEY);
    }

    /** A number for the stream, the kernel and the two innermost operators that a collective belongs to. */
    int likeness(int a, int call) {
        int likeness = mixed(rank.activity.streamOf(a), slices.name(rank.activity.slice(a)));
        int around = call;
        for (int operatorsLeft = 2; around >= 0 && operatorsLeft > 0; around = nesting.around(around)) {
            if (slices.kind(around) == SliceKind.CPU_OP) {
                likeness = mixed(likeness, slices.name(around));
                operatorsLeft--;
            }
        }
        return likeness;
    }

    /**
     * A number for the grid, the block, the operator and its inputs: activities of one name and shape do the same work; of a graph
     * also for the place in it, as its operator has many. 0 where the inputs were not recorded.
     *
     * @param placeInGraph its place among those that one call launched as a graph, from 1; 0 where it was launched alone
     */
    int shape(int a, int call, int placeInGraph) {
        int slice = rank.activity.slice(a);
        int around = call;
        while (around >= 0 && slices.kind(around) != SliceKind.CPU_OP) {
            around = nesting.around(around);
        }
        int inputs = operators == null || around < 0 ? -1 : operators.of(around);
        if (operators == null || inputs < 0 || operators.inputDims(inputs) < 0) {
            return 0;
        }
        int shape = mixed(mixed(1, slices.name(around)), operators.inputDims(inputs));
        int row = devices == null ? -1 : devices.of(slice);
        if (devices != null && row >= 0) {
            shape = mixed(mixed(shape, devices.grid(row)), devices.block(row));
        }
        if (placeInGraph > 0) {
            shape = (shape * PRIME + placeInGraph) * PRIME + rank.graphs.activities(call);
        }
        return shape == 0 ? 1 : shape;
    }

    private int mixed(int shape, int text) {
        return text < 0 ? shape : shape * PRIME + trace.strings().get(text).hashCode();
    }
}
