// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Recorder;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.read.EventCategories;
import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Gives events their meaning: which phase makes what of them, what ran on the device, what is left out and counted. */
final class FlexSink {
    /** A counter of the device has 32 bits. */
    private static final long WRAP = 1L << 32;

    private final TraceBuilder builder;
    private final StringPool strings;
    private final DeviceRows rows;
    private final @Nullable Recorder recorder;
    private final @Nullable RecordedText texts;
    private final OpenBegins open = new OpenBegins();
    private final List<@Nullable EventName> names = new ArrayList<>();
    private final IntList rowOfSlice = new IntList(1024);
    private final Set<String> namedThreads = new HashSet<>();
    private final Map<String, long[]> categories = new TreeMap<>();
    private final long[] phases = new long[128];
    private final int none;
    private int events;
    private long complete;
    private long device;

    FlexSink(TraceBuilder builder, DeviceRows rows, @Nullable RecordedText texts) {
        this.builder = builder;
        this.strings = builder.strings();
        this.rows = rows;
        this.recorder = builder.recorder();
        this.texts = texts;
        this.none = strings.intern("");
    }

    int events() {
        return events;
    }

    /** Whether the file itself names this thread. */
    boolean isNamed(String process, String thread) {
        return namedThreads.contains(process + '\0' + thread);
    }

    void finish() {
        builder.counts().add(events, complete, device);
        for (int letter = 0; letter < phases.length; letter++) {
            if (phases[letter] > 0) {
                builder.counts().addPhase(String.valueOf((char) letter), phases[letter]);
            }
        }
        categories.forEach((category, tally) -> builder.counts().addCategory(category, tally[0], tally[1]));
    }

    /** @param length bytes of text that the event takes */
    void accept(FlexFields f, long position, int length) {
        int number = events++;
        if (f.phase <= 0) {
            problem("ph_missing", "an event has no ph, or one that is no single letter", position);
            return;
        }
        phases[f.phase]++;
        switch (f.phase) {
            case 'X', 'B' -> begin(f, number, position, length);
            case 'E' -> end(f, position);
            case 's', 't', 'f' -> {
                if (usableTs(f, position)) {
                    builder.flow(f.id, (char) f.phase, f.ts, track(f), f.category);
                    count(f.category < 0 ? "" : strings.get(f.category), length);
                    if (recorder != null && texts != null) {
                        recorder.flow(f.name, texts, number);
                    }
                }
            }
            case 'i', 'I', 'C' -> {
                if (usableTs(f, position)) {
                    mark(f, f.phase == 'C' ? 'C' : 'i', number);
                    count(f.category < 0 ? "" : strings.get(f.category), length);
                }
            }
            case 'M' -> metadata(f);
            default -> {
                if (!EventCategories.isSilentPhase(f.phase)) {
                    problem("ph_unknown", "the ph '" + (char) f.phase + "' is unknown", position);
                } else if (recorder != null && usableTs(f, position)) {
                    mark(f, (char) f.phase, number);
                }
            }
        }
    }

    private void begin(FlexFields f, int number, long position, int length) {
        boolean whole = f.phase == 'X';
        if (!usableTs(f, position) || whole && !usableDur(f, position)) {
            return;
        }
        int name = f.name < 0 ? none : f.name;
        int full = f.originalName < 0 ? name : f.originalName;
        EventName told = nameOf(full);
        int group = f.group < 0 && told.remote() ? groupIn(full) : f.group;
        boolean counted = f.hasAllCounters();
        SliceKind stated = f.category < 0 ? SliceKind.HOST_OTHER : EventCategories.kindOf(strings.get(f.category));
        boolean onDevice = counted || told.step() != EventName.Step.ANY && told.hostKind() == null;
        SliceKind kind;
        String category;
        if (onDevice) {
            kind = told.deviceKind(group >= 0);
            category = told.deviceCategory(group >= 0);
        } else if (told.hostKind() != null) {
            kind = told.hostKind();
            category = told.hostCategory();
        } else if (isSpanOfCollective(f)) {
            kind = SliceKind.DEVICE_ANNOTATION;
            category = "aiu_collective";
        } else {
            kind = stated;
            category = f.category < 0 || stated == SliceKind.HOST_OTHER ? told.hostCategory() : strings.get(f.category);
        }
        int track = track(f);
        long dur = whole ? f.dur : -1;
        int slice = builder.slice(f.ts, dur, name, track, kind);
        builder.source(slice, strings.intern(category), number);
        count(category, length);
        if (recorder != null && texts != null) {
            recorder.slice(slice, texts);
        }
        while (rowOfSlice.size() < slice) {
            rowOfSlice.add(-1);
        }
        rowOfSlice.add(onDevice || kind.isDeviceActivity() ? rows.size() : -1);
        if (rowOfSlice.get(slice) >= 0) {
            if (onDevice && !counted) {
                builder.diagnostics()
                        .add(
                                Weight.OBSERVATION,
                                "counters_missing",
                                "an event of the device lacks counters TS1 to TS5; its times are those of the host",
                                position);
            }
            long cycles = counted && !f.processed ? cycles(f, told.step()) : DeviceRows.NO_CYCLES;
            rows.add(slice, track, full, told, group);
            rows.measured(dur, cycles, f.bytes);
        }
        if (whole) {
            finished(kind);
        } else {
            open.begin(slice, name, track);
        }
    }

