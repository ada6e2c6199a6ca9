// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.EventCounts;
import dev.lockstep.model.Rank;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What stands beside the events: the rank, the devices, the clock. */
final class TopLevel {
    private static final Pattern NANOSECONDS = Pattern.compile("\"?(-?\\d{1,18}|-?[1-8]\\d{18})\"?");

    private final Diagnostics diagnostics;

    /** Keys beside the events that PyTorch's profiler writes. */
    private static final Set<String> KEYS = Set.of(
            "schemaVersion",
            "deviceProperties",
            "distributedInfo",
            "baseTimeNanoseconds",
            "record_shapes",
            "with_stack",
            "profile_memory");

    /** Categories of events that PyTorch's profiler writes. */
    private static final Set<String> CATEGORIES =
            Set.of("cpu_op", "kernel", "cuda_runtime", "cuda_driver", "gpu_memcpy", "gpu_memset", "user_annotation");

    private TopLevel(Diagnostics diagnostics) {
        this.diagnostics = diagnostics;
    }

    /** The format of a list of events: Kineto's JSON is an object that says so beside its events or by their categories. */
    static TraceFormat format(DocumentParser document, EventCounts counts) {
        boolean isKineto = !document.topIsArray()
                && (document.metadata().keySet().stream().anyMatch(KEYS::contains)
                        || counts.byCategory().keySet().stream().anyMatch(CATEGORIES::contains));
        return isKineto ? TraceFormat.KINETO : TraceFormat.CHROME;
    }

    static TraceInfo read(TraceInput input, TraceFormat format, Map<String, String> metadata, Diagnostics diagnostics) {
        TopLevel top = new TopLevel(diagnostics);
        OptionalInt inName = RankNames.rankOf(input.path());
        Map<String, Integer> distributed = top.numbers(metadata.get("distributedInfo"), "rank", "world_size");
        Integer stated = distributed.get("rank");
        if (stated != null && inName.isPresent() && inName.getAsInt() != stated) {
            diagnostics.add(
                    Weight.OBSERVATION,
                    "rank_differs",
                    "the trace says rank " + stated + ", its path says " + inName.getAsInt(),
                    -1);
        }
        if (stated == null && inName.isEmpty()) {
            diagnostics.add(
                    Weight.OBSERVATION, "no_rank", "neither the trace nor its path states a rank; 0 is assumed", -1);
        }
        Rank rank = stated != null
                ? new Rank(stated, Rank.Origin.TRACE)
                : inName.isPresent() ? new Rank(inName.getAsInt(), Rank.Origin.PATH) : new Rank(0, Rank.Origin.ORDER);
        return new TraceInfo(
                input.name(),
                format.id(),
                rank,
                top.worldSize(distributed, rank.index()),
                top.devices(metadata.get("deviceProperties")),
                top.origin(metadata.get("baseTimeNanoseconds")),
                metadata);
    }

    /** What a merged file says about one of its ranks. */
    static TraceInfo ofRank(
            int rank, TraceInput input, TraceFormat format, Map<String, String> merged, Diagnostics diagnostics) {
        TopLevel top = new TopLevel(diagnostics);
        Map<String, String> own = RanksInside.metadataOf(rank, merged);
        own.remove("baseTimeNanoseconds");
        String base = merged.get("baseTimeNanoseconds");
        if (base != null) {
            own.put("baseTimeNanoseconds", base);
        }
        Map<String, Integer> distributed = top.numbers(own.get("distributedInfo"), "world_size");
        return new TraceInfo(
                input.name(),
                format.id(),
                new Rank(rank, Rank.Origin.TRACE),
                top.worldSize(distributed, rank),
                top.devices(own.get("deviceProperties")),
                top.origin(base),
                own);
    }

    /** The number of ranks, -1 when unknown; one that does not hold the rank of the trace is not believed. */
    private int worldSize(Map<String, Integer> distributed, int rank) {
        int size = distributed.getOrDefault("world_size", -1);
        if (size >= 0 && size <= rank) {
            diagnostics.add(
                    Weight.REPAIRED,
                    "rank_invalid",
                    "distributedInfo: a world_size of " + size + " has no rank " + rank + " and was not believed",
                    -1);
            return -1;
        }
        return size;
    }

    /** The numbers of these names in {@code distributedInfo}, of several of one name the first. */
    private Map<String, Integer> numbers(@Nullable String distributed, String... names) {
        Map<String, Integer> numbers = new HashMap<>();
        if (distributed == null) {
            return numbers;
        }
        Set<String> wanted = new HashSet<>(List.of(names));
        try (JsonParser parser = Json.UNLIMITED.createParser(distributed)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                unreadable("distributedInfo");
                return numbers;
            }
            while (!wanted.isEmpty() && parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (wanted.remove(name)) {
                    number(parser, name).ifPresent(number -> numbers.put(name, number));
                }
                parser.skipChildren();
            }
        } catch (IOException e) {
            unreadable("distributedInfo");
        }
        return numbers;
    }

    private OptionalInt number(JsonParser parser, String name) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_NUMBER_INT
                && parser.getLongValue() >= 0
                && parser.getLongValue() <= Integer.MAX_VALUE) {
            return OptionalInt.of(parser.getIntValue());
        }
        if (token == JsonToken.VALUE_STRING && parser.getText().matches("\\d{1,9}")) {
            return OptionalInt.of(Integer.parseInt(parser.getText()));
        }
        diagnostics.add(
                Weight.REPAIRED,
                "rank_invalid",
                "distributedInfo: " + name + " is no usable number and was not believed",
                -1);
        return OptionalInt.empty();
    }

    private void unreadable(String key) {
        diagnostics.add(Weight.REPAIRED, "metadata_invalid", key + " cannot be read", -1);
    }

    private List<TraceInfo.Device> devices(@Nullable String text) {
        List<TraceInfo.Device> devices = new ArrayList<>();
        if (text == null) {
            return devices;
        }
        try (JsonParser parser = Json.UNLIMITED.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                unreadable("deviceProperties");
                return devices;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken() != JsonToken.START_OBJECT) {
                    unreadable("deviceProperties");
                    parser.skipChildren();
                    continue;
                }
                long id = -1;
                String name = "";
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String field = parser.currentName();
                    JsonToken token = parser.nextToken();
                    if (field.equals("id") && token == JsonToken.VALUE_NUMBER_INT) {
                        id = parser.getLongValue();
                    } else if (field.equals("name") && token == JsonToken.VALUE_STRING) {
                        name = parser.getText();
                    }
                    parser.skipChildren();
                }
                devices.add(new TraceInfo.Device(id, name));
            }
        } catch (IOException e) {
            unreadable("deviceProperties");
        }
        return devices;
    }

    /** Where the trace's clock begins, in ns. */
    private long origin(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        Matcher number = NANOSECONDS.matcher(text.strip());
        if (!number.matches()) {
            unreadable("baseTimeNanoseconds");
            return 0;
        }
        return Long.parseLong(number.group(1));
    }
}
