// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and durations, as names of files, logs and people spell them. */
public final class Clock {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss", Locale.ROOT);
    private static final DateTimeFormatter LOG = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss zzz yyyy", Locale.ENGLISH);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)(s|m|h)?");
    private static final int SECONDS = 60;

    private Clock() {}

    /** As in {@code 20251124_222204}. */
    public static String stamp(LocalDateTime time) {
        return STAMP.format(time);
    }

    static String log(LocalDateTime time) {
        return LOG.format(time);
    }

    /** As the program {@code date} prints it. */
    static String date(ZonedDateTime time) {
        return DATE.format(time);
    }

    /** As in {@code 02:07} or {@code 1:02:07}. */
    static String text(Duration duration) {
        long seconds = duration.toSeconds();
        String minutes = String.format(Locale.ROOT, "%02d:%02d", seconds / SECONDS % SECONDS, seconds % SECONDS);
        return seconds < SECONDS * SECONDS ? minutes : seconds / SECONDS / SECONDS + ":" + minutes;
    }

    /** Seconds, or a number with {@code s}, {@code m} or {@code h} behind it. */
    public static Duration parse(String option, String text, Problems problems) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            problems.add(option + ": '" + text + "' is no duration such as 90, 1.5m or 2h");
            return Duration.ZERO;
        }
        double scale = matcher.group(2) == null
                ? 1
                : switch (matcher.group(2)) {
                    case "m" -> SECONDS;
                    case "h" -> SECONDS * SECONDS;
                    default -> 1;
                };
        return Duration.ofMillis(Math.round(Double.parseDouble(matcher.group(1)) * scale * 1000));
    }
}
