// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.StepDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.model.TraceInfo.Device;
import dev.lockstep.model.Track;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ranks of a recording of XLA: each device that did something. What the host does belongs to the device that it launches
 * on. Where a thread launches nothing, that is the first. Ranges that mark steps belong to all.
 */
public final class XlaRanks {
    private final TraceBuilder builder;
    private final List<Track> tracks;

    /** Ascending; those with activity. */
    private final long[] devices;

    /** By track: the place of its device among these, -1 for none. */
    private final int[] partOfDeviceTrack;

    private XlaRanks(TraceBuilder builder) {
        this.builder = builder;
        this.tracks = builder.trackList();
        long[] deviceOfTrack = XlaTracks.devices(tracks);
        boolean[] active = new boolean[tracks.size()];
        for (int i = 0; i < builder.sliceCount(); i++) {
            int track = builder.trackOf(i);
            active[track] = active[track] || builder.kind(i).isDeviceActivity();
        }
        this.devices = IntStream.range(0, active.length)
                .filter(track -> active[track] && deviceOfTrack[track] >= 0)
                .mapToLong(track -> deviceOfTrack[track])
                .distinct()
                .sorted()
                .toArray();
        this.partOfDeviceTrack = Arrays.stream(deviceOfTrack)
                .mapToInt(device -> Math.max(-1, Arrays.binarySearch(devices, device)))
                .toArray();
    }

    /** The ranks of a recording whose slices have their kinds. */
    public static XlaRanks of(TraceBuilder builder) {
        return new XlaRanks(builder);
    }

    /** Whether several devices did something. */
    public boolean areSeveral() {
        return devices.length > 1;
    }

    /**
     * The finished traces, one for each device that did something, but one at least. The builder must not be used afterwards.
     *
     * @param info what is known of the file
     */
    public List<Trace> traces(TraceInput input, TraceInfo info) {
        if (!areSeveral()) {
            return List.of(
                    builder.build(info.withRank(RankNames.unstated(input.path(), 0, true, builder.diagnostics()))));
        }
        List<TraceInfo> infos = new ArrayList<>();
        for (int i = 0; i < devices.length; i++) {
            Rank rank = RankNames.unstated(input.path(), i, false, builder.diagnostics());
            infos.add(ofDevice(info.withRank(rank), devices[i]));
        }
        int[] partOfSlice = partOfSlice();
        return builder.build(partOfTrack(partOfSlice), partOfSlice, infos);
    }

    private TraceInfo ofDevice(TraceInfo info, long device) {
        List<Device> own = info.devices().stream().filter(d -> d.id() == device).toList();
        return new TraceInfo(
                info.source(),
                info.format(),
                info.rank(),
                info.worldSize(),
                own,
                info.originNs(),
                info.metadata(),
                info.withheld(),
                info.withheldValues());
    }

    private int[] partOfSlice() {
        LongIntMap partOfLaunch = new LongIntMap(1 << 10);
        for (int i = 0; i < builder.sliceCount(); i++) {
            int part = partOfDeviceTrack[builder.trackOf(i)];
            if (part >= 0 && builder.kind(i).isDeviceActivity() && builder.correlation(i) > 0) {
                partOfLaunch.put(builder.correlation(i), part);
            }
        }
        int[] parts = new int[builder.sliceCount()];
        for (int i = 0; i < parts.length; i++) {
            SliceKind kind = builder.kind(i);
            int part = kind.isHost() && builder.correlation(i) > 0 ? partOfLaunch.get(builder.correlation(i)) : -1;
            parts[i] = part < 0 ? TraceBuilder.BY_TRACK : part;
        }
        var steps = builder.details(StepDetails.KEY);
        for (int row = 0; row < steps.size(); row++) {
            int slice = steps.slice(row);
            if (!builder.kind(slice).isOnDevice()) {
                parts[slice] = TraceBuilder.EVERY_PART;
            }
        }
        return parts;
    }

    /** A device's own, and of a thread the device on which it launches most. */
    private int[] partOfTrack(int[] partOfSlice) {
        int[][] launches = new int[tracks.size()][];
        for (int i = 0; i < partOfSlice.length; i++) {
            if (partOfSlice[i] >= 0) {
                int track = builder.trackOf(i);
                launches[track] = launches[track] == null ? new int[devices.length] : launches[track];
                launches[track][partOfSlice[i]]++;
            }
        }
        int[] parts = new int[tracks.size()];
        for (int track = 0; track < parts.length; track++) {
            int own = partOfDeviceTrack[track];
            int[] counts = launches[track] == null ? new int[devices.length] : launches[track];
            int most = 0;
            for (int part = 0; part < counts.length; part++) {
                most = counts[part] > counts[most] ? part : most;
            }
            parts[track] = own >= 0 ? own : most;
        }
        return parts;
    }
}
