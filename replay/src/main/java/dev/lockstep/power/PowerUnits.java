// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import java.util.Locale;
import java.util.Map;

/** Names of units of power and energy. */
public final class PowerUnits {
    /** In W and J. */
    private static final Map<String, Double> UNITS = Map.ofEntries(
            Map.entry("kw", 1e3),
            Map.entry("w", 1.0),
            Map.entry("mw", 1e-3),
            Map.entry("uw", 1e-6),
            Map.entry("µw", 1e-6),
            Map.entry("kwh", 3.6e6),
            Map.entry("wh", 3600.0),
            Map.entry("kj", 1e3),
            Map.entry("j", 1.0),
            Map.entry("mj", 1e-3),
            Map.entry("uj", 1e-6),
            Map.entry("µj", 1e-6));

    private PowerUnits() {}

    /** Whether a unit goes by this name, in any case. */
    static boolean isKnown(String name) {
        return UNITS.containsKey(name.toLowerCase(Locale.ROOT));
    }

    /** How many W or J a unit is, in any case; the other value if there is none of this name. */
    public static double of(String name, double otherwise) {
        return UNITS.getOrDefault(name.toLowerCase(Locale.ROOT), otherwise);
    }
}
