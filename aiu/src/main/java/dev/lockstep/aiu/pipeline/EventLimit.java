// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;

/**
 * Which events are let in.
 *
 * @param skip events to pass over first
 * @param count events to let in then
 * @param tsStart microseconds; an event that ends before is not let in
 * @param tsEnd microseconds; an event that starts behind is not let in
 * @param free letters of phases that are always let in
 */
public record EventLimit(long skip, long count, double tsStart, double tsEnd, String free) {
    public static final EventLimit NONE = new EventLimit(0, 1L << 60, 0, Double.MAX_VALUE, "M");

    /**
     * The limit that a JSON object states.
     *
     * @throws UserException when it states none
     */
    public static EventLimit of(String text) {
        long skip = NONE.skip();
        long count = NONE.count();
        double start = NONE.tsStart();
        double end = NONE.tsEnd();
        String free = NONE.free();
        try (JsonParser json = new JsonFactory().createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw invalid("--event_limit takes a JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String key = json.currentName();
                JsonToken value = json.nextToken();
                boolean whole = value == JsonToken.VALUE_NUMBER_INT;
                boolean number = whole || value == JsonToken.VALUE_NUMBER_FLOAT;
                boolean string = value == JsonToken.VALUE_STRING;
                if (key.equals("skip") && whole) {
                    skip = json.getLongValue();
                } else if (key.equals("count") && whole) {
                    count = json.getLongValue();
                } else if (key.equals("ts_start") && number) {
                    start = json.getDoubleValue();
                } else if (key.equals("ts_end") && number) {
                    end = json.getDoubleValue();
                } else if (key.equals("no_count_types") && string) {
                    free = json.getText();
                } else {
                    throw invalid("--event_limit does not take " + key + " with that value");
                }
            }
            if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw invalid("--event_limit takes one JSON object");
            }
        } catch (IOException e) {
            throw invalid("--event_limit takes a JSON object: " + text);
        }
        return new EventLimit(skip, count, start, end, free);
    }

    private static UserException invalid(String problem) {
        return new UserException(ErrorCode.OPTION_INVALID, problem, null);
    }

    /** Whether it lets everything in that has no times before zero. */
    public boolean isNone() {
        return equals(NONE);
    }
}
