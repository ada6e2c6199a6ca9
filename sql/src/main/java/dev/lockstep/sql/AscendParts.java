// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;

/** The tasks of which collectives consist: what each is, of which operation, and on which of the planes of its group. */
final class AscendParts {
    /** Threads of a group of ranks: its collectives, then its planes. */
    private static final int THREADS = 64;

    private final LongIntMap ofTask = new LongIntMap(1 << 8);
    private final IntList names = new IntList(16);
    private final LongList planes = new LongList(16);
    private final LongList operations = new LongList(16);

    void add(long task, int name, long plane, long operation) {
        ofTask.put(task, names.size());
        names.add(name);
        planes.add(plane);
        operations.add(operation);
    }

    /** The part that a task is, -1 for none. */
    int of(long task) {
        return ofTask.get(task);
    }

    int name(int part) {
        return names.get(part);
    }

    long plane(int part) {
        return planes.get(part);
    }

    long operation(int part) {
        return operations.get(part);
    }

    /** The thread of a plane of a group, of its collectives for plane -1. */
    static long thread(int group, long plane) {
        return (long) group * THREADS + (plane < 0 ? 0 : 1 + plane % (THREADS - 1));
    }
}
