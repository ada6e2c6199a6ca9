// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.replay.plan.ReplaySettings;
import dev.lockstep.replay.plan.ReplaySettings.Cache;
import dev.lockstep.replay.plan.ReplaySettings.Repeats;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker process is told on its command line.
 *
 * @param device {@code cpu} or {@code cuda}
 * @param threads threads of the framework within an operator
 * @param repeats how often and how long
 * @param memory most bytes of inputs of one operator
 * @param cache what the caches hold before each execution
 * @param record folder for a recording, instead of running operators; null for none
 * @param framework version of the libraries
 */
public record WorkerSettings(
        String device,
        int threads,
        Repeats repeats,
        long memory,
        Cache cache,
        @Nullable String record,
        String framework) {
    /** A sequence may take as long as this many operators. */
    public static final int SEQUENCE_SHARE = 10;

    /** Begins a line that holds a sequence instead of an operator. */
    public static final String SEQUENCE = "sequence ";

    /** Begins every line of the process that is an answer. */
    public static final String MARK = "\u0001lockstep ";

    /** Begins the answer of a process that recorded; the numbers of {@link DemoRecording.Facts} are behind it. */
    public static final String RECORDED = "recorded ";

    /** Begins the answer of a process that could not record; why is behind it. */
    public static final String NOT_RECORDED = "not recorded ";

    /** The file of the profiler in the folder of a recording. */
    public static final String TRACE = "trace.json";

    /** The execution trace in the folder of a recording. */
    public static final String EXECUTION_TRACE = "execution_trace.json";

    private static final int WORDS = 10;

    /**
     * A worker that runs operators.
     *
     * @param framework version of the libraries
     */
    public static WorkerSettings running(ReplaySettings settings, String framework) {
        return new WorkerSettings(
                settings.device(),
                settings.threads(),
                settings.repeats(),
                settings.memoryBytes() / 2,
                settings.cache(),
                null,
                framework);
    }

    /**
     * A worker that records.
     *
     * @param folder where to
     * @param framework version of the libraries
     */
    public static WorkerSettings recording(ReplaySettings settings, Path folder, String framework) {
        WorkerSettings running = running(settings, framework);
        return new WorkerSettings(
                running.device,
                running.threads,
                running.repeats,
                running.memory,
                running.cache,
                folder.toString(),
                framework);
    }

    /** The settings as words of a command line. */
    public List<String> words() {
        return List.of(
                device,
                Integer.toString(threads),
                Integer.toString(repeats.warmup()),
                Integer.toString(repeats.iterations()),
                Long.toString(repeats.windowNs()),
                Long.toString(repeats.limitNs()),
                Long.toString(memory),
                cache.name(),
                record == null ? "" : record,
                framework);
    }

    /** Reads what {@link #words} wrote. */
    public static WorkerSettings parse(String[] words) {
        if (words.length != WORDS) {
            throw new IllegalArgumentException("started by something else than the program");
        }
        return new WorkerSettings(
                words[0],
                Integer.parseInt(words[1]),
                new Repeats(
                        Integer.parseInt(words[2]),
                        Integer.parseInt(words[3]),
                        Long.parseLong(words[4]),
                        Long.parseLong(words[5])),
                Long.parseLong(words[6]),
                Cache.valueOf(words[7]),
                words[8].isEmpty() ? null : words[8],
                words[9]);
    }
}
