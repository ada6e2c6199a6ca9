// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * What explaining a trace allocates for a further slice: a measure of its cost that does not depend on the machine. In a larger trace it is
 * no more than in a smaller one.
 */
class AllocationsTest {
    private static final int SMALL = 1_500_000;

    /** So many bytes for a further slice, about a sixth more than it takes. */
    private static final double MOST = 1500;

    /** Explains a trace, and keeps how many slices it has and how much was allocated. */
    private record Explained(int slices, long bytes) {
        static Explained of(int bytes) throws IOException {
            TraceRecipe recipe = TraceRecipe.standard().withBytesPerRank(bytes).withPythonStacks(true);
            Trace trace = TestTraces.read(SyntheticRun.bytes(recipe, 0));
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            PerformanceReport.of(trace, ReportOptions.standard());
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            return new Explained(trace.slices().size(), allocated);
        }

        double forEachSliceMoreThan(Explained smaller) {
            return (double) (bytes - smaller.bytes) / (slices - smaller.slices);
        }
    }

    @Test
    void explainingAllocatesInProportionToTheTrace() throws IOException {
        Explained.of(SMALL); // rules and models are read once
        Explained small = Explained.of(SMALL);
        Explained middle = Explained.of(2 * SMALL);
        Explained large = Explained.of(4 * SMALL);

        assertThat(large.forEachSliceMoreThan(middle))
                .isLessThan(MOST)
                .isLessThan(1.2 * middle.forEachSliceMoreThan(small));
    }
}
