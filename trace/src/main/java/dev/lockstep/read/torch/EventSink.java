// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.CopyDetails;
import dev.lockstep.model.CounterValues;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.EventCounts;
import dev.lockstep.model.GraphDetails;
import dev.lockstep.model.LaunchDetails;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.ModuleDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.RangeCounters;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Recorder;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.StepDetails;
import dev.lockstep.model.SyncDetails;
import dev.lockstep.model.TableKey;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.XlaDetails;
import dev.lockstep.read.AscendTexts;
import dev.lockstep.read.EventCategories;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gives the fields of each event their meaning: which phase makes what of it, and what is left out and counted. */
final class EventSink {
    private static final int LETTERS = 128;
    private static final int EMPTY = "{}".length();
    private static final String NODE = "Node";
    private static final String NODE_TIME = "_kernel_time";

    /** No allocation is larger; sums of it fit into a long. */
    private static final long MOST_BYTES = 1L << 53;

    private static final long OPERATORS = ArgKey.bits(OpDetails.KEY);
    private static final long DEVICE = ArgKey.bits(DeviceDetails.KEY);
    private static final long COPIES = ArgKey.bits(CopyDetails.KEY);
    private static final long SYNCHRONISATION = ArgKey.bits(SyncDetails.KEY);
    private static final long LAUNCHES = ArgKey.bits(LaunchDetails.KEY);
    private static final long COLLECTIVES = ArgKey.bits(CollectiveDetails.KEY);
    private static final long GRAPHS = ArgKey.bits(GraphDetails.KEY);
    private static final long STEPS = ArgKey.bits(StepDetails.KEY);
    private static final long MODULES = ArgKey.bits(ModuleDetails.KEY);
    private static final long MEMORY = ArgKey.bits(MemoryDetails.KEY);
    private static final long XLA = ArgKey.bits(XlaDetails.KEY);
    private static final long DETAILS =
            OPERATORS | DEVICE | COPIES | SYNCHRONISATION | LAUNCHES | GRAPHS | STEPS | COLLECTIVES | XLA;
    private static final long RANK = 1L << ArgKey.RANK.ordinal();
    private static final long MEMORY_BYTES = 1L << ArgKey.MEMORY_BYTES.ordinal();

    private final TraceBuilder builder;
    private final @Nullable Recorder recorder;
    private final @Nullable RecordedText texts;
    private final StringPool strings;
    private final int none;
    private final long[] byPhase = new long[LETTERS];
    private SliceKind[] kindOfCategory = new SliceKind[64];
    private long[] byCategory = new long[64];
    private long[] bytesByCategory = new long[64];
    private int memoryName = -1;
    private int events;
    private int before;
    private long objects;
    private long complete;
    private long device;

    EventSink(TraceBuilder builder) {
        this.builder = builder;
        this.recorder = builder.recorder();
        this.texts = recorder == null ? null : recorder.tokens();
        this.strings = builder.strings();
        this.none = strings.intern("");
    }

    /** Takes the text of each event before {@link #accept}; null when it is not to be kept. */
    @Nullable
    RecordedText texts() {
        return texts;
    }

    int events() {
        return events;
    }

    /** Events of the array that were read elsewhere: those that follow are numbered behind them. */
    void passed(int count) {
        before += count;
    }

    /** Counts an entry that is no event; it still has a number. */
    void skipped() {
        events++;
    }

    /** Counts from 0 again. */
    void restart() {
        Arrays.fill(byPhase, 0);
        Arrays.fill(byCategory, 0);
        Arrays.fill(bytesByCategory, 0);
        events = 0;
        before = 0;
        objects = 0;
        complete = 0;
        device = 0;
    }

    void finish() {
        EventCounts counts = builder.counts();
        counts.add(objects, complete, device);
        for (int letter = 0; letter < LETTERS; letter++) {
            if (byPhase[letter] > 0) {
                counts.addPhase(String.valueOf((char) letter), byPhase[letter]);
            }
        }
        for (int category = 0; category < byCategory.length; category++) {
            if (byCategory[category] > 0) {
                counts.addCategory(strings.get(category), byCategory[category], bytesByCategory[category]);
            }
        }
    }

    /**
     * Keeps the id of an event that is no end of an arrow, as a field of it.
     *
     * @param block holds the text of the id
     */
    void keepId(EventFields f, byte[] block) {
        if (texts != null && f.idTextEnd > f.idText && f.phase != 's' && f.phase != 't' && f.phase != 'f') {
            texts.field("id", block, f.idText, f.idTextEnd);
        }
    }

