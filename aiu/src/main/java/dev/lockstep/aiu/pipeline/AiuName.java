// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

/**
 * A name of events, and what it says about them. Names are made once and shared by all events that bear them.
 */
public final class AiuName {
    /** Steps of a job on the device, in the order of their counters; numbers of {@link #step()}. */
    public static final int DMA_IN = 0;

    public static final int PREP = 1;
    public static final int EXEC = 2;
    public static final int DMA_OUT = 3;
    public static final int NO_STEP = -1;

    private static final String[] MARKS = {" DmaI", " Cmpt Prep", " Cmpt Exec", " DmaO"};

    private final String text;
    private final byte step;
    private final byte lastStep;
    private final boolean exec;
    private final boolean aged;

    public AiuName(String text) {
        this.text = text;
        int found = NO_STEP;
        for (int i = MARKS.length - 1; i >= 0; i--) {
            found = text.contains(MARKS[i]) ? i : found;
        }
        step = (byte) found;
        lastStep = (byte) endOf(text);
        exec = text.contains("Cmpt Exec");
        aged = text.contains("RDMA") || text.contains("Receive");
    }

    /** The step that a text ends with, or {@link #NO_STEP}. */
    static int endOf(String text) {
        if (text.endsWith("Cmpt Prep")) {
            return PREP;
        }
        if (text.endsWith(" DmaI")) {
            return DMA_IN;
        }
        if (text.endsWith("Cmpt Exec")) {
            return EXEC;
        }
        return text.endsWith(" DmaO") ? DMA_OUT : NO_STEP;
    }

    public String text() {
        return text;
    }

    /** The first of the steps, in their order, that the name contains; or {@link #NO_STEP}. */
    public int step() {
        return step;
    }

    /** The step that the name ends with, or {@link #NO_STEP}. */
    public int lastStep() {
        return lastStep;
    }

    /** Whether it contains the words of an execution. */
    public boolean isExec() {
        return exec;
    }

    /** Whether it has words that {@link #unified()} replaces. */
    public boolean isAged() {
        return aged;
    }

    /** The name with the words that newer traces use for remote transfers. */
    public String unified() {
        return text.replace("RDMA", "Rdma").replace("Receive", "Recv");
    }

    public boolean contains(String part) {
        return text.contains(part);
    }

    @Override
    public String toString() {
        return text;
    }
}