    private void end(FlexFields f, long position) {
        if (!usableTs(f, position)) {
            return;
        }
        int slice = open.end(f.name < 0 ? none : f.name, track(f));
        if (slice < 0) {
            builder.diagnostics()
                    .add(Weight.OBSERVATION, "unpaired_edges", "the end of an event has no begin", position);
            return;
        }
        long dur = f.ts - builder.start(slice);
        if (dur < 0) {
            problem("negative_duration", "an event ends before it begins", position);
            return;
        }
        builder.time(slice, builder.start(slice), dur);
        if (rowOfSlice.get(slice) >= 0) {
            rows.dur(rowOfSlice.get(slice), dur);
        }
        finished(builder.kind(slice));
    }

    private void finished(SliceKind kind) {
        complete++;
        device += kind.isDeviceActivity() ? 1 : 0;
    }

    /** How long a step took, in cycles. A counter that is smaller than the one before it has wrapped in between. */
    private static long cycles(FlexFields f, EventName.Step step) {
        int from = step == EventName.Step.ANY ? 0 : step.ordinal();
        int to = step == EventName.Step.ANY ? EventKeys.COUNTERS - 1 : from + 1;
        long cycles = 0;
        for (int i = from; i < to; i++) {
            long part = f.counters[i + 1] - f.counters[i];
            cycles += part < 0 ? part + WRAP : part;
        }
        return cycles < 0 ? DeviceRows.NO_CYCLES : cycles;
    }

    /** The pipeline draws collectives on threads of their own. */
    private boolean isSpanOfCollective(FlexFields f) {
        return f.group >= 0 && f.thread >= 0 && strings.get(f.thread).startsWith("coll");
    }

    private int groupIn(int name) {
        String group = EventName.groupIn(strings.get(name));
        return group == null ? -1 : strings.intern(group);
    }

    private EventName nameOf(int name) {
        while (names.size() <= name) {
            names.add(null);
        }
        EventName known = names.get(name);
        if (known == null) {
            known = EventName.of(strings.get(name));
            names.set(name, known);
        }
        return known;
    }

    private void mark(FlexFields f, char phase, int number) {
        builder.mark(phase, f.ts, track(f), f.name < 0 ? none : f.name, f.category);
        if (recorder != null && texts != null) {
            recorder.mark(texts, number);
        }
    }

    private void metadata(FlexFields f) {
        if (recorder != null && texts != null && f.name >= 0) {
            recorder.metadata(f.name, f.process, f.thread, texts);
        }
        if (f.name < 0 || f.process < 0) {
            return;
        }
        String process = strings.get(f.process);
        switch (strings.get(f.name)) {
            case "process_name" -> {
                if (f.argName >= 0) {
                    builder.processName(process, strings.get(f.argName));
                }
            }
            case "process_labels" -> {
                if (f.argLabels >= 0) {
                    builder.processLabels(process, strings.get(f.argLabels));
                }
            }
            case "thread_name" -> {
                if (f.argName >= 0) {
                    String thread = f.thread < 0 ? "" : strings.get(f.thread);
                    namedThreads.add(process + '\0' + thread);
                    builder.threadName(process, thread, strings.get(f.argName));
                }
            }
            default -> {
                // other metadata orders tracks in viewers
            }
        }
    }

    private boolean usableDur(FlexFields f, long position) {
        if (!f.hasDur || f.dur == JsonCursor.NOT_A_NUMBER) {
            problem(f.hasDur ? "dur_invalid" : "dur_missing", "a complete event has no usable dur", position);
            return false;
        }
        if (f.dur < 0) {
            problem("negative_duration", "the dur of an event is negative", position);
            return false;
        }
        return true;
    }

    private boolean usableTs(FlexFields f, long position) {
        if (!f.hasTs) {
            problem("ts_missing", "an event has no ts", position);
            return false;
        }
        if (f.ts == JsonCursor.NOT_A_NUMBER) {
            problem("ts_invalid", "the ts of an event is no usable number", position);
            return false;
        }
        return true;
    }

    private void count(String category, int length) {
        long[] tally = categories.computeIfAbsent(category, c -> new long[2]);
        tally[0]++;
        tally[1] += length;
    }

    private int track(FlexFields f) {
        return builder.track(f.process < 0 ? none : f.process, f.thread < 0 ? none : f.thread);
    }

    private void problem(String code, String message, long position) {
        builder.diagnostics().add(Weight.REPAIRED, code, message + "; the event was left out", position);
    }
}
