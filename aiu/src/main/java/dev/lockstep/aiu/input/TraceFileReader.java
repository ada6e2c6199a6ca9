// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.EventOrigin;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.codec.ByteSource;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.WithheldMetadata;
import dev.lockstep.read.flex.EventOutline;
import dev.lockstep.read.perfetto.PerfettoReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a JSON trace: a list of events, or an object that has one; and what Perfetto's format holds. */
final class TraceFileReader {
    private static final Pattern RANK = Pattern.compile("\"rank\"\\s*:\\s*(-?[0-9]{1,9})");
    private static final Pattern PROCESSED = Pattern.compile("\"Application\"\\s*:\\s*\"[^\"]*Acelyzer");

    /** Names of data that a program hands over; it may well hand over what was processed before. */
    private static final String BUFFER = "api://";

    private final AiuEventParser parser;
    private final boolean pairs;
    private final boolean ranksApart;
    private final AiuLog log;

    TraceFileReader(TraceTexts texts, AiuOptions options, AiuLog log) {
        boolean verbatim = options.get(AiuOption.VERIFY);
        this.pairs = !verbatim || options.rules().files().verifiesPairs();
        this.parser = new AiuEventParser(texts, options.get(AiuOption.INTERMEDIATE), verbatim);
        this.ranksApart = options.rules().files().ranksApart();
        this.log = log;
    }

    /** Reads a file; one that holds several ranks in Perfetto's format counts as one of each. */
    List<TraceFile> read(int number, TraceInput input) throws IOException {
        Diagnostics diagnostics = new Diagnostics();
        String path = input.name();
        try (PrefixedSource source = input.open(diagnostics)) {
            PerfettoReader perfetto = new PerfettoReader();
            if (!perfetto.recognises(source.head())) {
                return List.of(read(source, number, path));
            }
            List<TraceFile> files = new ArrayList<>();
            ReadOptions everything = new ReadOptions(Runnable::run, 1, bytes -> {}, Keep.EVERYTHING);
            for (Trace trace : perfetto.read(input, source, diagnostics, everything)) {
                TraceFile file = read(new TraceText(WithheldMetadata.of(trace)), number + files.size(), path);
                file.damaged += trace.diagnostics().problems().size();
                files.add(file);
            }
            return files;
        }
    }

    private TraceFile read(ByteSource source, int number, String path) throws IOException {
        JsonWindow window = new JsonWindow(source, position -> {});
        try {
            return new Reading(window, path).run(number);
        } catch (Stop stop) {
            boolean incomplete = stop == Stop.INCOMPLETE;
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    path,
                    incomplete ? window.position() : window.failure(),
                    incomplete ? "the file ends within the trace" : "expected " + window.expected(),
                    null);
        }
    }

    private final class Reading implements EventOutline.Content {
        private final JsonWindow window;
        private final String path;
        private final List<@Nullable AiuEvent> events = new ArrayList<>();
        private final BeginEndPairs pairing = new BeginEndPairs(events);
        private final Map<String, String> metadata = new LinkedHashMap<>();
        private String distributed = "";
        private String others = "";
        private AiuEvent taken = new AiuEvent('\0', new AiuName(""));
        private boolean found;
        private long damaged;
        private long zeroDurations;
        private long negativeDurations;

        Reading(JsonWindow window, String path) {
            this.window = window;
            this.path = path;
        }

        TraceFile run(int number) throws IOException, Stop {
            int c = window.peek();
            if (c != '[' && c != '{') {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN,
                        path,
                        window.position(),
                        c == 0 ? "the file is empty" : "expected a list of events or an object that has one",
                        null);
            }
            new EventOutline(window, this).read();
            if (!found) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN, path, -1, "the object has no list traceEvents", null);
            }
            if (window.peek() != 0) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT, path, window.position(), "expected the end of the file", null);
            }
            return result(number);
        }

        @Override
        public void list() {
            if (found) {
                log.warn("Ingestion: the key traceEvents stands twice in " + path
                        + "; only the last list counts. Events ignored:" + events.size());
                pairing.clear();
            }
            found = true;
        }

        @Override
        public void member(String key, JsonCursor cursor) throws Stop {
            int from = cursor.skip();
            String value = new String(cursor.buffer, from, cursor.pos - from, StandardCharsets.UTF_8);
            switch (key) {
                case "distributedInfo" -> distributed = value;
                case "otherData" -> others = value;
                default -> metadata.put(key, value);
            }
        }

        @Override
        public void event(JsonCursor cursor) throws Stop {
            taken = parser.read(cursor);
        }

        @Override
        public void taken(long position) {
            add(taken);
        }

        @Override
        public void other(long position) {
            damaged++;
        }

        @Override
        public boolean survives() {
            return false;
        }

        private void add(AiuEvent event) {
            if (parser.damaged) {
                damaged++;
                return;
            }
            if (event.phase == 0) {
                log.error("Event failed sanityCheck:  ph is not in " + event.name);
                return;
            }
            if (!pairs) {
                events.add(event);
                return;
            }
            switch (event.phase) {
                case 'B' -> pairing.begin(event);
                case 'E' -> pairing.end(event);
                default -> events.add(event);
            }
        }

        private TraceFile result(int number) {
            long unmatched = pairs ? pairing.finish() : 0;
            if (pairs) {
                checkDurations();
            }
            EventOrigin origin = metadata.containsKey("deviceProperties") ? EventOrigin.TORCH : EventOrigin.FLEX;
            if (PROCESSED.matcher(others).find() && !path.startsWith(BUFFER)) {
                log.warn("INGEST: Attempting to import a json file that had been processed by acelyzer already."
                        + "Dropping ALL Events from file " + path);
                events.clear();
            }
            Path name = FileNames.path(path).getFileName();
            Job job = new Job(number, name == null ? path : name.toString(), origin);
            TraceFile file = new TraceFile(job, metadata, distributed, events, rank(origin));
            file.zeroDurations = zeroDurations;
            file.negativeDurations = negativeDurations;
            file.unmatched = unmatched;
            file.damaged = damaged;
            return file;
        }

        private int rank(EventOrigin origin) {
            Matcher rank = RANK.matcher(distributed);
            if (rank.find()) {
                return withDevice(Integer.parseInt(rank.group(1)));
            }
            if (origin != EventOrigin.TORCH) {
                return AiuEvent.NO_RANK;
            }
            OptionalInt named = ranksApart ? RankNames.rankOf(FileNames.path(path)) : OptionalInt.empty();
            return named.isPresent() ? withDevice(named.getAsInt()) : 0;
        }

        /** The rank, whose number its device gets. */
        private int withDevice(int rank) {
            metadata.computeIfPresent(
                    "deviceProperties", (key, devices) -> devices.replaceAll("(\"id\"\\s*:\\s*)-?[0-9]+", "$1" + rank));
            return rank;
        }

        private void checkDurations() {
            for (int i = 0; i < events.size(); i++) {
                AiuEvent event = events.get(i);
                if (event == null || Double.isNaN(event.dur) || event.phase == 'M') {
                    continue;
                }
                if (event.dur < 0) {
                    negativeDurations++;
                    events.set(i, null);
                } else if (event.dur <= 1e-9) {
                    zeroDurations++;
                }
            }
        }
    }
}
