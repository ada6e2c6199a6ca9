// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.RawJson;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a trace in Chrome's JSON while its events arrive. */
public final class TraceJson implements TraceSink {
    private static final String APPLICATION = "Acelyzer: Trace Post-Processing Tool";

    private final IndentedJson json;
    private final EventJson events;
    private final Map<String, Object> behind = new LinkedHashMap<>();
    private final boolean raw;

    private TraceJson(OutputStream out, boolean raw) {
        json = new IndentedJson(out);
        events = new EventJson(json);
        this.raw = raw;
    }

    /**
     * The result of a run.
     *
     * @param metadata members of the input that are passed through, as JSON; they replace ours of the same name
     */
    public static TraceJson result(OutputStream out, AiuOptions options, Map<String, String> metadata) {
        TraceJson trace = new TraceJson(out, false);
        Map<String, Object> members = members(options.target(), options.timeUnit, Settings.of(options), options);
        metadata.forEach((key, value) -> members.put(key, new RawJson(value)));
        trace.begin(members);
        return trace;
    }

    /** Events between two stages. */
    public static TraceJson intermediate(OutputStream out, String target, AiuOptions options) {
        TraceJson trace = new TraceJson(out, true);
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("output", target);
        trace.begin(members(target, "ms", settings, options));
        return trace;
    }

    private static Map<String, Object> members(
            String target, String unit, Map<String, Object> settings, AiuOptions options) {
        Map<String, Object> other = new LinkedHashMap<>();
        other.put("Application", APPLICATION);
        other.put("CmdLine", options.commandLine);
        other.put("Settings", settings);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("deviceProperties", new RawJson("[]"));
        members.put("traceName", target);
        members.put("traceEvents", "");
        members.put("displayTimeUnit", unit);
        members.put("otherData", other);
        return members;
    }

    private void begin(Map<String, Object> members) {
        json.open('{');
        boolean ahead = true;
        for (Map.Entry<String, Object> member : members.entrySet()) {
            if (member.getKey().equals("traceEvents")) {
                ahead = false;
            } else if (ahead) {
                json.key(member.getKey());
                value(member.getValue());
            } else {
                behind.put(member.getKey(), member.getValue());
            }
        }
        json.key("traceEvents").open('[');
    }

    private void value(Object value) {
        if (value instanceof Map<?, ?> map) {
            json.open('{');
            map.forEach((key, member) -> {
                json.key(key.toString());
                value(member);
            });
            json.close('}');
        } else {
            json.value(value);
        }
    }

    @Override
    public void add(AiuEvent event) {
        if (raw) {
            events.writeRaw(event);
        } else {
            events.write(event);
        }
    }

    @Override
    public void close() throws IOException {
        json.close(']');
        behind.forEach((key, value) -> {
            json.key(key);
            value(value);
        });
        json.close('}');
        json.close();
    }
}
