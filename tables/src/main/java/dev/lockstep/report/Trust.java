// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Whether a trace or run can be believed, and what follows if not. What a reason withholds is not said: {@link Report#believing}
 * sees to that.
 *
 * @param reasons the gravest first: those that withhold something, by share, then caveats; at most one of a code
 */
public record Trust(List<Reason> reasons) implements Serializable {
    /** Nothing speaks against it. */
    public static final Trust SOUND = new Trust(List.of());

    /** A reason that touches less of the time as recorded withholds nothing. */
    private static final double LEAST = 0.01;

    /** How far a trace can be believed. */
    public enum Verdict {
        /** Everything that is said stands. */
        SOUND,
        /** What rests on the damaged part is withheld, the rest stands. */
        LIMITED,
        /** No statement about time is possible. */
        UNUSABLE;

        /** {@return the word in files, in lower case} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Why a trace is not to be believed in part.
     *
     * @param code stable word in lower case
     * @param count how many events, launches, ranks or collectives are touched
     * @param of of how many
     * @param share the part of the time as recorded that is touched, 0 to 1
     * @param text what is wrong, for people, with its numbers
     * @param withheld what is not said; empty for a caveat
     * @param advice how to record better; may be empty
     */
    public record Reason(
            String code, long count, long of, double share, String text, Set<Topic> withheld, String advice)
            implements Serializable {
        /** Withholds nothing where it touches less than 1 % of the time. */
        public Reason {
            share = Math.clamp(share, 0, 1);
            EnumSet<Topic> effective = EnumSet.noneOf(Topic.class);
            if (share >= LEAST) {
                effective.addAll(withheld);
            }
            withheld = Collections.unmodifiableSet(effective);
        }

        /** {@return whether it withholds anything} */
        public boolean isGrave() {
            return !withheld.isEmpty();
        }

        /**
         * {@return the same reason in other words}
         *
         * @param other what is wrong, for people, with its numbers
         */
        public Reason saying(String other) {
            return new Reason(code, count, of, share, other, withheld, advice);
        }

        private Reason and(Reason other) {
            long sum = of + other.of;
            double both = sum == 0 ? Math.max(share, other.share) : (share * of + other.share * other.of) / sum;
            Set<Topic> topics = EnumSet.noneOf(Topic.class);
            topics.addAll(withheld);
            topics.addAll(other.withheld);
            return new Reason(
                    code,
                    count + other.count,
                    sum,
                    isGrave() || other.isGrave() ? Math.max(both, LEAST) : both,
                    text,
                    topics,
                    advice.isEmpty() ? other.advice : advice);
        }
    }

    /** Joins reasons of one code and puts the gravest first. */
    public Trust {
        Map<String, Reason> byCode = new LinkedHashMap<>();
        reasons.forEach(reason -> byCode.merge(reason.code, reason, Reason::and));
        List<Reason> sorted = new ArrayList<>(byCode.values());
        sorted.sort((a, b) -> a.isGrave() != b.isGrave()
                ? Boolean.compare(b.isGrave(), a.isGrave())
                : a.share != b.share ? Double.compare(b.share, a.share) : a.code.compareTo(b.code));
        reasons = List.copyOf(sorted);
    }

    /** {@return how far it can be believed} */
    public Verdict verdict() {
        Set<Topic> topics = withheld();
        return topics.contains(Topic.TIMES) ? Verdict.UNUSABLE : topics.isEmpty() ? Verdict.SOUND : Verdict.LIMITED;
    }

    /** {@return whether everything that is said stands} */
    public boolean isSound() {
        return verdict() == Verdict.SOUND;
    }

    /** {@return what no statement may rest on} */
    public Set<Topic> withheld() {
        Set<Topic> all = EnumSet.noneOf(Topic.class);
        reasons.forEach(reason -> all.addAll(reason.withheld));
        return all;
    }

    /**
     * {@return whether a statement stands}
     *
     * @param topics what it rests on
     */
    public boolean lets(Set<Topic> topics) {
        Set<Topic> not = withheld();
        return Collections.disjoint(not, topics) && (topics.isEmpty() || !not.contains(Topic.TIMES));
    }

    /**
     * {@return this with further reasons}
     *
     * @param other what they are of
     */
    public Trust and(Trust other) {
        List<Reason> all = new ArrayList<>(reasons);
        all.addAll(other.reasons);
        return new Trust(all);
    }

    /** {@return the verdict and its reasons for people, a line each; empty where it is sound} */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Reason reason : reasons) {
            if (reason.isGrave()) {
                String advice = reason.advice.isEmpty() ? "" : " " + reason.advice;
                lines.add((lines.isEmpty() ? "Trace: " + verdict().word() + ". " : "")
                        + reason.text
                        + not(reason)
                        + advice);
            }
        }
        return lines;
    }

    private static String not(Reason reason) {
        List<String> words = reason.withheld.stream()
                .filter(Topic::isRestedOn)
                .map(Topic::word)
                .toList();
        return words.isEmpty() ? "" : String.format(Locale.ROOT, " Withheld: %s.", String.join(", ", words));
    }
}
