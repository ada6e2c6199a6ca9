// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Recorder;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.StringPool;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says which process and thread of the model a track of the file is, and what they are called. */
final class TrackPlaces {
    private static final Pattern ROCPROF_THREAD = Pattern.compile("THREAD \\d+ \\((\\d+)\\)");
    private static final int DEEPEST = 64;

    private final Tracks tracks;
    private final @Nullable OwnFacts facts;
    private final TraceBuilder builder;
    private final StringPool strings;
    private final Set<String> named = new HashSet<>();

    TrackPlaces(Tracks tracks, @Nullable OwnFacts facts, TraceBuilder builder) {
        this.tracks = tracks;
        this.facts = facts;
        this.builder = builder;
        this.strings = builder.strings();
    }

    /** The number in the model. */
    int track(long uuid) {
        OwnFacts.Place own = facts == null ? null : own(facts, uuid);
        OwnFacts.Place place = own == null ? foreign(uuid, tracks.get(uuid)) : own;
        name(place);
        return builder.track(strings.intern(place.process()), strings.intern(place.thread()));
    }

    /** Tracks for slices that overlap lie below the one of their thread; those of counters below their process. */
    private OwnFacts.@Nullable Place own(OwnFacts known, long uuid) {
        long at = uuid;
        for (int i = 0; i < DEEPEST; i++) {
            OwnFacts.Place place = known.place(at);
            Tracks.Description d = tracks.get(at);
            if (place != null) {
                return at == uuid || !place.thread().isEmpty() ? place : below(place, tracks.get(uuid));
            }
            if (d == null || d.parent == 0) {
                return null;
            }
            at = d.parent;
        }
        return null;
    }

    private static OwnFacts.Place below(OwnFacts.Place process, Tracks.@Nullable Description d) {
        String name = d == null || d.name == null ? "" : d.name;
        return new OwnFacts.Place(
                process.process(), name, process.processName(), process.processLabels(), name.isEmpty() ? null : name);
    }

    private OwnFacts.Place foreign(long uuid, Tracks.@Nullable Description d) {
        if (d == null) {
            return new OwnFacts.Place(
                    "", uuid == 0 ? "global" : "track " + Long.toUnsignedString(uuid), null, null, null);
        }
        if (d.gpu >= 0) {
            return ofGpu(d);
        }
        Tracks.Description home = tracks.home(d);
        if (home != null) {
            return atHome(uuid, d, home);
        }
        String name = d.name == null ? "track " + Long.toUnsignedString(uuid) : d.name;
        DeviceTrack device = DeviceTrack.of(d);
        if (device.device() >= 0) {
            return new OwnFacts.Place(String.valueOf(device.device()), name, null, "GPU " + device.device(), name);
        }
        Matcher thread = ROCPROF_THREAD.matcher(name);
        if (thread.matches()) {
            return new OwnFacts.Place("host", thread.group(1), null, null, name);
        }
        Tracks.Description top = tracks.top(d);
        return new OwnFacts.Place(top == d || top.name == null ? "" : top.name, name, null, null, name);
    }

    private static OwnFacts.Place ofGpu(Tracks.Description d) {
        String gpu = "GPU " + d.gpu;
        return d.isCounter
                ? new OwnFacts.Place(gpu + " Counters", String.valueOf(d.name), null, null, d.name)
                : new OwnFacts.Place(String.valueOf(d.gpu), String.valueOf(d.stream), null, gpu, d.name);
    }

    private OwnFacts.Place atHome(long uuid, Tracks.Description d, Tracks.Description home) {
        Tracks.Description process = tracks.process(home.pid);
        String pid = String.valueOf(home.pid);
        String tid = home.isThread ? String.valueOf(home.tid) : "";
        String name = d.name == null ? home.threadName : d.name;
        String thread = tid;
        if (d != home) {
            String own = d.name == null ? "track " + Long.toUnsignedString(uuid) : d.name;
            thread = tid.isEmpty() ? own : tid + "/" + own;
        } else if (!home.isThread) {
            thread = "process";
        } else {
            name = home.threadName == null ? d.name : home.threadName;
        }
        return new OwnFacts.Place(
                pid,
                thread,
                process == null ? home.processName : process.processName,
                process == null ? home.processLabels : process.processLabels,
                name);
    }

    private void name(OwnFacts.Place place) {
        if (named.add(place.process())) {
            if (place.processName() != null) {
                builder.processName(place.process(), place.processName());
                record("process_name", place.process(), null, "name", place.processName());
            }
            if (place.processLabels() != null) {
                builder.processLabels(place.process(), place.processLabels());
                record("process_labels", place.process(), null, "labels", place.processLabels());
            }
        }
        if (place.threadName() != null && named.add(place.process() + "\0" + place.thread())) {
            builder.threadName(place.process(), place.thread(), place.threadName());
            record("thread_name", place.process(), place.thread(), "name", place.threadName());
        }
    }

    private void record(String event, String process, @Nullable String thread, String key, String value) {
        Recorder recorder = builder.recorder();
        if (recorder != null) {
            RecordedText text = new RecordedText();
            text.argument(key, JsonValues.quoted(value));
            recorder.metadata(
                    strings.intern(event), strings.intern(process), thread == null ? -1 : strings.intern(thread), text);
        }
    }
}
