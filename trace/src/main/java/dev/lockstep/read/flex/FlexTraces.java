// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.model.Track;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What can only be said once all events are known: how fast the counters ran, which ranks there are, what is a stream. */
final class FlexTraces {
    private static final Pattern RANK = Pattern.compile("\"rank\"\\s*:\\s*(\\d{1,7})(?!\\d)");

    /** A step that takes this much longer by its counters than by the host is not believed. */
    private static final int BELIEVED = 10;

    private static final long BELIEVED_NS = 1_000_000;

    private final TraceBuilder builder;
    private final DeviceRows rows;
    private final FlexSink sink;
    private final Map<String, String> metadata;
    private final List<Track> tracks;
    private final RanksOfProcesses ranks;

    /** Cycles per ns of the devices. */
    private double slowest = Double.MAX_VALUE;

    private double fastest;

    FlexTraces(TraceBuilder builder, DeviceRows rows, FlexSink sink, Map<String, String> metadata) {
        this.builder = builder;
        this.rows = rows;
        this.sink = sink;
        this.metadata = metadata;
        tracks = builder.trackList();
        boolean[] onDevice = new boolean[tracks.size()];
        for (int row = 0; row < rows.size(); row++) {
            onDevice[rows.track(row)] = true;
        }
        ranks = RanksOfProcesses.of(tracks, onDevice, builder.usedTracks());
    }

    List<Trace> build(TraceInput input) {
        int[] rankOfRow = new int[rows.size()];
        for (int row = 0; row < rankOfRow.length; row++) {
            rankOfRow[row] = ranks.partOfTrack[rows.track(row)];
        }
        for (int rank = 0; rank < ranks.ranks.size(); rank++) {
            time(rank, rankOfRow);
        }
        if (fastest > 0) {
            String mhz = String.format(Locale.ROOT, "%.2f", slowest * 1000);
            String most = String.format(Locale.ROOT, "%.2f", fastest * 1000);
            observe(
                    "device_clock",
                    "counters run at " + mhz + (most.equals(mhz) ? "" : " to " + most) + " MHz, by the events");
        }
        new CollectiveSteps(builder, rows).state(byStart(), rankOfRow);
        streams(rankOfRow);
        List<TraceInfo> infos = new ArrayList<>();
        for (int rank : ranks.ranks) {
            infos.add(info(rank, input));
        }
        return builder.build(ranks.partOfTrack, infos);
    }

    /** What ran on the device ends when the host says, and lasts as long as its counters say. */
    private void time(int rank, int[] rankOfRow) {
        DeviceClock clock = new DeviceClock();
        boolean any = false;
        for (int row = 0; row < rankOfRow.length; row++) {
            if (rankOfRow[row] == rank && rows.cycles(row) != DeviceRows.NO_CYCLES) {
                any = true;
                clock.add(rows.cycles(row), rows.dur(row));
            }
        }
        double frequency = clock.frequency();
        if (Double.isNaN(frequency)) {
            if (any) {
                observe(
                        "device_clock",
                        "counters do not agree with the host on how fast they run; times are the host's");
            }
            return;
        }
        slowest = Math.min(slowest, frequency);
        fastest = Math.max(fastest, frequency);
        for (int row = 0; row < rankOfRow.length; row++) {
            if (rankOfRow[row] == rank && rows.cycles(row) != DeviceRows.NO_CYCLES && rows.dur(row) >= 0) {
                time(row, Math.round(rows.cycles(row) / frequency));
            }
        }
    }

    private void time(int row, long dur) {
        if (dur > rows.dur(row) * BELIEVED + BELIEVED_NS) {
            observe("counters_odd", "the counters of an event say many times what the host does; they are not used");
            return;
        }
        long start = builder.start(rows.slice(row));
        boolean wholeJob = rows.step(row) == EventName.Step.ANY;
        builder.time(rows.slice(row), wholeJob ? start : start + rows.dur(row) - dur, dur);
    }

    private int[] byStart() {
        int[] order = new int[rows.size()];
        long[] starts = new long[order.length];
        for (int row = 0; row < order.length; row++) {
            order[row] = row;
            starts[row] = builder.start(rows.slice(row));
        }
        LongOrder.sort(starts, order);
        return order;
    }

    private void streams(int[] rankOfRow) {
        DeviceStreams streams = new DeviceStreams(builder, rows, tracks, ranks.partOfTrack);
        DetailRows details = builder.details(DeviceDetails.KEY);
        for (int row = 0; row < rankOfRow.length; row++) {
            details.add(rows.slice(row));
            details.number(DeviceDetails.DEVICE, ranks.ranks.get(rankOfRow[row]));
            details.number(DeviceDetails.STREAM, streams.number(rows.track(row)));
            details.number(DeviceDetails.BYTES, rows.bytes(row));
        }
        streams.name(sink);
    }

    private TraceInfo info(int number, TraceInput input) {
        Rank rank = rank(number, input);
        return new TraceInfo(
                input.name(),
                TraceFormat.FLEX.id(),
                rank,
                -1,
                rows.size() == 0 ? List.of() : List.of(new TraceInfo.Device(rank.index(), "AIU")),
                0,
                metadata);
    }

    private Rank rank(int number, TraceInput input) {
        Matcher stated = RANK.matcher(metadata.getOrDefault("distributedInfo", ""));
        if (ranks.ranks.size() == 1 && stated.find()) {
            return new Rank(Integer.parseInt(stated.group(1)), Rank.Origin.TRACE);
        }
        if (number != RanksOfProcesses.NO_RANK) {
            return new Rank(number, Rank.Origin.TRACE);
        }
        OptionalInt inName = RankNames.rankOf(input.path());
        if (inName.isPresent()) {
            return new Rank(inName.getAsInt(), Rank.Origin.PATH);
        }
        observe("no_rank", "neither the trace nor its path states a rank; 0 is assumed");
        return new Rank(0, Rank.Origin.ORDER);
    }

    private void observe(String code, String message) {
        builder.diagnostics().add(Weight.OBSERVATION, code, message, -1);
    }
}
