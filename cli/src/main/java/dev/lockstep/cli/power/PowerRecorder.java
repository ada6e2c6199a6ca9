// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.power;

import dev.lockstep.power.PowerSource;
import dev.lockstep.power.PowerSource.Domain;
import dev.lockstep.power.PowerSource.Reading;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.Writer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Writes readings of a source into a log, {@code timestamp,gpu,power_w,energy_j,bus_id}: times in UTC, what is not known empty. Times
 * go on by the machine's steady clock from where its calendar stood at the beginning, so that nobody who sets the calendar
 * tears samples apart.
 */
public final class PowerRecorder {
    private final PowerSource source;
    private final long periodNs;
    private long samples;

    /** @param periodNs time from one reading to the next */
    public PowerRecorder(PowerSource source, long periodNs) {
        this.source = source;
        this.periodNs = periodNs;
    }

    /** Number of readings so far. */
    public long samples() {
        return samples;
    }

    /** Reads until told to stop. */
    public void record(Writer out, Clock clock, BooleanSupplier goOn) throws IOException {
        out.write("timestamp,gpu,power_w,energy_j,bus_id\n");
        Instant began = clock.instant();
        long start = System.nanoTime();
        long next = start;
        do {
            line(out, began.plusNanos(System.nanoTime() - start));
            next = Math.max(next + periodNs, System.nanoTime());
            wait(next, goOn);
        } while (goOn.getAsBoolean());
        line(out, began.plusNanos(System.nanoTime() - start));
    }

    private void line(Writer out, Instant now) throws IOException {
        List<Reading> readings = source.read();
        for (int i = 0; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            Domain domain = source.domains().get(i);
            out.write(now + "," + domain.domain() + "," + Numbers.plain(reading.watts()) + ","
                    + Numbers.plain(reading.joules()) + "," + domain.bus() + "\n");
        }
        samples++;
    }

    private static void wait(long until, BooleanSupplier goOn) {
        long left = until - System.nanoTime();
        while (left > 0 && goOn.getAsBoolean()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(20)));
            left = until - System.nanoTime();
        }
    }
}
