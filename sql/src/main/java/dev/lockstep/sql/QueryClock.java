// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Ends the query of a connection that takes too long. Whoever stops it knows that it ends nothing any more. */
final class QueryClock {
    /** What begins when the time is over, as the next part of the same query, is ended so much later. */
    private static final long AGAIN_MS = 20;

    private final @Nullable Statement connected;
    private final @Nullable Thread thread;
    private final long end;
    private volatile boolean stopped;
    private volatile boolean struck;

    private QueryClock(@Nullable Statement connected, Duration longest) {
        this.connected = connected;
        this.end = System.nanoTime() + longest.toNanos();
        this.thread = connected == null ? null : Thread.ofPlatform().daemon().name("lockstep-sql-clock").unstarted(this::run);
    }

    /**
     * Begins to count.
     *
     * @param connection whose queries are ended
     * @param longest until then; zero to end none
     */
    static QueryClock of(Connection connection, Duration longest) throws SQLException {
        QueryClock clock = new QueryClock(longest.isZero() ? null : connection.createStatement(), longest);
        if (clock.thread != null) {
            clock.thread.start();
        }
        return clock;
    }

    private void run() {
        try {
            while (!stopped) {
                long left = end - System.nanoTime();
                if (left > 0) {
                    Thread.sleep(Duration.ofNanos(left).plusMillis(1));
                } else {
                    strike();
                    Thread.sleep(AGAIN_MS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it was stopped
        }
    }

    private synchronized void strike() {
        if (!stopped && connected != null) {
            struck = true;
            try {
                connected.cancel();
            } catch (SQLException e) {
                stopped = true; // there is nothing to end
            }
        }
    }

    /** Whether the query was ended. */
    boolean hasStruck() {
        return struck;
    }

    /** Stops it; null is none. */
    static void stop(@Nullable QueryClock clock) {
        if (clock != null) {
            clock.stop();
        }
    }

    private synchronized void stop() {
        if (!stopped && thread != null) {
            thread.interrupt();
        }
        stopped = true;
        if (connected != null) {
            try {
                connected.close();
            } catch (SQLException e) {
                return; // the connection is closed, and this with it
            }
        }
    }
}
