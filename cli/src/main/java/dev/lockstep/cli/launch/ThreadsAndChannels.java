// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cell of the sweep.
 *
 * @param threads of a block
 * @param channels that the collective library uses at most
 */
public record ThreadsAndChannels(int threads, int channels) implements Setting {
    /** What is run when nothing is named. */
    public static final String DEFAULT_THREADS = "256,512";

    /** What is run when nothing is named. */
    public static final String DEFAULT_CHANNELS = "28,42,56,70";

    /** Every number of threads with every number of channels, channels changing faster. */
    public static List<ThreadsAndChannels> parse(String threads, String channels, Problems problems) {
        List<ThreadsAndChannels> settings = new ArrayList<>();
        List<Integer> columns = numbers("--channels", channels, Integer.MAX_VALUE, problems);
        for (int row : numbers("--threads", threads, WarpSpeed.MOST_THREADS, problems)) {
            for (int column : columns) {
                settings.add(new ThreadsAndChannels(row, column));
            }
        }
        return settings;
    }

    private static List<Integer> numbers(String option, String text, int most, Problems problems) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int number = problems.count(option, part.strip(), most);
            if (number > 0 && numbers.contains(number)) {
                problems.add(option + ": " + number + " is there twice");
            }
            numbers.add(number);
        }
        return numbers;
    }

    @Override
    public Path directory() {
        return Path.of(threads + "thread", "nccl_" + channels + "channels");
    }

    @Override
    public String title() {
        return threads + " threads, " + channels + " channels";
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> set = new LinkedHashMap<>();
        set.put("RCCL_THREADS_PER_BLOCK", Integer.toString(threads));
        set.put("NCCL_MAX_NCHANNELS", Integer.toString(channels));
        return set;
    }
}
