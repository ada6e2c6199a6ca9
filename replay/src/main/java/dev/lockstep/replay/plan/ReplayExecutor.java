// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.io.IOException;
import java.util.Map;

/** Runs operators, one after the other. */
public interface ReplayExecutor extends AutoCloseable {
    /**
     * Runs one operator as often as its settings say. What the operator does wrong is in the answer.
     *
     * @throws IOException when no operator can be run any more
     */
    OperatorRun run(PlannedOperator operator) throws IOException;

    /** Runs operators in recorded order. What goes wrong is in the answer. */
    default SequenceRun run(ReplaySequence sequence) throws IOException {
        return SequenceRun.failed("this executor runs single operators only");
    }

    /** What it runs on: framework, device, threads, settings. */
    Map<String, String> facts();

    @Override
    void close();
}
