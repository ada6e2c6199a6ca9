// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is wrong with a schedule that can be read: all of it counted, the first of it in words. */
public final class Flaws {
    /** An operation: its rank, and its number within the rank. */
    public record Place(int rank, int operation) {}

    /**
     * One flaw.
     *
     * @param text what is wrong, with {@code %s} for each place
     * @param places the operations that the text speaks of
     */
    public record Flaw(String text, List<Place> places) {
        public Flaw {
            places = List.copyOf(places);
        }

        /** The text with its places spelled. */
        public String in(Places spelled) {
            StringBuilder words = new StringBuilder();
            int from = 0;
            for (Place place : places) {
                int gap = text.indexOf("%s", from);
                words.append(text, from, gap).append(spelled.of(place));
                from = gap + 2;
            }
            return words.append(text, from, text.length()).toString();
        }
    }

    private final int limit;
    private final List<Flaw> first = new ArrayList<>();
    private long count;
    private @Nullable Flaw open;

    /** @param limit how many are kept in words */
    public Flaws(int limit) {
        this.limit = limit;
    }

    /** The same flaws, to which more can be added. */
    public Flaws copy() {
        Flaws copy = new Flaws(limit);
        copy.first.addAll(first);
        copy.count = count;
        copy.open = open;
        return copy;
    }

    /** Notes a flaw; {@code text} has a {@code %s} for each place. */
    public void add(String text, Place... places) {
        add(text, List.of(places));
    }

    /** Notes a flaw. */
    public void add(String text, List<Place> places) {
        count++;
        if (first.size() < limit) {
            first.add(new Flaw(text, places));
        }
    }

    /** Whether one more would be kept in words; if not, {@link #addSilently} is enough. */
    public boolean wanted() {
        return first.size() < limit;
    }

    /** Counts a flaw that is not put in words. */
    public void addSilently() {
        count++;
    }

    /** Notes what can neither be proven nor shown to be wrong; {@code text} has a {@code %s} for each place. */
    public void leaveOpen(String text, Place... places) {
        open = new Flaw(text, List.of(places));
    }

    /** What is left open, or null. */
    public @Nullable Flaw open() {
        return open;
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** The first of them, in the order in which they were found. */
    public List<Flaw> first() {
        return List.copyOf(first);
    }
}
