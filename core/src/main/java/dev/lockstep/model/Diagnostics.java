// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was odd about an input: every deviation is counted under a stable code, with the first example. Confined to one
 * thread while it collects.
 */
public final class Diagnostics {
    /** How a deviation bears on the results. */
    public enum Weight {
        /** A sound file may be like this; worth knowing, no damage. */
        OBSERVATION,
        /** Damage that was mended, or that cost single values or events. */
        REPAIRED,
        /** Something is certainly missing. */
        LOSS
    }

    /**
     * All deviations of one kind.
     *
     * @param code stable word in lower case
     * @param count number of events or values
     * @param message what it means for the reader, with the first example
     * @param position byte offset of the first in the unpacked content, -1 when there is none
     */
    public record Entry(Weight weight, String code, long count, String message, long position) {}

    private static final class Tally {
        private final String message;
        private final long position;
        private long count;

        private Tally(String message, long position) {
            this.message = message;
            this.position = position;
        }
    }

    private final Map<Weight, Map<String, Tally>> tallies = new EnumMap<>(Weight.class);

    /** Counts one deviation; message and position of the first of a weight and code are kept. */
    public void add(Weight weight, String code, String message, long position) {
        add(weight, code, message, position, 1);
    }

    /** Counts several at once. */
    public void add(Weight weight, String code, String message, long position, long count) {
        tallies.computeIfAbsent(weight, w -> new TreeMap<>())
                .computeIfAbsent(code, c -> new Tally(message, position))
                .count += count;
    }

    /** Adds what another collection holds, which comes later in the file. */
    public void addAll(Diagnostics later) {
        later.tallies.forEach(
                (weight, byCode) -> byCode.forEach((code, t) -> add(weight, code, t.message, t.position, t.count)));
    }

    /** All of a weight, ordered by code. */
    public List<Entry> of(Weight weight) {
        List<Entry> entries = new ArrayList<>();
        tallies.getOrDefault(weight, Map.of())
                .forEach((code, t) -> entries.add(new Entry(weight, code, t.count, t.message, t.position)));
        return entries;
    }

    /** Damage: everything but observations, losses first. */
    public List<Entry> problems() {
        List<Entry> entries = new ArrayList<>(of(Weight.LOSS));
        entries.addAll(of(Weight.REPAIRED));
        return entries;
    }

    public List<Entry> observations() {
        return of(Weight.OBSERVATION);
    }

    /** Whether something is certainly missing. */
    public boolean hasLoss() {
        return !of(Weight.LOSS).isEmpty();
    }
}
