// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.hangs.dump.RankDump.LocalGroup;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes the columns of a rank out of what its dump holds. Versions 2.0 to 2.10 differ in names of keys; none is demanded. */
final class DumpDocument {
    private static final int MOST_FRAMES = 4096;
    private static final int MOST_DIGITS = 7;
    private static final long NOT_SAID = Long.MIN_VALUE;

    private final String file;
    private final int rank;
    private final Map<String, List<Integer>> lists;
    private final Map<String, Integer> groupNumbers = new HashMap<>();
    private final List<String[]> groupNames = new ArrayList<>();
    private final List<Map<?, ?>> firstEntries = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<Call, Integer> callNumbers = new HashMap<>();
    private final Map<List<Object>, Integer> spelt = new HashMap<>();
    private final Map<String, Integer> stackNumbers = new LinkedHashMap<>();
    private final List<String> frames = new ArrayList<>();
    private final Map<String, Integer> frameNumbers = new HashMap<>();
    private final Map<Object, Integer> frameObjects = new IdentityHashMap<>();
    private final Map<List<Integer>, Integer> stacksOfFrames = new HashMap<>();
    private final Rows rows;
    private Map<?, ?> config = Map.of();
    private long latest = -1;

    /** Rows in the making. */
    private static final class Rows {
        private final IntList group;
        private final IntList call;
        private final IntList stack;
        private long[] sequence;
        private long[] created;
        private boolean[] message;
        private byte[] state;
        private final List<@Nullable List<Call>> parts = new ArrayList<>();

        Rows(int capacity) {
            group = new IntList(capacity);
            call = new IntList(capacity);
            stack = new IntList(capacity);
            sequence = new long[capacity];
            created = new long[capacity];
            message = new boolean[capacity];
            state = new byte[capacity];
        }

        private void grow() {
            if (sequence.length == group.size()) {
                int larger = Math.max(16, 2 * sequence.length);
                sequence = Arrays.copyOf(sequence, larger);
                created = Arrays.copyOf(created, larger);
                message = Arrays.copyOf(message, larger);
                state = Arrays.copyOf(state, larger);
            }
        }
    }

    /** @param lists of ranks, which the groups of many dumps share, by their text */
    DumpDocument(String file, int rank, Map<String, List<Integer>> lists) {
        this.lists = lists;
        this.file = file;
        this.rank = rank;
        rows = new Rows(16);
    }

    RankDump read(Object value) throws TraceFormatException {
        if (!(value instanceof Map<?, ?> top) || !(top.get("entries") instanceof List<?> entries)) {
            throw refused("expected a dictionary with a list of entries");
        }
        config = config(Plain.map(top.get("pg_config")));
        Object shared = top.containsKey("stacks") ? top.get("stacks") : top.get("stack_table");
        long lost = Long.MAX_VALUE;
        int[] openCollective = new int[0];
        int[] openMessage = new int[0];
        for (Object one : entries) {
            if (!(one instanceof Map<?, ?> entry)) {
                throw refused("expected a dictionary for each entry");
            }
            lost = Math.min(lost, Math.max(0, Plain.whole(entry.get("record_id"), 0)));
            int group = group(entry);
            if (group >= openCollective.length) {
                int old = openCollective.length;
                openCollective = Arrays.copyOf(openCollective, group + 8);
                openMessage = Arrays.copyOf(openMessage, group + 8);
                Arrays.fill(openCollective, old, group + 8, -1);
                Arrays.fill(openMessage, old, group + 8, -1);
            }
            String name = Plain.text(entry.get("profiling_name"));
            int call = call(name, entry);
            boolean message =
                    Boolean.TRUE.equals(entry.get("is_p2p")) || calls.get(call).isPeerToPeer();
            int[] open = message ? openMessage : openCollective;
            long sequence = sequence(entry, message);
            int before = open[group];
            boolean ends = Call.endsCoalesced(name);
            if (before >= 0 && rows.sequence[before] == sequence) {
                join(before, call, state(entry), ends);
            } else {
                add(group, sequence, message, call, entry, shared);
                before = rows.group.size() - 1;
            }
            open[group] = ends ? -1 : before;
        }
        return dump(top, lost == Long.MAX_VALUE ? 0 : lost);
    }

    private void add(int group, long sequence, boolean message, int call, Map<?, ?> entry, @Nullable Object shared)
            throws TraceFormatException {
        rows.grow();
        int row = rows.group.size();
        rows.group.add(group);
        rows.call.add(call);
        rows.stack.add(stack(entry, shared));
        rows.sequence[row] = sequence;
        rows.message[row] = message;
        rows.state[row] = state(entry);
        rows.created[row] = time(entry, "time_created_ns");
        time(entry, "time_discovered_started_ns");
        time(entry, "time_discovered_completed_ns");
        rows.parts.add(null);
    }

