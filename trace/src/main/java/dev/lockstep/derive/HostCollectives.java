// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Collectives that a library carries out on the host: gloo, MPI. Each is a slice such as {@code gloo:all_reduce}, mostly on a thread
 * of the library. In groups that only such a library serves, a record of parameters is one, too, where there are no such slices.
 *
 * <p>The thread that issues a collective goes on at once; later it may stand still until the collective has ended, which no slice
 * shows: {@link #waits}. Immutable.
 */
public final class HostCollectives {
    /** The collectives of a trace. */
    public record Key() implements Derived<HostCollectives> {
        @Override
        public HostCollectives derive(Trace trace, DerivedCache cache) {
            return new HostCollectives(trace, cache);
        }
    }

    /**
     * A thread that stood still until collectives had ended that it had issued.
     *
     * @param track of the thread
     * @param from when it stopped
     * @param until when it did something again
     * @param ended which collectives ended until then, of those that it had issued and not waited for before
     */
    public record Wait(int track, long from, long until, List<Integer> ended) {
        /** Copies the list. */
        public Wait {
            ended = List.copyOf(ended);
        }
    }

    private static final String RECORD = "record_param_comms";

    /** Operators of PyTorch that issue collectives, whoever carries them out. */
    static final String ISSUES = "c10d::";

    private static final byte OTHER = 1;
    private static final byte COLLECTIVE = 2;
    private static final byte ISSUE = 3;
    private static final byte PARAMETERS = 4;

    /** Of an operator that sends or receives: the tensors, the group, and the number of the other side. */
    private static final Pattern PEER = Pattern.compile("\\[\"\",\\s?\"\",\\s?\"(\\d{1,7})\"");

    private final Trace trace;
    private final Slices slices;
    private final CollectiveKinds kinds = CollectiveKinds.standard();
    private final HostGroups groups;
    private final int[] slice;
    private final long[] start;
    private final long[] end;
    private final int[] issue;
    private final int[] record;
    private final boolean[] apart;
    private final List<Wait> waits;

    private HostCollectives(Trace trace, DerivedCache cache) {
        this.trace = trace;
        slices = trace.slices();
        byte[] judged = new byte[trace.strings().size()];
        IntList found = new IntList(4);
        IntList issues = new IntList(4);
        IntList records = new IntList(4);
        for (int i = 0; i < slices.size(); i++) {
            switch (judge(i, judged)) {
                case COLLECTIVE -> found.add(i);
                case ISSUE -> issues.add(i);
                case PARAMETERS -> records.add(i);
                default -> {}
            }
        }
        groups = HostGroups.of(trace.info());
        boolean asRecords = found.size() == 0;
        for (int i = 0; asRecords && i < records.size(); i++) {
            if (groups.library(groupOf(records.get(i))) != null) {
                found.add(records.get(i));
            }
        }
        slice = found.toArray();
        start = new long[slice.length];
        end = new long[slice.length];
        apart = new boolean[slice.length];
        if (slice.length == 0) {
            issue = slice;
            record = slice;
            waits = List.of();
            return;
        }
        if (asRecords) {
            issue = slice;
            record = slice;
        } else {
            HostIssues issuing = new HostIssues(trace, cache, issues.toArray(), records.toArray());
            issue = issuing.of(slice);
            record = issuing.records();
        }
        bound();
        waits = HostWaits.of(this, trace);
    }

    private byte judge(int i, byte[] judged) {
        SliceKind kind = slices.kind(i);
        if (kind != SliceKind.ANNOTATION && kind != SliceKind.CPU_OP) {
            return OTHER;
        }
        int name = slices.name(i);
        if (judged[name] == 0) {
            judged[name] = judged(trace.strings().get(name));
        }
        return judged[name] == COLLECTIVE || kind == SliceKind.CPU_OP ? judged[name] : OTHER;
    }

    private static byte judged(String name) {
        if (libraryOf(name) != null) {
            return COLLECTIVE;
        }
        return name.equals(RECORD) ? PARAMETERS : name.startsWith(ISSUES) ? ISSUE : OTHER;
    }

    /** The library of the host whose collective has this name; null where it is no such name. */
    static @Nullable String libraryOf(String name) {
        for (String library : HostGroups.LIBRARIES) {
            if (name.length() > library.length() + 1
                    && name.charAt(library.length()) == ':'
                    && name.charAt(library.length() + 1) != ':'
                    && name.startsWith(library)) {
                return library;
            }
        }
        return null;
    }

    /** The name of a collective without its library. */
    static String plainName(String name) {
        String library = libraryOf(name);
        return library == null ? name : name.substring(library.length() + 1);
    }

    private @Nullable String groupOf(int of) {
        CollectiveDetails details = trace.view(CollectiveDetails.KEY);
        int row = details == null ? -1 : details.of(of);
        return details == null || row < 0 ? null : trace.strings().orNull(details.groupName(row));
    }

    // ---- from when to when -----------------------------------------------------------------------------------------

    /** Finds threads that do nothing but collectives, and between which moments each of these exchanges data. */
    private void bound() {
        BitSet own = new BitSet();
        for (int one : slice) {
            own.set(slices.track(one));
        }
        long[] until = new long[trace.tracks().size()];
        int[] open = new int[until.length];
        long[] called = new long[slice.length];
        BitSet shared = new BitSet();
        Arrays.fill(until, Long.MIN_VALUE);
        Arrays.fill(open, -1);
        int next = 0;
        for (int i = 0; i < slices.size(); i++) {
            int track = slices.track(i);
            if (!own.get(track) || !slices.kind(i).isHost()) {
                continue;
            }
            while (next < slice.length && slice[next] < i) {
                next++;
            }
            boolean isOne = next < slice.length && slice[next] == i;
            boolean inside = slices.ts(i) < until[track];
            if (isOne) {
                shared.set(track, shared.get(track) || inside);
                until[track] = Math.max(until[track], slices.end(i));
                open[track] = next;
                called[next] = slices.ts(i);
            } else if (inside && slices.end(i) <= until[track]) {
                quiet(open[track], called[open[track]], slices.ts(i));
                called[open[track]] = Math.max(called[open[track]], slices.end(i));
            } else if (!slices.kind(i).isLaunchCall() && slices.kind(i) != SliceKind.OVERHEAD) {
                shared.set(track);
            }
        }
        for (int c = 0; c < slice.length; c++) {
            quiet(c, called[c], slices.end(slice[c]));
            apart[c] = !shared.get(slices.track(slice[c]));
            if (!apart[c]) {
                start[c] = slices.ts(slice[c]);
                end[c] = slices.end(slice[c]);
            }
        }
    }

    /** Data is exchanged while the thread calls nothing for the longest time: before, it gets ready, and behind, it hands over. */
    private void quiet(int c, long from, long to) {
        if (to - from > end[c] - start[c] || end[c] == 0 && start[c] == 0) {
            start[c] = from;
            end[c] = to;
        }
    }

    // ---- what was found --------------------------------------------------------------------------------------------

    /** Number of collectives; they are in order of the beginnings of their slices. */
    public int size() {
        return slice.length;
    }

    /** Its slice. */
    public int slice(int i) {
        return slice[i];
    }

    /** When the rank is there: its thread has begun the collective, and has what it shall exchange. */
    public long start(int i) {
        return start[i];
    }

    /** When all is exchanged. */
    public long end(int i) {
        return end[i];
    }

    /** The operator that issued it, -1 when not recorded. */
    public int issue(int i) {
        return issue[i];
    }

    /** The collectives by {@link #start}. */
    int[] inOrderOfStart() {
        int[] order = new int[slice.length];
        Arrays.setAll(order, i -> i);
        LongOrder.sort(start.clone(), order);
        return order;
    }

    /** When any of them exchanges data. */
    public IntervalSet exchanging() {
        IntervalSet.Builder exchanging = new IntervalSet.Builder();
        for (int i : inOrderOfStart()) {
            exchanging.add(start[i], end[i]);
        }
        return exchanging.build();
    }

    /** When it was issued; where that is not recorded, when its slice begins. */
    public long issued(int i) {
        return slices.ts(issue[i] < 0 ? slice[i] : issue[i]);
    }

    /** Whether it ran on a thread that does nothing else. */
    public boolean isApart(int i) {
        return apart[i];
    }

    /** When threads stood still for them: by track, then in order of time. */
    public List<Wait> waits() {
        return waits;
    }

    /** The library that carries it out, such as gloo. */
    String library(int i) {
        String named = libraryOf(trace.name(slice[i]));
        String served = named == null ? groups.library(groupOf(slice[i])) : named;
        return served == null ? "" : served;
    }

    /** The slice that records its parameters, -1 for none. */
    int record(int i) {
        return record[i];
    }

    /** Its process group, where its library serves but one and no record says better; else null. */
    HostGroups.@Nullable Group group(int i) {
        return groups.only(library(i));
    }

    /**
     * The number in the run of the other side of a message, as its issuing operator names it; -1 when not recorded. The operator counts
     * within the group.
     */
    long peer(int i) {
        OpDetails operators = trace.view(OpDetails.KEY);
        boolean message = kinds.of(plainName(trace.name(slice[i]))).pointToPoint();
        int row = operators == null || !message || issue[i] < 0 ? -1 : operators.of(issue[i]);
        String inputs = operators == null || row < 0 ? null : trace.strings().orNull(operators.concreteInputs(row));
        Matcher named = inputs == null ? null : PEER.matcher(inputs);
        if (named == null || !named.lookingAt()) {
            return -1;
        }
        int place = Integer.parseInt(named.group(1));
        HostGroups.Group group = group(i);
        long[] members = RankNumbers.of(group == null ? null : group.ranks());
        return place < members.length ? members[place] : place;
    }

    /**
     * When operators of the host computed: without those that issue collectives or wait for them, and without waits that no slice
     * shows.
     */
    public IntervalSet computing() {
        IntervalSet computing = IntervalSet.EMPTY;
        int tracks = trace.tracks().size();
        IntervalSet.Builder[] working = new IntervalSet.Builder[tracks];
        IntervalSet.Builder[] talking = new IntervalSet.Builder[tracks];
        byte[] judged = new byte[trace.strings().size()];
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) != SliceKind.CPU_OP) {
                continue;
            }
            int name = slices.name(i);
            if (judged[name] == 0) {
                judged[name] = isCommunication(trace.strings().get(name)) ? COLLECTIVE : OTHER;
            }
            IntervalSet.Builder[] to = judged[name] == COLLECTIVE ? talking : working;
            int track = slices.track(i);
            if (to[track] == null) {
                to[track] = new IntervalSet.Builder();
            }
            to[track].add(slices.ts(i), slices.end(i));
        }
        IntervalSet.Builder[] standing = new IntervalSet.Builder[tracks];
        for (Wait wait : waits) {
            if (standing[wait.track] == null) {
                standing[wait.track] = new IntervalSet.Builder();
            }
            standing[wait.track].add(wait.from, wait.until);
        }
        for (int track = 0; track < tracks; track++) {
            if (working[track] != null) {
                IntervalSet own = working[track].build();
                own = talking[track] == null ? own : own.minus(talking[track].build());
                own = standing[track] == null ? own : own.minus(standing[track].build());
                computing = computing.union(own);
            }
        }
        return computing;
    }

    private static boolean isCommunication(String name) {
        return libraryOf(name) != null
                || name.equals(RECORD)
                || name.startsWith(ISSUES)
                || name.startsWith("_c10d_functional::");
    }
}
