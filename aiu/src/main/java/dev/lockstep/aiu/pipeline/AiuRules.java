// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * The definitions that stages work by, where programs for AIU traces differ: a value for each question, grouped by the
 * stages that ask it. {@link #OWN} are this program's; another tool's are a further value.
 *
 * @param files which events belong together when files are read
 * @param clocks how cycle counters become times
 * @param sync how the clocks of several devices are aligned
 * @param preparations makes the counter of preparations that are open at a time
 * @param power how power is measured
 * @param tables how kernels are compared with what the compiler said
 * @param transfers what is known about transfers
 * @param labels what processes and classes are called
 * @param result what is written
 */
public record AiuRules(
        Files files,
        Clocks clocks,
        Sync sync,
        Supplier<OpenCount> preparations,
        Power power,
        Tables tables,
        Transfers transfers,
        Labels labels,
        Result result) {

    /**
     * Which events belong together.
     *
     * @param process the process that an event of a FLEX file belongs to
     * @param freeEventsUseLimit whether events that are always let in use a limit up
     * @param ranksApart whether all that a torch file holds is of the file's rank: equal processes, arrows and
     *     correlations of different ranks are different ones
     * @param verifiesPairs whether begins and ends are one event each also where events are only verified
     */
    public record Files(ProcessRule process, boolean freeEventsUseLimit, boolean ranksApart, boolean verifiesPairs) {}

    /**
     * How cycle counters become times.
     *
     * @param epochs how often a counter has wrapped
     * @param cyclesBetween cycles between two readings
     * @param deviceEnd when a job ended on the device
     * @param offsets by how much jobs are moved
     * @param jobsByFirstCounter whether the frequency of a job is told by its first counter, whatever the step of the event
     */
    public record Clocks(
            EpochRule epochs,
            CycleRule cyclesBetween,
            DeviceEndRule deviceEnd,
            JobOffsetRule offsets,
            boolean jobsByFirstCounter) {}

    /**
     * How the clocks of several devices are aligned.
     *
     * @param algorithm the part of a transfer's name that tells the algorithm of its collective
     * @param reference the collective in which receivers are compared
     * @param groups the collectives that count
     * @param keepsOrder whether events of equal times keep their order; otherwise it is reversed
     * @param byTransfers whether all transfers tell how far clocks are apart, where they connect all ranks
     */
    public record Sync(
            UnaryOperator<String> algorithm,
            SyncReference reference,
            SyncGroups groups,
            boolean keepsOrder,
            boolean byTransfers) {}

    /** Where receivers of transfers are compared. */
    public enum SyncReference {
        /** In the collective in which they deviate least. */
        CLOSEST,
        /** In the first one. */
        FIRST
    }

    /** Which collectives clocks can be aligned by. */
    public enum SyncGroups {
        /** Those of all ranks, whatever others there are. */
        COMMON,
        /** All; one that lacks a rank ends the run. */
        ALL
    }

    /**
     * How power is measured.
     *
     * @param endsAtLastSample whether power falls to zero where the last sample stands
     * @param statisticsPerProcess whether each process has statistics of its own power
     * @param usPerMs microseconds that the statistics call a millisecond
     * @param equalIsWrap whether two equal readings of the charge mean that it went all the way round, and not that none flowed
     */
    public record Power(boolean endsAtLastSample, boolean statisticsPerProcess, double usPerMs, boolean equalIsWrap) {}

    /**
     * How kernels are compared with the compiler's tables.
     *
     * @param likeness how much a job's kernels are like a table's; the greatest wins
     * @param ofAllLogs whether a process chooses among the tables of all logs, and not only among those of its own
     * @param countsTotalTwice whether a kernel of category Total counts as such and once more as a part of the total
     * @param cutsCycles whether ideal cycles are cut where the sum of their times falls short of a whole one by rounding
     */
    public record Tables(
            ToDoubleFunction<TableCandidate> likeness,
            boolean ofAllLogs,
            boolean countsTotalTwice,
            boolean cutsCycles) {}

    /**
     * What is known about transfers.
     *
     * @param haveSizes whether their sizes are known behind normalisation, so that they have bandwidths
     * @param ofOneProcess whether steps with equal numbers are of one transfer only on the same process
     * @param name the name of a transfer whose steps have become one event
     */
    public record Transfers(boolean haveSizes, boolean ofOneProcess, TransferName name) {}

    /**
     * What processes and classes are called.
     *
     * @param metadata name of the metadata that labels a process
     * @param argument name of its argument
     * @param absentProcesses whether host and device are named also where they have no events
     * @param classMismatches whether FLEX's events are reported as of another class than an earlier classifier's
     */
    public record Labels(String metadata, String argument, boolean absentProcesses, boolean classMismatches) {}

    /**
     * What is written.
     *
     * @param workers those of the ranks with events that get a trace of their own for TensorBoard; ranks come in order,
     *     negative ones are none of the devices
     * @param additions what there is beyond acelyzer's results
     */
    public record Result(UnaryOperator<List<Long>> workers, Set<Addition> additions) {
        public Result {
            additions = Set.copyOf(additions);
        }

        /** Whether there is this addition. */
        public boolean has(Addition addition) {
            return additions.contains(addition);
        }
    }

    /** What there may be beyond acelyzer's results. */
    public enum Addition {
        /** A page with tables and charts beside the result. */
        PAGE,
        /** Kernels by category in cycles. */
        CYCLE_TABLE,
        /** A result in Perfetto's format, where the name of the target asks for it. */
        PERFETTO,
        /** Events of FLEX on the clock of the torch profile of the same rank. */
        TORCH_CLOCK,
        /** A status that tells of formats that nobody writes and of entries that could not be used. */
        STATUS,
        /** Numbers of text tables in all their digits. */
        ALL_DIGITS,
        /** Iterations as the shortest sequence of kernels that repeats, and not several of it at once. */
        SHORT_ITERATIONS,
        /** Metadata that has no time. */
        TIMELESS_METADATA,
        /** What it takes to make what was asked for and could not be made. */
        REASONS,
        /** What the files say of environment variables is left out. */
        NO_ENVIRONMENT,
        /** JSON that programs other than Python's read: what is no finite number is a text. */
        STRICT_JSON
    }

    /** Tells the process of an event. */
    @FunctionalInterface
    public interface ProcessRule {
        /**
         * A process; a negative one is no rank.
         *
         * @param ofFile process of the file's first event
         */
        long of(long ofEvent, int ofFile);
    }

    /** Tells how often a counter has wrapped since a reference. */
    @FunctionalInterface
    public interface EpochRule {
        /**
         * Whole wraps; all arguments are microseconds.
         *
         * @param sinceStart from the reference's epoch to the event's start
         * @param sinceEpoch from the reference's epoch to the event's own, which its counter tells
         * @param wrapUs of a wrap
         */
        long wraps(double sinceStart, double sinceEpoch, double wrapUs);
    }

    /** Tells the cycles between two readings of a counter of 32 bits. */
    @FunctionalInterface
    public interface CycleRule {
        /**
         * Cycles.
         *
         * @param difference of the readings
         * @param expected roughly
         * @param wrap cycles of a wrap
         */
        double cycles(long difference, double expected, long wrap);
    }

    /** Tells when what a job did on the device ended. */
    @FunctionalInterface
    public interface DeviceEndRule {
        /**
         * The end so far; all arguments are microseconds.
         *
         * @param before that of the events before, negative infinity for none
         * @param hostEnd end of the host's wait
         */
        double end(double before, double hostEnd, double eventEnd);
    }

    /** Tells by how much jobs are moved that ran on the device while the host did not wait for them. */
    @FunctionalInterface
    public interface JobOffsetRule {
        /**
         * Gives jobs their offsets.
         *
         * @param jobs in the order in which they came
         * @return what is said about them
         */
        List<String> decide(List<JobRange> jobs);
    }

    /** Names a transfer whose steps have become one event. */
    @FunctionalInterface
    public interface TransferName {
        /**
         * A name.
         *
         * @param common what the names of all steps begin with
         * @param step the step that all of them are, or {@link AiuName#NO_STEP}
         */
        String of(String common, int step);
    }

    /** This program's. */
    public static final AiuRules OWN = new AiuRules(
            new Files((ofEvent, ofFile) -> ofEvent, false, true, false),
            new Clocks(
                    (sinceStart, sinceEpoch, wrapUs) -> Math.round(sinceEpoch / wrapUs),
                    (difference, expected, wrap) -> difference + wrap * Math.round((expected - difference) / wrap),
                    (before, hostEnd, eventEnd) -> Math.max(before, eventEnd),
                    new MeasuredOffsets(),
                    false),
            new Sync(AiuRules::beforeSync, SyncReference.CLOSEST, SyncGroups.COMMON, true, true),
            OpenIntervals::new,
            new Power(true, true, 1000, false),
            new Tables(TableCandidate::likeness, false, false, false),
            new Transfers(true, true, AiuRules::withDirection),
            new Labels("process_labels", "labels", false, false),
            new Result(ranks -> ranks.stream().filter(rank -> rank >= 0).toList(), EnumSet.allOf(Addition.class)));

    private static String beforeSync(String transfer) {
        int sync = transfer.indexOf("[sync=");
        return sync < 0 ? transfer : transfer.substring(0, sync);
    }

    /** The direction, where the common beginning does not end with it. */
    private static String withDirection(String common, int step) {
        if (step != AiuName.DMA_IN && step != AiuName.DMA_OUT || AiuName.endOf(common) != AiuName.NO_STEP) {
            return common;
        }
        return common.strip() + (step == AiuName.DMA_IN ? " DmaI" : " DmaO");
    }
}