    /** Calls of one number are one group, whose last call has the state of all. */
    private void join(int row, int call, byte state, boolean ends) {
        List<Call> parts = rows.parts.get(row);
        if (parts == null) {
            parts = new ArrayList<>();
            parts.add(calls.get(rows.call.get(row)));
            rows.parts.set(row, parts);
        }
        if (!ends) {
            parts.add(calls.get(call));
        }
        rows.state[row] = ends ? state : (byte) Math.min(state, rows.state[row]);
    }

    private RankDump dump(Map<?, ?> top, long lost) {
        int n = rows.group.size();
        int[] called = rows.call.toArray();
        for (int i = 0; i < n; i++) {
            List<Call> parts = rows.parts.get(i);
            if (parts != null) {
                called[i] = number(joined(parts));
            }
        }
        RankDump.Columns columns = new RankDump.Columns(
                rows.group.toArray(),
                Arrays.copyOf(rows.sequence, n),
                Arrays.copyOf(rows.message, n),
                Arrays.copyOf(rows.state, n),
                called,
                rows.stack.toArray(),
                Arrays.copyOf(rows.created, n));
        long stated = Plain.whole(top.get("rank"), -1);
        int of = rank >= 0 || stated < 0 || stated > Integer.MAX_VALUE ? rank : (int) stated;
        return new RankDump(
                new RankDump.Source(of, file, Plain.text(top.get("version")), lost, latest),
                groups(Plain.map(top.get("pg_status")), lost > 0),
                calls,
                List.copyOf(stackNumbers.keySet()),
                columns);
    }

    private static Call joined(List<Call> parts) {
        TreeSet<String> types = new TreeSet<>();
        parts.forEach(part -> types.add(part.types()));
        long in = parts.stream().mapToLong(Call::in).sum();
        long out = parts.stream().mapToLong(Call::out).sum();
        String backend = Call.backend(parts.getFirst().name());
        return new Call(
                (backend.isEmpty() ? "" : backend + ":") + "coalesced", in, out, String.join(",", types), parts);
    }

    /** By name of the group; older dumps have one such dictionary for each rank, all alike. */
    private static Map<?, ?> config(Map<?, ?> stated) {
        for (Object value : stated.values()) {
            Map<?, ?> inner = Plain.map(value);
            boolean nested = !inner.isEmpty() && inner.values().stream().allMatch(one -> one instanceof Map);
            return nested ? inner : stated;
        }
        return stated;
    }

    private int group(Map<?, ?> entry) {
        Object stated = entry.get("process_group");
        List<?> pair = Plain.list(stated);
        String name = pair.isEmpty() ? Plain.text(stated) : Plain.text(pair.getFirst());
        if (name.isEmpty()) {
            name = Plain.text(entry.get("pg_id"));
        }
        String desc = pair.size() > 1 ? Plain.text(pair.get(1)) : "";
        String backend = Call.backend(Plain.text(entry.get("profiling_name")));
        Integer known = groupNumbers.get(backend + '\0' + name);
        if (known == null) {
            known = groupNumbers.size();
            groupNumbers.put(backend + '\0' + name, known);
            groupNames.add(new String[] {name, desc, backend});
            firstEntries.add(entry);
        }
        return known;
    }

    /** The groups with calls, and those without that the dump knows. */
    private List<LocalGroup> groups(Map<?, ?> status, boolean lost) {
        List<LocalGroup> groups = new ArrayList<>();
        TreeSet<String> named = new TreeSet<>();
        for (int i = 0; i < groupNames.size(); i++) {
            String[] names = groupNames.get(i);
            named.add(names[0]);
            Object ranks = firstEntries.get(i).get("process_group_ranks");
            groups.add(group(names, ranks, true, -1));
        }
        for (Object name : config.keySet()) {
            if (!named.contains(Plain.text(name))) {
                long enqueued = lost
                        ? Plain.whole(Plain.map(status.get(Plain.text(name))).get("last_enqueued_collective"), -1)
                        : -1;
                groups.add(group(new String[] {Plain.text(name), "", ""}, null, false, enqueued));
            }
        }
        return groups;
    }

    private LocalGroup group(String[] names, @Nullable Object ranks, boolean used, long enqueued) {
        Map<?, ?> known = Plain.map(config.get(names[0]));
        Object stated = ranks != null ? ranks : known.get("ranks");
        String described = names[1].isEmpty() ? Plain.text(known.get("desc")) : names[1];
        String text = stated instanceof List<?> list
                ? list.stream().map(Plain::text).collect(Collectors.joining(","))
                : Plain.text(stated);
        List<Integer> numbers = lists.computeIfAbsent(text, DumpDocument::numbers);
        boolean all = stated != null && numbers.isEmpty();
        return new LocalGroup(names[0], described, names[2], numbers, all, used, enqueued);
    }

