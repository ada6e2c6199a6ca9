// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.Track;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the slices of a timeline of TensorFlow 1 are. All have one category; names of processes tell: {@code
 * /device:GPU:0/stream:13 Compute} holds kernels and copies of a stream, {@code /job:…} operators on the host. {@code
 * /device:GPU:0/stream:all Compute} and {@code /device:GPU:0/memcpy Compute} hold again what the streams hold.
 */
public final class TimelineTracks {
    private static final Pattern DEVICE =
            Pattern.compile("/device:GPU:(\\d{1,4})/(?:stream:(?:(\\d{1,9})|all)|memcpy) Compute");

    private static final Pattern HOST = Pattern.compile("/job:\\S+ Compute");
    private static final Pattern COPY = Pattern.compile("(?i)memcpy");

    private TimelineTracks() {}

    private static Matcher onDevice(Track track) {
        return DEVICE.matcher(track.processName() == null ? "" : track.processName());
    }

    private static boolean onHost(Track track) {
        return track.processName() != null && HOST.matcher(track.processName()).matches();
    }

    /**
     * Gives slices their kinds and places, if this is such a timeline.
     *
     * @return how many slices turned out to be work of a device
     */
    public static int apply(TraceBuilder builder) {
        List<Track> tracks = builder.trackList();
        boolean[] used = builder.usedTracks();
        SliceKind[] kinds = new SliceKind[tracks.size()];
        long[] devices = new long[kinds.length];
        long[] streams = new long[kinds.length];
        Set<Long> withStreams = new HashSet<>();
        for (int i = 0; i < kinds.length; i++) {
            Matcher named = onDevice(tracks.get(i));
            if (named.matches()) {
                devices[i] = Long.parseLong(named.group(1));
                streams[i] = named.group(2) == null ? -1 : Long.parseLong(named.group(2));
                kinds[i] = SliceKind.KERNEL;
                builder.processLabels(tracks.get(i).process(), "GPU " + devices[i]);
                if (used[i] && streams[i] >= 0) {
                    withStreams.add(devices[i]);
                }
            } else {
                kinds[i] = onHost(tracks.get(i)) ? SliceKind.CPU_OP : SliceKind.HOST_OTHER;
            }
        }
        int device = 0;
        for (int i = 0; i < builder.sliceCount(); i++) {
            int track = builder.trackOf(i);
            SliceKind kind = kinds[track];
            if (kind == SliceKind.HOST_OTHER || builder.kind(i) != SliceKind.HOST_OTHER) {
                continue;
            }
            if (kind == SliceKind.KERNEL) {
                boolean again = streams[track] < 0 && withStreams.contains(devices[track]);
                boolean copy =
                        COPY.matcher(builder.strings().get(builder.name(i))).find();
                kind = again ? SliceKind.PROFILER_SPAN : copy ? SliceKind.MEMCPY : SliceKind.KERNEL;
            }
            builder.kind(i, kind);
            if (kind.isDeviceActivity()) {
                device += builder.duration(i) >= 0 ? 1 : 0;
                DetailRows rows = builder.details(DeviceDetails.KEY);
                rows.add(i);
                rows.number(DeviceDetails.DEVICE, devices[track]);
                rows.number(DeviceDetails.STREAM, Math.max(0, streams[track]));
            }
        }
        return device;
    }
}
