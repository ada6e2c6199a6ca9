// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.codec.GivenPattern;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.write.Numbers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Events that the user wants dropped: pairs of attribute and pattern, as in {@code name:^Barrier,args.Type:Multi}. */
final class EventFilter {
    private final Map<String, GivenPattern> patterns = new LinkedHashMap<>();

    EventFilter(String text, AiuLog log) {
        if (text.isBlank()) {
            return;
        }
        for (String entry : text.split(",", -1)) {
            String[] parts = entry.split(":", -1);
            if (parts.length != 2) {
                log.warn("FLTR: key:regex pattern not found in event filter. Skipping " + entry);
                continue;
            }
            try {
                patterns.put(parts[0], GivenPattern.of(parts[1], "the event filter"));
            } catch (PatternSyntaxException e) {
                throw new UserException(
                                ErrorCode.OPTION_INVALID,
                                "the event filter is no regular expression: " + parts[1] + ": " + e.getDescription(),
                                null)
                        .about("event filter");
            }
        }
        log.info("FLTR: Event filtering is active. " + patterns.size() + " filters enabled: " + patterns);
    }

    boolean drops(AiuEvent event) {
        for (Map.Entry<String, GivenPattern> entry : patterns.entrySet()) {
            String value = value(event, entry.getKey());
            if (value != null && entry.getValue().isIn(value)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String value(AiuEvent event, String attribute) {
        return switch (attribute) {
            case "name" -> event.name.text();
            case "cat" -> event.category;
            case "ph" -> String.valueOf(event.phase);
            case "ts" -> text(event.ts);
            case "dur" -> text(event.dur);
            case "pid" -> Long.toString(event.pid);
            case "tid" -> event.hasTid ? Long.toString(event.tid) : null;
            default ->
                attribute.startsWith("args.")
                        ? argument(event, attribute.substring(5))
                        : event.other == null ? null : text(event.other.get(attribute));
        };
    }

    private static @Nullable String argument(AiuEvent event, String path) {
        DeviceTimes device = event.device;
        if (device != null && path.length() == 3 && path.startsWith("TS")) {
            int number = path.charAt(2) - '1';
            return number >= 0 && number < DeviceTimes.COUNT ? Long.toString(device.cycles[number]) : null;
        }
        if (device != null && device.power >= 0 && path.equals("Power")) {
            return Long.toString(device.power);
        }
        if (path.equals("rank")) {
            return event.rank == AiuEvent.NO_RANK ? null : Integer.toString(event.rank);
        }
        return text(event.get(path));
    }

    private static @Nullable String text(double value) {
        return Double.isNaN(value) ? null : Numbers.python(value);
    }

    private static @Nullable String text(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Args args -> null;
            case RawJson raw -> raw.text();
            case Double number -> Numbers.python(number);
            case Boolean truth -> truth ? "True" : "False";
            default -> value.toString();
        };
    }
}
