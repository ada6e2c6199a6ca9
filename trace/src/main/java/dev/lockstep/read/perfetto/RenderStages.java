// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.CONTEXT_PID;
import static dev.lockstep.codec.PerfettoFormat.COUNTERS_DESCRIPTOR;
import static dev.lockstep.codec.PerfettoFormat.EXTRA_NAME;
import static dev.lockstep.codec.PerfettoFormat.EXTRA_VALUE;
import static dev.lockstep.codec.PerfettoFormat.FIXED64;
import static dev.lockstep.codec.PerfettoFormat.GPU_MODEL;
import static dev.lockstep.codec.PerfettoFormat.GPU_NAME;
import static dev.lockstep.codec.PerfettoFormat.INFO_GPU;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_CONTEXT;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_COUNTERS;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_IID;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_KERNEL;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_LAUNCH_ARGUMENT;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_SPECIFICATION;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_TEXT;
import static dev.lockstep.codec.PerfettoFormat.KERNEL_DEMANGLED;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_ARGUMENT;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_BLOCK;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_DOUBLE;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_GRID;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_INT;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_NAME;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_STRING;
import static dev.lockstep.codec.PerfettoFormat.LAUNCH_UINT;
import static dev.lockstep.codec.PerfettoFormat.SPECIFICATIONS_KIND;
import static dev.lockstep.codec.PerfettoFormat.SPECIFICATIONS_QUEUE;
import static dev.lockstep.codec.PerfettoFormat.STAGE_CONTEXT;
import static dev.lockstep.codec.PerfettoFormat.STAGE_DURATION;
import static dev.lockstep.codec.PerfettoFormat.STAGE_EVENT_ID;
import static dev.lockstep.codec.PerfettoFormat.STAGE_EXTRA;
import static dev.lockstep.codec.PerfettoFormat.STAGE_GPU;
import static dev.lockstep.codec.PerfettoFormat.STAGE_KERNEL;
import static dev.lockstep.codec.PerfettoFormat.STAGE_KIND;
import static dev.lockstep.codec.PerfettoFormat.STAGE_KIND_PLACE;
import static dev.lockstep.codec.PerfettoFormat.STAGE_LAUNCH;
import static dev.lockstep.codec.PerfettoFormat.STAGE_NAME;
import static dev.lockstep.codec.PerfettoFormat.STAGE_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.STAGE_QUEUE;
import static dev.lockstep.codec.PerfettoFormat.STAGE_QUEUE_PLACE;
import static dev.lockstep.codec.PerfettoFormat.STAGE_SPECIFICATIONS;
import static dev.lockstep.codec.PerfettoFormat.STAGE_WAITS;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.model.KnownArgument;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.EventCategories;
import dev.lockstep.read.perfetto.Annotations.Kind;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the render stages of GPUs, as which recorders write kernels, copies and fills, and what is interned for them. Each
 * becomes the slice that PyTorch's profiler would have written, with the same names of categories and arguments.
 */
final class RenderStages {
    private static final String KERNEL = "kernel";
    private static final String ANNOTATION = "gpu_user_annotation";
    private static final String UNNAMED = "render stage";

    /** What PyTorch's profiler calls what these recorders call otherwise. */
    private static final Map<String, String> NAMES = Map.of(
            "device id", KnownArgument.DEVICE.spelling(),
            "stream id", KnownArgument.STREAM.spelling(),
            "context id", "context",
            "registers_per_thread", KnownArgument.REGISTERS.spelling());

    private static final Set<String> PARTS_OF_SHARED = Set.of("shared_mem_static", "shared_mem_dynamic");
    private static final List<String> NUMBERS = List.of("context", "channel", "channel_type", "priority", "queued");

    /** The number of a stream in the name of a queue. */
    private static final Pattern STREAM =
            Pattern.compile("(?:\\[(\\d{1,18})\\].*|(?:stream |Channel #)(\\d{1,18})\\s*)");

    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

    /** A kind of stage or a queue: both are interned alike. */
    private static final class Specification {
        private final String name;
        /** Of slices of this kind. */
        private final String category;
        /** Its number, or its place. */
        private final long number;
        /** The number that a queue of this name has, -1 as long as none was asked for. */
        private long stream = -1;

        Specification(String name, long number) {
            this.name = name;
            this.number = number;
            this.category = categoryOf(name);
        }

        /** What is neither a copy nor a fill nor marks anything is work, whatever it is called. */
        private static String categoryOf(String name) {
            String kind = name.toLowerCase(Locale.ROOT);
            if (kind.contains("annotation")) {
                return ANNOTATION;
            } else if (kind.startsWith("memcpy") || kind.contains("copy")) {
                return "gpu_memcpy";
            } else if (kind.startsWith("memset") || kind.contains("fill")) {
                return "gpu_memset";
            } else if (kind.contains("host")) {
                return "graph_host_node";
            }
            return kind.contains("event") || kind.contains("sync") ? "graph_event_node" : KERNEL;
        }
    }

