// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.analyze.UnknownDevices;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Trace;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Something in the file that is not read, or could not be.
 *
 * @param count how many events or packets
 * @param what they are, for a sentence, with their number
 * @param isOfDevices whether it lies on devices
 */
record PassedOver(long count, String what, boolean isOfDevices) {
    private static final Set<String> PACKETS = Set.of("foreign_packets");

    /** What is passed over of a trace. */
    static List<PassedOver> of(Trace trace) {
        List<PassedOver> all = new ArrayList<>();
        UnknownDevices.of(trace)
                .ifPresent(unknown -> all.add(
                        new PassedOver(unknown.slices(), Words.count(unknown.slices()) + " " + unknown.words(), true)));
        for (Entry entry : trace.diagnostics().observations()) {
            if (PACKETS.contains(entry.code())) {
                all.add(new PassedOver(
                        entry.count(), Words.count(entry.count()) + " packets: " + entry.message(), false));
            }
        }
        for (Entry entry : trace.diagnostics().of(Weight.LOSS)) {
            all.add(new PassedOver(
                    entry.count(),
                    Words.count(entry.count()) + " × " + entry.code() + " (" + entry.message() + ")",
                    false));
        }
        return all;
    }

    /** What they are, in a part of a sentence. */
    static String words(List<PassedOver> all) {
        return all.stream().map(PassedOver::what).collect(Collectors.joining(", "));
    }
}
