// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.replay.reconcile.PartsPower.Idle;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The options that {@code replay energy} and {@code replay compare} share. */
final class ReconciliationArguments {
    /**
     * What the user gave.
     *
     * @param result the parts: a file, or a folder of piep's
     * @param power log of power; null for none
     * @param device the only one of the log that counts; empty for all
     * @param zone of times in the log that state none
     * @param forwards how often the model ran in the recording; 0 to find out
     * @param whole what piep states of the whole; null for nothing
     */
    record Options(
            Path result,
            @Nullable Path power,
            String device,
            ZoneId zone,
            Idle idle,
            int forwards,
            @Nullable Path whole) {}

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path result;

    private @Nullable Path power;
    private String device = "";
    private ZoneId zone = ZoneOffset.UTC;
    private Idle idle = new Idle.Watts(0);
    private int forwards;
    private @Nullable Path whole;

    void declare(Arguments arguments) {
        arguments.argument(
                "RESULT",
                Path.class,
                "What replay run wrote, or piep's isolated_kernels_timing.json.",
                given -> result = given);
        declarePower(arguments);
        arguments.number(
                "--forwards",
                "N",
                1,
                "How often the model ran in the trace (default: from steps or counts).",
                given -> forwards = given);
        arguments.option(
                "--whole",
                "FILE",
                Path.class,
                "Time and energy of the whole as piep's full_model_timing.json states them.",
                given -> whole = given);
    }

    private void declarePower(Arguments arguments) {
        arguments.option(
                "--power", "FILE", Path.class, "Log of power: CSV of a sampler or meter.", given -> power = given);
        arguments.option(
                "--gpu",
                "NAME",
                String.class,
                "Take this device of the log: name, number, bus address or UUID (default: the replay's, else all,"
                        + " added up).",
                given -> device = given);
        arguments.option(
                "--zone",
                "ZONE",
                String.class,
                "Time zone of times in the log that state none, such as Europe/Berlin or +01:00 (default: UTC).",
                given -> zone = zone(given));
        arguments.option(
                "--idle",
                "W|auto",
                String.class,
                "Take idle power away: watts, or auto for the lowest tenth before the first window.",
                given -> idle = idle(given));
    }

    /** What was given, once the command line is read. */
    Options options() {
        return new Options(result, power, device, zone, idle, forwards, whole);
    }

    private static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--zone " + name + " is no time zone",
                    "For example Europe/Berlin, +01:00",
                    e);
        }
    }

    private static Idle idle(String given) {
        if (given.equals("auto")) {
            return new Idle.BeforeFirstWindow();
        }
        try {
            double watts = Double.parseDouble(given);
            if (watts >= 0 && Double.isFinite(watts)) {
                return new Idle.Watts(watts);
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UserException(ErrorCode.OPTION_INVALID, "--idle wants watts, or auto: " + given, null);
    }
}