    private final FileState file;
    private final Event event = new Event();
    private final Annotations annotation = new Annotations();
    private final List<Specification> specifications = new ArrayList<>();
    /** The older way: by place. */
    private final List<Specification> kindsByPlace = new ArrayList<>();

    private final List<Specification> queuesByPlace = new ArrayList<>();
    /** The queue of each number of a stream. */
    private final Map<Long, String> streams = new HashMap<>();

    private final LongList waits = new LongList(4);
    private final long[] size = new long[3];

    private long eventId;
    private long gpu;
    private long context;
    private @Nullable Specification kind;
    private @Nullable Specification queue;
    private int kernel;
    private long shared;

    RenderStages(FileState file) {
        this.file = file;
    }

    /** Reads what is interned for GPUs, and passes over all else. */
    void interned(int tag, ProtoCursor in, Sequence sequence, RankEvents events) throws Damaged {
        switch (tag) {
            case INTERNED_CONTEXT << 3 | BYTES,
                    INTERNED_SPECIFICATION << 3 | BYTES,
                    INTERNED_COUNTERS << 3 | BYTES,
                    INTERNED_KERNEL << 3 | BYTES,
                    INTERNED_LAUNCH_ARGUMENT << 3 | BYTES -> {
                int outer = in.enter();
                entry(tag >>> 3, in, sequence, events);
                in.leave(outer);
            }
            default -> in.skipField(tag);
        }
    }

