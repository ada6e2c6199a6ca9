// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.power.PowerLog;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Power while parts were measured.
 *
 * @param series of each device that counts; they are added up
 * @param idleWatts what the devices take at rest, taken away from every window; 0 for nothing
 * @param remarks what is to be said about the log
 */
public record PartsPower(List<PowerSeries> series, double idleWatts, List<Finding> remarks) {
    /** No power is known. */
    public static final PartsPower NONE = new PartsPower(List.of(), 0, List.of());

    public PartsPower {
        series = List.copyOf(series);
        remarks = List.copyOf(remarks);
    }

    /** What is taken away from the power of windows. */
    public sealed interface Idle {
        /** So many W; 0 takes nothing away. */
        record Watts(double watts) implements Idle {}

        /** The power that a tenth of the samples before the first window do not exceed. */
        record BeforeFirstWindow() implements Idle {}
    }

    /** Whether there is any. */
    public boolean isKnown() {
        return !series.isEmpty();
    }

    /**
     * What counts of a log.
     *
     * @param name of the log, for messages
     * @param device the only one that counts; empty for the one that parts ran on, or for all of the log, added up, where
     *     parts or log do not tell that
     * @throws UserException ({@link ErrorCode#DATA_MISSING}) when the log lacks the device, or samples for the idle power
     */
    public static PartsPower of(PowerLog log, String name, String device, Idle idle, MeasuredParts parts) {
        List<PowerSeries> replayed = device.isEmpty() ? ofParts(log, parts) : List.of();
        List<PowerSeries> series = replayed.isEmpty() ? log.of(device) : replayed;
        if (series.isEmpty()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    name + " holds no power" + (device.isEmpty() ? "" : " of " + device),
                    log.series().isEmpty() ? null : names("It knows: ", log.series()));
        }
        List<Finding> remarks = new ArrayList<>();
        if (log.skipped() > 0) {
            remarks.add(new Finding(
                    Severity.NOTICE,
                    "power_skipped",
                    log.skipped() + " lines of " + name + " hold no power. They are skipped, not counted as 0 W.",
                    name));
        }
        if (log.passedOver() + log.restarts() > 0) {
            remarks.add(new Finding(
                    Severity.NOTICE,
                    "power_counter",
                    log.passedOver() + " readings of energy counters in " + name
                            + " fell a little or stood out and are skipped. " + log.restarts()
                            + " fell by more than half, as after a counter restart.",
                    name));
        }
        if (!replayed.isEmpty() && replayed.size() < log.series().size()) {
            remarks.add(new Finding(
                    Severity.INFO,
                    "power_of_device",
                    "The power of " + names("", replayed) + " in " + name + " counts, as the parts ran on that device ("
                            + parts.devices().getFirst() + "). --gpu chooses another.",
                    name));
        }
        if (device.isEmpty() && series.size() > 1) {
            remarks.add(new Finding(
                    Severity.NOTICE,
                    "power_added",
                    name + " holds the power of " + names("", series)
                            + ", which is added up. That is too much if the parts ran on one of them. "
                            + (parts.devices().isEmpty()
                                    ? "The result does not say on which one they ran. "
                                    : "They ran on " + parts.devices().getFirst() + ", which the log does not name. ")
                            + "--gpu chooses one.",
                    name));
        }
        double watts = switch (idle) {
            case Idle.Watts(double given) -> given;
            case Idle.BeforeFirstWindow() -> atRest(series, parts, remarks);
        };
        return new PartsPower(series, watts, remarks);
    }

    /** What is known of the device on which parts ran; nothing when that is not known. */
    private static List<PowerSeries> ofParts(PowerLog log, MeasuredParts parts) {
        return log.series().stream()
                .filter(series -> parts.devices().stream().anyMatch(series::isOf))
                .toList();
    }

    private static String names(String before, List<PowerSeries> series) {
        return series.stream().map(PowerSeries::domain).collect(Collectors.joining(", ", before, ""));
    }

    private static double atRest(List<PowerSeries> series, MeasuredParts parts, List<Finding> remarks) {
        long first = parts.parts().stream()
                .map(Part::window)
                .filter(Objects::nonNull)
                .mapToLong(Part.Window::start)
                .min()
                .orElse(Long.MAX_VALUE);
        double watts = series.stream().mapToDouble(s -> s.quietBefore(first)).sum();
        if (Double.isNaN(watts)) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    "the power at rest is not known: the log holds fewer than three samples before the first window",
                    "Start sampling earlier, or give the watts.");
        }
        remarks.add(new Finding(
                Severity.INFO,
                "idle_power",
                String.format(
                        Locale.ROOT,
                        "Idle power is %.2f W, the 10th percentile of the samples before the first window.",
                        watts),
                "log of power"));
        return watts;
    }
}
