// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.goal.schedule.Composition;
import dev.lockstep.goal.schedule.ScheduleSink;

/** A schedule that goes nowhere, for when only its messages and operations are to be counted. */
final class NullSchedule implements ScheduleSink, Composition {
    private final OperationBudget budget;
    private long operations;

    /**
     * @param budget the most operations that are counted
     */
    NullSchedule(OperationBudget budget) {
        this.budget = budget;
    }

    /** Calculations, sends and receives. */
    long operations() {
        return operations;
    }

    private int operation() {
        if (++operations > budget.most()) {
            throw budget.exceeded();
        }
        return 0;
    }

    @Override
    public int calc(long nanoseconds, int cpu) {
        return operation();
    }

    @Override
    public int send(long bytes, int to, long tag, int cpu, int nic) {
        return operation();
    }

    @Override
    public int recv(long bytes, int from, long tag, int cpu, int nic) {
        return operation();
    }

    @Override
    public void requires(int later, int earlier) {}

    @Override
    public void irequires(int later, int earlier) {}

    @Override
    public void sequence() {}

    @Override
    public void parallel(int cpu) {}

    @Override
    public void close() {}

    @Override
    public void add(int operation) {}
}
