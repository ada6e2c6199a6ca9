// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.generate.LabelExpression;
import dev.lockstep.goal.generate.OperationBudget;
import dev.lockstep.goal.generate.TagFormat;
import dev.lockstep.goal.generate.TagLabel;
import dev.lockstep.goal.generate.TimelineOptions;
import dev.lockstep.goal.generate.WireRules;
import dev.lockstep.goal.kineto.Connections;
import dev.lockstep.goal.kineto.KinetoRules;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.schedule.CostTable;
import dev.lockstep.goal.schedule.Costs;
import dev.lockstep.goal.schedule.UsualCosts;
import dev.lockstep.session.RankSelection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a schedule is made.
 *
 * @param costs what it takes to reduce and to copy data
 * @param streams which operations of a GPU wait for each other
 * @param tags what the tags of messages say
 * @param nodeLink how GPUs of a node are connected
 * @param algorithms files of collective algorithms, which are taken instead of the library's
 * @param mostOperations how many operations the schedule may have for what was recorded; {@link #BY_INPUT} for
 *     {@value #OPERATIONS_PER_BYTE} for each byte of the recordings, but {@value #OPERATIONS_OF_ANY} at least
 * @param reading how recordings are read, and what is known beyond them
 */
public record GoalOptions(
        CostFiles costs,
        Streams streams,
        Tags tags,
        NodeLink nodeLink,
        List<Path> algorithms,
        long mostOperations,
        Reading reading) {
    /** As many operations as such recordings can ask for where nothing is wrong with them, and several times more. */
    public static final long BY_INPUT = -1;

    private static final long OPERATIONS_PER_BYTE = 16;
    private static final long OPERATIONS_OF_ANY = 1 << 24;

    /** Usual costs, streams as recorded, tags without labels, NVLink of 300 GB/s, a thread for each processor. */
    public static final GoalOptions DEFAULT = new GoalOptions(
            CostFiles.NONE, Streams.RECORDED, Tags.PLAIN, NodeLink.DEFAULT, List.of(), BY_INPUT, Reading.DEFAULT);

    /** Takes what is wanted. */
    public GoalOptions {
        algorithms = List.copyOf(algorithms);
    }

    /**
     * Measured durations of reducing and copying, as summaries of NPKit.
     *
     * @param simple those with the Simple protocol; null, together with the next, for what was measured on GH200
     * @param lowLatency those with the LL protocol
     * @param lowLatency128 those with the LL128 protocol; null for the same as with LL
     * @param seed where durations are drawn from the measured ones, what they depend on; null for their means
     */
    public record CostFiles(
            @Nullable Path simple,
            @Nullable Path lowLatency,
            @Nullable Path lowLatency128,
            @Nullable Long seed) {
        /** Nothing was measured. */
        public static final CostFiles NONE = new CostFiles(null, null, null, null);

        /**
         * Takes files.
         *
         * @throws IllegalArgumentException when only one of the first two is given
         */
        public CostFiles {
            if ((simple == null) != (lowLatency == null)) {
                throw new IllegalArgumentException("costs with Simple and with LL are given together or not at all");
            }
        }

        Costs read() throws IOException {
            Costs costs = simple == null || lowLatency == null ? UsualCosts.get() : Costs.read(simple, lowLatency);
            if (lowLatency128 != null) {
                costs = costs.withLowLatency128(CostTable.read(lowLatency128, CostTable.REDUCE, CostTable.COPY));
            }
            return seed == null ? costs : costs.drawnWith(seed);
        }
    }

    /**
     * Which operations of a GPU wait for each other, besides those that follow each other on a stream.
     *
     * @param merged whether the streams of a GPU become one, if nowhere two operations overlap in time
     * @param wholeWindow whether computing before the first operation and behind the last one belongs to the schedule
     * @param acrossStreams whether an operation waits for those that had ended on other streams when it began
     * @param together whether all ranks begin at the same time; otherwise, where their clocks can be compared, as far apart
     *     as they were recorded
     */
    public record Streams(boolean merged, boolean wholeWindow, boolean acrossStreams, boolean together) {
        /** Streams as they were recorded, from the first operation to the last. */
        public static final Streams RECORDED = new Streams(false, false, false, false);

        TimelineOptions with(TagLabel label) {
            return new TimelineOptions(merged, wholeWindow, acrossStreams, together, label);
        }
    }

    /**
     * What the tags of messages say: in decimal digits the number of the message, then a label.
     *
     * @param label expression for the label, as in {@code parallelism + 10 * communicator}, also of {@code collective} and
     *     {@code sequence}; null for none
     * @param numberDigits digits of the number; -1 for as many as are needed
     * @param labelDigits digits of the label; -1 together with the one before
     */
    public record Tags(@Nullable String label, int numberDigits, int labelDigits) {
        /** The number alone, with as many digits as it needs. */
        public static final Tags PLAIN = new Tags(null, -1, -1);

        /**
         * Takes what is wanted.
         *
         * @throws UserException when the label is no expression
         */
        public Tags {
            if (label != null) {
                LabelExpression.parse(label);
            }
        }

        TagLabel parsed() {
            return label == null ? TagLabel.NONE : LabelExpression.parse(label);
        }

        @Nullable
        TagFormat format() {
            return numberDigits < 0 ? null : new TagFormat(numberDigits, labelDigits);
        }
    }

    /**
     * How GPUs of a node are connected. Messages between them are empty, and the transfer is a calculation on both sides.
     *
     * @param bytesPerMicrosecond bandwidth, at least 1
     * @param nic number of the network card that such messages name, 0 to 255
     */
    public record NodeLink(long bytesPerMicrosecond, int nic) {
        /** NVLink of 150 GB/s in both directions. */
        public static final NodeLink DEFAULT = new NodeLink(WireRules.Real.USUAL.bytesPerMicrosecond(), 0);

        WireRules.Real wire() {
            return new WireRules.Real(bytesPerMicrosecond, nic);
        }
    }

    /**
     * How recordings are read.
     *
     * @param threads how many work on it, at least one; they change nothing but the time it takes
     * @param strict whether damage in a trace of PyTorch is a failure
     * @param progress is told how many bytes of traces of PyTorch were read so far
     * @param ncclLog a log of NCCL ({@code NCCL_DEBUG=INFO}) that introduces communicators which exports do not; or null
     * @param pyTorch what traces of PyTorch do not say
     */
    public record Reading(
            int threads,
            boolean strict,
            LongConsumer progress,
            @Nullable Path ncclLog,
            PyTorch pyTorch) {
        /** A thread for each processor, what can be read of damaged traces, and nothing known beyond them. */
        public static final Reading DEFAULT =
                new Reading(Runtime.getRuntime().availableProcessors(), false, bytes -> {}, null, PyTorch.AS_RECORDED);
    }

    /**
     * What traces of PyTorch's profiler do not say.
     *
     * @param selection which traces are meant where there are several of a rank
     * @param gpusPerNode ranks of a node; -1 to go by host names, else by the devices that traces list
     * @param channels of every collective; -1 for as many as its kernels had blocks
     * @param protocol of every collective; null to choose by size
     * @param allReduce algorithm of all-reduces; null to go by the names of their kernels
     * @param topology file with rings and trees, a line for each channel; null to make them from the nodes
     */
    public record PyTorch(
            RankSelection selection,
            int gpusPerNode,
            int channels,
            @Nullable NcclProtocol protocol,
            @Nullable NcclAlgorithm allReduce,
            @Nullable Path topology) {
        /** Nothing is known beyond the traces. */
        public static final PyTorch AS_RECORDED = new PyTorch(RankSelection.any(), -1, -1, null, null, null);

        /** Whether anything is known beyond the traces. */
        boolean saysMore() {
            return !equals(AS_RECORDED);
        }

        /**
         * The file with rings and trees is read here.
         *
         * @throws TraceFormatException when it is something else
         */
        KinetoRules rules() throws IOException {
            return new KinetoRules(
                    gpusPerNode,
                    channels,
                    protocol,
                    allReduce,
                    false,
                    topology == null ? null : Connections.read(topology));
        }
    }

    /** The files that say more than the recordings do. */
    List<Path> files() {
        return Stream.concat(
                        algorithms.stream(),
                        Stream.of(
                                        costs.simple,
                                        costs.lowLatency,
                                        costs.lowLatency128,
                                        reading.ncclLog,
                                        reading.pyTorch.topology)
                                .filter(Objects::nonNull))
                .toList();
    }

    /**
     * The same with other costs.
     *
     * @param other measured durations
     * @return new options
     */
    public GoalOptions withCosts(CostFiles other) {
        return new GoalOptions(other, streams, tags, nodeLink, algorithms, mostOperations, reading);
    }

    /**
     * The same with other waits between operations.
     *
     * @param other which operations of a GPU wait for each other
     * @return new options
     */
    public GoalOptions withStreams(Streams other) {
        return new GoalOptions(costs, other, tags, nodeLink, algorithms, mostOperations, reading);
    }

    /**
     * The same with other tags.
     *
     * @param other what tags say
     * @return new options
     */
    public GoalOptions withTags(Tags other) {
        return new GoalOptions(costs, streams, other, nodeLink, algorithms, mostOperations, reading);
    }

    /**
     * The same, recordings being read otherwise.
     *
     * @param other how recordings are read
     * @return new options
     */
    public GoalOptions withReading(Reading other) {
        return new GoalOptions(costs, streams, tags, nodeLink, algorithms, mostOperations, other);
    }

    /**
     * The same with algorithms of its own.
     *
     * @param other files of collective algorithms
     * @return new options
     */
    public GoalOptions withAlgorithms(List<Path> other) {
        return new GoalOptions(costs, streams, tags, nodeLink, other, mostOperations, reading);
    }

    /**
     * The same with another limit.
     *
     * @param other how many operations the schedule may have, at least 1, or {@link #BY_INPUT}
     * @return new options
     */
    public GoalOptions withMostOperations(long other) {
        return new GoalOptions(costs, streams, tags, nodeLink, algorithms, other, reading);
    }

    /** What the operations of a schedule of such recordings are taken from. */
    OperationBudget budget(GoalInput input) throws IOException {
        if (mostOperations != BY_INPUT) {
            return new OperationBudget(input.name(), mostOperations);
        }
        long bytes = 0;
        for (Path file : input.files()) {
            bytes += Files.exists(file) ? Files.size(file) : 0;
        }
        return new OperationBudget(input.name(), Math.max(OPERATIONS_OF_ANY, bytes * OPERATIONS_PER_BYTE));
    }
}
