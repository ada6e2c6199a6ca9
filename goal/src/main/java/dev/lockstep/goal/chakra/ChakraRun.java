// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.GoalInput;
import dev.lockstep.goal.GoalOptions;
import dev.lockstep.goal.kineto.KinetoFiles;
import dev.lockstep.goal.kineto.ProcessGroups;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.path.RankTasks;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.session.Session;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A run that will be written as execution traces of Chakra, one for each rank. A node stands for an activity of a device, or for a
 * stretch of time in which a thread of the host was busy; it depends on whatever it waited for. Latencies between them are not written,
 * since dependencies take no time there.
 */
public final class ChakraRun {
    /** How files of ranks begin; the number of the rank follows. */
    public static final String PREFIX = "rank.";

    /** The file that says which ranks belong to the process groups. */
    public static final String GROUPS = "comm_group.json";

    private static final long NS_PER_US = 1000;

    /**
     * What is kept of a trace.
     *
     * @param originNs when its clock begins, in ns since 1970; 0 where that is unknown
     */
    private record Rank(RankTasks tasks, RankCollectives collectives, long originNs) {}

    /**
     * What was written.
     *
     * @param nodes of all ranks
     * @param communications how many of them communicate
     * @param shortestNs how long the slowest rank takes where each node begins as soon as it may, and nobody waits for other ranks
     * @param recordedNs how long that rank took in the recording
     */
    public record Written(long nodes, long communications, long shortestNs, long recordedNs) {}

    private final GoalInput input;
    private final List<Rank> ranks;
    private final RecordingNotes notes;
    private final Exchanges exchanges;

    private ChakraRun(GoalInput input, List<Rank> ranks, RecordingNotes notes) {
        this.input = input;
        this.ranks = ranks;
        this.notes = notes;
        exchanges = new Exchanges(
                CollectiveMatch.of(ranks.stream().map(Rank::collectives).toList()), notes);
    }

    /**
     * Reads the ranks of a run.
     *
     * @throws TraceFormatException when a file cannot be read, or is something else
     * @throws UserException when no device did anything
     */
    public static ChakraRun read(GoalInput input, GoalOptions.Reading reading) throws IOException {
        RecordingNotes notes = new RecordingNotes();
        WorkRules rules = WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), null);
        try (Session session = new Session(reading.threads())) {
            List<Rank> ranks = new KinetoFiles(session, reading.pyTorch().selection(), reading.strict())
                            .present(
                                    input.files(),
                                    trace -> {
                                        DerivedCache cache = new DerivedCache(trace);
                                        return new Rank(
                                                RankTasks.of(cache, rules),
                                                cache.get(RankCollectives.Key.standard()),
                                                trace.info().originNs());
                                    },
                                    (rank, info) ->
                                            new Rank(rank.tasks, rank.collectives.withInfo(info), rank.originNs),
                                    notes,
                                    reading.progress())
                            .stream()
                            .sorted(Comparator.comparingInt(rank -> rank.collectives.rank()))
                            .toList();
            if (ranks.stream().allMatch(rank -> rank.tasks.size() == 0)) {
                throw new UserException(
                        ErrorCode.NOTHING_TO_DO,
                        input.name() + ": no device did anything",
                        "Record what devices do, too: ProfilerActivity.CUDA among the activities of the profiler.");
            }
            return new ChakraRun(input, ranks, notes);
        }
    }

    /** Number of ranks. */
    public int ranks() {
        return ranks.size();
    }

    /** What is missing, and what was assumed. */
    public List<ScheduleNote> notes() {
        return notes.all();
    }

    /** The files among the recordings that are none. */
    public List<String> besides() {
        return notes.besides();
    }

    /** Whether nothing is missing. */
    public boolean isWhole() {
        return !notes.hasLoss();
    }

    /**
     * Writes a file for each rank, and one that says who belongs to which group. The folder gets all of them or none.
     *
     * @param json whether nodes are written as JSON, else as protocol buffers
     */
    public Written writeTo(Path directory, boolean json) throws IOException {
        try (Output output = new Output().sparing(input.files())) {
            Path folder = output.directory(directory);
            long nodes = 0;
            long communications = 0;
            Written slowest = new Written(0, 0, 0, 0);
            TreeSet<Integer> groups = new TreeSet<>();
            for (int rank = 0; rank < ranks.size(); rank++) {
                int number = ranks.get(rank).collectives.rank();
                Path file = folder.resolve(PREFIX + number + (json ? ".json" : ".et"));
                try (NodeSink sink = json ? new JsonSink(NamedFiles.writer(file)) : new EtSink(NamedFiles.out(file))) {
                    communications += write(rank, sink, groups);
                }
                RankTasks tasks = ranks.get(rank).tasks;
                nodes += tasks.size();
                long took = length(tasks);
                slowest = took > slowest.recordedNs ? new Written(0, 0, tasks.shortest(), took) : slowest;
            }
            try (Writer out = NamedFiles.writer(folder.resolve(GROUPS))) {
                JsonOut.pretty(members(groups), out);
            }
            output.commit();
            return new Written(nodes, communications, slowest.shortestNs, slowest.recordedNs);
        }
    }

    private static long length(RankTasks tasks) {
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (int t = 0; t < tasks.size(); t++) {
            start = Math.min(start, tasks.start(t));
            end = Math.max(end, tasks.start(t) + tasks.duration(t));
        }
        return tasks.size() == 0 ? 0 : end - start;
    }

    private Map<String, List<Integer>> members(SortedSet<Integer> groups) {
        List<ProcessGroups.Members> all = exchanges.groups();
        Map<String, List<Integer>> members = new LinkedHashMap<>();
        groups.forEach(
                group -> members.put(Integer.toString(group), all.get(group).ranks()));
        return members;
    }

    /** Returns how many nodes communicate; adds the groups in which they do. */
    private long write(int rank, NodeSink sink, SortedSet<Integer> groups) throws IOException {
        RankTasks tasks = ranks.get(rank).tasks;
        long origin = ranks.get(rank).originNs;
        for (int t = 0; t < tasks.size(); t++) {
            origin = Math.max(origin, -tasks.start(t));
        }
        long[] carried = new long[tasks.tracks()];
        long communications = 0;
        for (int t = 0; t < tasks.size(); t++) {
            Communication exchanged = exchanges.of(rank, tasks.event(t));
            if (exchanged != null) {
                communications++;
                groups.add(exchanged.group());
            }
            int[] before = tasks.before(t).clone();
            for (int i = 0; i < before.length; i++) {
                before[i]++;
            }
            sink.node(new Node(
                    t + 1,
                    tasks.name(t),
                    tasks.track(t),
                    exchanged == null && !tasks.onDevice(t),
                    before,
                    origin + tasks.start(t),
                    tasks.duration(t),
                    rounded(tasks, t, carried),
                    tasks.flops(t),
                    tasks.bytes(t),
                    exchanged));
        }
        return communications;
    }

    /**
     * Whole µs, so that the sum of a track is right to one. An activity of a device takes at least one, since simulators take 0 for
     * not known.
     */
    private static long rounded(RankTasks tasks, int task, long[] carried) {
        int track = tasks.trackNumber(task);
        long due = tasks.duration(task) + carried[track];
        long least = tasks.onDevice(task) ? 1 : 0;
        long micros = Math.max(least, Math.floorDiv(due + NS_PER_US / 2, NS_PER_US));
        carried[track] = due - micros * NS_PER_US;
        return micros;
    }
}
