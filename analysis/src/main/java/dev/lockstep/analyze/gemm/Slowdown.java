// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import java.util.Locale;

/**
 * How much longer kernels take while communication runs.
 *
 * @param overlapped number of instances during which communication ran
 * @param alone number of instances during which none did, the control group
 * @param percent how much longer the former take than the latter, as ratio of geometric means less one; NaN when there is
 *     nothing to compare
 * @param low lower end of the 95 % confidence interval, NaN when there is none
 * @param high upper end
 * @param verdict what may be said
 */
public record Slowdown(long overlapped, long alone, double percent, double low, double high, Verdict verdict) {
    /** What a comparison allows to say. */
    public enum Verdict {
        /** The whole interval lies above zero, and the effect is 1 % or more. */
        SLOWER("slower"),
        /** The whole interval lies below zero, and the effect is 1 % or more. */
        FASTER("faster"),
        /** The interval does not hold zero, but the effect is below 1 %. */
        SLIGHT("differs by less than 1 %"),
        /** The interval holds zero. */
        NO_DIFFERENCE("no difference shown"),
        /** One side has fewer than three instances, or too few have neighbours of the other kind. */
        TOO_FEW("too few to compare"),
        /** All places of the run differ by exactly the same, so that there is no scatter to judge by. */
        REPEATS("times repeat exactly, no scatter to judge by"),
        /** Communication ran during every instance. */
        NO_CONTROL("no control group"),
        /** Communication ran during none. */
        NEVER_OVERLAPPED("never overlapped");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        /** As people read it. */
        public String words() {
            return words;
        }
    }

    /** Whether there is an interval. */
    public boolean isKnown() {
        return !Double.isNaN(low);
    }

    /** The sentence to it, without a subject: {@code slowed by 12.0 % (95 % CI 9.1 to 15.0), 40 runs against 52 without}. */
    public String words() {
        String counts = String.format(Locale.ROOT, ", %,d runs against %,d without", overlapped, alone);
        if (!isKnown()) {
            boolean told = verdict == Verdict.REPEATS;
            return verdict.words() + (told ? String.format(Locale.ROOT, ": %+.1f %%", percent) : "") + counts;
        }
        String interval = String.format(Locale.ROOT, "(95 %% CI %.1f to %.1f)", low, high);
        return switch (verdict) {
            case SLOWER -> String.format(Locale.ROOT, "slowed by %.1f %% ", percent) + interval + counts;
            case FASTER -> String.format(Locale.ROOT, "sped up by %.1f %% ", -percent) + interval + counts;
            default -> String.format(Locale.ROOT, "%s: %+.1f %% ", verdict.words(), percent) + interval + counts;
        };
    }
}
