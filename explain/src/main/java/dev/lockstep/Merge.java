// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.CollectiveAlignment;
import dev.lockstep.merge.MergeFilter;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.merge.MergeSummary;
import dev.lockstep.merge.PathStops;
import dev.lockstep.merge.PathStops.Stop;
import dev.lockstep.merge.TimelineMerge;
import dev.lockstep.model.Packing;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.path.RankPart;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.merge.RankClocks;
import dev.lockstep.timeline.RankTimeline;
import dev.lockstep.timeline.TimelineOutput;
import dev.lockstep.timeline.TraceWriter;
import dev.lockstep.timeline.WriteBehind;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All ranks of a run on one timeline. Immutable: what changes it gives another one.
 *
 * {@snippet :
 * lockstep.merge(run).withClocksAligned(0).writeTo(Path.of("all.pftrace"));
 * }
 *
 * <p>Ranks are read, laid out and written one after the other, at most three at a time, so that memory does not grow with
 * their number.
 */
public final class Merge {
    /** One that is written, one that is laid out, one that is read. */
    private static final int RANKS_AT_WORK = 3;

    private final Lockstep lockstep;
    private final Run run;
    private final MergeOptions options;
    private final boolean aligned;
    private final int ranksPerNode;
    private final @Nullable String pathsThrough;
    private final @Nullable Path manifest;

    /** What is kept of a rank that is read before all are written. */
    private record Kept(
            RankCollectives collectives, @Nullable RankPart part) {}

    Merge(Lockstep lockstep, Run run) {
        this(lockstep, run, MergeOptions.standard(), false, 0, null, null);
    }

    private Merge(
            Lockstep lockstep,
            Run run,
            MergeOptions options,
            boolean aligned,
            int ranksPerNode,
            @Nullable String pathsThrough,
            @Nullable Path manifest) {
        this.lockstep = lockstep;
        this.run = run;
        this.options = options;
        this.aligned = aligned;
        this.ranksPerNode = ranksPerNode;
        this.pathsThrough = pathsThrough;
        this.manifest = manifest;
    }

    /**
     * {@return the same merge of what passes a filter, or with names of another kind}
     *
     * @param other what is kept, and how it is called
     */
    public Merge with(MergeOptions other) {
        return new Merge(lockstep, run, other, aligned, ranksPerNode, pathsThrough, manifest);
    }

    /**
     * The same merge on one clock, estimated by the ends of collectives; all ranks are read once more for it. Beside the
     * merged trace, Perfetto's merge manifest tells the differences.
     *
     * @param perNode ranks of a node, which read one clock; 0 to go by the names of hosts, where traces tell them
     * @return another merge
     */
    public Merge withClocksAligned(int perNode) {
        return new Merge(lockstep, run, options, true, perNode, pathsThrough, manifest);
    }

    /**
     * {@return the same merge with the critical path over all ranks drawn into it: arrows from slice to slice, and in each slice
     * on it for how long the path is there} Clocks are aligned for it, and all ranks are read once more, twice where a filter
     * leaves slices out.
     */
    public Merge withCriticalPath() {
        return withCriticalPath(ReportOptions.Paths.WHOLE);
    }

    /**
     * {@return the same merge with critical paths over all ranks} A window that several ranks mark lasts from the first beginning
     * to the last end.
     *
     * @param window {@code all}, {@code step} for every marked step, the name of annotations, or {@code NAME#N} for the N-th of them
     *     from 0
     */
    public Merge withCriticalPath(String window) {
        return new Merge(lockstep, run, options, aligned, ranksPerNode, window, manifest);
    }

    /**
     * {@return the same merge whose manifest, if there is one, does not go beside the merged trace}
     *
     * @param place where it goes
     */
    public Merge withManifest(Path place) {
        return new Merge(lockstep, run, options, aligned, ranksPerNode, pathsThrough, place);
    }

    /**
     * Reads the ranks and writes them into a file. It appears at the end, as a whole; it takes the place of an earlier merged
     * timeline, never that of a trace.
     *
     * @param file its ending chooses the format: {@code .pftrace} or {@code .json}, and {@code .gz} behind it packs
     * @return what was written, and what was left out
     * @throws UserException when nothing writes files with this ending, when no event passes the filter, when a place cannot
     *     be written, or when there are several traces of one rank
     * @throws TraceFormatException when no trace can be read
     * @throws IOException when reading or writing fails
     */
    public MergeResult writeTo(Path file) throws IOException {
        Run others = run.withoutMerged(file);
        if (others != run) {
            return new Merge(lockstep, others, options, aligned, ranksPerNode, pathsThrough, manifest).writeTo(file);
        }
        TraceWriter writer = lockstep.session().registry().traceWriterFor(file);
        Path place = aligned ? manifestOf(file) : null;
        demandPlaces(file, place);
        try (Output output = new Output()) {
            RankSet<Kept> kept = aligned || pathsThrough != null ? run.readEach(this::keep) : null;
            CollectiveAlignment clocks = kept == null
                    ? null
                    : RankClocks.of(
                            kept.withKept(member -> Objects.requireNonNull(member.kept()).collectives), ranksPerNode);
            Alignment alignment = clocks == null ? Alignment.none() : clocks;
            PathStops path =
                    kept == null || pathsThrough == null ? PathStops.none() : path(kept, alignment, pathsThrough);
            MergeResult result;
            try (TimelineOutput timelines = open(writer, file, output)) {
                result = write(file, place, new TimelineMerge(timelines, options, alignment, path));
            }
            if (clocks != null && place != null) {
                NamedFiles.write(output.file(place), clocks.manifest());
            }
            output.commit();
            return result;
        }
    }

