// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Knows when the user wants the program to end: Ctrl-C, a signal TERM or HUP. The virtual machine's end then waits until
 * the launch has put its things in order and {@code Main} has halted it.
 */
public final class StopSignal implements AutoCloseable {
    private final CountDownLatch requested = new CountDownLatch(1);
    private final Thread hook;

    private StopSignal(Duration longestWait, int exitStatus) {
        hook = new Thread(() -> hold(longestWait, exitStatus), "stop");
    }

    /**
     * Listens until it is closed.
     *
     * @param longestWait after this the program ends whatever is left
     * @param exitStatus with which it then ends
     */
    public static StopSignal listen(Duration longestWait, int exitStatus) {
        StopSignal signal = new StopSignal(longestWait, exitStatus);
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    private void hold(Duration longestWait, int exitStatus) {
        requested.countDown();
        try {
            Thread.sleep(longestWait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(exitStatus);
    }

    /** Whether the user wants the end. */
    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits, but not when the user wants the end; returns whether he does. */
    boolean await(Duration atMost) {
        try {
            return requested.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the end has begun; the hook waits for Main
        }
    }
}
