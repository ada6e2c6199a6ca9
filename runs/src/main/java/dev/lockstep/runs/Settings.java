// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a configuration's name says about it.
 *
 * @param threads threads per block, -1 when the name does not say
 * @param channels channels of the communication library, -1 when the name does not say
 * @param cu compute units for communication, -1 when the name does not say
 */
public record Settings(int threads, int channels, int cu) {
    /** Nothing is known. */
    public static final Settings UNKNOWN = new Settings(-1, -1, -1);

    /** By numbers; what is not known first. */
    public static final Comparator<Settings> ORDER = Comparator.comparingInt(Settings::cu)
            .thenComparingInt(Settings::threads)
            .thenComparingInt(Settings::channels);

    private static final Pattern PAIR = Pattern.compile("(\\d{1,7})cu_(\\d{1,7})threads?");
    private static final Pattern THREADS = Pattern.compile("(\\d{1,7})thread");
    private static final Pattern CHANNELS = Pattern.compile("nccl_(\\d{1,7})channels");

    /** What the name of a single configuration's folder says: {@code 56cu_256threads}. */
    public static Settings ofConfiguration(String folder) {
        Matcher pair = PAIR.matcher(folder);
        return pair.matches() ? new Settings(number(pair, 2), -1, number(pair, 1)) : UNKNOWN;
    }

    /** What the names of a sweep's folders say: {@code 256thread} and {@code nccl_28channels}. */
    public static Settings ofSweep(String threadFolder, String channelFolder) {
        Matcher threads = THREADS.matcher(threadFolder);
        Matcher channels = CHANNELS.matcher(channelFolder);
        return new Settings(
                threads.matches() ? number(threads, 1) : -1, channels.matches() ? number(channels, 1) : -1, -1);
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }
}
