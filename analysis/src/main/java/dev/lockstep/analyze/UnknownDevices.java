// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Slices that lie in processes which the trace names or labels as devices, but whose category says nothing.
 *
 * @param slices how many
 * @param processes names of the processes, in order
 */
public record UnknownDevices(long slices, List<String> processes) {
    private static final String WORDS =
            "(?:gpu|npu|tpu|xpu|hpu|ipu|dcu|mtia|gaudi|ascend|accelerator|neuroncore|device)";

    private static final Pattern DEVICE = Pattern.compile("(?i)(?<![a-z])" + WORDS + "(?![a-z])");

    /** A word for a device, its number, or what part of it; not a program whose name holds such a word. */
    private static final Pattern NAME = Pattern.compile("(?i)(?<![\\w./-])" + WORDS
            + "(?:$|[ :#-]*\\d|:| +(?:compute|hardware|streams?|kernels?|mem\\w*|cop(?:y|ies)|engines?|cores?|queues?|activit\\w*|ops|planes?)\\b)"
            + "|(?<=[:/])" + WORDS + ":\\d");

    private static final Pattern HOST = Pattern.compile("(?i)(?<![a-z])(cpu|host)(?![a-z])");
    private static final int MOST_NAMED = 3;

    public UnknownDevices {
        processes = List.copyOf(processes);
    }

    /** Those of a trace; empty when there are none. */
    public static Optional<UnknownDevices> of(Trace trace) {
        List<Track> tracks = trace.tracks();
        boolean[] device = new boolean[tracks.size()];
        for (int i = 0; i < device.length; i++) {
            device[i] = isDevice(tracks.get(i));
        }
        TreeSet<String> names = new TreeSet<>();
        long count = 0;
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            if (device[slices.track(i)] && slices.kind(i) == SliceKind.HOST_OTHER) {
                count++;
                names.add(name(tracks.get(slices.track(i))));
            }
        }
        return count == 0 ? Optional.empty() : Optional.of(new UnknownDevices(count, List.copyOf(names)));
    }

    /** What they are, for a sentence. */
    public String words() {
        String named = String.join("', '", processes.subList(0, Math.min(MOST_NAMED, processes.size())));
        return "slices lie on devices (process '" + named + "'"
                + (processes.size() > MOST_NAMED ? " and " + (processes.size() - MOST_NAMED) + " more" : "") + ")";
    }

    private static boolean isDevice(Track track) {
        String name = text(track.processName());
        String labels = text(track.processLabels());
        return (NAME.matcher(name).find() || DEVICE.matcher(labels).find())
                && !HOST.matcher(name + " " + labels).find();
    }

    private static String name(Track track) {
        String name = text(track.processName());
        return name.isEmpty() ? text(track.processLabels()) : name;
    }

    private static String text(@Nullable String name) {
        return name == null ? "" : name;
    }
}
