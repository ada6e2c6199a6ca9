// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.JsonObject;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What came of running operators in recorded order.
 *
 * @param failure why there is nothing, in words; null when there is
 * @param passes passes that were timed, or profiled
 * @param operators times of the operators, by id; without those that did not fit into memory together with the others
 * @param step time of passes without clocks between calls; null when it was not taken
 */
public record SequenceRun(
        @Nullable String failure,
        int passes,
        Map<Integer, Timing> operators,
        @Nullable Timing step) {
    private static final JsonFactory JSON = Json.UNLIMITED;

    public SequenceRun {
        operators = Collections.unmodifiableMap(new TreeMap<>(operators));
    }

    /** A run that gave nothing. */
    public static SequenceRun failed(String why) {
        return new SequenceRun(why, 0, Map.of(), null);
    }

    /** Adds what is not of single operators. */
    JsonObject into(JsonObject json) {
        return json.withKnown("failure", failure).with("passes", passes).withKnown("step", Timing.jsonOf(step));
    }

    /** As a JSON object on one line. */
    public String line() {
        JsonObject byOperator = new JsonObject();
        operators.forEach((id, timing) -> byOperator.with(Integer.toString(id), timing.json()));
        return into(new JsonObject()).with("operators", byOperator).toString();
    }

    /** Reads what {@link #line} wrote. */
    public static SequenceRun read(String line) throws IOException {
        try (JsonParser parser = JSON.createParser(line)) {
            parser.nextToken();
            if (!(Json.read(parser) instanceof Members run)) {
                throw new IOException("expected an object");
            }
            Map<Integer, Timing> operators = new TreeMap<>();
            for (Map.Entry<String, Json> entry :
                    run.object("operators").members().entrySet()) {
                Timing timing = Timing.read(entry.getValue());
                if (timing != null) {
                    operators.put(Integer.parseInt(entry.getKey()), timing);
                }
            }
            return new SequenceRun(
                    run.text("failure"), (int) run.whole("passes", 0), operators, Timing.read(run.get("step")));
        }
    }
}
