// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Flows;
import dev.lockstep.model.Marks;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Everything a trace says, as lines of text: two traces with the same lines are the same to every analysis. */
public final class TraceDump {
    private final Trace trace;
    private final boolean places;
    private final List<String> lines = new ArrayList<>();

    private TraceDump(Trace trace, boolean places) {
        this.trace = trace;
        this.places = places;
    }

    /** All of it, the place of each event in the file included. */
    public static String of(Trace trace) {
        return new TraceDump(trace, true).text();
    }

    /** All of it but what depends on the layout of the file or the order of its events. */
    public static String withoutPlaces(Trace trace) {
        return new TraceDump(trace, false).text();
    }

    /** The slices alone, in order. */
    public static List<String> slices(Trace trace) {
        TraceDump dump = new TraceDump(trace, true);
        dump.slices();
        return dump.lines;
    }

    private String text() {
        lines.add("rank " + trace.info().rank() + " of " + trace.info().worldSize() + " origin "
                + trace.info().originNs() + " devices " + trace.info().devices());
        lines.add("counts " + trace.counts().events() + " " + trace.counts().complete() + " "
                + trace.counts().device() + " " + sorted(trace.counts().byPhase()) + " "
                + sorted(trace.counts().byCategory()));
        slices();
        List<String> unordered = new ArrayList<>();
        flows(unordered);
        marks(unordered);
        if (!places) {
            Collections.sort(unordered);
        }
        lines.addAll(unordered);
        trace.diagnostics()
                .problems()
                .forEach(e -> lines.add("problem " + e.weight() + " " + e.code() + " x " + e.count()
                        + (places ? " at " + e.position() + ": " + e.message() : "")));
        return String.join("\n", lines);
    }

    private static String sorted(java.util.Map<String, Long> map) {
        return new java.util.TreeMap<>(map).toString();
    }

    private void slices() {
        Slices s = trace.slices();
        OpDetails ops = trace.view(OpDetails.KEY);
        DeviceDetails device = trace.view(DeviceDetails.KEY);
        CollectiveDetails collective = trace.view(CollectiveDetails.KEY);
        for (int i = 0; i < s.size(); i++) {
            StringBuilder line = new StringBuilder("slice ")
                    .append(s.ts(i))
                    .append('+')
                    .append(s.dur(i))
                    .append(' ')
                    .append(s.kind(i))
                    .append(" '")
                    .append(trace.name(i))
                    .append("' cat ")
                    .append(text(s.category(i)))
                    .append(" on ")
                    .append(track(s.track(i)))
                    .append(" corr ")
                    .append(s.correlation(i))
                    .append(" ext ")
                    .append(s.externalId(i));
            if (places) {
                line.append(" #").append(s.index(i));
            }
            if (ops != null && ops.of(i) >= 0) {
                int row = ops.of(i);
                line.append(" op ")
                        .append(String.join(
                                "|",
                                text(ops.inputDims(row)),
                                text(ops.inputTypes(row)),
                                text(ops.inputStrides(row)),
                                text(ops.concreteInputs(row)),
                                text(ops.outputTypes(row)),
                                "seq " + ops.sequence(row)));
            }
            if (device != null && device.of(i) >= 0) {
                int row = device.of(i);
                line.append(" device ")
                        .append(device.device(row))
                        .append('/')
                        .append(device.stream(row))
                        .append(' ')
                        .append(text(device.grid(row)))
                        .append(text(device.block(row)))
                        .append(' ')
                        .append(device.registers(row))
                        .append(' ')
                        .append(device.sharedMemory(row))
                        .append(' ')
                        .append(device.bytes(row));
            }
            if (collective != null && collective.of(i) >= 0) {
                int row = collective.of(i);
                line.append(" collective ")
                        .append(String.join(
                                "|",
                                text(collective.collective(row)),
                                text(collective.groupName(row)),
                                text(collective.groupDescription(row)),
                                text(collective.groupRanks(row)),
                                text(collective.dtype(row)),
                                text(collective.inSplit(row)),
                                text(collective.outSplit(row))))
                        .append(' ')
                        .append(collective.groupSize(row))
                        .append(' ')
                        .append(collective.inElements(row))
                        .append(' ')
                        .append(collective.outElements(row))
                        .append(' ')
                        .append(collective.sequence(row))
                        .append(' ')
                        .append(collective.peer(row));
            }
            lines.add(line.toString());
        }
    }

    private void flows(List<String> into) {
        Flows f = trace.flows();
        for (int i = 0; i < f.size(); i++) {
            into.add("flow " + f.phase(i) + " " + f.id(i) + " at " + f.ts(i) + " on " + track(f.track(i)) + " cat "
                    + text(f.category(i)));
        }
    }

    private void marks(List<String> into) {
        Marks m = trace.marks();
        for (int i = 0; i < m.size(); i++) {
            into.add("mark " + m.phase(i) + " '" + text(m.name(i)) + "' at " + m.ts(i) + " on " + track(m.track(i))
                    + " cat " + text(m.category(i)));
        }
    }

    private String track(int number) {
        Track t = trace.tracks().get(number);
        return t.process() + "/" + t.thread() + "(" + t.processName() + "," + t.processLabels() + "," + t.threadName()
                + ")";
    }

    private String text(int id) {
        String text = trace.strings().orNull(id);
        return text == null ? "-" : text;
    }
}
