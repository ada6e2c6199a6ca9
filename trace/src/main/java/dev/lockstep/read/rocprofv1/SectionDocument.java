// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprofv1;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Follows the list of events; one that is damaged costs itself. */
final class SectionDocument {
    private static final String HOST = "host";
    private static final String BARRIER = "<barrier packet>";

    private final TraceInput input;
    private final JsonWindow window;
    private final TraceBuilder builder = new TraceBuilder(16);
    private final SectionEvent fields = new SectionEvent();
    private final Sections sections = new Sections();
    private final TaskArrows arrows = new TaskArrows();
    private final TreeSet<Long> devices = new TreeSet<>();
    private int events;
    private long complete;
    private long onDevice;

    SectionDocument(TraceInput input, JsonWindow window, Diagnostics packing) {
        this.input = input;
        this.window = window;
        builder.diagnostics().addAll(packing);
    }

    Trace read() throws IOException {
        if (window.peek() == 0 && window.position() == 0) {
            throw unusable(0, "the file is empty, expected a JSON document with traceEvents");
        }
        try {
            outline();
        } catch (Stop stop) {
            stopped(stop);
        }
        if (builder.counts().byCategory().isEmpty() && builder.diagnostics().hasLoss()) {
            throw unusable(window.position(), "the text is damaged or ends before any event, expected traceEvents");
        }
        arrows.join(builder);
        return build();
    }

    private TraceFormatException unusable(long position, String problem) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT, input.name(), position, problem, TraceFormat.ROCPROF_V1.hint());
    }

    private void stopped(Stop stop) {
        if (stop == Stop.INCOMPLETE) {
            builder.diagnostics()
                    .add(
                            Weight.LOSS,
                            "truncated",
                            "the file ends inside a value, which begins here; the file was cut",
                            window.position());
        } else {
            builder.diagnostics()
                    .add(
                            Weight.LOSS,
                            "damaged_block",
                            "expected " + window.expected() + "; what follows was left out",
                            window.failure());
        }
    }

    private void outline() throws IOException, Stop {
        window.expect('{', "'{' of the document");
        for (boolean first = true; window.more('}', first); first = false) {
            if (window.key().equals("traceEvents") && window.peek() == '[') {
                window.expect('[', "'[' of the events");
                window.elements(this::event, this::damaged);
            } else {
                window.pass();
            }
        }
        if (window.peek() != 0) {
            builder.diagnostics()
                    .add(Weight.REPAIRED, "trailing_data", "there is more text behind the document", window.position());
        }
    }

    private void damaged() {
        builder.diagnostics()
                .add(
                        Weight.LOSS,
                        "syntax",
                        "expected " + window.expected() + " in an event; what lies up to the next event was skipped",
                        window.failure());
    }

    private void event() throws IOException, Stop {
        long position = window.position();
        if (window.peek() != '{') {
            window.pass();
            builder.diagnostics()
                    .add(Weight.REPAIRED, "not_an_event", "an entry of traceEvents is no object", position);
            return;
        }
        window.take(fields::read);
        events++;
        switch (fields.phase) {
            case "X" -> slice(position, window.position() - position);
            case "s", "t", "f" -> arrows.arrow(fields);
            case "M" -> {
                if (fields.name.equals("process_name")) {
                    sections.name(fields.section, fields.named);
                }
            }
            default -> {} // the first is empty
        }
    }

    private void slice(long position, long bytes) {
        int number = events - 1;
        Sections.Section section = sections.of(fields.section);
        boolean barrier = fields.name.equals(BARRIER);
        builder.counts().addCategory(section.category(), 1, bytes);
        long begin = fields.begin == SectionEvent.ABSENT ? fields.shown : fields.begin;
        long end = fields.end == SectionEvent.ABSENT ? begin + Math.max(0, fields.shownDuration) : fields.end;
        if (!usable(begin, end, position)) {
            return;
        }
        complete++;
        SliceKind kind = barrier ? SliceKind.DEVICE_SYNC : section.kind();
        int slice = kind.isOnDevice() ? device(section, kind, begin, end) : host(section, kind, begin, end);
        if (slice >= 0) {
            builder.source(slice, builder.strings().intern(section.category()), number);
            arrows.slice(fields, slice);
        }
    }

    private boolean usable(long begin, long end, long position) {
        if (begin == SectionEvent.ABSENT) {
            problem("ts_missing", "an event has no ts", position);
        } else if (begin < 0 || begin > JsonCursor.LATEST_NS || end > JsonCursor.LATEST_NS) {
            problem("ts_invalid", "a time of an event is no usable number", position);
        } else if (end < begin) {
            problem("negative_duration", "an event ends before it starts", position);
        } else {
            return true;
        }
        return false;
    }

    private void problem(String code, String message, long position) {
        builder.diagnostics().add(Weight.REPAIRED, code, message + "; the event was left out", position);
    }

    private int device(Sections.Section section, SliceKind kind, long begin, long end) {
        long device = fields.device >= 0 && section.kind() == SliceKind.MEMCPY ? fields.device : section.device();
        long stream = fields.stream >= 0 ? fields.stream : Math.max(0, fields.lane);
        devices.add(device);
        onDevice += kind.isDeviceActivity() ? 1 : 0;
        int track = track(Long.toString(device), Long.toString(stream));
        int slice = builder.slice(begin, end - begin, name(), track, kind);
        DetailRows details = builder.details(DeviceDetails.KEY);
        details.add(slice);
        details.number(DeviceDetails.DEVICE, device);
        details.number(DeviceDetails.STREAM, stream);
        return slice;
    }

    private int host(Sections.Section section, SliceKind kind, long begin, long end) {
        int track = track(HOST, fields.lane == SectionEvent.ABSENT ? "" : Long.toString(fields.lane));
        if (kind == SliceKind.ANNOTATION && end - begin <= 1) {
            builder.mark('i', begin, track, name(), builder.strings().intern(section.category()));
            return -1;
        }
        return builder.slice(begin, end - begin, name(), track, kind);
    }

    private int name() {
        return builder.strings().intern(fields.name);
    }

    private int track(String process, String thread) {
        return builder.track(
                builder.strings().intern(process), builder.strings().intern(thread));
    }

    private Trace build() {
        builder.counts().add(events, complete, onDevice);
        devices.forEach(device -> builder.processLabels(Long.toString(device), "GPU " + device));
        builder.processLabels(HOST, "CPU");
        Rank rank = RankNames.unstated(input.path(), 0, true, builder.diagnostics());
        return builder.build(
                new TraceInfo(input.name(), TraceFormat.ROCPROF_V1.id(), rank, -1, List.of(), 0, Map.of()));
    }
}
