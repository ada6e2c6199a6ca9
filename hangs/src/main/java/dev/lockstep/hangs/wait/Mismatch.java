// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import dev.lockstep.hangs.dump.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Members that made one operation in different ways.
 *
 * @param kind in what they differ
 * @param sides who agrees with whom, the most first; places of dumps in the job
 * @param values what each side has
 */
record Mismatch(HangKind kind, List<List<Integer>> sides, List<String> values) {
    /** How calls differ that should be one operation; null where they agree. */
    static @Nullable Mismatch of(List<Integer> members, List<Call> calls) {
        Mismatch kinds = by(HangKind.OTHER_OPERATION, members, calls, Call::kind);
        Mismatch found = kinds != null ? kinds : by(HangKind.OTHER_TYPE, members, calls, Call::types);
        return found != null ? found : by(HangKind.OTHER_SIZE, members, calls, call -> Long.toString(call.size()));
    }

    private static @Nullable Mismatch by(
            HangKind kind, List<Integer> members, List<Call> calls, Function<Call, String> field) {
        Map<String, List<Integer>> sides = new TreeMap<>();
        Call last = null;
        String value = "";
        for (int i = 0; i < calls.size(); i++) {
            if (!calls.get(i).equals(last)) {
                last = calls.get(i);
                value = field.apply(last);
            }
            sides.computeIfAbsent(value, v -> new ArrayList<>()).add(members.get(i));
        }
        if (sides.size() < 2) {
            return null;
        }
        List<Map.Entry<String, List<Integer>>> sorted = new ArrayList<>(sides.entrySet());
        sorted.sort((a, b) -> Integer.compare(b.getValue().size(), a.getValue().size()));
        return new Mismatch(
                kind,
                sorted.stream().map(Map.Entry::getValue).toList(),
                sorted.stream().map(Map.Entry::getKey).toList());
    }

    /** Whether more than half agree. */
    boolean hasMajority() {
        int all = sides.stream().mapToInt(List::size).sum();
        return 2 * sides.getFirst().size() > all;
    }

    /** All but the first side. */
    List<Integer> minority() {
        return sides.stream().skip(1).flatMap(List::stream).toList();
    }

    /** What the side of a member has. */
    String valueOf(int member) {
        for (int i = 0; i < sides.size(); i++) {
            if (sides.get(i).contains(member)) {
                return values.get(i);
            }
        }
        return "";
    }
}
