// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The process that made a scratch folder, as the folder's name tells it: {@code .lockstep-HOST-PID-STARTED-N}.
 *
 * @param host stands for the machine, or the container, that numbers its processes by itself; {@link #UNKNOWN} where that
 *     cannot be told
 * @param process its id there
 * @param started when the process began, in milliseconds of the epoch; 0 where the system does not tell
 */
record ScratchOwner(String host, long process, long started) {
    /** How many folders an owner can tell apart. */
    static final int NUMBERS = 1_000_000_000;
    /** The part of a path that is a scratch folder. */
    static final Pattern FOLDER = Pattern.compile("\\.lockstep-([0-9a-f]{8})-([0-9]{1,18})-([0-9]{1,18})-[0-9]{1,9}");

    private static final String UNKNOWN = "00000000";
    /** How far two processes may read the start of a third one apart. */
    private static final long SAME_START_MS = 5_000;
    /** No run is silent for so long. */
    private static final Duration LONGEST_SILENCE = Duration.ofDays(7);

    /** This process. */
    static ScratchOwner current() {
        ProcessHandle self = ProcessHandle.current();
        return new ScratchOwner(thisHost(), self.pid(), startOf(self));
    }

    /** The owner of a folder of that name; nothing where it is no scratch folder. */
    static Optional<ScratchOwner> of(String folder) {
        Matcher name = FOLDER.matcher(folder);
        return name.matches()
                ? Optional.of(
                        new ScratchOwner(name.group(1), Long.parseLong(name.group(2)), Long.parseLong(name.group(3))))
                : Optional.empty();
    }

    /** The name of the owner's folder of that number. */
    String folder(int number) {
        return ".lockstep-" + host + "-" + process + "-" + started + "-" + number;
    }

    /**
     * Whether the process is gone for certain. Nobody can ask for one of another machine: it counts as gone when nothing
     * has changed for a week.
     *
     * @param changed when something in the folder changed last
     */
    boolean isGone(Instant changed) {
        if (equals(current())) {
            return false;
        }
        if (host.equals(UNKNOWN) || !host.equals(thisHost())) {
            return changed.isBefore(Instant.now().minus(LONGEST_SILENCE));
        }
        return ProcessHandle.of(process)
                .map(running -> isAnother(startOf(running)))
                .orElse(true);
    }

    private boolean isAnother(long start) {
        return started != 0 && start != 0 && Math.abs(start - started) > SAME_START_MS;
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String thisHost() {
        CRC32 digest = new CRC32();
        try {
            digest.update(Files.readAllBytes(Path.of("/proc/sys/kernel/hostname")));
            digest.update(Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .getBytes(StandardCharsets.UTF_8));
        } catch (IOException | UnsupportedOperationException e) {
            return UNKNOWN;
        }
        return String.format(Locale.ROOT, "%08x", digest.getValue());
    }
}
