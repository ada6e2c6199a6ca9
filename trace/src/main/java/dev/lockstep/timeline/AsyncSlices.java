// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.model.Marks;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.table.IntList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Asynchronous slices and lives of objects: begins and ends that are joined by an id and not by their thread. All of one id lie on a track of
 * their own below the process; an end closes the innermost begin.
 */
public final class AsyncSlices {
    private static final String BEGINS = "bSN";
    private static final String ENDS = "eFD";

    private final RankTimeline rank;
    private final Marks marks;
    private final RecordedTexts.Cursor recorded;
    private final Map<String, IntList> open = new HashMap<>();
    private final String[] keys;

    /**
     * @param order rows of marks in the order of their times
     * @param recorded the texts of the marks
     */
    public AsyncSlices(RankTimeline rank, int[] order, RecordedTexts.Cursor recorded) {
        this.rank = rank;
        this.marks = rank.trace().marks();
        this.recorded = recorded;
        this.keys = new String[order.length];
        for (int i = 0; i < order.length; i++) {
            char phase = marks.phase(order[i]);
            if (BEGINS.indexOf(phase) >= 0) {
                open.computeIfAbsent(key(order[i]), k -> new IntList(4)).add(i);
            } else if (ENDS.indexOf(phase) >= 0) {
                end(i, key(order[i]));
            }
        }
    }

    /** Whether this phase begins one. */
    public static boolean isBegin(char phase) {
        return BEGINS.indexOf(phase) >= 0;
    }

    /** Whether this phase ends one. */
    public static boolean isEnd(char phase) {
        return ENDS.indexOf(phase) >= 0;
    }

    /** Whether the begin or end at this place has its partner. */
    public boolean isPaired(int place) {
        return keys[place] != null;
    }

    /** What the slices of one track have in common. */
    public String key(int row) {
        StringBuilder key = new StringBuilder();
        key.append(rank.rows().get(rank.rowOfTrack()[marks.track(row)]).process())
                .append('\0')
                .append(marks.category(row));
        boolean nestable = marks.phase(row) == 'b' || marks.phase(row) == 'e';
        if (!nestable) {
            key.append('\0').append(marks.name(row));
        }
        if (recorded.move(row)) {
            String fields = new String(
                    recorded.bytes, recorded.fields, recorded.fieldsEnd - recorded.fields, StandardCharsets.UTF_8);
            ids(fields, key);
        }
        return key.toString();
    }

    private void end(int place, String key) {
        IntList begins = open.get(key);
        if (begins != null && begins.size() > 0) {
            keys[begins.removeLast()] = key;
            keys[place] = key;
        }
    }

    private void ids(String fields, StringBuilder key) {
        try (JsonParser parser = Json.UNLIMITED.createParser("{" + fields + "}")) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                boolean wanted = name.equals("id") || name.equals("id2") || name.equals("scope");
                int depth = 0;
                do {
                    JsonToken token = parser.nextToken();
                    depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                    if (wanted) {
                        key.append('\0').append(parser.getText());
                    }
                } while (depth > 0);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(fields, e);
        }
    }
}