    private void entry(int what, ProtoCursor in, Sequence sequence, RankEvents events) throws Damaged {
        long number = 0;
        long pid = -1;
        String text = "";
        String demangled = "";
        Map<Long, String> counters = Map.of();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag == (INTERNED_IID << 3 | VARINT)) {
                number = in.varint();
            } else if (what == INTERNED_CONTEXT && tag == (CONTEXT_PID << 3 | VARINT)) {
                pid = in.varint();
            } else if (what == INTERNED_COUNTERS && tag == (COUNTERS_DESCRIPTOR << 3 | BYTES)) {
                counters = GpuCounters.names(in);
            } else if (tag == (INTERNED_TEXT << 3 | BYTES)) {
                text = in.text();
            } else if (what == INTERNED_KERNEL && tag == (KERNEL_DEMANGLED << 3 | BYTES)) {
                demangled = in.text();
            } else {
                in.skipField(tag);
            }
        }
        switch (what) {
            case INTERNED_CONTEXT -> sequence.contexts.put(number, (int) (pid & Integer.MAX_VALUE));
            case INTERNED_SPECIFICATION -> {
                sequence.specifications.put(number, specifications.size());
                specifications.add(new Specification(text, number));
            }
            case INTERNED_COUNTERS -> sequence.gpuCounters.put(number, counters);
            case INTERNED_KERNEL ->
                sequence.kernels.put(number, events.strings().intern(demangled.isEmpty() ? text : demangled));
            default -> sequence.launchArguments.put(number, events.strings().intern(text));
        }
    }

    /** Reads the GPUs that a file names. */
    void gpus(ProtoCursor in) throws Damaged {
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag != (INFO_GPU << 3 | BYTES)) {
                in.skipField(tag);
                continue;
            }
            int outer = in.enter();
            String name = "";
            for (int inner = in.tag(); inner != 0; inner = in.tag()) {
                if (inner == (GPU_NAME << 3 | BYTES) || inner == (GPU_MODEL << 3 | BYTES) && name.isEmpty()) {
                    name = in.text();
                } else {
                    in.skipField(inner);
                }
            }
            in.leave(outer);
            file.gpus.add(new TraceInfo.Device(file.gpus.size(), name));
        }
    }

    /**
     * Reads a stage.
     *
     * @param length bytes of its packet
     */
    void read(ProtoCursor in, long ns, Sequence sequence, int length, long position) throws Damaged {
        RankEvents events = file.events(sequence);
        event.clear(ns, file.clocks.base(), 0, length);
        event.duration = 0;
        events.values().clear();
        clear();
        int queuePlace = -1;
        int kindPlace = -1;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case STAGE_EVENT_ID << 3 | VARINT -> eventId = in.varint();
                case STAGE_DURATION << 3 | VARINT -> event.duration = in.varint();
                case STAGE_QUEUE_PLACE << 3 | VARINT -> queuePlace = (int) in.varint();
                case STAGE_KIND_PLACE << 3 | VARINT -> kindPlace = (int) in.varint();
                case STAGE_CONTEXT << 3 | VARINT -> context = in.varint();
                case STAGE_GPU << 3 | VARINT -> gpu = in.varint();
                case STAGE_QUEUE << 3 | VARINT -> queue = specification(in.varint(), sequence);
                case STAGE_KIND << 3 | VARINT -> kind = specification(in.varint(), sequence);
                case STAGE_NAME << 3 | BYTES -> event.name = events.strings().intern(in.text());
                case STAGE_NAME_IID << 3 | VARINT -> event.name = known(sequence.names, in.varint());
                case STAGE_KERNEL << 3 | VARINT -> kernel = known(sequence.kernels, in.varint());
                case STAGE_EXTRA << 3 | BYTES, STAGE_LAUNCH << 3 | BYTES, STAGE_SPECIFICATIONS << 3 | BYTES -> {
                    int outer = in.enter();
                    part(tag >>> 3, in, sequence, events);
                    in.leave(outer);
                }
                default -> {
                    if (tag >>> 3 == STAGE_WAITS) {
                        in.numbers(tag, waits::add);
                    } else {
                        in.skipField(tag);
                    }
                }
            }
        }
        queue = queue == null ? at(queuesByPlace, queuePlace) : queue;
        kind = kind == null ? at(kindsByPlace, kindPlace) : kind;
        if (event.lacksText) {
            file.stateMissing(position);
        }
        accept(sequence, events);
    }

    private void clear() {
        eventId = 0;
        gpu = 0;
        context = 0;
        kind = null;
        queue = null;
        kernel = -1;
        shared = -1;
        waits.clear();
    }

    private static @Nullable Specification at(List<Specification> all, int place) {
        return place >= 0 && place < all.size() ? all.get(place) : null;
    }

    /** A stream has the number in the name of its queue; else that of the queue; else, where another has it, the next that is free. */
    private long stream(Specification of) {
        if (of.stream < 0) {
            Matcher said = STREAM.matcher(of.name);
            boolean known = said.matches();
            String digits = known ? said.group(1) == null ? said.group(2) : said.group(1) : "";
            of.stream = known ? Long.parseLong(digits) : Math.max(0, of.number);
            while (!streams.computeIfAbsent(of.stream, free -> of.name).equals(of.name)) {
                of.stream++;
            }
        }
        return of.stream;
    }

    private @Nullable Specification specification(long number, Sequence sequence) {
        int known = known(sequence.specifications, number);
        return known < 0 ? null : specifications.get(known);
    }

    private int known(Sequence.Texts texts, long number) {
        int known = texts.get(number);
        event.lacksText |= known < 0 && number != 0;
        return known;
    }

    private void part(int what, ProtoCursor in, Sequence sequence, RankEvents events) throws Damaged {
        switch (what) {
            case STAGE_EXTRA -> extra(in, events);
            case STAGE_LAUNCH -> launch(in, sequence, events);
            default -> places(in);
        }
    }

    /** A pair of texts, of which some are numbers. */
    private void extra(ProtoCursor in, RankEvents events) throws Damaged {
        String name = "";
        String value = "";
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case EXTRA_NAME << 3 | BYTES -> name = in.text();
                case EXTRA_VALUE << 3 | BYTES -> value = in.text();
                default -> in.skipField(tag);
            }
        }
        String plain = NAMES.getOrDefault(name, name);
        KnownArgument known = KnownArgument.spelt(plain);
        boolean numeric = known != null && known.isNumber() || NUMBERS.contains(plain);
        if (numeric && WHOLE.matcher(value).matches()) {
            events.values().take(plain, Long.parseLong(value), events);
        } else if (known != null && known.isReal() && isReal(value)) {
            annotation.kind = Kind.DOUBLE;
            annotation.number = Double.doubleToRawLongBits(Double.parseDouble(value));
            take(plain, events);
        } else {
            annotation.kind = Kind.STRING;
            annotation.text = events.strings().intern(value);
            take(plain, events);
        }
    }

    private static boolean isReal(String text) {
        try {
            return Double.isFinite(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private void launch(ProtoCursor in, Sequence sequence, RankEvents events) throws Damaged {
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case LAUNCH_GRID << 3 | BYTES -> size(in, KnownArgument.GRID.spelling(), events);
                case LAUNCH_BLOCK << 3 | BYTES -> size(in, KnownArgument.BLOCK.spelling(), events);
                case LAUNCH_ARGUMENT << 3 | BYTES -> {
                    int outer = in.enter();
                    argument(in, sequence, events);
                    in.leave(outer);
                }
                default -> in.skipField(tag);
            }
        }
        if (shared >= 0) {
            events.values().take(KnownArgument.SHARED_MEMORY.spelling(), shared, events);
        }
    }

    private void size(ProtoCursor in, String name, RankEvents events) throws Damaged {
        int outer = in.enter();
        size[0] = size[1] = size[2] = 1;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            int axis = (tag >>> 3) - 1;
            if (axis >= 0 && axis < size.length && (tag & 7) == VARINT) {
                size[axis] = in.varint();
            } else {
                in.skipField(tag);
            }
        }
        in.leave(outer);
        annotation.kind = Kind.JSON;
        annotation.text = events.strings().intern("[" + size[0] + ", " + size[1] + ", " + size[2] + "]");
        take(name, events);
    }

    private void argument(ProtoCursor in, Sequence sequence, RankEvents events) throws Damaged {
        String name = "";
        annotation.kind = Kind.NONE;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case LAUNCH_NAME_IID << 3 | VARINT -> {
                    int known = known(sequence.launchArguments, in.varint());
                    name = known < 0 ? name : events.strings().get(known);
                }
                case LAUNCH_NAME << 3 | BYTES -> name = in.text();
                case LAUNCH_INT << 3 | VARINT, LAUNCH_UINT << 3 | VARINT -> {
                    annotation.kind = Kind.NUMBER;
                    annotation.number = in.varint();
                    annotation.unsigned = tag >>> 3 == LAUNCH_UINT;
                }
                case LAUNCH_DOUBLE << 3 | FIXED64 -> {
                    annotation.kind = Kind.DOUBLE;
                    annotation.number = in.fixed64();
                }
                case LAUNCH_STRING << 3 | BYTES -> {
                    annotation.kind = Kind.STRING;
                    annotation.text = events.strings().intern(in.text());
                }
                default -> in.skipField(tag);
            }
        }
        boolean bytes = annotation.kind == Kind.NUMBER && annotation.number >= 0;
        if (bytes && PARTS_OF_SHARED.contains(name)) {
            shared = Math.max(0, shared) + annotation.number;
        }
        take(NAMES.getOrDefault(name, name), events);
    }

    /** The older way to name kinds and queues. */
    private void places(ProtoCursor in) throws Damaged {
        boolean kinds = false;
        boolean queues = false;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag == (SPECIFICATIONS_QUEUE << 3 | BYTES)) {
                place(in, queuesByPlace, !queues);
                queues = true;
            } else if (tag == (SPECIFICATIONS_KIND << 3 | BYTES)) {
                place(in, kindsByPlace, !kinds);
                kinds = true;
            } else {
                in.skipField(tag);
            }
        }
    }

    private static void place(ProtoCursor in, List<Specification> all, boolean first) throws Damaged {
        if (first) {
            all.clear();
        }
        int outer = in.enter();
        String name = "";
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag == (EXTRA_NAME << 3 | BYTES)) {
                name = in.text();
            } else {
                in.skipField(tag);
            }
        }
        in.leave(outer);
        all.add(new Specification(name, all.size()));
    }

    private void take(String name, RankEvents events) {
        annotation.name = events.argument(name);
        events.values().take(annotation, events);
    }

    /** Hands the stage on as a slice. */
    private void accept(Sequence sequence, RankEvents events) {
        ArgumentValues values = events.values();
        String category = kind == null ? KERNEL : kind.category;
        event.category = events.strings().intern(category);
        if (event.name < 0) {
            event.name = kernel >= 0 ? kernel : events.strings().intern(kind == null ? UNNAMED : kind.name);
        }
        if (!values.has(KnownArgument.DEVICE)) {
            values.take(KnownArgument.DEVICE.spelling(), gpu, events);
        }
        if (!values.has(KnownArgument.STREAM)) {
            values.take(KnownArgument.STREAM.spelling(), queue == null ? 0 : stream(queue), events);
        }
        int pid = context == 0 ? -1 : sequence.contexts.get(context);
        if (pid >= 0) {
            values.take("process_id", pid, events);
        }
        SliceKind sliceKind = EventCategories.kindOf(category);
        boolean assumed = eventId > 0
                && sliceKind != SliceKind.DEVICE_ANNOTATION
                && values.number(KnownArgument.CORRELATION) <= 0;
        if (assumed) {
            values.take(KnownArgument.CORRELATION.spelling(), eventId, events);
        }
        long stream = Math.max(0, values.number(KnownArgument.STREAM));
        String lane = queue == null ? "stream " + stream : queue.name;
        event.track = file.tracks.stream(Math.max(0, values.number(KnownArgument.DEVICE)), stream, lane);
        if (event.duration >= 0) {
            events.stage(event, eventId, assumed, waits);
        }
    }
}
