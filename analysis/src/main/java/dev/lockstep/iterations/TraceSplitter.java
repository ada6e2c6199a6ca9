// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import dev.lockstep.codec.CleanJson;
import dev.lockstep.codec.EnvironmentJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.TraceInput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.GZIPOutputStream;

/**
 * Copies events of a trace into files of their own, byte by byte where they are JSON, with everything that stands beside the events. The file
 * passes by as often as there are {@value #MOST_OPEN} outputs; nothing but one event at a time is kept.
 */
public final class TraceSplitter {
    private static final int MOST_OPEN = 128;

    /**
     * What was copied.
     *
     * @param events by iteration
     * @param outside events in no iteration
     * @param everywhere events without a time, such as names of threads, which every file gets
     * @param withheld values of environment variables and other secrets in the metadata, which no file gets
     * @param whole whether the document was read to its end
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Copied(long[] events, long outside, long everywhere, long withheld, boolean whole) {
        /** All events of the document. */
        public long all() {
            long sum = outside + everywhere;
            for (long n : events) {
                sum += n;
            }
            return sum;
        }
    }

    private static final int EVERYWHERE = Integer.MAX_VALUE;

    private final TraceInput input;
    private final EventOwners owners;
    private final int iterations;
    private final LongConsumer progress;

    /** @param progress told now and then how many bytes of unpacked content were read */
    public TraceSplitter(TraceInput input, EventOwners owners, int iterations, LongConsumer progress) {
        this.input = input;
        this.owners = owners;
        this.iterations = iterations;
        this.progress = progress;
    }

    /**
     * Writes the parts, packed with gzip.
     *
     * @param parts what to write; at least one
     * @param folder where their paths begin
     * @throws IOException when the input cannot be read or an output cannot be written
     */
    public Copied write(List<SplitPart> parts, Path folder) throws IOException {
        Copied copied = null;
        for (int from = 0; from < parts.size(); from += MOST_OPEN) {
            copied = new Pass(parts.subList(from, Math.min(parts.size(), from + MOST_OPEN)), folder).run();
        }
        if (copied == null) {
            throw new IllegalArgumentException("no parts");
        }
        return copied;
    }

    /** One file that is being written. */
    private static final class Target {
        private final OutputStream out;
        private boolean any;

        private Target(Path file) throws IOException {
            Files.createDirectories(file.toAbsolutePath().getParent());
            out = new BufferedOutputStream(new GZIPOutputStream(NamedFiles.out(file), 1 << 13), 1 << 13);
        }

        private void text(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }

        private void entry(byte[] bytes, int from, int to) throws IOException {
            if (any) {
                text(",\n");
            }
            any = true;
            out.write(bytes, from, to - from);
        }
    }

    /** One reading of the file. */
    private final class Pass {
        private final List<SplitPart> parts;
        private final Path folder;
        private final List<Target> targets = new ArrayList<>();
        private final List<List<Target>> byIteration = new ArrayList<>();
        private final long[] events = new long[iterations];
        private final RawEvent event = new RawEvent();
        private long outside;
        private long everywhere;
        private long withheld;
        private int number;
        private boolean inEvents;
        private boolean members;
        private boolean done;

        private Pass(List<SplitPart> parts, Path folder) {
            this.parts = parts;
            this.folder = folder;
        }

        private Copied run() throws IOException {
            try {
                open();
                boolean whole;
                try (PrefixedSource source = input.open(new Diagnostics())) {
                    whole = read(new JsonWindow(source, progress));
                }
                return new Copied(events, outside, everywhere, withheld, whole);
            } finally {
                for (Target target : targets) {
                    target.out.close();
                }
            }
        }

        private void open() throws IOException {
            for (int i = 0; i < iterations; i++) {
                byIteration.add(new ArrayList<>());
            }
            for (SplitPart part : parts) {
                Target target = new Target(folder.resolve(part.path()));
                targets.add(target);
                for (int i = part.from(); i < part.to(); i++) {
                    byIteration.get(i).add(target);
                }
            }
        }

        /** Reads to the end of the document or to the first place that cannot be read; ends all outputs. */
        private boolean read(JsonWindow window) throws IOException {
            if (window.peek() == (byte) 0xEF) {
                window.seek("{", "[");
            }
            boolean list = window.peek() == '[';
            each(list ? "" : "{\n");
            boolean whole = true;
            try {
                if (list) {
                    events(window);
                } else {
                    document(window);
                }
            } catch (Stop stop) {
                whole = list && stop == Stop.INCOMPLETE && window.peek() == 0;
            }
            if (inEvents) {
                each("\n]");
            } else if (!done) {
                separate();
                each("\"traceEvents\": []");
            }
            each(list ? "\n" : "\n}\n");
            return whole;
        }

        private void document(JsonWindow window) throws IOException, Stop {
            window.expect('{', "'{' of the document");
            for (boolean first = true; window.more('}', first); first = false) {
                String[] key = new String[1];
                window.take(c -> key[0] = key(c));
                if (key[0].equals("\"traceEvents\"") && window.peek() == '[' && !done) {
                    separate();
                    each(key[0] + ": ");
                    events(window);
                } else if (key[0].equals("\"traceEvents\"")) {
                    window.pass();
                } else {
                    value(window, key[0]);
                }
            }
        }

        private static String key(JsonCursor c) throws Stop {
            c.notes = 0;
            c.key();
            return CleanJson.taken(c, c.start - 1, c.end + 1);
        }

        private void separate() throws IOException {
            if (members) {
                each(",\n");
            }
            members = true;
        }

        /** Copies what stands beside the events into every file; of a value that cannot be read nothing, nor its key. */
        private void value(JsonWindow window, String key) throws IOException, Stop {
            String name = key.substring(1, key.length() - 1);
            EnvironmentJson without = EnvironmentJson.of(name, window.value());
            withheld += without.values();
            separate();
            each(key + ": " + without.json());
        }

        private void events(JsonWindow window) throws IOException, Stop {
            window.expect('[', "'[' of the events");
            each("[\n");
            inEvents = true;
            boolean first = true;
            while (window.more(']', first)) {
                first = false;
                if (window.peek() == ']') {
                    continue;
                }
                window.take(event::read);
                copy(event.strict(window.cursor().buffer));
            }
            inEvents = false;
            done = true;
            each("\n]");
        }

        private void copy(byte[] bytes) throws IOException {
            int owner = owner(number++);
            if (owner == EVERYWHERE) {
                everywhere++;
                everywhere(bytes);
            } else if (owner == EventOwners.OUTSIDE) {
                outside++;
            } else {
                events[owner]++;
                for (Target target : byIteration.get(owner)) {
                    target.entry(bytes, event.from, event.to);
                }
            }
        }

        private void everywhere(byte[] bytes) throws IOException {
            String json = new String(bytes, event.from, event.to - event.from, StandardCharsets.UTF_8);
            EnvironmentJson without = EnvironmentJson.ofEvent(json);
            withheld += without.values();
            byte[] shown = without.json().getBytes(StandardCharsets.UTF_8);
            for (Target target : targets) {
                if (without.values() > 0) {
                    target.entry(shown, 0, shown.length);
                } else {
                    target.entry(bytes, event.from, event.to);
                }
            }
        }

        private int owner(int place) {
            if (event.phase == 'M' || (!event.hasTs && event.phase != 0)) {
                return EVERYWHERE;
            }
            if (!event.hasTs) {
                return EventOwners.OUTSIDE;
            }
            return switch (event.phase) {
                case 's', 't', 'f' ->
                    event.id == JsonCursor.NOT_A_NUMBER
                            ? owners.at(event.ts)
                            : owners.ofArrow(event.category, event.id, event.ts);
                case 'X', 'B', 'E' -> owners.ofSlice(place, event.ts);
                default -> owners.at(event.ts);
            };
        }

        private void each(String text) throws IOException {
            for (Target target : targets) {
                target.text(text);
            }
        }
    }
}