    /** @param length bytes of text that the event takes */
    void accept(EventFields f, long position, int length) {
        int number = before + events++;
        objects++;
        if (length == EMPTY) {
            observe("empty_event", "an event has no fields, as JAX ends its lists", position);
            return;
        }
        if (f.phase == 0) {
            problem("ph_missing", f.oddPhase ? "ph is no single letter" : "an event has no ph", position);
            return;
        }
        if (f.phase < LETTERS) {
            byPhase[f.phase]++;
        }
        SliceKind kind = f.category < 0 ? SliceKind.HOST_OTHER : countCategory(f.category, length);
        switch (f.phase) {
            case 'X' -> slice(f, kind, number, position);
            case 'B', 'E' -> {
                if (usableTs(f, position)) {
                    edge(f, kind, number);
                }
            }
            case 's', 't', 'f' -> {
                if (usableTs(f, position)) {
                    builder.flow(f.id, (char) f.phase, f.ts, track(f), f.category);
                    if (recorder != null && texts != null) {
                        recorder.flow(f.name, texts, number);
                    }
                }
            }
            case 'i', 'I', 'C' -> {
                if (usableTs(f, position)) {
                    mark(f, f.phase == 'C' ? 'C' : 'i', number, position);
                }
            }
            case 'M' -> metadata(f);
            default -> {
                if (!EventCategories.isSilentPhase(f.phase)) {
                    problem("ph_unknown", "the ph '" + (char) f.phase + "' is unknown", position);
                } else if (recorder != null && usableTs(f, position)) {
                    mark(f, (char) f.phase, number, position);
                }
            }
        }
    }

    private void mark(EventFields f, char phase, int number, long position) {
        builder.mark(phase, f.ts, track(f), phase == 'C' ? counter(f) : text(f.name), f.category);
        if ((f.present & MEMORY_BYTES) != 0) {
            memory(f, phase, position);
        }
        if (phase == 'C' && f.counters >= 0) {
            DetailRows rows = builder.markDetails(CounterValues.KEY);
            rows.add(builder.markCount() - 1);
            rows.text(CounterValues.VALUES, f.counters);
        }
        if (recorder != null && texts != null) {
            recorder.mark(texts, number);
        }
    }

    /** Counters of one name are told apart by their ids, as viewers show them; what is written again keeps its name. */
    private int counter(EventFields f) {
        boolean numbered = recorder == null && f.idTextEnd > f.idText;
        return numbered ? strings.intern(strings.get(text(f.name)) + "[" + f.id + "]") : text(f.name);
    }

    private void memory(EventFields f, char phase, long position) {
        if (memoryName < 0) {
            memoryName = strings.find(MemoryDetails.MARK);
        }
        if (f.name < 0 || f.name != memoryName || phase != 'i') {
            return;
        }
        long bytes = f.get(ArgKey.MEMORY_BYTES);
        if (bytes > MOST_BYTES || bytes < -MOST_BYTES) {
            problem("bytes_invalid", "the Bytes of an allocator's event are no usable number", position);
            return;
        }
        ArgKey.addRow(builder.markDetails(MemoryDetails.KEY), builder.markCount() - 1, f, MEMORY);
    }

    private void slice(EventFields f, SliceKind kind, int number, long position) {
        if (!usableTs(f, position)) {
            return;
        }
        if (!f.hasDur) {
            problem("dur_missing", "a complete event has no dur", position);
            return;
        }
        if (f.dur == JsonCursor.NOT_A_NUMBER) {
            problem("dur_invalid", "the dur of an event is no usable number", position);
            return;
        }
        if (f.dur < 0) {
            problem("negative_duration", "the dur of an event is negative", position);
            return;
        }
        complete++;
        if (kind.isDeviceActivity()) {
            device++;
        }
        if (f.name < 0) {
            observe("name_missing", "an event has no name", position);
        }
        int slice = slice(f, f.dur, kind, number);
        if (recorder != null && texts != null) {
            recorder.slice(slice, texts);
        }
    }

    private int slice(EventFields f, long dur, SliceKind kind, int number) {
        int slice = builder.slice(f.ts, dur, text(f.name), track(f), kind);
        builder.source(slice, f.category, number);
        builder.join(slice, f.get(ArgKey.CORRELATION), f.get(ArgKey.EXTERNAL_ID));
        if (f.get(ArgKey.EXTERNAL_ID) < 0 && f.get(ArgKey.EVENT_NUMBER) >= 0) {
            builder.number(slice, f.get(ArgKey.EVENT_NUMBER));
        }
        if (f.get(ArgKey.HCCL_COUNT) >= 0 && f.name >= 0) {
            collective(f);
        }
        if (f.get(ArgKey.NODE_OPERATOR) >= 0) {
            node(f, slice);
        }
        if ((f.present & DETAILS) != 0 || f.counters >= 0) {
            details(f, kind, slice);
        }
        return slice;
    }

    /** ONNX Runtime names what a node of the model took by the node: here it is the operator that ran. */
    private void node(EventFields f, int slice) {
        if (f.category >= 0
                && f.name >= 0
                && strings.get(f.category).equals(NODE)
                && strings.get(f.name).endsWith(NODE_TIME)) {
            builder.kind(slice, SliceKind.CPU_OP);
            builder.name(slice, f.text(ArgKey.NODE_OPERATOR));
        }
    }

