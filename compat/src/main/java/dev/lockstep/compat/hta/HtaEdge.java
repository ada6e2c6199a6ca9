// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

/** Why one moment comes after another, by the name that overlays give it. */
enum HtaEdge {
    /** From the start to the end of something, in pieces. */
    OPERATOR("critical_path_operator"),
    /** One operator after another on a thread; calls that lock each other out. */
    DEPENDENCY("critical_path_dependency"),
    LAUNCH("critical_path_kernel_launch_delay"),
    /** One device event after another on a stream. */
    KERNEL("critical_path_kernel_kernel_delay"),
    SYNCHRONISATION("critical_path_sync_dependency");

    private static final HtaEdge[] ALL = values();
    private final String label;

    HtaEdge(String label) {
        this.label = label;
    }

    static HtaEdge of(int ordinal) {
        return ALL[ordinal];
    }

    String label() {
        return label;
    }

    /** Whether it joins different events and is drawn as an arrow. */
    boolean isArrow() {
        return this == DEPENDENCY || this == LAUNCH || this == SYNCHRONISATION;
    }
}
