// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.codec.GivenTime;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a merge keeps. Of the conditions to keep, one of each kind must hold; none of those to drop may. A condition that
 * does not concern an event (a stream, on a host thread) does not touch it.
 *
 * @param conditions all of them
 * @param deviceOnly whether only what ran on devices stays
 */
public record MergeFilter(List<Condition> conditions, boolean deviceOnly) {
    /** What a condition looks at. */
    public enum Kind {
        /** The event's category, as the trace spells it. */
        CATEGORY("cat", Reason.CATEGORY),
        /** The event's name. */
        NAME("name", Reason.NAME),
        /** The number of the stream that device activity ran on. */
        STREAM("stream", Reason.STREAM),
        /** When it happened, in ns from the start of the first rank. */
        TIME("time", Reason.TIME),
        /** The number of the profiler's step that it falls into. */
        STEP("step", Reason.STEP),
        /** The name of what it runs inside of, on its thread; device activity is where its launch is. */
        UNDER("under", Reason.UNDER),
        /** The rank. */
        RANK("rank", Reason.CATEGORY);

        private final String key;
        private final Reason reason;

        Kind(String key, Reason reason) {
            this.key = key;
            this.reason = reason;
        }

        /** {@return the word on the command line} */
        public String key() {
            return key;
        }

        Reason reason() {
            return reason;
        }
    }

    /**
     * Numbers or moments, both ends included.
     *
     * @param from the first that is meant
     * @param to the last that is meant
     */
    public record Range(long from, long to) {
        boolean holds(long value) {
            return value >= from && value <= to;
        }
    }

    /**
     * One condition.
     *
     * @param kind what is looked at
     * @param keep whether what matches stays, or goes
     * @param text as the user wrote it
     * @param words of categories and streams: any of these; of names, also of what is around: any of these patterns, with
     *     {@code *} and {@code ?}
     * @param ranges of times (ns from the start of the first rank), steps, ranks and numbers of streams: any of these
     */
    public record Condition(Kind kind, boolean keep, String text, List<String> words, List<Range> ranges) {
        /** Copies the lists. */
        public Condition {
            words = List.copyOf(words);
            ranges = List.copyOf(ranges);
        }
    }

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})(?:\\.\\.|-)(\\d{1,9})|(\\d{1,9})");
    private static final String FORMS = "cat=A,B  name=PATTERN  stream=7,20..22  time=FROM..TO (as in 10ms..1.5s)"
            + "  step=3..5  under=PATTERN  rank=0,2,4..7";

    /** Copies the conditions. */
    public MergeFilter {
        conditions = List.copyOf(conditions);
    }

    /** {@return the filter that keeps everything} */
    public static MergeFilter none() {
        return new MergeFilter(List.of(), false);
    }

    /** {@return whether everything passes} */
    public boolean isOpen() {
        return conditions.isEmpty() && !deviceOnly;
    }

    /** {@return the conditions as the user wrote them, those to drop behind {@code not}} */
    public String text() {
        return conditions.stream().map(c -> c.keep ? c.text : "not " + c.text).collect(Collectors.joining(", "));
    }

    /** {@return whether the side tables of a trace are looked at} */
    public boolean needsDetails() {
        return conditions.stream().anyMatch(c -> c.kind == Kind.STREAM || c.kind == Kind.STEP || c.kind == Kind.UNDER);
    }

    /**
     * {@return whether a rank is wanted at all}
     *
     * @param rank number of the rank
     */
    public boolean wantsRank(int rank) {
        boolean asked = false;
        boolean named = false;
        for (Condition c : conditions) {
            if (c.kind == Kind.RANK) {
                boolean holds = c.ranges.stream().anyMatch(r -> r.holds(rank));
                if (!c.keep && holds) {
                    return false;
                }
                asked |= c.keep;
                named |= c.keep && holds;
            }
        }
        return !asked || named;
    }

    /**
     * Reads a condition as in {@code cat=kernel,gpu_memcpy}.
     *
     * @param text the condition as the user wrote it
     * @param keep whether what matches stays, or goes
     * @return the condition
     * @throws UserException when it is none
     */
    public static Condition parse(String text, boolean keep) {
        int equals = text.indexOf('=');
        Optional<Kind> kind = List.of(Kind.values()).stream()
                .filter(k ->
                        equals > 0 && k.key.equals(text.substring(0, equals).toLowerCase(Locale.ROOT)))
                .findFirst();
        if (kind.isEmpty() || equals + 1 == text.length()) {
            throw wrong(text);
        }
        String value = text.substring(equals + 1);
        List<String> words = new ArrayList<>();
        List<Range> ranges = new ArrayList<>();
        switch (kind.get()) {
            case NAME, UNDER -> words.add(value);
            case CATEGORY -> words.addAll(words(value, text));
            case STREAM -> {
                for (String word : words(value, text)) {
                    Matcher numbers = NUMBERS.matcher(word);
                    if (numbers.matches() && numbers.group(3) == null) {
                        ranges.add(numbers(word, text));
                    } else {
                        words.add(word);
                    }
                }
            }
            case TIME -> ranges.add(window(value, text));
            case STEP, RANK -> {
                for (String part : value.split(",")) {
                    ranges.add(numbers(part, text));
                }
            }
        }
        return new Condition(kind.get(), keep, text, words, ranges);
    }

    private static List<String> words(String value, String text) {
        List<String> words =
                List.of(value.split(",")).stream().map(String::strip).toList();
        if (words.isEmpty() || words.contains("")) {
            throw wrong(text);
        }
        return words;
    }

    private static Range window(String value, String text) {
        int dots = value.indexOf("..");
        if (dots < 0) {
            throw wrong(text);
        }
        String from = value.substring(0, dots);
        String to = value.substring(dots + 2);
        Range range = new Range(
                from.isEmpty() ? Long.MIN_VALUE : nanoseconds(from, text),
                to.isEmpty() ? Long.MAX_VALUE : nanoseconds(to, text));
        if (range.from > range.to) {
            throw wrong(text);
        }
        return range;
    }

    private static long nanoseconds(String value, String text) {
        return GivenTime.nanoseconds(value).orElseThrow(() -> wrong(text));
    }

    private static Range numbers(String value, String text) {
        Matcher numbers = NUMBERS.matcher(value.strip());
        if (!numbers.matches()) {
            throw wrong(text);
        }
        if (numbers.group(3) != null) {
            long one = Long.parseLong(numbers.group(3));
            return new Range(one, one);
        }
        Range range = new Range(Long.parseLong(numbers.group(1)), Long.parseLong(numbers.group(2)));
        if (range.from > range.to) {
            throw wrong(text);
        }
        return range;
    }

    private static UserException wrong(String text) {
        return new UserException(ErrorCode.OPTION_INVALID, "not a filter: " + text, FORMS);
    }
}
