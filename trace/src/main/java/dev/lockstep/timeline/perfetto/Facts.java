// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.CHROME_METADATA;
import static dev.lockstep.codec.PerfettoFormat.METADATA_JSON;
import static dev.lockstep.codec.PerfettoFormat.METADATA_NAME;
import static dev.lockstep.codec.PerfettoFormat.PACKET_CHROME_EVENTS;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.model.Track;
import dev.lockstep.table.IntList;
import dev.lockstep.timeline.RankTimeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    static String of(RankTimeline rank, RankTracks tracks, IntList arrowCategories) {
        TraceInfo info = rank.trace().info();
        List<@Nullable Object> arrows = new ArrayList<>();
        for (int i = 0; i < arrowCategories.size(); i++) {
            arrows.add(rank.trace().strings().orNull(arrowCategories.get(i)));
        }
        return new JsonObject()
                .with("version", 1)
                .with("rank", info.rank().index())
                .with("rank_from", info.rank().origin().name())
                .with("world_size", info.worldSize())
                .with("format", info.format())
                .with("source", info.source())
                .with("id_base", rank.ids().of(0))
                .with("slices", rank.slices().length)
                .with(
                        "devices",
                        info.devices().stream()
                                .map(device ->
                                        new JsonObject().with("id", device.id()).with("name", device.name()))
                                .toList())
                .with("arrows", arrows)
                .with("processes", processes(rank, tracks))
                .with("tracks", tracks(rank, tracks))
                .with("metadata_events", metadata(rank))
                .toString();
    }

    private static List<JsonObject> processes(RankTimeline rank, RankTracks tracks) {
        List<JsonObject> processes = new ArrayList<>();
        int process = -1;
        for (RankTimeline.Row row : rank.rows()) {
            if (row.process() != process) {
                process = row.process();
                Track track = rank.trace().tracks().get(row.track());
                processes.add(new JsonObject()
                        .with("uuid", tracks.process(process))
                        .with("process", track.process())
                        .withKnown("process_name", track.processName())
                        .withKnown("process_labels", track.processLabels()));
            }
        }
        return processes;
    }

    private static List<JsonObject> tracks(RankTimeline rank, RankTracks tracks) {
        List<JsonObject> all = new ArrayList<>();
        for (int i = 0; i < rank.rows().size(); i++) {
            if (rank.rows().get(i).level() > 0) {
                continue;
            }
            Track track = rank.trace().tracks().get(rank.rows().get(i).track());
            all.add(new JsonObject()
                    .with("uuid", tracks.row(i))
                    .with("process", track.process())
                    .with("thread", track.thread())
                    .withKnown("process_name", track.processName())
                    .withKnown("process_labels", track.processLabels())
                    .withKnown("thread_name", track.threadName()));
        }
        return all;
    }

    /** Metadata events that say something else than names and order. */
    private static List<JsonObject> metadata(RankTimeline rank) {
        Recorded recorded = rank.trace().recorded();
        List<JsonObject> events = new ArrayList<>();
        for (int i = 0; recorded != null && i < rank.metadata().length; i++) {
            int row = rank.metadata()[i];
            RecordedTexts.Cursor text = recorded.metadata().cursor();
            text.move(row);
            events.add(new JsonObject()
                    .with("name", rank.trace().strings().get(recorded.metadataName(row)))
                    .withKnown("process", rank.trace().strings().orNull(recorded.metadataProcess(row)))
                    .withKnown("thread", rank.trace().strings().orNull(recorded.metadataThread(row)))
                    .with(
                            "args",
                            new String(
                                    text.bytes,
                                    text.arguments,
                                    text.argumentsEnd - text.arguments,
                                    StandardCharsets.UTF_8)));
        }
        return events;
    }
}
