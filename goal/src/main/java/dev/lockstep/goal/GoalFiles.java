// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import dev.lockstep.goal.generate.ScheduleWriter;

/**
 * Which files a schedule is written to.
 *
 * @param form of the schedule itself
 * @param collectives whether {@code Events_Dependency.goal} is written, too: whole collectives, for people
 * @param tags whether {@code tags.tsv} is written, too, which says what tags mean; with labels it always is
 * @param bufferBytes how much of a file is written at once
 */
public record GoalFiles(Form form, boolean collectives, boolean tags, int bufferBytes) {
    /** The name of the schedule of all ranks as text. */
    public static final String TEXT = ScheduleWriter.TEXT;

    /** The name of the schedule of all ranks in binary form. */
    public static final String BINARY = ScheduleWriter.BINARY;

    /** How much of a file is written at once if nobody says otherwise: 64 KiB. */
    public static final int USUAL_BUFFER = 1 << 16;

    /** One file of text. */
    public static final GoalFiles DEFAULT = new GoalFiles(Form.TEXT, false, false, USUAL_BUFFER);

    /** The form of a schedule. */
    public enum Form {
        /** The text of all ranks in {@link #TEXT}. */
        TEXT,
        /** A text for each rank, {@code rank_0.goal} and so on, without the head that names their number. */
        TEXT_BY_RANK,
        /** Both texts. */
        TEXT_BOTH,
        /** The binary form that LogGOPSim reads, {@link #BINARY}. */
        BINARY,
        /** No schedule. */
        NONE
    }
}
