// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Columns of a dump in the making: a row for each call, one for calls that the device gets at once. */
final class EntryRows {
    private static final long NOT_SAID = Long.MIN_VALUE;
    private static final int NO_FRAMES = -1;

    /** A group as the first of its calls names it. */
    record Named(
            String name,
            String desc,
            String backend,
            @Nullable Object ranks) {}

    private final EntryFields fields = new EntryFields();
    private final Calls calls = new Calls();
    private final Stacks stacks = new Stacks();
    private final Map<String, Map<String, Integer>> groupNumbers = new HashMap<>();
    private final List<Named> groups = new ArrayList<>();
    private final IntList group = new IntList(16);
    private final IntList call = new IntList(16);
    private final IntList stack = new IntList(16);
    private final LongList sequence = new LongList(16);
    private final LongList created = new LongList(16);
    private final IntList state = new IntList(16);
    private final IntList message = new IntList(16);
    private final Map<Integer, List<Call>> parts = new HashMap<>();
    private int[] openCollectives = new int[0];
    private int[] openMessages = new int[0];
    private long lost = Long.MAX_VALUE;
    private long latest = -1;

    /** Takes the members of a dictionary, keys and values in turn; says whether it is an entry. */
    boolean take(Object[] members, int from, int to) {
        if (!fields.take(members, from, to)) {
            return false;
        }
        add();
        return true;
    }

    /** Takes an entry that is a dictionary. */
    void take(Map<?, ?> entry) {
        fields.take(entry);
        add();
    }

    private void add() {
        lost = Math.min(lost, Math.max(0, fields.whole(EntryFields.RECORD, 0)));
        int of = groupNumber();
        String name = fields.text(EntryFields.NAME);
        int called = calls.number(fields);
        boolean isMessage = Boolean.TRUE.equals(fields.get(EntryFields.IS_MESSAGE)) || calls.isMessage(called);
        int[] open = isMessage ? openMessages : openCollectives;
        Object own = fields.get(isMessage ? EntryFields.MESSAGE : EntryFields.COLLECTIVE);
        long number = Plain.whole(own != null ? own : fields.get(EntryFields.OLD_SEQUENCE), 0);
        boolean ends = Call.endsCoalesced(name);
        int row = open[of];
        if (row >= 0 && sequence.get(row) == number) {
            join(row, called, ends);
        } else {
            row = group.size();
            group.add(of);
            call.add(called);
            stack.add(stackNumber());
            sequence.add(number);
            message.add(isMessage ? 1 : 0);
            state.add(state());
            created.add(time(EntryFields.CREATED));
            time(EntryFields.SEEN_STARTED);
            time(EntryFields.SEEN_COMPLETED);
        }
        open[of] = ends ? -1 : row;
    }

    /** Calls of one number are one group, whose last call has the state of all. */
    private void join(int row, int called, boolean ends) {
        List<Call> joined = parts.computeIfAbsent(row, r -> new ArrayList<>(List.of(calls.get(call.get(r)))));
        if (!ends) {
            joined.add(calls.get(called));
        }
        state.set(row, ends ? state() : Math.min(state(), state.get(row)));
    }

    private int groupNumber() {
        Object stated = fields.get(EntryFields.GROUP);
        List<?> pair = Plain.list(stated);
        String name = pair.isEmpty() ? Plain.text(stated) : Plain.text(pair.getFirst());
        if (name.isEmpty()) {
            name = fields.text(EntryFields.GROUP_ID);
        }
        String backend = Call.backend(fields.text(EntryFields.NAME));
        Map<String, Integer> ofBackend = groupNumbers.computeIfAbsent(backend, b -> new HashMap<>());
        Integer known = ofBackend.get(name);
        if (known == null) {
            known = groups.size();
            ofBackend.put(name, known);
            String desc = pair.size() > 1 ? Plain.text(pair.get(1)) : "";
            groups.add(new Named(name, desc, backend, fields.get(EntryFields.RANKS)));
            if (known >= openCollectives.length) {
                openCollectives = longer(openCollectives);
                openMessages = longer(openMessages);
            }
        }
        return known;
    }

    private static int[] longer(int[] open) {
        int[] longer = Arrays.copyOf(open, 2 * open.length + 8);
        Arrays.fill(longer, open.length, longer.length, -1);
        return longer;
    }

    private byte state() {
        return switch (fields.text(EntryFields.STATE)) {
            case "completed" -> RankDump.COMPLETED;
            case "started" -> RankDump.STARTED;
            default -> RankDump.SCHEDULED;
        };
    }

    private long time(int field) {
        long time = fields.whole(field, NOT_SAID);
        latest = Math.max(latest, time);
        return time == NOT_SAID ? -1 : time;
    }

    /** The number of the stack; where a table holds it, which may follow, its place there as a number below that of none. */
    private int stackNumber() {
        Object frames = fields.get(EntryFields.FRAMES);
        long id = fields.whole(EntryFields.STACK, -1);
        boolean shared = frames == null && id >= 0 && id < Integer.MAX_VALUE;
        return frames != null ? stacks.number(Plain.list(frames)) : shared ? NO_FRAMES - 1 - (int) id : NO_FRAMES;
    }

    private int resolved(int number, @Nullable Object shared) {
        if (number >= 0) {
            return number;
        }
        int id = NO_FRAMES - 1 - number;
        Object frames = shared instanceof List<?> list
                ? id >= 0 && id < list.size() ? list.get(id) : null
                : Plain.map(shared).get(Integer.toString(id));
        return stacks.number(Plain.list(frames));
    }

    /** The groups, by number. */
    List<Named> groups() {
        return groups;
    }

    /** How many calls the ring buffer has lost. */
    long lost() {
        return lost == Long.MAX_VALUE ? 0 : lost;
    }

    /** The latest time in any entry, -1 for none. */
    long latest() {
        return latest;
    }

    /**
     * The dump.
     *
     * @param shared the table of stacks; null for none
     */
    RankDump dump(RankDump.Source source, List<RankDump.LocalGroup> known, @Nullable Object shared) {
        int n = group.size();
        parts.forEach((row, joined) -> call.set(row, calls.joined(joined)));
        int[] stackOf = new int[n];
        boolean[] isMessage = new boolean[n];
        byte[] states = new byte[n];
        for (int i = 0; i < n; i++) {
            stackOf[i] = resolved(stack.get(i), shared);
            isMessage[i] = message.get(i) != 0;
            states[i] = (byte) state.get(i);
        }
        return new RankDump(
                source,
                known,
                calls.all(),
                stacks.all(),
                new RankDump.Columns(
                        group.toArray(),
                        sequence.toArray(),
                        isMessage,
                        states,
                        call.toArray(),
                        stackOf,
                        created.toArray()));
    }
}
