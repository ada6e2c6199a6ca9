// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.analyze.UnknownDevices;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Trace;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Something that is not read, or that the profiler did not record.
 *
 * @param count how many events or packets; -1 where nobody knows
 * @param what they are, for a sentence, with their number; or what the profiler says, a sentence without its full stop
 * @param isOfDevices whether it lies on devices
 * @param isSaid whether the profiler says so
 */
public record PassedOver(long count, String what, boolean isOfDevices, boolean isSaid) {
    /** Events of other kinds than those that are read; what devices and the host did may be among them. */
    private static final Set<String> OTHER_EVENTS = Set.of("foreign_packets", "foreign_device_tables", "unknown_event");

    /** The profiler says that events of devices are missing. */
    private static final Set<String> MISSING = Set.of("events_dropped", "events_missing");

    /** The profiler says why what devices did may not have been recorded. */
    private static final Set<String> MESSAGES = Set.of("profiler_message");

    /** Events of the host that are not read. */
    private static final Set<String> HOST_EVENTS = Set.of("foreign_packets", "foreign_tables");

    /** {@return how many events of a file are passed over, by code: they are not in what is written of it} */
    public static Map<String, Long> counts(Trace trace) {
        Map<String, Long> counts = new TreeMap<>();
        for (Entry entry : trace.diagnostics().observations()) {
            if (isOfFile(entry.code())) {
                counts.put(entry.code(), entry.count());
            }
        }
        return counts;
    }

    /** {@return whether this code counts what is passed over in a file, whose ranks all say it} */
    public static boolean isOfFile(String code) {
        return OTHER_EVENTS.contains(code) || HOST_EVENTS.contains(code);
    }

    /** {@return whether events of this code may be what devices did, so that what is written without them is not whole} */
    public static boolean mayBeOfDevices(String code) {
        return OTHER_EVENTS.contains(code);
    }

    /** What is passed over of a trace and may hold what devices did. */
    public static List<PassedOver> of(Trace trace) {
        List<PassedOver> all = new ArrayList<>();
        UnknownDevices.of(trace)
                .ifPresent(unknown -> all.add(new PassedOver(
                        unknown.slices(), Words.count(unknown.slices()) + " " + unknown.words(), true, false)));
        for (Entry entry : trace.diagnostics().observations()) {
            if (OTHER_EVENTS.contains(entry.code())) {
                all.add(new PassedOver(
                        entry.count(), counted(entry), entry.code().equals("foreign_device_tables"), false));
            } else if (MISSING.contains(entry.code())) {
                boolean counted = entry.code().equals("events_dropped");
                all.add(new PassedOver(counted ? entry.count() : -1, entry.message(), true, true));
            } else if (MESSAGES.contains(entry.code())) {
                all.add(new PassedOver(0, entry.message(), false, true));
            }
        }
        for (Entry entry : trace.diagnostics().of(Weight.LOSS)) {
            all.add(new PassedOver(
                    entry.count(),
                    Words.count(entry.count()) + " × " + entry.code() + " (" + entry.message() + ")",
                    false,
                    false));
        }
        return all;
    }

    /** What is passed over and may hold what the host did while nothing else tells it. */
    public static List<PassedOver> ofHost(Trace trace) {
        return trace.diagnostics().observations().stream()
                .filter(entry -> HOST_EVENTS.contains(entry.code()))
                .map(entry -> new PassedOver(entry.count(), counted(entry), false, false))
                .toList();
    }

    private static String counted(Entry entry) {
        String unit = entry.code().endsWith("tables") ? " events: " : " packets: ";
        return Words.count(entry.count()) + unit + entry.message();
    }

    /** What of them is not read, in a part of a sentence; empty for nothing. */
    public static String unread(List<PassedOver> all) {
        return all.stream().filter(one -> !one.isSaid).map(PassedOver::what).collect(Collectors.joining(", "));
    }

    /** What the profiler says, in sentences with a blank before each; empty for nothing. */
    static String said(List<PassedOver> all) {
        return all.stream()
                .filter(PassedOver::isSaid)
                .map(one -> " " + one.what + ".")
                .collect(Collectors.joining());
    }
}
