// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import java.util.Locale;
import java.util.Map;

/** Names of units of power and energy, in any case, but for the m of milli and the M of mega. */
public final class PowerUnits {
    /** In W and J. */
    private static final Map<String, Double> UNITS = Map.ofEntries(
            Map.entry("Mw", 1e6),
            Map.entry("kw", 1e3),
            Map.entry("w", 1.0),
            Map.entry("mw", 1e-3),
            Map.entry("uw", 1e-6),
            Map.entry("µw", 1e-6),
            Map.entry("Mwh", 3.6e9),
            Map.entry("kwh", 3.6e6),
            Map.entry("wh", 3600.0),
            Map.entry("mwh", 3.6),
            Map.entry("Mj", 1e6),
            Map.entry("kj", 1e3),
            Map.entry("j", 1.0),
            Map.entry("mj", 1e-3),
            Map.entry("uj", 1e-6),
            Map.entry("µj", 1e-6));

    private PowerUnits() {}

    /** Whether a unit goes by this name. */
    static boolean isKnown(String name) {
        return UNITS.containsKey(plain(name));
    }

    /** How many W or J a unit is; the other value if there is none of this name. */
    public static double of(String name, double otherwise) {
        return UNITS.getOrDefault(plain(name), otherwise);
    }

    private static String plain(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return name.startsWith("M") ? "M" + lower.substring(1) : lower;
    }
}
