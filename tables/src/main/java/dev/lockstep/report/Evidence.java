// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a finding rests on, for writers that can lead there. */
public sealed interface Evidence {
    /** As many lines or places as one piece of evidence holds at most. */
    int MOST = 500;

    /** {@return what leads nowhere: it stands where there is nothing to lead to} */
    static Evidence nowhere() {
        return new Page("", "");
    }

    /**
     * {@return the longest place of several}
     *
     * @param label what it is
     * @param start in ns of the trace's time
     * @param end in ns of the trace's time
     * @param count how many there are
     */
    static Evidence place(String label, long start, long end, long count) {
        return new Places(List.of(new Place(label, start, end)), count);
    }

    /** {@return whether it names nothing} */
    default boolean isEmpty() {
        return switch (this) {
            case Rows rows -> rows.lines.isEmpty();
            case Places places -> places.places.isEmpty();
            case Pairs pairs -> pairs.pairs.isEmpty();
            case Events events -> events.name.isEmpty();
            case Page page -> page.target.isEmpty();
            case OfRank one -> one.rank < 0;
        };
    }

    /**
     * Rows of a sheet of the same report.
     *
     * @param sheet name of the table
     * @param lines rows of the table, from 0, the most telling first; at most {@value Evidence#MOST}
     */
    record Rows(String sheet, List<Integer> lines) implements Evidence {
        /** Keeps the first {@value Evidence#MOST} lines. */
        public Rows {
            lines = List.copyOf(lines.subList(0, Math.min(MOST, lines.size())));
        }

        /**
         * {@return the first rows of a sheet}
         *
         * @param sheet name of the table
         * @param count how many
         */
        public static Rows first(String sheet, int count) {
            List<Integer> lines = new ArrayList<>();
            for (int line = 0; line < Math.min(MOST, count); line++) {
                lines.add(line);
            }
            return new Rows(sheet, lines);
        }

        /**
         * {@return certain rows of a sheet}
         *
         * @param sheet name of the table
         * @param rows all that it holds, in its order
         * @param meant which of them
         * @param <T> what a row is about
         */
        public static <T> Rows of(String sheet, List<T> rows, Predicate<? super T> meant) {
            List<Integer> lines = new ArrayList<>();
            for (int line = 0; line < rows.size() && lines.size() < MOST; line++) {
                if (meant.test(rows.get(line))) {
                    lines.add(line);
                }
            }
            return new Rows(sheet, lines);
        }
    }

    /**
     * Places in time.
     *
     * @param places the longest first; at most {@value Evidence#MOST}
     * @param count how many there are, listed or not
     */
    record Places(List<Place> places, long count) implements Evidence {
        /** Keeps the first {@value Evidence#MOST} places. */
        public Places {
            places = List.copyOf(places.subList(0, Math.min(MOST, places.size())));
        }
    }

    /**
     * A stretch of time.
     *
     * @param label what it is
     * @param start in ns of the trace's time
     * @param end in ns of the trace's time
     */
    record Place(String label, long start, long end) {
        /** {@return the length in ns} */
        public long length() {
            return end - start;
        }
    }

    /**
     * Places in two recordings that are compared.
     *
     * @param pairs those that differ most first; at most {@value Evidence#MOST}
     * @param count how many there are, listed or not
     */
    record Pairs(List<Pair> pairs, long count) implements Evidence {
        /** Keeps the first {@value Evidence#MOST} pairs. */
        public Pairs {
            pairs = List.copyOf(pairs.subList(0, Math.min(MOST, pairs.size())));
        }
    }

    /**
     * A place in one recording and what stands against it in the other; one of the two may be missing.
     *
     * @param baseline in the time of the baseline; null where it has none
     * @param candidate in the time of the candidate; null where it has none
     */
    record Pair(@Nullable Place baseline, @Nullable Place candidate) {}

    /**
     * All activity of one name.
     *
     * @param name as recorded
     */
    record Events(String name) implements Evidence {}

    /**
     * A rank of the run, and a stretch of its time, on the page of that rank.
     *
     * @param rank its number
     * @param place what to look at there, in the time of the rank's trace; null for the whole
     */
    record OfRank(int rank, @Nullable Place place) implements Evidence {}

    /**
     * Another page.
     *
     * @param target where it lies, seen from this one, with slashes
     * @param label what it is
     */
    record Page(String target, String label) implements Evidence {}
}