    private TimelineOutput open(TraceWriter writer, Path file, Output output) throws IOException {
        Session session = lockstep.session();
        boolean packed = Packing.GZIP.packs(file.toString());
        TraceWriter.Options how = new TraceWriter.Options(packed, session.pool(), session.jobs());
        return behind(writer.open(output.file(file), how), session);
    }

    private Kept keep(Trace trace) {
        DerivedCache cache = new DerivedCache(trace);
        return new Kept(
                cache.get(RankCollectives.Key.standard()),
                pathsThrough == null ? null : RankPart.withSlices(cache, AnalysisRules.standard(), pathsThrough));
    }

    private static List<RankCollectives> numbered(RankSet<RankCollectives> ranks) {
        return ranks.present().stream()
                .map(member -> Objects.requireNonNull(member.kept()).withInfo(Objects.requireNonNull(member.info())))
                .toList();
    }

    /** The critical path on the clock of the merged file, through slices that will be in it. */
    private PathStops path(RankSet<Kept> kept, Alignment alignment, String window) throws IOException {
        List<RankCollectives> ranks =
                numbered(kept.withKept(member -> Objects.requireNonNull(member.kept()).collectives));
        List<RankPart> parts = kept.present().stream()
                .map(member -> Objects.requireNonNull(Objects.requireNonNull(member.kept()).part))
                .toList();
        List<LongUnaryOperator> clocks =
                ranks.stream().map(rank -> alignment.clockOf(rank.info())).toList();
        Collectives collectives = Collectives.of(
                ranks,
                new CollectiveOptions(
                        ranksPerNode, false, CollectiveOptions.STATISTICS, CollectiveOptions.Alignment.COLLECTIVES));
        PathStops path = new PathStops(RunDependencies.stops(parts, collectives, window).stream()
                .map(stop -> new Stop(
                        stop.window(),
                        ranks.get(stop.rank()).rank(),
                        stop.event(),
                        clocks.get(stop.rank()).applyAsLong(stop.start()),
                        stop.onPath()))
                .toList());
        if (options.filter().equals(MergeFilter.none())) {
            return path;
        }
        try (TimelineOutput nowhere = new Nowhere()) {
            read(new TimelineMerge(nowhere, options, alignment, path));
        }
        return path.ofShown();
    }

    /** Takes ranks to see what a filter leaves of them. */
    private static final class Nowhere implements TimelineOutput {
        @Override
        public void add(RankTimeline rank) {}

        @Override
        public void finish(Map<String, String> metadata) {}

        @Override
        public void close() {}
    }

    private RankSet<Boolean> read(TimelineMerge merge) throws IOException {
        Keep keep = options.filter().needsDetails() ? Keep.EVERYTHING : Keep.RECORDING;
        return run.readInOrder(keep, trace -> add(merge, trace));
    }

    private MergeResult write(Path file, @Nullable Path place, TimelineMerge merge) throws IOException {
        RankSet<Boolean> ranks = read(merge);
        MergeSummary summary = merge.finish();
        demandAnything(summary);
        return new MergeResult(file, place, ranks, summary);
    }

    /** Ranks are written while the next is laid out and the one behind it is read, if there is room for three. */
    private TimelineOutput behind(TimelineOutput file, Session session) {
        return session.fit(RANKS_AT_WORK, run.files()) ? new WriteBehind(file) : file;
    }

    private static boolean add(TimelineMerge merge, Trace trace) {
        try {
            merge.add(trace);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void demandAnything(MergeSummary summary) {
        if (summary.ranks().stream().noneMatch(MergeSummary.Part::isShown)) {
            boolean all = options.filter().equals(MergeFilter.none());
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    all ? "the traces hold no events" : "nothing passes the filters",
                    "Nothing was written.");
        }
    }

    private void demandPlaces(Path file, @Nullable Path place) throws IOException {
        for (Path target : place == null ? List.of(file) : List.of(file, place)) {
            Output.demandNoInput(target, run.files());
        }
        if (place != null
                && place.toAbsolutePath()
                        .normalize()
                        .equals(file.toAbsolutePath().normalize())) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, place + " cannot be both the merged trace and its manifest", null);
        }
    }

    private Path manifestOf(Path file) {
        if (manifest != null) {
            return manifest;
        }
        TraceFormat format = lockstep.session().registry().traceWriterFor(file).format();
        return file.resolveSibling(format.withoutEnding(String.valueOf(file.getFileName())) + ".manifest.json");
    }
}
