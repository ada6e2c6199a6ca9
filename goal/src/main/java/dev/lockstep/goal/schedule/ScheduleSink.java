// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import java.io.IOException;

/**
 * Takes the schedule of one rank, operation by operation. Operations are numbered from 0 as they come; dependencies follow
 * the operations that they are between. Confined to one thread.
 */
public interface ScheduleSink {
    /** Computing for some nanoseconds. */
    int calc(long nanoseconds, int cpu) throws IOException;

    /** A transfer to or from a rank of the same node, which takes the processor some nanoseconds. */
    default int transfer(long nanoseconds, long bytes, int cpu) throws IOException {
        return calc(nanoseconds, cpu);
    }

    /** A message to another rank. */
    int send(long bytes, int to, long tag, int cpu, int nic) throws IOException;

    /** A message from another rank. */
    int recv(long bytes, int from, long tag, int cpu, int nic) throws IOException;

    /** The first begins when the second has ended. */
    void requires(int later, int earlier) throws IOException;

    /** The first begins when the second has begun. */
    void irequires(int later, int earlier) throws IOException;
}
