// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was odd about an input: every deviation is counted under a stable code, with the first example. Confined to one
 * thread while it collects.
 */
public final class Diagnostics {
    private static final int LONGEST_MESSAGE = 2_000;

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
     * @param weight how it bears on the results
     * @param code stable word in lower case
     * @param count number of events or values
     * @param message what it means for the reader, with the first example
     * @param position byte offset of the first in the unpacked content, -1 when there is none
     */
    public record Entry(Weight weight, String code, long count, String message, long position)
            implements Serializable {}

    private static final class Tally {
        private String message;
        private long position;
        private Weight weight;
        private long count;

        private Tally(Weight weight, String message, long position) {
            this.weight = weight;
            this.message = shortened(message);
            this.position = position;
        }
    }

    /** Examples may be names, and names as long as the file. */
    private static String shortened(String message) {
        if (message.length() <= LONGEST_MESSAGE) {
            return message;
        }
        boolean isHalf = Character.isHighSurrogate(message.charAt(LONGEST_MESSAGE - 1));
        return message.substring(0, isHalf ? LONGEST_MESSAGE - 1 : LONGEST_MESSAGE) + "…";
    }

    private final Map<String, Tally> tallies = new TreeMap<>();

    /** Nothing odd so far. */
    public Diagnostics() {}

    /**
     * Counts one deviation; of a code, message and position of the first with the heaviest weight are kept.
     *
     * @param weight how it bears on the results
     * @param code stable word in lower case
     * @param message what it means for the reader, with an example
     * @param position byte offset of the first in the unpacked content, -1 when there is none
     */
    public void add(Weight weight, String code, String message, long position) {
        add(weight, code, message, position, 1);
    }

    /**
     * Counts several at once.
     *
     * @param weight how it bears on the results
     * @param code stable word in lower case
     * @param message what it means for the reader, with an example
     * @param position byte offset of the first in the unpacked content, -1 when there is none
     * @param count how many
     */
    public void add(Weight weight, String code, String message, long position, long count) {
        Tally tally = tallies.computeIfAbsent(code, c -> new Tally(weight, message, position));
        tally.count += count;
        if (weight.compareTo(tally.weight) > 0) {
            tally.weight = weight;
            tally.message = shortened(message);
            tally.position = position;
        }
    }

    /**
     * Adds what another collection holds, which comes later in the file.
     *
     * @param later stays as it is
     */
    public void addAll(Diagnostics later) {
        later.tallies.forEach((code, t) -> add(t.weight, code, t.message, t.position, t.count));
    }

    /**
     * {@return all of a weight, ordered by code}
     *
     * @param weight the weight that is wanted
     */
    public List<Entry> of(Weight weight) {
        List<Entry> entries = new ArrayList<>();
        tallies.forEach((code, t) -> {
            if (t.weight == weight) {
                entries.add(new Entry(t.weight, code, t.count, t.message, t.position));
            }
        });
        return entries;
    }

    /** {@return damage: everything but observations, losses first} */
    public List<Entry> problems() {
        List<Entry> entries = new ArrayList<>(of(Weight.LOSS));
        entries.addAll(of(Weight.REPAIRED));
        return entries;
    }

    /** {@return what is worth knowing and no damage, ordered by code} */
    public List<Entry> observations() {
        return of(Weight.OBSERVATION);
    }

    /** {@return whether something is certainly missing} */
    public boolean hasLoss() {
        return !of(Weight.LOSS).isEmpty();
    }
}
