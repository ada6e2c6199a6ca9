// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Processes that were started here, and what they started. Whoever was seen below them stays known when its parent ends
 * and it falls to another one. A handle names a process by its number and its start, so that nobody else is ever hit.
 * Confined to one thread.
 */
final class ProcessTree {
    private static final long LOOK_MS = 50;
    private static final int LOOKS_AFTER_KILL = 40;

    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    void add(ProcessHandle root) {
        known.add(root);
    }

    /** Remembers what was started since. */
    void refresh() {
        for (ProcessHandle handle : List.copyOf(known)) {
            if (handle.isAlive()) {
                handle.descendants().forEach(known::add);
            }
        }
        known.removeIf(handle -> !isRunning(handle));
    }

    boolean isEmpty() {
        refresh();
        return known.isEmpty();
    }

    /** Asks all to end, and after the grace ends those that have not. Returns how many had to be killed. */
    int end(Duration grace) {
        refresh();
        known.forEach(ProcessHandle::destroy);
        long deadline = System.nanoTime() + grace.toNanos();
        while (!isEmpty() && System.nanoTime() - deadline < 0) {
            pause();
        }
        int killed = known.size();
        for (int i = 0; i < LOOKS_AFTER_KILL && !isEmpty(); i++) {
            known.forEach(ProcessHandle::destroyForcibly);
            pause();
        }
        return killed;
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A process that has ended but that nobody has asked about counts as ended. */
    private static boolean isRunning(ProcessHandle handle) {
        return handle.isAlive() && !isZombie(handle.pid());
    }

    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            int state = stat.lastIndexOf(')') + 2;
            return state < stat.length() && (stat.charAt(state) == 'Z' || stat.charAt(state) == 'X');
        } catch (IOException e) {
            return false; // no such file system, or just gone
        }
    }
}
