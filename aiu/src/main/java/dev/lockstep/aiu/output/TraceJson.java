// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.write.BlockFile;
import dev.lockstep.write.BlockMakers;
import dev.lockstep.write.JsonBytes;
import dev.lockstep.write.OrderedBlocks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes a trace in Chrome's JSON while its events arrive. Blocks of one fixed number of events are spelled at the same
 * time.
 */
public final class TraceJson implements TraceSink {
    private static final String APPLICATION = "Acelyzer: Trace Post-Processing Tool";
    private static final int EVENTS = 1 << 11;
    private static final int DEPTH = 2;

    private final BlockFile file;
    private final OrderedBlocks blocks;
    private final boolean between;
    private final boolean spellsNonFinite;
    private final AiuLog log;

    /** Values that are no JSON, in all blocks. */
    private final LongAdder texts = new LongAdder();

    private final Map<String, Object> behind = new LinkedHashMap<>();
    private final ConcurrentLinkedQueue<EventJson> spare = new ConcurrentLinkedQueue<>();
    private List<AiuEvent> batch = new ArrayList<>(EVENTS);
    private boolean any;

    /** @param between whether the events go on to a further stage, which may change them */
    private TraceJson(Path target, AiuOptions options, BlockMakers makers, boolean between, AiuLog log)
            throws IOException {
        this.log = log;
        this.file = new BlockFile(target, false);
        this.blocks = new OrderedBlocks(file, makers.executor(), makers.parallelism());
        this.between = between;
        this.spellsNonFinite = !options.rules().result().has(Addition.STRICT_JSON);
    }

    /**
     * The result of a run.
     *
     * @param metadata members of the input that are passed through, as JSON; they replace ours of the same name
     */
    public static TraceJson result(
            Path target, AiuOptions options, Map<String, String> metadata, BlockMakers makers, AiuLog log)
            throws IOException {
        TraceJson trace = new TraceJson(target, options, makers, false, log);
        Map<String, Object> members =
                members(options.target(), options.get(AiuOption.TIME_UNIT), RecordedSettings.of(options), options);
        metadata.forEach((key, value) -> members.put(key, new RawJson(value)));
        trace.begin(members);
        return trace;
    }

    /** Events between two stages. */
    public static TraceJson intermediate(Path target, String name, AiuOptions options, BlockMakers makers, AiuLog log)
            throws IOException {
        TraceJson trace = new TraceJson(target, options, makers, true, log);
        trace.begin(members(name, "ms", Map.of("output", name), options));
        return trace;
    }

    /** The device of a rank whose file names none, as JSON. */
    public static String device(long rank) {
        return "[{\"id\":" + rank + ",\"type\":\"AIU\",\"name\":\"AIU\",\"core\":\"PT Array\"}]";
    }

    private static Map<String, Object> members(
            String target, String unit, Map<String, Object> settings, AiuOptions options) {
        Map<String, Object> other = new LinkedHashMap<>();
        other.put("Application", APPLICATION);
        other.put("CmdLine", options.get(AiuOption.COMMAND_LINE));
        other.put("Settings", settings);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("deviceProperties", new RawJson("[]"));
        members.put("traceName", target);
        members.put("traceEvents", "");
        members.put("displayTimeUnit", unit);
        members.put("otherData", other);
        return members;
    }

    private void begin(Map<String, Object> members) throws IOException {
        Map<String, Object> ahead = new LinkedHashMap<>();
        Map<String, Object> side = ahead;
        for (Map.Entry<String, Object> member : members.entrySet()) {
            if (member.getKey().equals("traceEvents")) {
                side = behind;
            } else {
                side.put(member.getKey(), member.getValue());
            }
        }
        blocks.add(text -> {
            IndentedJson json = new IndentedJson(text, spellsNonFinite).open('{');
            ahead.forEach((key, value) -> json.key(key).value(value));
            json.key("traceEvents").open('[');
            texts.add(json.textsForJson());
        });
    }

    @Override
    public void add(AiuEvent event) {
        batch.add(between ? event.copy() : event);
        if (batch.size() == EVENTS) {
            try {
                flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void flush() throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        List<AiuEvent> full = batch;
        batch = new ArrayList<>(EVENTS);
        boolean first = !any;
        any = true;
        blocks.add(text -> spell(full, text, first));
    }

    private void spell(List<AiuEvent> events, JsonBytes text, boolean first) {
        EventJson json = spare.poll();
        if (json == null) {
            json = new EventJson(spellsNonFinite);
        }
        long before = json.textsForJson();
        json.moveTo(text, DEPTH, first);
        for (AiuEvent event : events) {
            if (between) {
                json.writeRaw(event);
            } else {
                json.write(event);
            }
        }
        texts.add(json.textsForJson() - before);
        spare.add(json);
    }

    private void warn() {
        if (texts.sum() > 0) {
            log.warn("EXPORT: " + texts + " values that are no JSON have been written as texts");
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            flush();
            blocks.add(text -> {
                IndentedJson json = new IndentedJson(text, spellsNonFinite);
                json.moveTo(text, DEPTH, !any);
                json.close(']');
                behind.forEach((key, value) -> json.key(key).value(value));
                json.close('}');
                texts.add(json.textsForJson());
            });
            blocks.drain();
            file.finish();
            warn();
        } finally {
            blocks.abandon();
        }
    }
}
