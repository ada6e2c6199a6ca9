// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a synthetic training run looks like; immutable, and together with the code version all that determines its bytes.
 * Start from {@link #standard()} and change what matters.
 *
 * @param seed of every random choice
 * @param vendor device and runtime flavour
 * @param cluster ranks and how they are grouped
 * @param model the transformer that is trained
 * @param communication settings of the collective library
 * @param disturbance what goes wrong: a slow rank, clocks that disagree
 * @param recording how much is recorded, and what is left out
 * @param hostFactor multiplies the time of every host call; 1 is a fast host
 */
public record TraceRecipe(
        long seed,
        Vendor vendor,
        Cluster cluster,
        Model model,
        Communication communication,
        Disturbance disturbance,
        Recording recording,
        double hostFactor) {

    /** The value of {@link Disturbance#stragglerRank()} that means nobody. */
    public static final int NO_STRAGGLER = -1;

    public TraceRecipe {
        require(hostFactor > 0 && hostFactor <= 1000, "the host factor must lie in (0, 1000]");
        require(disturbance.stragglerRank() < cluster.ranks(), "the straggler must be one of the ranks");
        for (Straggler straggler : disturbance.stragglers()) {
            require(straggler.rank() < cluster.ranks(), "every straggler must be one of the ranks");
        }
        cluster.parallelism().check(cluster.ranks(), model.layers());
        require(
                model.hidden() % (128 * cluster.parallelism().tensor()) == 0,
                "hidden must be a multiple of 128 for every tensor-parallel rank");
        require(vendor == Vendor.CUDA || !recording.syncEvents(), "synchronisation events are recorded on cuda only");
    }

    /**
     * Where the ranks run.
     *
     * @param ranks processes, one device each
     * @param gpusPerNode devices of a host; collectives that leave a host are slower
     * @param shardRanks ranks over which parameters are sharded; the ranks are divided into groups of this size, and
     *     gradients are also reduced across the groups when there are several; without a meaning where the model is spread
     * @param parallelism how the model is spread over ranks
     */
    public record Cluster(int ranks, int gpusPerNode, int shardRanks, Parallelism parallelism) {
        /** Ranks that run the whole model each. */
        public Cluster(int ranks, int gpusPerNode, int shardRanks) {
            this(ranks, gpusPerNode, shardRanks, Parallelism.none());
        }

        public Cluster {
            require(ranks >= 1 && ranks <= 16_384, "ranks must lie in 1..16384");
            require(gpusPerNode >= 1 && gpusPerNode <= 64, "GPUs per node must lie in 1..64");
            require(shardRanks >= 1 && ranks % shardRanks == 0, "shard ranks must divide ranks");
        }
    }

    /**
     * A decoder-only transformer in 16-bit floating point; heads of 128, feed-forward of four times {@code hidden}.
     *
     * @param layers transformer blocks
     * @param hidden model width in elements, a multiple of 128
     * @param sequenceLength tokens in a sample
     * @param batch samples per rank and step
     * @param graphs whether kernels of blocks are captured and launched as graphs (CUDA, HIP), from collective to collective
     */
    public record Model(int layers, int hidden, int sequenceLength, int batch, boolean graphs) {
        /** Whose kernels are launched one by one. */
        public Model(int layers, int hidden, int sequenceLength, int batch) {
            this(layers, hidden, sequenceLength, batch, false);
        }

        public Model {
            require(layers >= 1 && layers <= 10_000, "layers must lie in 1..10000");
            require(
                    hidden >= 128 && hidden <= 65_536 && hidden % 128 == 0,
                    "hidden must be a multiple of 128 up to 65536");
            require(sequenceLength >= 1 && sequenceLength <= 1_000_000, "sequence length must lie in 1..1000000");
            require(batch >= 1 && batch <= 4096, "batch must lie in 1..4096");
        }
    }

    /**
     * Knobs of the collective library. More channels and threads carry more, up to a point, and take more of the device
     * from the GEMMs that run meanwhile.
     *
     * @param threads threads in a block of a collective kernel
     * @param channels blocks of a collective kernel (compute units it occupies)
     */
    public record Communication(int threads, int channels) {
        public Communication {
            require(threads >= 32 && threads <= 1024, "threads must lie in 32..1024");
            require(channels >= 1 && channels <= 128, "channels must lie in 1..128");
        }
    }

    /**
     * What an analysis should find.
     *
     * @param stragglerRank whose compute kernels are slow, or {@link #NO_STRAGGLER}
     * @param slowdown factor on the duration of the straggler's compute kernels, at least 1
     * @param maxClockOffsetNanos ranks' clocks are ahead or behind by up to this much, nanoseconds
     * @param maxDriftPpm ranks' clocks run fast or slow by up to this much, parts per million
     * @param stragglers further ranks that are slow
     * @param delays single activities that take longer
     * @param timing how regular the rest is
     */
    public record Disturbance(
            int stragglerRank,
            double slowdown,
            long maxClockOffsetNanos,
            double maxDriftPpm,
            List<Straggler> stragglers,
            List<Delay> delays,
            Regularity timing) {
        /** A rank whose kernels are slow, clocks that disagree, and nothing else. */
        public Disturbance(int stragglerRank, double slowdown, long maxClockOffsetNanos, double maxDriftPpm) {
            this(stragglerRank, slowdown, maxClockOffsetNanos, maxDriftPpm, List.of(), List.of(), Regularity.VARIED);
        }

        public Disturbance {
            stragglers = List.copyOf(stragglers);
            delays = List.copyOf(delays);
            require(stragglerRank >= NO_STRAGGLER, "the straggler must be a rank, or NO_STRAGGLER");
            require(slowdown >= 1 && slowdown <= 100, "the slowdown must lie in 1..100");
            require(
                    maxClockOffsetNanos >= 0 && maxClockOffsetNanos <= 1_000_000_000_000L,
                    "the clock offset must lie in 0..1000 seconds");
            require(maxDriftPpm >= 0 && maxDriftPpm <= 1000, "the drift must lie in 0..1000 ppm");
        }
    }

    /**
     * How much is recorded.
     *
     * @param steps training steps; not used when {@code bytesPerRank} is given
     * @param bytesPerRank about how long each rank's uncompressed text shall be, or 0 for {@code steps}
     * @param pythonStacks whether Python frames are recorded ({@code with_stack=True})
     * @param omitted what the recorder leaves out
     * @param syncEvents whether it is recorded which stream and which call waits for what ({@code enable_cuda_sync_events})
     * @param edges whether every dependency is written beside the traces
     * @param memory what the allocator does ({@code profile_memory=True}); null where that is not recorded
     */
    public record Recording(
            int steps,
            long bytesPerRank,
            boolean pythonStacks,
            Set<Omission> omitted,
            boolean syncEvents,
            boolean edges,
            @Nullable MemoryPlan memory) {
        /** What the profiler records by default. */
        public Recording(int steps, long bytesPerRank, boolean pythonStacks, Set<Omission> omitted) {
            this(steps, bytesPerRank, pythonStacks, omitted, false, false, null);
        }

        public Recording {
            require(steps >= 1, "at least one step is needed");
            require(bytesPerRank >= 0, "bytes per rank must not be negative");
            omitted = omitted.isEmpty() ? Set.of() : Set.copyOf(omitted);
        }

        boolean omits(Omission omission) {
            return omitted.contains(omission);
        }
    }

    /** Eight CUDA ranks of one node, 8 layers of width 2048, 4 steps, rank 3 slower by 15 %, clocks up to 0.5 ms apart. */
    public static TraceRecipe standard() {
        return new TraceRecipe(
                1,
                Vendor.CUDA,
                new Cluster(8, 8, 8),
                new Model(8, 2048, 2048, 2),
                new Communication(512, 32),
                new Disturbance(3, 1.15, 500_000, 0),
                new Recording(4, 0, false, Set.of()),
                1);
    }

    public TraceRecipe withSeed(long value) {
        return new TraceRecipe(value, vendor, cluster, model, communication, disturbance, recording, hostFactor);
    }

    public TraceRecipe withVendor(Vendor value) {
        return new TraceRecipe(seed, value, cluster, model, communication, disturbance, recording, hostFactor);
    }

    public TraceRecipe withCluster(Cluster value) {
        return new TraceRecipe(seed, vendor, value, model, communication, disturbance, recording, hostFactor);
    }

    /** Sets the number of ranks, sharded over all of them; a straggler that is no longer one of them is dropped. */
    public TraceRecipe withRanks(int value) {
        TraceRecipe kept = disturbance.stragglerRank() < value ? this : withStraggler(NO_STRAGGLER, 1);
        return kept.withCluster(new Cluster(value, cluster.gpusPerNode(), value, cluster.parallelism()));
    }

    public TraceRecipe withGpusPerNode(int value) {
        return withCluster(new Cluster(cluster.ranks(), value, cluster.shardRanks(), cluster.parallelism()));
    }

    /** Shards over groups of this many ranks and reduces gradients across the groups as well (hybrid sharding). */
    public TraceRecipe withShardRanks(int value) {
        return withCluster(new Cluster(cluster.ranks(), cluster.gpusPerNode(), value, cluster.parallelism()));
    }

    /** Spreads the model over ranks. */
    public TraceRecipe withParallelism(Parallelism value) {
        return withCluster(new Cluster(cluster.ranks(), cluster.gpusPerNode(), cluster.shardRanks(), value));
    }

    public TraceRecipe withModel(Model value) {
        return new TraceRecipe(seed, vendor, cluster, value, communication, disturbance, recording, hostFactor);
    }

    public TraceRecipe withLayers(int value) {
        return withModel(new Model(value, model.hidden(), model.sequenceLength(), model.batch(), model.graphs()));
    }

    public TraceRecipe withHidden(int value) {
        return withModel(new Model(model.layers(), value, model.sequenceLength(), model.batch(), model.graphs()));
    }

    /** Captures the kernels of blocks and launches them as graphs. */
    public TraceRecipe withGraphs(boolean value) {
        return withModel(new Model(model.layers(), model.hidden(), model.sequenceLength(), model.batch(), value));
    }

    public TraceRecipe withCommunication(int threads, int channels) {
        Communication value = new Communication(threads, channels);
        return new TraceRecipe(seed, vendor, cluster, model, value, disturbance, recording, hostFactor);
    }

    public TraceRecipe withDisturbance(Disturbance value) {
        return new TraceRecipe(seed, vendor, cluster, model, communication, value, recording, hostFactor);
    }

    public TraceRecipe withStraggler(int rank, double slowdown) {
        return withDisturbance(new Disturbance(
                rank,
                slowdown,
                disturbance.maxClockOffsetNanos(),
                disturbance.maxDriftPpm(),
                disturbance.stragglers(),
                disturbance.delays(),
                disturbance.timing()));
    }

    public TraceRecipe withClocks(long maxOffsetNanos, double maxDriftPpm) {
        return withDisturbance(new Disturbance(
                disturbance.stragglerRank(),
                disturbance.slowdown(),
                maxOffsetNanos,
                maxDriftPpm,
                disturbance.stragglers(),
                disturbance.delays(),
                disturbance.timing()));
    }

    /** Slows a rank down in one more way. */
    public TraceRecipe withStraggler(Straggler another) {
        List<Straggler> all = new ArrayList<>(disturbance.stragglers());
        all.add(another);
        return withDisturbance(all, disturbance.delays(), disturbance.timing());
    }

    /** Makes one more activity take longer. */
    public TraceRecipe withDelay(Delay another) {
        List<Delay> all = new ArrayList<>(disturbance.delays());
        all.add(another);
        return withDisturbance(disturbance.stragglers(), all, disturbance.timing());
    }

    public TraceRecipe withTiming(Regularity value) {
        return withDisturbance(disturbance.stragglers(), disturbance.delays(), value);
    }

    private TraceRecipe withDisturbance(List<Straggler> stragglers, List<Delay> delays, Regularity timing) {
        return withDisturbance(new Disturbance(
                disturbance.stragglerRank(),
                disturbance.slowdown(),
                disturbance.maxClockOffsetNanos(),
                disturbance.maxDriftPpm(),
                stragglers,
                delays,
                timing));
    }

    public TraceRecipe withRecording(Recording value) {
        return new TraceRecipe(seed, vendor, cluster, model, communication, disturbance, value, hostFactor);
    }

    public TraceRecipe withSteps(int value) {
        return withRecording(value, 0, recording.pythonStacks(), recording.omitted());
    }

    /** Records as many steps as make each rank's uncompressed text about this long. */
    public TraceRecipe withBytesPerRank(long value) {
        return withRecording(recording.steps(), value, recording.pythonStacks(), recording.omitted());
    }

    public TraceRecipe withPythonStacks(boolean value) {
        return withRecording(recording.steps(), recording.bytesPerRank(), value, recording.omitted());
    }

    /** Leaves these out as well. */
    public TraceRecipe without(Omission first, Omission... rest) {
        EnumSet<Omission> all = EnumSet.of(first, rest);
        all.addAll(recording.omitted());
        return withRecording(recording.steps(), recording.bytesPerRank(), recording.pythonStacks(), all);
    }

    private TraceRecipe withRecording(int steps, long bytesPerRank, boolean pythonStacks, Set<Omission> omitted) {
        return withRecording(new Recording(
                steps,
                bytesPerRank,
                pythonStacks,
                omitted,
                recording.syncEvents(),
                recording.edges(),
                recording.memory()));
    }

    /** Records which stream and which call waits for what. */
    public TraceRecipe withSyncEvents(boolean value) {
        return withRecording(new Recording(
                recording.steps(),
                recording.bytesPerRank(),
                recording.pythonStacks(),
                recording.omitted(),
                value,
                recording.edges(),
                recording.memory()));
    }

    /** Writes every dependency beside the traces. */
    public TraceRecipe withEdges(boolean value) {
        return withRecording(new Recording(
                recording.steps(),
                recording.bytesPerRank(),
                recording.pythonStacks(),
                recording.omitted(),
                recording.syncEvents(),
                value,
                recording.memory()));
    }

    /** Records what the allocator allocates. */
    public TraceRecipe withMemory(MemoryPlan value) {
        return withRecording(new Recording(
                recording.steps(),
                recording.bytesPerRank(),
                recording.pythonStacks(),
                recording.omitted(),
                recording.syncEvents(),
                recording.edges(),
                value));
    }

    public TraceRecipe withHostFactor(double value) {
        return new TraceRecipe(seed, vendor, cluster, model, communication, disturbance, recording, value);
    }

    /** Makes the host the bottleneck: kernels of a small model and a slow host, hence many short idle gaps. */
    public TraceRecipe launchBound() {
        return withModel(new Model(model.layers(), 512, 256, 1, model.graphs())).withHostFactor(2);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
