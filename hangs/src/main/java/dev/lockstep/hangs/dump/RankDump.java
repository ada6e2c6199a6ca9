// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one rank recorded, as columns: calls in the order in which they were recorded. Calls that the device gets at once are one.
 * Calls, stacks and groups are numbers into lists.
 */
@SuppressWarnings("ArrayRecordComponent")
public final class RankDump {
    /** Not known to have reached the device. */
    public static final byte SCHEDULED = 0;

    /** On the device. */
    public static final byte STARTED = 1;

    /** Done. */
    public static final byte COMPLETED = 2;

    /**
     * A process group as this rank knows it.
     *
     * @param ranks in the order of their numbers within the group; empty where the dump does not say
     * @param all whether all ranks of the job belong to it
     * @param isUsed whether it has calls in the dump
     * @param enqueued the last collective that was called, by the group's status; -1 where that is not known
     */
    public record LocalGroup(
            String name,
            String desc,
            String backend,
            List<Integer> ranks,
            boolean all,
            boolean isUsed,
            long enqueued) {}

    /**
     * Where a dump comes from.
     *
     * @param rank the rank, -1 where neither the file's name nor its content says it
     * @param file as the user named it
     * @param version of the dump
     * @param lost how many calls the ring buffer has lost
     * @param latestNs the latest time in it, -1 for none
     */
    public record Source(int rank, String file, String version, long lost, long latestNs) {}

    /** The columns, one value for each call. */
    record Columns(
            int[] group, long[] sequence, boolean[] message, byte[] state, int[] call, int[] stack, long[] created) {}

    private final Source source;
    private final List<LocalGroup> groups;
    private final List<Call> calls;
    private final List<String> stacks;
    private final Columns columns;
    private final boolean[] passed;
    private final int[][] collectives;
    private final long[][] sequences;

    RankDump(Source source, List<LocalGroup> groups, List<Call> calls, List<String> stacks, Columns columns) {
        this.source = source;
        this.groups = List.copyOf(groups);
        this.calls = List.copyOf(calls);
        this.stacks = List.copyOf(stacks);
        this.columns = columns;
        passed = new boolean[columns.group.length];
        collectives = new int[groups.size()][];
        sequences = new long[groups.size()][];
        sortCollectives();
        markPassed();
    }

    private void sortCollectives() {
        int[] counts = new int[groups.size()];
        for (int i = 0; i < size(); i++) {
            counts[columns.group[i]] += columns.message[i] ? 0 : 1;
        }
        for (int g = 0; g < counts.length; g++) {
            collectives[g] = new int[counts[g]];
            sequences[g] = new long[counts[g]];
        }
        Arrays.fill(counts, 0);
        for (int i = 0; i < size(); i++) {
            int g = columns.group[i];
            if (!columns.message[i]) {
                collectives[g][counts[g]] = i;
                sequences[g][counts[g]++] = columns.sequence[i];
            }
        }
    }

    /**
     * A device does the collectives of a group in order, so that those before one that is done are done, too: what was captured
     * into a graph never gets a state. Gloo and MPI have several threads. Messages are done in order between two ranks.
     */
    private void markPassed() {
        boolean[] done = new boolean[groups.size()];
        boolean[] doneInGroups = new boolean[groups.size()];
        boolean[][] doneMessages = new boolean[groups.size()][];
        Map<String, Integer> pairs = new HashMap<>();
        int[] pair = new int[calls.size()];
        for (int i = 0; i < pair.length; i++) {
            pair[i] = pairs.computeIfAbsent(calls.get(i).name(), name -> pairs.size());
        }
        for (int i = size() - 1; i >= 0; i--) {
            int g = columns.group[i];
            boolean completed = columns.state[i] == COMPLETED;
            boolean[] known;
            int place = 0;
            if (!columns.message[i]) {
                known = done;
                place = g;
            } else if (!call(i).parts().isEmpty()) {
                known = doneInGroups;
                place = g;
            } else {
                if (doneMessages[g] == null) {
                    doneMessages[g] = new boolean[calls.size()];
                }
                known = doneMessages[g];
                place = pair[columns.call[i]];
            }
            known[place] |= completed && isInOrder(g);
            passed[i] = completed || known[place];
        }
    }

    private boolean isInOrder(int group) {
        String backend = groups.get(group).backend();
        return !backend.equals("gloo") && !backend.equals("mpi");
    }

    public Source source() {
        return source;
    }

    public int rank() {
        return source.rank();
    }

    /** The same dump, of a rank that was not known before. */
    RankDump of(int rank) {
        return new RankDump(
                new Source(rank, source.file, source.version, source.lost, source.latestNs),
                groups,
                calls,
                stacks,
                columns);
    }

    public List<LocalGroup> groups() {
        return groups;
    }

    List<Call> calls() {
        return calls;
    }

    /** How many calls there are. */
    public int size() {
        return columns.group.length;
    }

    public int group(int i) {
        return columns.group[i];
    }

    /** Counts the collectives of the group, or its messages. */
    public long sequence(int i) {
        return columns.sequence[i];
    }

    /** Whether it is sent from one rank to another. */
    public boolean isMessage(int i) {
        return columns.message[i];
    }

    public byte state(int i) {
        return columns.state[i];
    }

    /** Whether it is done, as the state says or what came after it. */
    public boolean isPassed(int i) {
        return passed[i];
    }

    public int callNumber(int i) {
        return columns.call[i];
    }

    public int stackNumber(int i) {
        return columns.stack[i];
    }

    public Call call(int i) {
        return calls.get(columns.call[i]);
    }

    /** Frames, the innermost first, a line each; empty where none were recorded. */
    public String stack(int i) {
        return stacks.get(columns.stack[i]);
    }

    /** When it was called, in ns; -1 where that is not known. */
    public long created(int i) {
        return columns.created[i];
    }

    /** The collective of a group with a number; -1 where the dump has none. */
    public int find(int group, long sequence) {
        if (group < 0) {
            return -1;
        }
        int place = Arrays.binarySearch(sequences[group], sequence);
        return place < 0 ? -1 : collectives[group][place];
    }

    /** The last collective of the group that was called; 0 for none. */
    public long enqueued(int group) {
        if (group < 0) {
            return 0;
        }
        long[] own = sequences[group];
        return own.length > 0
                ? own[own.length - 1]
                : Math.max(0, groups.get(group).enqueued());
    }

    /** The last collective of the group that is done; 0 for none that is known. */
    public long completed(int group) {
        if (group < 0) {
            return 0;
        }
        for (int i = collectives[group].length - 1; i >= 0; i--) {
            if (passed[collectives[group][i]]) {
                return sequences[group][i];
            }
        }
        return 0;
    }
}
