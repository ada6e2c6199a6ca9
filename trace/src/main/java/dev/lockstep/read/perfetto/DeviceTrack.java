// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.KnownArgument;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The device and stream that rocprofv3 puts into the name of a track, such as {@code COMPUTE AGENT [4] STREAM [1] (GPU)}.
 *
 * @param device number of the device, -1 when the track's name says nothing of the kind, -2 when it is not known yet
 */
record DeviceTrack(long device, long stream) {
    private static final Pattern NAME = Pattern.compile(
            "(?:COMPUTE|COPY to) (?:\\w+ )?\\[(\\d{1,9})\\] (?:STREAM|QUEUE|THREAD) \\[(\\d{1,18})\\].*");
    private static final DeviceTrack NONE = new DeviceTrack(-1, -1);

    private static final DeviceTrack UNKNOWN = new DeviceTrack(-2, -2);

    static DeviceTrack of(Tracks.@Nullable Description track) {
        if (track == null) {
            return UNKNOWN;
        }
        if (track.name == null || track.gpu >= 0) {
            return NONE; // what a GPU says of itself stands among the arguments
        }
        Matcher matcher = NAME.matcher(track.name);
        return matcher.matches()
                ? new DeviceTrack(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
                : NONE;
    }

    /** Whether the track was not described yet. */
    boolean isUnknown() {
        return equals(UNKNOWN);
    }

    /** Adds what the arguments of an event do not say. */
    void complete(ArgumentValues values) {
        if (device >= 0 && !values.has(KnownArgument.DEVICE)) {
            values.set(KnownArgument.DEVICE, device);
        }
        if (stream >= 0 && !values.has(KnownArgument.STREAM)) {
            values.set(KnownArgument.STREAM, stream);
        }
    }
}
