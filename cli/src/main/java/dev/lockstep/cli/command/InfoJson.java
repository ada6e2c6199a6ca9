// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.analyze.Observations;
import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.report.Trust;
import dev.lockstep.write.JsonReportWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What files are, as one JSON document; the schema stands in {@code docs/reference/info-json.md}. */
final class InfoJson implements AutoCloseable {
    private final JsonGenerator json;
    private Trust trust = Trust.SOUND;

    InfoJson(PrintWriter out) throws IOException {
        json = new JsonFactory().createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.writeStartObject();
        json.writeArrayFieldStart("files");
    }

    void add(Trace trace) throws IOException {
        TraceInfo info = trace.info();
        DerivedCache cache = DerivedCache.believing(trace);
        Steps steps = cache.get(new Steps.Key(null));
        json.writeStartObject();
        json.writeStringField("path", info.source());
        json.writeStringField("format", info.format());
        json.writeNumberField("rank", info.rank().index());
        json.writeStringField("rank_from", info.rank().origin().name().toLowerCase(Locale.ROOT));
        if (info.worldSize() >= 0) {
            json.writeNumberField("world_size", info.worldSize());
        } else {
            json.writeNullField("world_size");
        }
        json.writeObjectFieldStart("counts");
        json.writeNumberField("events", trace.counts().events());
        json.writeNumberField("complete", trace.counts().complete());
        json.writeNumberField("slices", trace.slices().size());
        json.writeNumberField("device", trace.counts().device());
        counts("by_phase", trace.counts().byPhase());
        counts("by_category", trace.counts().byCategory());
        counts("bytes_by_category", trace.counts().bytesByCategory());
        json.writeEndObject();
        json.writeStringField("steps_from", steps.source().name().toLowerCase(Locale.ROOT));
        json.writeArrayFieldStart("steps");
        for (Steps.Step step : steps.steps()) {
            json.writeNumber(step.number());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("devices");
        for (TraceInfo.Device device : info.devices()) {
            json.writeStartObject();
            json.writeNumberField("id", device.id());
            json.writeStringField("name", device.name());
            json.writeEndObject();
        }
        json.writeEndArray();
        entries("problems", trace.diagnostics().problems());
        entries("observations", Observations.of(cache));
        Trust own = TraceTrust.of(cache);
        JsonReportWriter.trust(own, json);
        trust = trust.and(own);
        json.writeEndObject();
    }

    /** An execution trace: what it has none of is empty. */
    void add(ExecutionTraceInfo info) throws IOException {
        json.writeStartObject();
        json.writeStringField("path", info.trace().source());
        json.writeStringField("format", ExecutionTraceInfo.FORMAT);
        json.writeNumberField("rank", 0);
        json.writeStringField("rank_from", "order");
        json.writeNullField("world_size");
        json.writeObjectFieldStart("counts");
        int device = info.trace().activities().size();
        json.writeNumberField("events", info.trace().nodes().size() + device);
        json.writeNumberField("complete", device);
        json.writeNumberField("slices", device);
        json.writeNumberField("device", device);
        counts("by_phase", Map.of());
        counts("by_category", Map.of());
        counts("bytes_by_category", Map.of());
        json.writeEndObject();
        json.writeStringField("steps_from", info.steps().isEmpty() ? "none" : "annotation");
        json.writeArrayFieldStart("steps");
        for (long step : info.steps()) {
            json.writeNumber(step);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("devices");
        json.writeEndArray();
        json.writeObjectFieldStart("execution_trace");
        json.writeStringField("schema", info.trace().schema());
        json.writeNumberField("operators", info.counts().work());
        json.writeNumberField("inside", info.counts().inside());
        json.writeNumberField("containers", info.counts().containers());
        json.writeNumberField("marks", info.counts().marks());
        json.writeNumberField("threads", info.threads());
        json.writeArrayFieldStart("devices");
        for (String name : info.devices()) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeEndObject();
        entries("problems", info.odd().problems());
        entries("observations", info.odd().observations());
        JsonReportWriter.trust(Trust.SOUND, json);
        json.writeEndObject();
    }

    @Override
    public void close() throws IOException {
        json.writeEndArray();
        JsonReportWriter.trust(trust, json);
        json.writeEndObject();
        json.writeRaw('\n');
        json.close();
    }

    private void counts(String field, Map<String, Long> counts) throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, Long> e : new TreeMap<>(counts).entrySet()) {
            json.writeNumberField(e.getKey(), e.getValue());
        }
        json.writeEndObject();
    }

    private void entries(String field, List<Entry> entries) throws IOException {
        json.writeArrayFieldStart(field);
        for (Entry e : entries) {
            json.writeStartObject();
            json.writeStringField("code", e.code());
            json.writeNumberField("count", e.count());
            json.writeStringField("weight", e.weight().name().toLowerCase(Locale.ROOT));
            json.writeStringField("message", e.message());
            if (e.position() >= 0) {
                json.writeObjectFieldStart("position");
                json.writeNumberField("byte", e.position());
                json.writeEndObject();
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