    private static List<Integer> numbers(String text) {
        List<Integer> numbers = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int from = at;
            int number = 0;
            while (at < text.length() && Character.isDigit(text.charAt(at)) && at - from < MOST_DIGITS) {
                number = 10 * number + Character.digit(text.charAt(at++), 10);
            }
            if (at > from) {
                numbers.add(number);
            }
            at++;
        }
        return List.copyOf(numbers);
    }

    private int call(String name, Map<?, ?> entry) {
        List<Object> key = new ArrayList<>();
        key.add(name);
        key.add(elements(entry.get("input_sizes")));
        key.add(elements(entry.get("output_sizes")));
        key.add(types(entry.get("input_dtypes")));
        key.add(types(entry.get("output_dtypes")));
        Integer known = spelt.get(key);
        if (known != null) {
            return known;
        }
        TreeSet<String> types = new TreeSet<>();
        Plain.list(entry.get("input_dtypes")).forEach(type -> types.add(Plain.text(type)));
        Plain.list(entry.get("output_dtypes")).forEach(type -> types.add(Plain.text(type)));
        Call call = new Call(name, (Long) key.get(1), (Long) key.get(2), String.join(",", types), List.of());
        int number = number(call);
        spelt.put(key, number);
        return number;
    }

    private int number(Call call) {
        return callNumbers.computeIfAbsent(call, c -> {
            calls.add(c);
            return calls.size() - 1;
        });
    }

    private static List<Object> types(@Nullable Object stated) {
        return List.copyOf(Plain.list(stated).stream().map(Plain::text).toList());
    }

    /** Elements of all tensors together; what is too large for that is as large as can be. */
    private static long elements(@Nullable Object sizes) {
        List<?> tensors = Plain.list(sizes);
        if (!tensors.isEmpty() && !(tensors.getFirst() instanceof List)) {
            return product(tensors);
        }
        long sum = 0;
        for (Object tensor : tensors) {
            sum += product(Plain.list(tensor));
        }
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private static long product(List<?> sizes) {
        double product = 1;
        for (Object size : sizes) {
            product *= Math.max(0, Plain.whole(size, 0));
        }
        return (long) Math.min(product, 1L << 53);
    }

    private static long sequence(Map<?, ?> entry, boolean message) {
        Object own = entry.get(message ? "p2p_seq_id" : "collective_seq_id");
        return Plain.whole(own != null ? own : entry.get("seq_id"), 0);
    }

    private static byte state(Map<?, ?> entry) {
        return switch (Plain.text(entry.get("state"))) {
            case "completed" -> RankDump.COMPLETED;
            case "started" -> RankDump.STARTED;
            default -> RankDump.SCHEDULED;
        };
    }

    private long time(Map<?, ?> entry, String key) {
        long time = Plain.whole(entry.get(key), NOT_SAID);
        latest = Math.max(latest, time);
        return time == NOT_SAID ? -1 : time;
    }

    /** Frames are shared between stacks, and stacks between entries. */
    private int stack(Map<?, ?> entry, @Nullable Object shared) throws TraceFormatException {
        Object stated = entry.get("frames");
        Object id = entry.get("stack_id");
        if (stated == null && id != null) {
            int place = (int) Plain.whole(id, -1);
            stated = shared instanceof List<?> list && place >= 0 && place < list.size()
                    ? list.get(place)
                    : Plain.map(shared).get(Plain.text(id));
        }
        List<?> list = Plain.list(stated);
        if (list.size() > MOST_FRAMES) {
            throw refused("a stack of " + list.size() + " frames");
        }
        List<Integer> numbers = new ArrayList<>(list.size());
        for (Object frame : list) {
            numbers.add(frameObjects.computeIfAbsent(frame, this::frame));
        }
        Integer known = stacksOfFrames.get(numbers);
        if (known == null) {
            String text = String.join("\n", numbers.stream().map(frames::get).toList());
            known = stackNumbers.computeIfAbsent(text, t -> stackNumbers.size());
            stacksOfFrames.put(numbers, known);
        }
        return known;
    }

    private int frame(Object stated) {
        Map<?, ?> frame = Plain.map(stated);
        String text = (Plain.text(frame.get("filename")) + ":" + Plain.whole(frame.get("line"), 0) + " "
                        + Plain.text(frame.get("name")))
                .replace('\n', ' ');
        return frameNumbers.computeIfAbsent(text, t -> {
            frames.add(t);
            return frames.size() - 1;
        });
    }

    private TraceFormatException refused(String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_UNKNOWN, file, -1, "no dump of Flight Recorder: " + problem, DumpReader.HINT);
    }
}
