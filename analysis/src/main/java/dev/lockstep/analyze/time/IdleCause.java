// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import java.util.Locale;

/** What the host did while the device was idle; {@code idle-causes.txt} says which names mean what. */
public enum IdleCause {
    /** Batches of data were loaded. */
    DATA_LOADER("the data loader"),
    /** State was saved or loaded. */
    CHECKPOINT("saving and loading of checkpoints"),
    /** Python's garbage collector. */
    GARBAGE_COLLECTION("Python's garbage collector"),
    /** Graphs or kernels were compiled. */
    COMPILATION("compilation"),
    /** Starting, stopping or feeding the profiler. */
    PROFILER("the profiler itself"),
    /** Memory was allocated or freed through the driver. */
    ALLOCATION("allocation of memory by the driver"),
    /** Code was loaded onto the device. */
    MODULE_LOADING("loading of code onto the device"),
    /** Streams, events, graphs or contexts were made. */
    SET_UP("set-up of streams, events, graphs and contexts"),
    /** Calls that return only when the device has done something. */
    SYNCHRONISATION("blocking calls of the vendor's library"),
    /** The host's side of collectives. */
    COMMUNICATION("the host's side of communication"),
    /** The host's side of the optimizer. */
    OPTIMIZER("the optimizer on the host"),
    /** Files were read or written. */
    FILES("reading and writing of files"),
    /** Threads waited in the operating system. */
    WAITING("waiting in the operating system"),
    /** The host's side of operators. */
    OPERATOR("the host's side of operators"),
    /** Several operators and calls one after the other, none of which covers most of the gap. */
    SEVERAL("one operator after the other on the host"),
    /** Calls of the vendor's library. */
    CALL("calls of the vendor's library"),
    /** Python. */
    PYTHON("Python"),
    /** Inside a range that the program marked, and in nothing smaller that was recorded. */
    ANNOTATION("code of the host in marked ranges"),
    /** Other work of the host. */
    HOST("other work of the host"),
    /** The work was there, and waited on the device. */
    QUEUED("work that had been launched and waited on the device"),
    /** Nothing of the launching thread was recorded meanwhile. */
    UNRECORDED("host code that was not recorded"),
    /** Nothing at all was recorded of the host. */
    NO_HOST("unknown, as the host was not recorded");

    private final String words;

    IdleCause(String words) {
        this.words = words;
    }

    /** What it is called in sheets. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it is called in sentences. */
    public String words() {
        return words;
    }
}
