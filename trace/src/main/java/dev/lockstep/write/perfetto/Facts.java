// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write.perfetto;

import static dev.lockstep.codec.PerfettoFormat.CHROME_METADATA;
import static dev.lockstep.codec.PerfettoFormat.METADATA_JSON;
import static dev.lockstep.codec.PerfettoFormat.METADATA_NAME;
import static dev.lockstep.codec.PerfettoFormat.PACKET_CHROME_EVENTS;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.model.Track;
import dev.lockstep.table.IntList;
import dev.lockstep.write.RankTimeline;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a file says beside its events, as metadata of a Chrome trace: the keys at the top of the input, and under the key
 * {@code lockstep} what is needed to read the rank as it was.
 */
final class Facts {
    /** The key of our own facts. */
    static final String OWN = "lockstep";

    /** The key whose value is the number of ranks; it stands at the end, and says that this is the end. */
    static final String END = "lockstepEnd";

    private Facts() {}

    /** Writes entries, each key behind a prefix. */
    static void write(String prefix, Map<String, String> metadata, Packets packets) throws IOException {
        if (metadata.isEmpty()) {
            return;
        }
        ProtoBuffer bundle = new ProtoBuffer();
        ProtoBuffer entry = new ProtoBuffer();
        for (Map.Entry<String, String> e : metadata.entrySet()) {
            entry.clear();
            entry.field(METADATA_NAME, prefix + e.getKey());
            entry.field(METADATA_JSON, e.getValue());
            bundle.message(CHROME_METADATA, entry);
        }
        packets.message(PACKET_CHROME_EVENTS, bundle);
    }

    /** The facts of a rank: who it is, its tracks as the input calls them, the categories of its arrows. */
    static String of(RankTimeline rank, RankTracks tracks, IntList arrowCategories) throws IOException {
        TraceInfo info = rank.trace().info();
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("version", 1);
            json.writeNumberField("rank", info.rank().index());
            json.writeStringField("rank_from", info.rank().origin().name());
            json.writeNumberField("world_size", info.worldSize());
            json.writeStringField("format", info.format());
            json.writeStringField("source", info.source());
            json.writeNumberField("id_base", rank.ids().of(0));
            json.writeNumberField("slices", rank.slices().length);
            json.writeArrayFieldStart("devices");
            for (TraceInfo.Device device : info.devices()) {
                json.writeStartObject();
                json.writeNumberField("id", device.id());
                json.writeStringField("name", device.name());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("arrows");
            for (int i = 0; i < arrowCategories.size(); i++) {
                json.writeString(rank.trace().strings().orNull(arrowCategories.get(i)));
            }
            json.writeEndArray();
            tracks(rank, tracks, json);
            metadata(rank, json);
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void tracks(RankTimeline rank, RankTracks tracks, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("processes");
        int process = -1;
        for (RankTimeline.Row row : rank.rows()) {
            if (row.process() != process) {
                process = row.process();
                Track track = rank.trace().tracks().get(row.track());
                json.writeStartObject();
                json.writeNumberField("uuid", tracks.process(process));
                json.writeStringField("process", track.process());
                optional(json, "process_name", track.processName());
                optional(json, "process_labels", track.processLabels());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("tracks");
        for (int i = 0; i < rank.rows().size(); i++) {
            if (rank.rows().get(i).level() > 0) {
                continue;
            }
            Track track = rank.trace().tracks().get(rank.rows().get(i).track());
            json.writeStartObject();
            json.writeNumberField("uuid", tracks.row(i));
            json.writeStringField("process", track.process());
            json.writeStringField("thread", track.thread());
            optional(json, "process_name", track.processName());
            optional(json, "process_labels", track.processLabels());
            optional(json, "thread_name", track.threadName());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Metadata events that say something else than names and order. */
    private static void metadata(RankTimeline rank, JsonGenerator json) throws IOException {
        Recorded recorded = rank.trace().recorded();
        json.writeArrayFieldStart("metadata_events");
        for (int i = 0; recorded != null && i < rank.metadata().length; i++) {
            int row = rank.metadata()[i];
            RecordedTexts.Cursor text = recorded.metadata().cursor();
            text.move(row);
            json.writeStartObject();
            json.writeStringField("name", rank.trace().strings().get(recorded.metadataName(row)));
            optional(json, "process", rank.trace().strings().orNull(recorded.metadataProcess(row)));
            optional(json, "thread", rank.trace().strings().orNull(recorded.metadataThread(row)));
            json.writeStringField(
                    "args",
                    new String(text.bytes, text.arguments, text.argumentsEnd - text.arguments, StandardCharsets.UTF_8));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void optional(JsonGenerator json, String key, @org.jspecify.annotations.Nullable String value)
            throws IOException {
        if (value != null) {
            json.writeStringField(key, value);
        }
    }
}