    /** Completes the fields of an event that has a number of elements, if it is a collective of Ascend. */
    private void collective(EventFields f) {
        AscendTexts.Collective said = AscendTexts.collective(strings.get(f.name));
        if (said == null) {
            return;
        }
        int type = f.text(ArgKey.HCCL_TYPE);
        f.set(ArgKey.COLLECTIVE, strings.intern(said.name()));
        f.set(ArgKey.IN_ELEMENTS, f.get(ArgKey.HCCL_COUNT));
        f.set(ArgKey.OUT_ELEMENTS, f.get(ArgKey.HCCL_COUNT));
        f.set(ArgKey.DTYPE, type < 0 ? -1 : strings.intern(AscendTexts.type(strings.get(type))));
        if (said.group() != null) {
            f.set(ArgKey.GROUP_NAME, strings.intern(said.group()));
            f.set(ArgKey.COLLECTIVE_SEQUENCE, said.sequence());
        }
    }

    private void edge(EventFields f, SliceKind kind, int number) {
        if (f.phase == 'B') {
            builder.begin(slice(f, -1, kind, number));
        } else {
            builder.end(f.ts, text(f.name), f.category, track(f), number);
        }
        if (recorder != null && texts != null) {
            recorder.edge(texts);
        }
    }

    private void details(EventFields f, SliceKind kind, int slice) {
        row(f, OPERATORS, OpDetails.KEY, slice);
        if (kind.isDeviceActivity() || kind == SliceKind.DEVICE_SYNC) {
            row(f, DEVICE, DeviceDetails.KEY, slice);
        }
        if (kind == SliceKind.MEMCPY) {
            row(f, COPIES, CopyDetails.KEY, slice);
        }
        if (kind == SliceKind.DEVICE_SYNC) {
            row(f, SYNCHRONISATION, SyncDetails.KEY, slice);
        }
        if (kind.isLaunchCall()) {
            row(f, LAUNCHES, LaunchDetails.KEY, slice);
        }
        row(f, GRAPHS, GraphDetails.KEY, slice);
        row(f, STEPS, StepDetails.KEY, slice);
        row(f, XLA, XlaDetails.KEY, slice);
        if (f.text(ArgKey.MODULES) >= 0) {
            row(f, MODULES, ModuleDetails.KEY, slice);
        }
        if (f.counters >= 0) {
            DetailRows rows = builder.details(RangeCounters.KEY);
            rows.add(slice);
            rows.text(RangeCounters.VALUES, f.counters);
        }
        if ((f.present & COLLECTIVES & ~RANK) != 0) {
            row(f, COLLECTIVES, CollectiveDetails.KEY, slice);
        }
    }

    private void row(EventFields f, long arguments, TableKey<?> table, int slice) {
        if ((f.present & arguments) != 0) {
            ArgKey.addRow(builder.details(table), slice, f, arguments);
        }
    }

    private void metadata(EventFields f) {
        if (recorder != null && texts != null && f.name >= 0) {
            recorder.metadata(f.name, f.process, f.thread, texts);
        }
        if (f.name < 0 || f.process < 0) {
            return;
        }
        String process = strings.get(f.process);
        switch (strings.get(f.name)) {
            case "process_name" -> {
                if (f.text(ArgKey.NAME) >= 0) {
                    builder.processName(process, strings.get(f.text(ArgKey.NAME)));
                }
            }
            case "process_labels" -> {
                if (f.text(ArgKey.LABELS) >= 0) {
                    builder.processLabels(process, strings.get(f.text(ArgKey.LABELS)));
                }
            }
            case "thread_name" -> {
                if (f.text(ArgKey.NAME) >= 0) {
                    builder.threadName(
                            process, f.thread < 0 ? "" : strings.get(f.thread), strings.get(f.text(ArgKey.NAME)));
                }
            }
            default -> {
                // other metadata orders tracks in viewers
            }
        }
    }

    private boolean usableTs(EventFields f, long position) {
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

    private SliceKind countCategory(int category, int length) {
        if (category >= byCategory.length) {
            int size = Math.max(category + 1, byCategory.length * 2);
            byCategory = Arrays.copyOf(byCategory, size);
            bytesByCategory = Arrays.copyOf(bytesByCategory, size);
            kindOfCategory = Arrays.copyOf(kindOfCategory, size);
        }
        byCategory[category]++;
        bytesByCategory[category] += length;
        SliceKind kind = kindOfCategory[category];
        if (kind == null) {
            kind = EventCategories.kindOf(strings.get(category));
            kindOfCategory[category] = kind;
        }
        return kind;
    }

    private int track(EventFields f) {
        return builder.track(text(f.process), text(f.thread));
    }

    private int text(int id) {
        return id < 0 ? none : id;
    }

    private void problem(String code, String message, long position) {
        builder.diagnostics().add(Weight.REPAIRED, code, message + "; the event was left out", position);
    }

    private void observe(String code, String message, long position) {
        builder.diagnostics().add(Weight.OBSERVATION, code, message, position);
    }
}
