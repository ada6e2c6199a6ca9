// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.model.Rank;
import dev.lockstep.model.TraceInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this program wrote about a rank beside its events: who it is, what its tracks were called, what its arrows were.
 */
final class OwnFacts {
    /** A track as the input of the writer called it; that of a process has the empty text for its thread. */
    record Place(
            String process,
            String thread,
            @Nullable String processName,
            @Nullable String processLabels,
            @Nullable String threadName) {}

    private int rank;
    private Rank.Origin origin = Rank.Origin.TRACE;
    private int worldSize = -1;
    private long slices = -1;
    private long idBase;
    private final List<TraceInfo.Device> devices = new ArrayList<>();
    private final List<@Nullable String> arrows = new ArrayList<>();
    private final Map<Long, Place> places = new HashMap<>();

    private OwnFacts() {}

    /** Reads the text; null when it is not what this program writes. */
    static @Nullable OwnFacts parse(String text) {
        OwnFacts facts = new OwnFacts();
        try (JsonParser json = Json.UNLIMITED.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                json.nextToken();
                facts.fact(key, json);
            }
            return facts;
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private void fact(String key, JsonParser json) throws IOException {
        switch (key) {
            case "rank" -> rank = Math.max(0, json.getValueAsInt());
            case "rank_from" -> origin = Rank.Origin.valueOf(json.getText());
            case "world_size" -> worldSize = json.getValueAsInt(-1);
            case "id_base" -> idBase = json.getValueAsLong();
            case "slices" -> slices = json.getValueAsLong(-1);
            case "devices" ->
                each(
                        json,
                        fields -> devices.add(
                                new TraceInfo.Device(number(fields.get("id")), fields.getOrDefault("name", ""))));
            case "arrows" -> {
                while (json.nextToken() != JsonToken.END_ARRAY && json.currentToken() != null) {
                    arrows.add(json.currentToken() == JsonToken.VALUE_NULL ? null : json.getText());
                }
            }
            case "tracks", "processes" -> each(json, this::place);
            default -> json.skipChildren();
        }
    }

    private void place(Map<String, String> fields) {
        places.put(
                number(fields.get("uuid")),
                new Place(
                        fields.getOrDefault("process", ""),
                        fields.getOrDefault("thread", ""),
                        fields.get("process_name"),
                        fields.get("process_labels"),
                        fields.get("thread_name")));
    }

    private interface Taker {
        void take(Map<String, String> fields);
    }

    private static void each(JsonParser json, Taker taker) throws IOException {
        while (json.nextToken() == JsonToken.START_OBJECT) {
            Map<String, String> fields = new HashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                json.nextToken();
                fields.put(key, json.getText());
                json.skipChildren();
            }
            taker.take(fields);
        }
    }

    private static long number(@Nullable String text) {
        return text == null ? -1 : Long.parseLong(text);
    }

    /** Whether nothing stated the rank but the order of files. */
    boolean isRankAssumed() {
        return origin == Rank.Origin.ORDER;
    }

    Rank rank() {
        return new Rank(rank, origin);
    }

    int worldSize() {
        return worldSize;
    }

    /** The number as it was recorded, for one that was made unique in the file. */
    long recordedId(long id) {
        return id >= idBase ? id - idBase : id;
    }

    /** How many slices were written, -1 when it is not said. */
    long slices() {
        return slices;
    }

    List<TraceInfo.Device> devices() {
        return devices;
    }

    /** The category of arrows with this number, or null. */
    @Nullable
    String arrow(int category) {
        return category < arrows.size() ? arrows.get(category) : null;
    }

    boolean knowsArrow(int category) {
        return category < arrows.size();
    }

    @Nullable
    Place place(long uuid) {
        return places.get(uuid);
    }
}
