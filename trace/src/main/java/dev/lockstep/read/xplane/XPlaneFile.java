// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.JsonOut;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.codec.ProtoStream;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Rank;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.XlaRanks;
import dev.lockstep.read.XlaTracks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads one file: its planes one after the other, and what stands beside them. */
final class XPlaneFile {
    private static final int LONGEST_TEXT = 1 << 20;

    /** Times count from the begin of the recording where all lie in it, give or take this. */
    private static final long SLACK_NS = 1_000_000_000;

    private final TraceInput input;
    private final ReadOptions options;
    private final ProtoStream in;
    private final TraceBuilder builder;
    private final Diagnostics diagnostics;
    private final HloPrograms programs = new HloPrograms();
    private final List<String> hosts = new ArrayList<>();
    private int planes;

    XPlaneFile(TraceInput input, PrefixedSource content, ReadOptions options) {
        this.input = input;
        this.options = options;
        this.in = new ProtoStream(content);
        this.builder = new TraceBuilder(1 << 10, options.everything());
        this.diagnostics = builder.diagnostics();
    }

    List<Trace> read(Diagnostics packing) throws IOException {
        if (in.isAtEnd()) {
            throw corrupt("the file is empty, expected planes of an XPlane profile");
        }
        RecordedText texts = builder.recorder() == null ? null : new RecordedText();
        EventStats stats = new EventStats(builder.strings(), texts);
        PlaneReader plane = new PlaneReader(in, builder, stats);
        PlaneSlices slices = new PlaneSlices(plane, builder, programs, texts, options.details());
        long begun = 0;
        try {
            while (!in.isAtEnd()) {
                begun = in.position();
                field(plane, slices, begun);
                options.progress().accept(in.position());
            }
        } catch (Damaged e) {
            damaged(begun);
        }
        if (planes == 0) {
            throw corrupt("expected a plane of an XPlane profile");
        }
        diagnostics.addAll(packing);
        return traces(slices);
    }

    private void field(PlaneReader plane, PlaneSlices slices, long begun) throws IOException, Damaged {
        int tag = in.tag(Long.MAX_VALUE);
        if (tag == Wire.SPACE_PLANE) {
            long end = in.enter(Long.MAX_VALUE);
            planes++;
            try {
                plane.read(end);
            } catch (Damaged e) {
                if (!in.isCut()) {
                    loss("damaged_plane", "a plane holds what cannot be there; its rest was not read", in.position());
                    in.skipTo(end);
                } else {
                    damaged(begun);
                }
            } finally {
                slices.add();
            }
        } else if (tag == Wire.SPACE_ERROR || tag == Wire.SPACE_WARNING) {
            diagnostics.add(Weight.OBSERVATION, "recorder_said", "the recorder said: " + text(), begun);
        } else if (tag == Wire.SPACE_HOST) {
            hosts.add(text());
        } else {
            in.skipField(tag, Long.MAX_VALUE);
        }
    }

    private String text() throws IOException, Damaged {
        long end = in.enter(Long.MAX_VALUE);
        long kept = Math.min(end, in.position() + LONGEST_TEXT);
        String text = new String(in.take(kept), StandardCharsets.UTF_8);
        in.skipTo(end);
        return text;
    }

    private void damaged(long begun) {
        if (in.isCut()) {
            loss("truncated", "the file ends inside a plane, which begins here; the file was cut", begun);
        } else {
            loss("damaged_plane", "what stands here is no plane; the rest of the file was not read", begun);
        }
    }

    private List<Trace> traces(PlaneSlices slices) {
        programs.resolve(
                builder, slices.devices().stream().map(TraceInfo.Device::id).toList());
        Map<String, String> metadata = slices.metadata();
        if (!hosts.isEmpty()) {
            metadata.put("hostnames", JsonOut.line(hosts));
        }
        int device = XlaTracks.apply(builder);
        builder.counts().add(builder.sliceCount() + builder.markCount(), builder.sliceCount(), Math.max(0, device));
        count("X", builder.sliceCount());
        count("i", builder.markCount());
        TraceInfo info = new TraceInfo(
                input.name(),
                TraceFormat.XPLANE.id(),
                new Rank(0, Rank.Origin.ORDER),
                -1,
                slices.devices(),
                origin(metadata),
                metadata);
        return XlaRanks.of(builder).traces(input, info);
    }

    private void count(String phase, int events) {
        if (events > 0) {
            builder.counts().addPhase(phase, events);
        }
    }

    /** Time 0 in ns since 1970; 0 where it is not known. */
    private long origin(Map<String, String> metadata) {
        String from = metadata.get("profile_start_time");
        String to = metadata.get("profile_stop_time");
        if (from == null
                || to == null
                || !from.matches("\\d{1,18}|[1-8]\\d{18}")
                || !to.matches("\\d{1,18}|[1-8]\\d{18}")) {
            return 0;
        }
        long start = Long.parseLong(from);
        long lasts = Long.parseLong(to) - start;
        for (int i = 0; i < builder.sliceCount(); i++) {
            if (builder.start(i) < 0 || builder.start(i) + builder.duration(i) > lasts + SLACK_NS) {
                return 0;
            }
        }
        return start;
    }

    private void loss(String code, String message, long position) {
        diagnostics.add(Weight.LOSS, code, message, position);
    }

    private TraceFormatException corrupt(String expected) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT, input.name(), in.position(), expected, TraceFormat.XPLANE.hint());
    }
}
