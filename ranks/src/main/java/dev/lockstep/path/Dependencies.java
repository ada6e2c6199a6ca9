// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.work.KernelRooflines;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.Steps;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.Table;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * What waited for what in one rank: what was on the critical path, what ended each gap of computation, and what changes
 * would gain.
 *
 * @param rules definitions; with a device, kernels of operators with a model could take what it needs at least
 * @param stepAnnotation what marks steps, null to find what does
 * @param options what is asked for
 * @param proposer knows what could be changed in the program
 */
public record Dependencies(
        WorkRules rules, @Nullable String stepAnnotation, ReportOptions.Paths options, Proposal.Proposer proposer)
        implements Analysis<Dependencies.Result> {
    /** The same without proposals. */
    public Dependencies(WorkRules rules, @Nullable String stepAnnotation, ReportOptions.Paths options) {
        this(rules, stepAnnotation, options, Proposal.Proposer.NONE);
    }

    /** What a slice takes in the trace and in what is derived of it, with room for what is being copied. */
    private static final long BYTES_PER_SLICE = 120;

    /** Texts are kept as bytes, and as objects once they were asked for. */
    private static final long BYTES_PER_TEXT_BYTE = 3;

    /** What an activity, or a call that launches or waits, takes in the graph, in a replay of it, and on its path. */
    private static final long BYTES_PER_ACTIVITY = 150;

    /** The same where paths are asked for as sheets. */
    private static final long BYTES_PER_ACTIVITY_WITH_SHEETS = 250;

    /** Steps differ from run to run: one that was given may be longer than the recorded ones by one of so many parts. */
    private static final long MOST_LONGER = 10;

    /** Replayed steps may be longer than the given one by one of so many parts. */
    private static final long MOST_SHORTER = 50;

    /** What was found. */
    public static final class Result implements AnalysisResult {
        private static final Result NOTHING = new Result("the trace has no device activity", List.of());

        private static final Comparator<Evidence.Place> LONGEST_FIRST =
                Comparator.comparingLong(Evidence.Place::length).reversed().thenComparingLong(Evidence.Place::start);

        private final @Nullable String notApplicable;
        private final List<Table> tables;
        private final List<Opportunity> opportunities = new ArrayList<>();
        private final List<ComputeGaps.Row> gaps = new ArrayList<>();
        private List<PathPiece> path = List.of();
        private boolean knowsWaits = true;
        private int streams;
        private GraphLaunches graphs = new GraphLaunches();
        private long inferredEdges;
        private long length;
        private ProposalGains proposals = ProposalGains.NONE;
        private IntervalSet steps = IntervalSet.EMPTY;

        private Result(@Nullable String notApplicable, List<Table> tables) {
            this.notApplicable = notApplicable;
            this.tables = tables;
        }

        /** Whether the trace says which stream waits for which event; else such edges are inferred from times. */
        public boolean knowsWaits() {
            return knowsWaits;
        }

        /** Number of streams with activity. */
        public int streams() {
            return streams;
        }

        /** How many activities were launched as parts of graphs: inside, only their order on each stream is known. */
        public long activitiesOfGraphs() {
            return graphs.activities();
        }

        /** Whether it is recorded what waits for what inside of graphs. */
        public boolean knowsEdgesOfGraphs() {
            return graphs.knowsEdges();
        }

        /** Number of launches of graphs. */
        public int graphLaunches() {
            return graphs.launches();
        }

        /** Launches of graphs whose activities ran on several streams. */
        public int graphLaunchesOnSeveralStreams() {
            return graphs.launchesOnSeveralStreams();
        }

        /** How many waits were inferred from times. */
        public long inferredEdges() {
            return inferredEdges;
        }

        /** Length of the recording in ns. */
        public long length() {
            return length;
        }

        /** The recording without what its program did before the first marked step and behind the last. */
        public IntervalSet steps() {
            return steps;
        }

        /** What changes of the program gain. */
        public ProposalGains proposals() {
            return proposals;
        }

        /** Time without computation for this cause, in ns. */
        public long gapTime(GapCause cause) {
            return gaps.stream()
                    .filter(gap -> gap.key().cause() == cause)
                    .mapToLong(ComputeGaps.Row::time)
                    .sum();
        }

        /** For how long a collective ran in gaps of computation that had to wait for it in the end, in ns. */
        public long heldByCommunication() {
            return gaps.stream().mapToLong(gap -> gap.held().communication()).sum();
        }

        /** For how long nothing explains why computation that had been launched did not run, in ns. */
        public long unexplainedGaps() {
            return gaps.stream()
                    .filter(gap -> switch (gap.key().cause()) {
                        case LAUNCH_STARVED, BLOCKED_BY_KERNEL, KERNEL_GAP, LAUNCH_LATENCY -> false;
                        default -> true;
                    })
                    .mapToLong(gap ->
                            gap.time() - gap.held().communication() - gap.held().copies())
                    .sum();
        }

        /** The same for copies and fills. */
        public long heldByCopies() {
            return gaps.stream().mapToLong(gap -> gap.held().copies()).sum();
        }

        /** The rows of sheet {@code compute_gaps} for these causes, and where the longest gap of each row lies. */
        public Evidence[] gaps(GapCause... causes) {
            List<Integer> lines = new ArrayList<>();
            List<Evidence.Place> places = new ArrayList<>();
            for (int line = 0; line < gaps.size(); line++) {
                ComputeGaps.Row gap = gaps.get(line);
                if (List.of(causes).contains(gap.key().cause())) {
                    lines.add(line);
                    places.add(new Evidence.Place(gap.key().cause().spelling(), gap.at(), gap.at() + gap.longest()));
                }
            }
            return new Evidence[] {new Evidence.Rows(TableNames.COMPUTE_GAPS, lines), longestFirst(places)};
        }

        /** The critical path of the whole recording, in order of time and without gaps. */
        public List<PathPiece> path() {
            return path;
        }

        @Override
        public List<Evidence> places(String sheet) {
            return switch (sheet) {
                case "opportunities" -> opportunities.stream().map(this::places).toList();
                case TableNames.COMPUTE_GAPS ->
                    gaps.stream()
                            .map(gap -> Evidence.place(
                                    gap.key().cause().spelling(), gap.at(), gap.at() + gap.longest(), gap.gaps()))
                            .toList();
                default -> List.of();
            };
        }

        /** Where on the critical path mending this would gain. */
        public Evidence places(Opportunity opportunity) {
            PriorityQueue<Evidence.Place> longest = new PriorityQueue<>(LONGEST_FIRST.reversed());
            long count = 0;
            long least = -1; // of equally long ones the first count, and they come in order
            for (PathPiece piece : path) {
                if (!piece.isPartOf(opportunity)) {
                    continue;
                }
                count++;
                if (piece.end() - piece.start() > least) {
                    String name = piece.name();
                    longest.add(new Evidence.Place(
                            name == null ? piece.pathClass().spelling() : name, piece.start(), piece.end()));
                    if (longest.size() > Evidence.MOST) {
                        longest.remove();
                    }
                    least = longest.size() < Evidence.MOST
                            ? -1
                            : longest.element().length();
                }
            }
            List<Evidence.Place> places = new ArrayList<>(longest);
            places.sort(LONGEST_FIRST);
            return new Evidence.Places(places, count);
        }

        private static Evidence longestFirst(List<Evidence.Place> places) {
            places.sort(LONGEST_FIRST);
            return new Evidence.Places(places, places.size());
        }

        /** What mending each thing would gain, the most first. */
        public List<Opportunity> opportunities() {
            return List.copyOf(opportunities);
        }

        @Override
        public List<Table> tables() {
            return tables;
        }

        @Override
        public @Nullable String notApplicable() {
            return notApplicable;
        }
    }

    @Override
    public String id() {
        return "dependencies";
    }

    @Override
    public Result run(DerivedCache cache) {
        return run(cache, Runtime.getRuntime().maxMemory());
    }

    /**
     * As {@link #run(DerivedCache)}, in a heap of this limit. Whether there is room for the graph is told from the trace and the limit
     * alone, so that the same trace in the same heap always gives the same report.
     */
    Result run(DerivedCache cache, long heap) {
        AnalysisRules base = rules.base();
        if (cache.get(base.activity()).size() == 0) {
            return Result.NOTHING;
        }
        long needed = needed(cache.trace(), cache.get(base.activity()).size());
        if (needed > heap) {
            String reason = "the graph of dependencies needs a heap of " + (needed >> 20) + " MB, and there are "
                    + (heap >> 20) + " MB (LOCKSTEP_HEAP=" + ((needed >> 30) + 1) + "g gives it more)";
            cache.trace()
                    .diagnostics()
                    .add(
                            Weight.LOSS,
                            "no_room",
                            reason + "; critical path, gaps of computation and opportunities are left out",
                            -1);
            return new Result(reason, List.of());
        }
        Steps steps = cache.get(new Steps.Key(stepAnnotation));
        PathRequest request = PathRequest.of(options.window());
        GraphBuilder builder = new GraphBuilder();
        RankGraph rank = RankGraph.of(cache, base, request.marks(cache.trace(), steps), builder);
        rank.tell(cache.get(new KernelRooflines.Key(rules)));
        DependencyGraph graph = builder.build();
        graph.proveIdentity();
        PathWindow whole = whole(cache.trace(), rank, graph);
        int[] ends = rank.ends.toArray();
        List<Proposal> proposals = proposer.of(cache);
        TraceEdits edits = new TraceEdits(cache.trace(), rank, graph, proposals);
        List<WhatIf> whatIfs = WhatIf.of(graph, options.edits(), whole, ends, edits);
        List<ComputeGaps.Row> gaps = ComputeGaps.of(graph, rank, steps.steps(), whole.start(), whole.end());
        CriticalPath path = CriticalPath.of(graph, whole);
        List<Opportunity> opportunities = Opportunity.of(graph, path, ends, WorkerThreads.none());
        IntervalSet recorded = stepsOf(whole, steps, cache.get(base.activity()));
        ProposalGains gains = ProposalGains.of(
                proposals,
                edits,
                new Scenarios(graph, whole, ends),
                whole,
                recorded(recorded, rank, path),
                options.stepNs() * steps.steps().size());
        provePossible(gains, steps.steps().size());
        List<CriticalPath> paths = CriticalPath.of(graph, request.windows(rank.windows, whole), path);
        List<Table> tables = new DependencySheets(graph).all(opportunities, whatIfs, gaps, paths);
        Result result = new Result(null, tables);
        result.knowsWaits = rank.knowsWaits();
        result.streams = rank.activity.streams().size();
        result.graphs = rank.graphs;
        result.inferredEdges = graph.counts(EdgeKind.INFERRED).edges + graph.counts(EdgeKind.SYNC).inferred;
        result.length = whole.length();
        result.proposals = gains;
        result.steps = recorded;
        result.opportunities.addAll(opportunities);
        result.gaps.addAll(gaps);
        result.path = path.shown(graph, edits, gains.ofEvent());
        return result;
    }

    /**
     * The recording without what its program did before the first marked step and behind the last one and all work of devices, such as
     * starting and stopping the profiler.
     */
    private static IntervalSet stepsOf(PathWindow whole, Steps steps, DeviceActivity activity) {
        if (!steps.source().isMarked() || steps.steps().isEmpty()) {
            return IntervalSet.of(whole.start(), whole.end());
        }
        IntervalSet busy = activity.busy();
        long start = Math.min(steps.steps().getFirst().start(), busy.start(0));
        long end = Math.max(steps.steps().getLast().end(), busy.end(busy.size() - 1));
        return IntervalSet.of(Math.max(whole.start(), start), Math.min(whole.end(), end));
    }

    /** @throws UserException when steps cannot take the time that was given for them */
    private void provePossible(ProposalGains gains, int steps) {
        if (options.stepNs() == 0) {
            return;
        }
        if (steps == 0) {
            throw new UserException(
                            ErrorCode.DATA_MISSING,
                            "the time of a step was given, but the trace has no steps",
                            "Name what marks them.")
                    .about("step annotation");
        }
        long left = gains.of() / steps;
        boolean longer = left < options.stepNs();
        if (Math.abs(left - options.stepNs()) > options.stepNs() / (longer ? MOST_LONGER : MOST_SHORTER)) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "no step takes " + Words.time(options.stepNs()) + ": "
                                    + (longer
                                            ? "in the trace a step takes "
                                            : "however little each CPU event takes, a step still takes ")
                                    + Words.time(left),
                            longer
                                    ? "Leave the time out: the profiler cost these steps nothing."
                                    : "Measure a step of the same program and the same batch.")
                    .about("step time");
        }
    }

    /**
     * The time of the recorded steps in ns, but for what the path spends in work that was launched before the recording, and that none of
     * its steps explains.
     */
    private static long recorded(IntervalSet steps, RankGraph rank, CriticalPath path) {
        long before = rank.endOfWorkBefore();
        long lead = 0;
        for (CriticalPath.Piece piece : path.pieces()) {
            if (piece.end() <= before && piece.pathClass() != PathClass.HOST) {
                lead += steps.within(piece.start(), piece.end());
            }
        }
        return steps.total() - lead;
    }

    /** How large a heap must be for the trace, what is derived of it, the graph and its replays, in bytes. */
    private long needed(Trace trace, long activities) {
        Slices slices = trace.slices();
        long calls = 0;
        for (int i = 0; i < slices.size(); i++) {
            calls += slices.kind(i).isLaunchCall() ? 1 : 0;
        }
        return BYTES_PER_SLICE * slices.size()
                + BYTES_PER_TEXT_BYTE * trace.strings().bytes()
                + (options.window() == null ? BYTES_PER_ACTIVITY : BYTES_PER_ACTIVITY_WITH_SHEETS)
                        * (activities + calls);
    }

    /** From the first beginning to the last end of what the host and the devices did. */
    private static PathWindow whole(Trace trace, RankGraph rank, DependencyGraph graph) {
        Slices slices = trace.slices();
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind.isHost() || kind.isDeviceActivity()) {
                start = Math.min(start, slices.ts(i));
                end = Math.max(end, slices.end(i));
            }
        }
        return new PathWindow(ReportOptions.Paths.WHOLE, start, end, graph.last(rank.ends.toArray()));
    }
}
