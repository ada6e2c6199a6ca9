// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.Observations;
import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.codec.JsonObject;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.EventCounts;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.report.Trust;
import dev.lockstep.write.TrustJson;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What files are, as one JSON document; the schema stands in {@code docs/reference/info-json.md}. */
final class InfoJson implements AutoCloseable {
    private final PrintWriter out;
    private Trust trust = Trust.SOUND;
    private String before = "{\"files\":[";

    InfoJson(PrintWriter out) {
        this.out = out;
    }

    private void add(JsonObject file) {
        out.print(before + file);
        before = ",";
    }

    void add(Trace trace) {
        TraceInfo info = trace.info();
        DerivedCache cache = DerivedCache.believing(trace);
        Steps steps = cache.get(new Steps.Key(null));
        EventCounts counts = trace.counts();
        Trust own = TraceTrust.of(cache);
        trust = trust.and(own);
        add(new JsonObject()
                .with("path", info.source())
                .with("format", info.format())
                .with("schema", InfoText.schema(info))
                .with("rank", info.rank().index())
                .with("rank_from", word(info.rank().origin()))
                .with("world_size", info.worldSize() >= 0 ? info.worldSize() : null)
                .with(
                        "counts",
                        new JsonObject()
                                .with("events", counts.events())
                                .with("complete", counts.complete())
                                .with("slices", trace.slices().size())
                                .with("device", counts.device())
                                .with("by_phase", new TreeMap<>(counts.byPhase()))
                                .with("by_category", new TreeMap<>(counts.byCategory()))
                                .with("bytes_by_category", new TreeMap<>(counts.bytesByCategory())))
                .with("steps_from", word(steps.source()))
                .with("steps", steps.steps().stream().map(Steps.Step::number).toList())
                .with(
                        "devices",
                        info.devices().stream()
                                .map(device ->
                                        new JsonObject().with("id", device.id()).with("name", device.name()))
                                .toList())
                .with("problems", entries(trace.diagnostics().problems()))
                .with("observations", entries(Observations.of(cache)))
                .with("trust", TrustJson.of(own)));
    }

    /** An execution trace: what it has none of is empty. */
    void add(ExecutionTraceInfo info) {
        int device = info.trace().activities().size();
        add(new JsonObject()
                .with("path", info.trace().source())
                .with("format", ExecutionTraceInfo.FORMAT)
                .with("rank", 0)
                .with("rank_from", "order")
                .with("world_size", null)
                .with(
                        "counts",
                        new JsonObject()
                                .with("events", info.trace().nodes().size() + device)
                                .with("complete", device)
                                .with("slices", device)
                                .with("device", device)
                                .with("by_phase", Map.of())
                                .with("by_category", Map.of())
                                .with("bytes_by_category", Map.of()))
                .with("steps_from", info.steps().isEmpty() ? "none" : "annotation")
                .with("steps", info.steps())
                .with("devices", List.of())
                .with(
                        "execution_trace",
                        new JsonObject()
                                .with("schema", info.trace().schema())
                                .with("operators", info.counts().work())
                                .with("inside", info.counts().inside())
                                .with("containers", info.counts().containers())
                                .with("marks", info.counts().marks())
                                .with("threads", info.threads())
                                .with("devices", info.devices()))
                .with("problems", entries(info.odd().problems()))
                .with("observations", entries(info.odd().observations()))
                .with("trust", TrustJson.of(Trust.SOUND)));
    }

    @Override
    public void close() {
        out.print((before.equals(",") ? "" : before) + "],\"trust\":" + TrustJson.of(trust) + "}\n");
        out.flush();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static List<JsonObject> entries(List<Entry> entries) {
        return entries.stream()
                .map(e -> new JsonObject()
                        .with("code", e.code())
                        .with("count", e.count())
                        .with("weight", word(e.weight()))
                        .with("message", e.message())
                        .withKnown("position", e.position() < 0 ? null : new JsonObject().with("byte", e.position())))
                .toList();
    }
}
