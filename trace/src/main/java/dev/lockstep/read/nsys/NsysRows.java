// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.nsys;

/**
 * Takes the rows of an export. Times are nanoseconds since the session began. Processes and threads are Nsight's global
 * ids: {@link #processOf} takes the process out of them.
 */
public interface NsysRows {
    /** A fact about the machine, as in {@code Hostname}; comes before all others. */
    default void system(String name, String value) {}

    /** A process of the recording. */
    default void process(long globalId, String name) {}

    /**
     * An annotation.
     *
     * @param end where a range ends; -1 for marks and for ranges that were still open
     * @param text what it says, whether the row holds the text or refers to it
     */
    void annotation(long start, long end, long globalThread, String text);

    /** A kernel of the collective library. */
    void kernel(NsysKernel kernel);

    /** A call of the runtime; only those that launched kernels that {@link #kernel} got. */
    default void launch(long start, long end, long globalThread, long correlation) {}

    /** How many rows of a table were left out because something else stands where a number belongs; comes after all others. */
    default void damaged(String table, long rows) {}

    /** The process id within a global id of a process or thread. */
    static long processOf(long globalId) {
        return (globalId >>> 24) & 0xffffff;
    }
}
