// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.compat.tracelens.diff.DiffSummary.Group;
import dev.lockstep.write.Unicode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which kernels each operator launched. Where the traces call the operators below a shared node differently, the tool
 * looks for a common name: the same or a contained last part, the same beginning, or the module that both stand in.
 */
final class OpMaps {
    private static final int BEGINNING = 20;

    /** Kernels and modules of an operator in one trace. */
    record Entry(Set<String> kernels, Set<String> modules) {
        private Entry() {
            this(new TreeSet<>(Unicode.BY_CODE_POINT), new TreeSet<>(Unicode.BY_CODE_POINT));
        }
    }

    private OpMaps() {}

    /** Operators of one trace by name, with the names of their kernels. */
    static Map<String, Set<String>> ofTrace(List<Group> groups, boolean second) {
        Map<String, Set<String>> map = new TreeMap<>(Unicode.BY_CODE_POINT);
        for (Group group : groups) {
            if (group.first().second() == second) {
                map.computeIfAbsent(group.opName(), n -> new TreeSet<>(Unicode.BY_CODE_POINT))
                        .add(group.first().name());
            }
        }
        return map;
    }

    /** The same groups under common names, modules without spaces. */
    static List<Group> renamed(List<Group> groups, List<DiffStats.Row> rows) {
        Map<String, String> names = commonNames(rows);
        return groups.stream()
                .map(g -> g.renamed(
                        names.getOrDefault(g.opName(), g.opName()), g.module().replace(" ", "")))
                .toList();
    }

    /** Operators in the order of the groups; of each, what trace 1 (at 0) and trace 2 (at 1) have of it. */
    static Map<String, Entry[]> ofBoth(List<Group> renamed) {
        Map<String, Entry[]> map = new LinkedHashMap<>();
        for (Group group : renamed) {
            Entry[] entries = map.computeIfAbsent(group.opName(), n -> new Entry[2]);
            int trace = group.first().second() ? 1 : 0;
            if (entries[trace] == null) {
                entries[trace] = new Entry();
            }
            entries[trace].kernels().add(group.first().name());
            entries[trace].modules().add(group.module());
        }
        return map;
    }

    private record Below(Set<String> first, Set<String> second) {}

    private static Map<String, String> commonNames(List<DiffStats.Row> rows) {
        Map<Integer, Below> byShared = new LinkedHashMap<>();
        Map<String, Set<String>> modules1 = new LinkedHashMap<>();
        Map<String, Set<String>> modules2 = new LinkedHashMap<>();
        for (DiffStats.Row row : rows) {
            (row.second() ? modules2 : modules1)
                    .computeIfAbsent(row.opName(), n -> new LinkedHashSet<>())
                    .add(row.innermostModule());
            if (row.shared() >= 0) {
                Below below = byShared.computeIfAbsent(
                        row.shared(), s -> new Below(new LinkedHashSet<>(), new LinkedHashSet<>()));
                (row.second() ? below.second : below.first).add(row.opName());
            }
        }
        Map<String, Set<String>> modules = new LinkedHashMap<>(modules1);
        modules.putAll(modules2);
        Map<String, String> names = new LinkedHashMap<>();
        Set<String> visited = new LinkedHashSet<>();
        for (Below below : byShared.values()) {
            if (below.first.isEmpty()
                    || below.second.isEmpty()
                    || visited.containsAll(below.first) && visited.containsAll(below.second)) {
                continue;
            }
            visited.addAll(below.first);
            visited.addAll(below.second);
            if (below.first.size() == below.second.size()) {
                inTurn(List.copyOf(below.first), List.copyOf(below.second), modules, names);
            } else {
                byLikeness(below, modules, names);
            }
        }
        return names;
    }

    private static void inTurn(
            List<String> first, List<String> second, Map<String, Set<String>> modules, Map<String, String> names) {
        for (int i = 0; i < first.size(); i++) {
            String common = first.get(i).equals(second.get(i)) ? null : common(first.get(i), second.get(i), modules);
            if (common != null) {
                names.put(second.get(i), common);
                names.put(first.get(i), common);
            }
        }
    }

    private static void byLikeness(Below below, Map<String, Set<String>> modules, Map<String, String> names) {
        List<String> first = new ArrayList<>(below.first);
        List<String> second = new ArrayList<>(below.second);
        first.removeAll(below.second);
        second.removeAll(below.first);
        for (String a : first) {
            for (String b : second) {
                String common = common(a, b, modules);
                if (common != null) {
                    names.put(a, common);
                    names.put(b, common);
                    second.remove(b);
                    break;
                }
            }
        }
    }

    private static @Nullable String common(String first, String second, Map<String, Set<String>> modules) {
        String a = lastPart(first);
        String b = lastPart(second);
        if (b.contains(a)) {
            return a;
        }
        if (a.contains(b)) {
            return b;
        }
        if (beginning(a).equals(beginning(b))) {
            return a + "/" + b;
        }
        Set<String> of1 = modules.getOrDefault(first, Set.of());
        Set<String> of2 = modules.getOrDefault(second, Set.of());
        return of1.size() == 1 && of1.equals(of2) ? of1.iterator().next().replace(" ", "") : null;
    }

    private static String lastPart(String name) {
        int at = name.lastIndexOf("::");
        return at < 0 ? name : name.substring(at + 2);
    }

    private static String beginning(String name) {
        return name.codePointCount(0, name.length()) <= BEGINNING
                ? name
                : name.substring(0, name.offsetByCodePoints(0, BEGINNING));
    }
}
