// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which stages run. A profile is a list of stage identifiers with true or false, in the order of the reference profile.
 * A profile that lists every occurrence of each repeated stage is read by position; in any other, a repeated name
 * without an ordinal ({@code sort_events#2}) stands for all its occurrences, and stages that are not listed are off.
 */
public final class Profile {
    private static final String REFERENCE = "everything.json";

    /** @param ordinal from 1, or 0 when none is given */
    private record Entry(String given, String stage, int ordinal, boolean enabled) {}

    private final List<Entry> entries;
    private int at;

    private Profile(List<Entry> entries) {
        this.entries = entries;
    }

    /** Reads a profile from a file, or the bundled one of that name. */
    public static Profile load(String name) throws IOException {
        List<Entry> reference = numbered(parse(bundled(REFERENCE), REFERENCE));
        String text;
        Path file = Path.of(name);
        if (Files.exists(file) && !Files.isDirectory(file)) {
            text = NamedFiles.settings(file);
        } else {
            try (InputStream found = Profile.class.getResourceAsStream("/dev/lockstep/aiu/profiles/" + name)) {
                if (found == null) {
                    throw new UserException(
                                    ErrorCode.OPTION_INVALID,
                                    "there is neither a file nor a bundled profile " + name,
                                    "bundled: everything.json, default.json, torch_minimal.json, verification.json")
                            .about("profile");
                }
                text = new String(found.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        List<Entry> wanted = parse(text, name);
        return new Profile(wanted.equals(ALL) ? reference : matched(wanted, reference));
    }

    private static final List<Entry> ALL = List.of(new Entry("*", "*", 0, true));

    private static String bundled(String name) throws IOException {
        try (InputStream found = Profile.class.getResourceAsStream("/dev/lockstep/aiu/profiles/" + name)) {
            if (found == null) {
                throw new IllegalStateException(name);
            }
            return new String(found.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Whether the next stage of this name is enabled; moves behind it. A stage that is not ahead is disabled. */
    public boolean takes(String stage) {
        for (int i = at; i < entries.size(); i++) {
            if (entries.get(i).stage.equals(stage)) {
                at = i + 1;
                return entries.get(i).enabled;
            }
        }
        return false;
    }

    private static List<Entry> numbered(List<Entry> plain) {
        Map<String, Integer> seen = new HashMap<>();
        List<Entry> numbered = new ArrayList<>();
        for (Entry e : plain) {
            numbered.add(new Entry(e.given, e.stage, seen.merge(e.stage, 1, Integer::sum), e.enabled));
        }
        return numbered;
    }

    private static List<Entry> matched(List<Entry> wanted, List<Entry> reference) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        Map<String, Integer> often = counts(reference);
        Map<String, Integer> asked = counts(wanted);
        boolean positional = often.entrySet().stream()
                .allMatch(e -> e.getValue() == 1
                        || !asked.containsKey(e.getKey())
                        || e.getValue().equals(asked.get(e.getKey())));
        Map<String, Boolean> everywhere = new HashMap<>();
        List<Entry> ordered = new ArrayList<>();
        for (Entry e : wanted) {
            if (!positional && e.ordinal == 0 && often.getOrDefault(e.stage, 0) > 1) {
                everywhere.put(e.stage, e.enabled);
            } else {
                ordered.add(e);
            }
        }
        List<Entry> result = new ArrayList<>();
        int next = 0;
        for (Entry r : reference) {
            boolean enabled = everywhere.getOrDefault(r.stage, false);
            if (next < ordered.size() && isSame(ordered.get(next), r)) {
                enabled = ordered.get(next++).enabled;
            }
            result.add(new Entry(r.given, r.stage, r.ordinal, enabled));
        }
        if (next < ordered.size()) {
            throw invalid("the profile names an unknown or misplaced stage: " + ordered.get(next).given);
        }
        return result;
    }

    private static boolean isSame(Entry wanted, Entry reference) {
        return wanted.stage.equals(reference.stage) && (wanted.ordinal == 0 || wanted.ordinal == reference.ordinal);
    }

    private static Map<String, Integer> counts(List<Entry> entries) {
        Map<String, Integer> counts = new HashMap<>();
        entries.forEach(e -> counts.merge(e.stage, 1, Integer::sum));
        return counts;
    }

    /** The entries, or {@link #ALL} for an empty object. */
    private static List<Entry> parse(String text, String name) throws IOException {
        List<Entry> found = null;
        try (JsonParser json = new JsonFactory().createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw invalid(name + ": a profile is an object");
            }
            boolean empty = true;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                empty = false;
                boolean stages = json.currentName().equals("stages");
                json.nextToken();
                if (stages && json.currentToken() == JsonToken.START_ARRAY) {
                    found = stages(json, name);
                } else {
                    json.skipChildren();
                }
            }
            if (empty) {
                return ALL;
            }
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw invalid(name + ": " + Json.problem(e));
        }
        return require(found, name);
    }

    private static List<Entry> require(@Nullable List<Entry> found, String name) {
        if (found == null) {
            throw invalid(name + ": a profile needs a list called stages");
        }
        return found;
    }

    private static List<Entry> stages(JsonParser json, String name) throws IOException {
        List<Entry> entries = new ArrayList<>();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            if (json.nextToken() != JsonToken.FIELD_NAME) {
                throw invalid(name + ": each entry of a profile names one stage");
            }
            String given = json.currentName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
                throw invalid(name + ": " + given + " is neither true nor false");
            }
            boolean enabled = value == JsonToken.VALUE_TRUE
                    || value == JsonToken.VALUE_NUMBER_INT && json.getLongValue() != 0
                    || value == JsonToken.VALUE_STRING && !json.getText().isEmpty();
            if (json.nextToken() != JsonToken.END_OBJECT) {
                throw invalid(name + ": each entry of a profile names one stage");
            }
            entries.add(entry(given, enabled));
        }
        return entries;
    }

    private static Entry entry(String given, boolean enabled) {
        int mark = given.lastIndexOf('#');
        if (mark < 0 || mark == given.length() - 1 || !given.substring(mark + 1).matches("[0-9]{1,6}")) {
            return new Entry(given, given, 0, enabled);
        }
        return new Entry(given, given.substring(0, mark), Integer.parseInt(given.substring(mark + 1)), enabled);
    }

    private static UserException invalid(String problem) {
        return new UserException(ErrorCode.OPTION_INVALID, problem, null);
    }
}
