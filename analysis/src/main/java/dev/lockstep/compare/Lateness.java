// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import dev.lockstep.reporting.Words;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who kept the others of a run waiting. A rank that comes late is no property of a setting: communication that nothing hides
 * consists of waiting for the last rank and of transfer, and only the second belongs to the setting.
 *
 * @param waitMs by rank, communication that nothing hid in which it waited for the last rank, ms; empty when not known
 * @param late ranks that come late, the costliest first
 * @param savesMs what the run would save if they came in time, ms
 */
public record Lateness(SortedMap<Integer, Double> waitMs, List<Integer> late, double savesMs) {
    /** Nothing is known. */
    public static final Lateness UNKNOWN = new Lateness(new TreeMap<>(), List.of(), 0);

    private static final double NS_PER_MS = 1e6;

    public Lateness {
        waitMs = Collections.unmodifiableSortedMap(new TreeMap<>(waitMs));
        late = List.copyOf(late);
    }

    /**
     * A run in a comparison.
     *
     * @param label what it is called
     * @param lateness who is late in it
     * @param divisor by which its times are divided: its steps, or 1
     */
    public record Side(String label, Lateness lateness, double divisor) {
        private double waitMs() {
            return lateness.waitMs.values().stream()
                            .mapToDouble(ms -> ms)
                            .average()
                            .orElse(0)
                    / divisor;
        }

        private String late() {
            return (lateness.late.size() == 1 ? "rank " : "ranks ")
                    + lateness.late.stream().map(String::valueOf).collect(Collectors.joining(", "))
                    + (lateness.late.size() == 1 ? " comes" : " come") + " late in " + label;
        }
    }

    /**
     * How a difference of two runs is made of waiting for late ranks, in sentences that begin with a space; empty where it is not
     * known of both.
     *
     * @param own the run that is compared
     * @param base what it is compared with
     * @param exposedMs by how much its exposed communication is more, ms
     * @param totalMs by how much its total time is more, ms
     */
    public static String words(Side own, Side base, double exposedMs, double totalMs) {
        if (own.lateness.waitMs.isEmpty() || base.lateness.waitMs.isEmpty()) {
            return "";
        }
        double wait = own.waitMs() - base.waitMs();
        String text = " Exposed communication is " + signed(exposedMs) + ", of it waiting for the last rank "
                + signed(wait) + " and transfer " + signed(exposedMs - wait) + ".";
        List<String> late = List.of(own, base).stream()
                .filter(side -> !side.lateness.late.isEmpty())
                .map(Side::late)
                .toList();
        if (late.isEmpty()) {
            return text;
        }
        double without = totalMs - own.lateness.savesMs / own.divisor + base.lateness.savesMs / base.divisor;
        String all = String.join(", ", late);
        return text + " " + all.substring(0, 1).toUpperCase(Locale.ROOT) + all.substring(1)
                + "; without that the difference would be " + signed(without) + ".";
    }

    private static String signed(double ms) {
        return (ms < 0 ? "−" : "+") + Words.time(Math.round(Math.abs(ms) * NS_PER_MS));
    }
}
