// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The calls of a dump, each once. */
final class Calls {
    private final List<Call> calls = new ArrayList<>();
    private final BitSet messages = new BitSet();
    private final Map<Call, Integer> numbers = new HashMap<>();
    private final Map<Spelt, Integer> spelt = new HashMap<>();

    /** A call as it stands in an entry. */
    private record Spelt(String name, long in, long out, String inTypes, String outTypes) {}

    /** The number of the call of an entry. */
    int number(EntryFields entry) {
        Spelt key = new Spelt(
                entry.text(EntryFields.NAME),
                elements(entry.get(EntryFields.IN_SIZES)),
                elements(entry.get(EntryFields.OUT_SIZES)),
                types(entry.get(EntryFields.IN_TYPES)),
                types(entry.get(EntryFields.OUT_TYPES)));
        Integer known = spelt.get(key);
        if (known == null) {
            TreeSet<String> types = new TreeSet<>();
            Plain.list(entry.get(EntryFields.IN_TYPES)).forEach(type -> types.add(Plain.text(type)));
            Plain.list(entry.get(EntryFields.OUT_TYPES)).forEach(type -> types.add(Plain.text(type)));
            known = number(new Call(key.name, key.in, key.out, String.join(",", types), List.of()));
            spelt.put(key, known);
        }
        return known;
    }

    /** The number of calls that the device gets at once. */
    int joined(List<Call> parts) {
        TreeSet<String> types = new TreeSet<>();
        parts.forEach(part -> types.add(part.types()));
        long in = parts.stream().mapToLong(Call::in).sum();
        long out = parts.stream().mapToLong(Call::out).sum();
        String backend = Call.backend(parts.getFirst().name());
        String name = (backend.isEmpty() ? "" : backend + ":") + "coalesced";
        return number(new Call(name, in, out, String.join(",", types), parts));
    }

    private int number(Call call) {
        return numbers.computeIfAbsent(call, c -> {
            messages.set(calls.size(), c.isPeerToPeer());
            calls.add(c);
            return calls.size() - 1;
        });
    }

    Call get(int number) {
        return calls.get(number);
    }

    /** Whether it is sent from one rank to another. */
    boolean isMessage(int number) {
        return messages.get(number);
    }

    List<Call> all() {
        return calls;
    }

    private static String types(@Nullable Object stated) {
        List<?> types = Plain.list(stated);
        return types.size() == 1
                ? Plain.text(types.getFirst())
                : String.join(",", types.stream().map(Plain::text).toList());
    }

    /** Elements of all tensors together; what is too large for that is as large as can be. */
    private static long elements(@Nullable Object sizes) {
        List<?> tensors = Plain.list(sizes);
        if (!tensors.isEmpty() && !(tensors.getFirst() instanceof List)) {
            return product(tensors);
        }
        double sum = 0;
        for (int i = 0; i < tensors.size(); i++) {
            sum += product(Plain.list(tensors.get(i)));
        }
        return (long) Math.min(sum, 1L << 53);
    }

    private static long product(List<?> sizes) {
        double product = 1;
        for (int i = 0; i < sizes.size(); i++) {
            product *= Math.max(0, Plain.whole(sizes.get(i), 0));
        }
        return (long) Math.min(product, 1L << 53);
    }
}
