// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.memory.AllocationOwners.Pass;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationOwnersTest {
    private static final List<String> NAMES = List.of(
            "aten::mm", "MmBackward0", "Optimizer.step#SGD.step", "ProfilerStep#1", "nn.Module: Linear_0", "range");
    private static final List<String> KINDS = List.of("cpu_op", "python_function", "user_annotation", "cuda_runtime");

    /** Slices that nest, cross, touch and last no time, each event compared with a look at all of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void theOwnerIsTheInnermostOfAllThatAreOpen(int seed) {
        Random random = new Random(seed);
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            events.add(("{'ph': 'X', 'cat': '%s', 'name': '%s', 'pid': 1, 'tid': %d, 'ts': %d, 'dur': %d}")
                    .formatted(
                            KINDS.get(random.nextInt(KINDS.size())),
                            NAMES.get(random.nextInt(NAMES.size())),
                            1 + random.nextInt(2),
                            random.nextInt(60),
                            random.nextInt(1 + random.nextInt(40))));
            events.add(("{'ph': 'i', 's': 't', 'cat': 'cpu_instant_event', 'name': '[memory]', 'pid': 1, 'tid': %d,"
                            + " 'ts': %d, 'args': {'Bytes': 512, 'Addr': %d, 'Device Id': 0, 'Device Type': 1}}")
                    .formatted(1 + random.nextInt(2), random.nextInt(100), i));
        }
        Trace trace = TestTraces.of(String.join(",\n", events).replace('\'', '"'));
        AllocationOwners owners = new DerivedCache(trace).get(new AllocationOwners.Key(1));
        MemoryDetails memory = Objects.requireNonNull(trace.view(MemoryDetails.KEY));

        for (int row = 0; row < memory.size(); row++) {
            Open open = new Open(trace, memory.mark(row));
            int op = open.last(i -> open.slices.kind(i) == SliceKind.CPU_OP);
            int beside = open.last(i ->
                    open.slices.kind(i) != SliceKind.CPU_OP && !trace.name(i).startsWith("ProfilerStep"));
            int module = open.last(i ->
                    open.slices.kind(i) == SliceKind.PYTHON && trace.name(i).startsWith("nn.Module"));

            assertThat(owners.operator(row)).isEqualTo(op);
            assertThat(owners.inside(row)).isEqualTo(open.last(i -> open.slices.kind(i) != SliceKind.ANNOTATION));
            assertThat(owners.pass(row)).isEqualTo(open.pass());
            assertThat(owners.of(row).module()).isEqualTo(module < 0 ? null : "Linear_0");
            assertThat(owners.of(row).name())
                    .startsWith(op >= 0 ? trace.name(op) : beside >= 0 ? trace.name(beside) : AllocationOwners.OUTSIDE);
        }
    }

    /** The slices of a thread that are open when something is allocated, found by looking at all. */
    private static final class Open {
        private final Trace trace;
        private final Slices slices;
        private final int mark;

        private Open(Trace trace, int mark) {
            this.trace = trace;
            this.slices = trace.slices();
            this.mark = mark;
        }

        private int last(IntPredicate wanted) {
            long ts = trace.marks().ts(mark);
            int last = -1;
            for (int i = 0; i < slices.size(); i++) {
                boolean open = slices.track(i) == trace.marks().track(mark)
                        && slices.ts(i) <= ts
                        && ts < slices.end(i)
                        && slices.kind(i) != SliceKind.RUNTIME_CALL;
                last = open && wanted.test(i) ? i : last;
            }
            return last;
        }

        private Pass pass() {
            return last(i -> trace.name(i).startsWith("Optimizer")) >= 0
                    ? Pass.OPTIMIZER
                    : last(i -> trace.name(i).startsWith("MmBackward")) >= 0 ? Pass.BACKWARD : Pass.FORWARD;
        }
    }
}
