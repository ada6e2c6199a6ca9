// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.codec.GivenTime;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.GanttChart;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The option {@code --window}: a part of the time since the first kernel, such as {@code 10ms..1.5s}. Either end may be left
 * out; the unit of the second stands for the first, too.
 *
 * @param text as the user gave it
 */
record GanttWindow(String text) {
    private static final Pattern WINDOW =
            Pattern.compile("([\\d.]+)?\\s*(ns|us|ms|s)?\\.\\.([\\d.]+)?\\s*(ns|us|ms|s)?");
    private static final double NS_PER_MS = 1e6;

    /** What the chart shows within a window that need not be given. */
    static GanttChart part(@Nullable String window, GanttChart chart) {
        return window == null ? chart : new GanttWindow(window).of(chart);
    }

    /**
     * What the chart shows within the window.
     *
     * @throws UserException when it is no window, or holds nothing
     */
    private GanttChart of(GanttChart chart) {
        Matcher matcher = WINDOW.matcher(text.strip());
        if (!matcher.matches()) {
            throw invalid();
        }
        long from = matcher.group(1) == null
                ? 0
                : time(matcher.group(1), Objects.requireNonNullElse(matcher.group(2), matcher.group(4)));
        long to = matcher.group(3) == null ? chart.to() : time(matcher.group(3), matcher.group(4));
        if (from >= Math.min(to, chart.to())) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--window " + text + " holds nothing",
                    String.format(Locale.ROOT, "The kernels end after %.3f ms.", chart.to() / NS_PER_MS));
        }
        return chart.within(from, to);
    }

    private long time(String number, @Nullable String unit) {
        return GivenTime.nanoseconds(number + Objects.requireNonNullElse(unit, ""))
                .orElseThrow(this::invalid);
    }

    private UserException invalid() {
        return new UserException(
                ErrorCode.OPTION_INVALID, "--window " + text + " is no window", "For example 10ms..1.5s, 200us..");
    }
}
