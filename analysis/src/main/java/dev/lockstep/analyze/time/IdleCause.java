// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.words.Words;
import java.util.Arrays;
import java.util.Locale;

/** What filled a moment in which no device did anything; {@code idle-causes.txt} says which names mean what. */
public enum IdleCause {
    /** Batches of data were loaded. */
    DATA_LOADER("the data loader"),
    /** State was saved or loaded. */
    CHECKPOINT("saving and loading checkpoints"),
    /** Python's garbage collector. */
    GARBAGE_COLLECTION("Python's garbage collector"),
    /** Graphs or kernels were compiled. */
    COMPILATION("compilation"),
    /** Starting, stopping or feeding the profiler. */
    PROFILER("the profiler"),
    /** Memory was allocated or freed through the driver. */
    ALLOCATION("memory allocation by the driver"),
    /** Code was loaded onto the device. */
    MODULE_LOADING("loading code onto the device"),
    /** Streams, events, graphs or contexts were made. */
    SET_UP("setup of contexts, streams, events and graphs"),
    /** Calls that return only when the device has done something. */
    SYNCHRONISATION("blocking calls"),
    /** Calls that launch kernels, graphs, copies or fills. */
    LAUNCHING("launch calls"),
    /** The host's side of collectives. */
    COMMUNICATION("the CPU side of communication"),
    /** The host's side of the optimizer. */
    OPTIMIZER("the optimizer on the CPU"),
    /** Files were read or written. */
    FILES("reading and writing files"),
    /** Threads waited in the operating system. */
    WAITING("waiting in the operating system"),
    /** Other calls of the operating system. */
    OS_CALL("operating system calls"),
    /** The host's side of operators. */
    OPERATOR("CPU time of operators"),
    /** Calls of the vendor's library. */
    CALL("other runtime calls"),
    /** Python. */
    PYTHON("Python"),
    /** Inside a range that the program marked, and in nothing smaller that was recorded. */
    ANNOTATION("code in annotated ranges"),
    /** Other work of the host. */
    HOST("other CPU work"),
    /** The launch had returned, and the device had not begun. */
    LAUNCH_LATENCY("launch latency"),
    /** The work had been launched before the device ran dry, and waited on the device. */
    QUEUED("launched work that has not begun"),
    /** The stream stood in a recorded wait. */
    DEVICE_WAIT("stream waits for events"),
    /** Nothing of the threads that launch was recorded. */
    UNRECORDED("unrecorded CPU code"),
    /** Nothing at all was recorded of the host. */
    NO_HOST("unknown (the CPU was not recorded)");

    private final String words;

    IdleCause(String words) {
        this.words = words;
    }

    /** What it is called in sheets. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The cause that sheets call so. */
    public static IdleCause of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT));
    }

    /** What the cause that sheets call so is called in sentences; what no sheet of this version holds stays as it is. */
    public static String words(String id) {
        return Arrays.stream(values())
                .filter(cause -> cause.id().equals(id))
                .findFirst()
                .map(IdleCause::words)
                .orElse(id);
    }

    /** What it is called in sentences. */
    public String words() {
        return words;
    }

    /** What it is called as the subject of a sentence, with the verb. */
    public String causes() {
        boolean many = switch (this) {
            case SYNCHRONISATION, LAUNCHING, OS_CALL, CALL, DEVICE_WAIT -> true;
            default -> false;
        };
        return Words.capitalized(words) + (many ? " cause" : " causes");
    }

    /** Whether work is done for a purpose that says more than the calls of which it consists. */
    boolean isPurpose() {
        return switch (this) {
            case DATA_LOADER, CHECKPOINT, GARBAGE_COLLECTION, COMPILATION, PROFILER -> true;
            default -> false;
        };
    }

    /** Whether the work had been launched. */
    public boolean isLaunched() {
        return this == LAUNCH_LATENCY || this == QUEUED || this == DEVICE_WAIT;
    }
}
