// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.analyze.comm.RankKinds;
import dev.lockstep.analyze.comm.StepsByRank.Step;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectivePlaces;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.report.Trust;
import dev.lockstep.session.UnreadFile;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a task keeps of a rank, or of a file that it could not read.
 *
 * @param head what the driver needs of it
 * @param kernels sums of computing kernels that belong to a step
 * @param names how often each computing kernel ran, by name
 * @param called how often each communication kernel runs in steps, by name
 * @param communication the communication kernels, by start
 */
record RankShare(
        Head head,
        Map<KernelName, Sums> kernels,
        Map<String, Long> names,
        Map<String, Long> called,
        Communication communication)
        implements Serializable {
    /** What tells kinds of ranks apart, if the rank has this number. */
    RankKinds.Work work(int rank) {
        int neighbours = 0;
        for (CollectiveCall call : communication.calls()) {
            neighbours |= RankKinds.Work.side(rank, call);
        }
        long steps = head.steps().size();
        Map<String, Double> often = new HashMap<>();
        if (steps > 0) {
            called.forEach((name, count) -> often.put(name, (double) count / steps));
        }
        Map<String, Double> computing = new HashMap<>();
        names.forEach((name, count) -> computing.put(name, (double) count / Math.max(1, steps)));
        return new RankKinds.Work(computing, often, neighbours);
    }

    /**
     * The part that goes to the driver.
     *
     * @param file place of the file among those of the run
     * @param inside place of the rank in the file
     * @param merged whether the file seems to have been merged from several ranks
     * @param info what the trace says about itself, null when it was not read
     * @param problems what is wrong with it
     * @param loss whether a part of it is certainly missing
     * @param unread why it was not read, and what is lost with it; null when it was read
     * @param steps what it took in each step
     * @param collectives number of its communication kernels
     * @param recordedFrom start of its first slice, in ns since the trace's origin
     * @param recordedTo end of its last slice, likewise
     * @param trust how far its trace can be believed
     */
    record Head(
            int file,
            int inside,
            boolean merged,
            @Nullable TraceInfo info,
            List<Entry> problems,
            boolean loss,
            @Nullable UnreadFile unread,
            List<Step> steps,
            int collectives,
            long recordedFrom,
            long recordedTo,
            Trust trust)
            implements Serializable {
        /** Tells ranks apart before their numbers are known. */
        long id() {
            return (long) file << 32 | inside;
        }
    }

    /**
     * Kernels of one name under operators with inputs of the same shapes.
     *
     * @param dims null when not recorded
     */
    record KernelName(String name, @Nullable String dims) implements Serializable {}

    /**
     * How often a kernel ran and how long that took.
     *
     * @param count number of runs
     * @param ns sum of their durations
     */
    record Sums(long count, long ns) implements Serializable {
        Sums plus(Sums other) {
            return new Sums(count + other.count, ns + other.ns);
        }
    }

    /**
     * Communication kernels, in the order in which they were issued.
     *
     * @param calls what they do, once each
     * @param call of each kernel, place of its call
     * @param ts of each kernel, its start in ns since the trace's origin
     * @param dur of each kernel, its duration in ns
     * @param sequence of each kernel, its recorded number, -1 when not recorded
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Communication(List<CollectiveCall> calls, int[] call, long[] ts, long[] dur, long[] sequence)
            implements Serializable {
        static final Communication NONE =
                new Communication(List.of(), new int[0], new long[0], new long[0], new long[0]);

        /** Where the kernels belong, if the rank has this number. */
        CollectivePlaces places(int rank) {
            return new CollectivePlaces(rank, calls, call, sequence);
        }
    }
}
