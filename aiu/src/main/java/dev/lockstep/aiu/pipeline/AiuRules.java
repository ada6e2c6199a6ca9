// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.List;

/** What stages decide in a way that another tool decides differently. The defaults are this program's. */
public interface AiuRules {
    /** This program's rules. */
    AiuRules OWN = new AiuRules() {};

    /**
     * Process that an event of a FLEX file belongs to; a negative one is no rank.
     *
     * @param ofFile process of the file's first event
     */
    default long process(long ofEvent, int ofFile) {
        return ofEvent;
    }

    /** Whether events that are always let in use a limit up. */
    default boolean countsFreeEvents() {
        return false;
    }

    /**
     * Wraps of a counter since a reference.
     *
     * @param sinceStart microseconds from the reference's epoch to the event's start
     * @param sinceEpoch microseconds from the reference's epoch to the event's own, which its counter tells
     * @param wrapUs microseconds of a wrap
     */
    default long epochs(double sinceStart, double sinceEpoch, double wrapUs) {
        return Math.round(sinceEpoch / wrapUs);
    }

    /**
     * Cycles between two readings of a counter of 32 bits.
     *
     * @param difference of the readings
     * @param expected roughly
     * @param wrap cycles of a wrap
     */
    default double cyclesBetween(long difference, double expected, long wrap) {
        return difference + wrap * Math.round((expected - difference) / wrap);
    }

    /**
     * End of what a job did on the device so far.
     *
     * @param before that of the events before, negative infinity for none
     * @param hostEnd end of the host's wait
     */
    default double deviceEnd(double before, double hostEnd, double eventEnd) {
        return Math.max(before, eventEnd);
    }

    /** The part of a transfer's name that tells the algorithm of its collective. */
    default String algorithmOf(String transfer) {
        int sync = transfer.indexOf("[sync=");
        return sync < 0 ? transfer : transfer.substring(0, sync);
    }

    /** Whether receivers are compared in the collective in which they deviate least, and not in the first. */
    default boolean comparesBestCollective() {
        return true;
    }

    /** Whether clocks can be aligned by collectives of all ranks while there are some of fewer. */
    default boolean alignsByCommonCollectives() {
        return true;
    }

    /** Whether events of equal times keep their order. */
    default boolean keepsOrder() {
        return true;
    }

    /** Counts preparations that are open. */
    default OpenCount openPreparations() {
        return new OpenIntervals();
    }

    /** Whether the sizes of transfers are known to what comes behind normalisation. */
    default boolean knowsSizes() {
        return true;
    }

    /** Whether equal correlations in different files are of different launches. */
    default boolean tellsLaunchesApart() {
        return true;
    }

    /** Whether power falls to zero where the last sample stands. */
    default boolean endsPower() {
        return true;
    }

    /** Whether each process has statistics of power of its own. */
    default boolean separatesPower() {
        return true;
    }

    /** Microseconds that the statistics of power call a millisecond. */
    default double powerMillisecond() {
        return 1000;
    }

    /** How much the kernels of a job are like those of a compiler's table; the greatest wins. */
    default double likeness(TableCandidate candidate) {
        return candidate.likeness();
    }

    /** Whether a process chooses among the tables of all logs, and not only among those of its own. */
    default boolean looksIntoAllLogs() {
        return false;
    }

    /** Whether a kernel of category Total counts there once as such, and once more as a part of the total. */
    default boolean countsTotalTwice() {
        return false;
    }

    /** Whether steps of transfers with equal numbers are of one transfer although their processes differ. */
    default boolean mixesTransfers() {
        return false;
    }

    /** Name of a transfer, of what the names of its steps begin with. */
    default String transferName(String common, int step) {
        if (step != EventName.DMA_IN && step != EventName.DMA_OUT || EventName.endOf(common) != EventName.NO_STEP) {
            return common;
        }
        return common.strip() + (step == EventName.DMA_IN ? " DmaI" : " DmaO");
    }

    /** Whether FLEX's events are reported as of another class than an earlier classifier's. */
    default boolean reportsMismatches() {
        return false;
    }

    /** Name of the metadata that labels a process. */
    default String labels() {
        return "process_labels";
    }

    /** Name of the argument of {@link #labels()}. */
    default String label() {
        return "labels";
    }

    /** Whether host and device are named also where they have no events. */
    default boolean namesAbsentProcesses() {
        return false;
    }

    /**
     * Ranks that get a trace of their own for TensorBoard.
     *
     * @param ranks those that have events, in order; negative ones are none of the devices
     */
    default List<Long> workers(List<Long> ranks) {
        return ranks.stream().filter(rank -> rank >= 0).toList();
    }

    /** Whether nothing is written but what the other tool writes, and problems show in messages alone. */
    default boolean writesOnlyTheirs() {
        return false;
    }
}
