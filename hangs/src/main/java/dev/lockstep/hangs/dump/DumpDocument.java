// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.hangs.dump.RankDump.LocalGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes the columns of a rank out of what its dump holds. Versions 2.0 to 2.10 differ in names of keys; none is demanded. */
final class DumpDocument {
    /** Stands in the list of entries for one that was taken. */
    enum Taken {
        ENTRY
    }

    /** A rank has no more digits. */
    static final int MOST_DIGITS = 7;

    private final String file;
    private final int rank;
    private final Map<String, List<Integer>> lists;
    private Map<?, ?> config = Map.of();

    /** @param lists of ranks, which the groups of many dumps share, by their text */
    DumpDocument(String file, int rank, Map<String, List<Integer>> lists) {
        this.file = file;
        this.rank = rank;
        this.lists = lists;
    }

    /** Whether every entry was taken while it was read, and nothing else. */
    static boolean isTaken(Object value, int taken) {
        List<?> entries = Plain.list(Plain.map(value).get("entries"));
        return entries.size() == taken && entries.stream().allMatch(one -> one == Taken.ENTRY);
    }

    /** The dump, all of whose entries are dictionaries. */
    RankDump read(Object value) throws TraceFormatException {
        EntryRows rows = new EntryRows();
        for (Object one : Plain.list(Plain.map(value).get("entries"))) {
            if (!(one instanceof Map<?, ?> entry)) {
                throw refused("expected a dictionary for each entry");
            }
            rows.take(entry);
        }
        return read(value, rows);
    }

    /** The dump, whose entries were taken while it was read. */
    RankDump read(Object value, EntryRows rows) throws TraceFormatException {
        if (!(value instanceof Map<?, ?> top) || !(top.get("entries") instanceof List<?>)) {
            throw refused("expected a dictionary with a list of entries");
        }
        config = config(Plain.map(top.get("pg_config")));
        long stated = Plain.whole(top.get("rank"), -1);
        int of = rank >= 0 || stated < 0 || stated > Integer.MAX_VALUE ? rank : (int) stated;
        return rows.dump(
                new RankDump.Source(
                        of, file, Plain.text(top.get("version")), rows.lost(), rows.latest(), rows.isTimed()),
                groups(rows.groups(), Plain.map(top.get("pg_status")), rows.lost() > 0),
                top.get(top.containsKey("stacks") ? "stacks" : "stack_table"));
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

    /** The groups with calls, and those without that the dump knows. */
    private List<LocalGroup> groups(List<EntryRows.Named> called, Map<?, ?> status, boolean lost) {
        List<LocalGroup> groups = new ArrayList<>();
        TreeSet<String> named = new TreeSet<>();
        for (EntryRows.Named one : called) {
            named.add(one.name());
            groups.add(group(one, true, -1));
        }
        for (Object key : config.keySet()) {
            String name = Plain.text(key);
            if (!named.contains(name)) {
                Object last = Plain.map(status.get(name)).get("last_enqueued_collective");
                groups.add(group(new EntryRows.Named(name, "", "", null), false, lost ? Plain.whole(last, -1) : -1));
            }
        }
        return groups;
    }

    private LocalGroup group(EntryRows.Named one, boolean used, long enqueued) {
        Map<?, ?> known = Plain.map(config.get(one.name()));
        Object stated = one.ranks() != null ? one.ranks() : known.get("ranks");
        String text = stated instanceof List<?> list
                ? list.stream().map(Plain::text).collect(Collectors.joining(","))
                : Plain.text(stated);
        List<Integer> numbers = lists.computeIfAbsent(text, DumpDocument::numbers);
        boolean all = stated != null && numbers.isEmpty();
        String desc = one.desc().isEmpty() ? Plain.text(known.get("desc")) : one.desc();
        return new LocalGroup(one.name(), desc, one.backend(), numbers, all, used, enqueued);
    }

    private static List<Integer> numbers(String text) {
        List<Integer> numbers = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int from = at;
            int number = 0;
            while (at < text.length() && isDigit(text.charAt(at)) && at - from < MOST_DIGITS) {
                number = 10 * number + text.charAt(at++) - '0';
            }
            if (at > from) {
                numbers.add(number);
            } else {
                at++;
            }
        }
        return List.copyOf(numbers);
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private TraceFormatException refused(@Nullable String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_UNKNOWN, file, -1, "no dump of Flight Recorder: " + problem, DumpReader.HINT);
    }
}
