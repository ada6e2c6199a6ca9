// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.model.Track;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ranks inside a merged file, told by the names of its processes ({@code rank 3: ...}, {@code Rank 3 - ...}). A file is
 * taken for a merged one if these name two ranks at least, or if it says that it is one.
 */
final class RanksInside {
    /** Under this key a merged file keeps what the files of its ranks said beside their events. */
    static final String METADATA = "lockstepRanks";

    private static final Pattern NAMED =
            Pattern.compile("(?<![A-Za-z])rank[\\s_\\-#\\[:=]*0*(\\d{1,7})(?!\\d)", Pattern.CASE_INSENSITIVE);

    /** By track: place of its rank among {@link #ranks}. */
    final int[] partOfTrack;

    /** Ascending. */
    final List<Integer> ranks;

    private RanksInside(int[] partOfTrack, List<Integer> ranks) {
        this.partOfTrack = partOfTrack;
        this.ranks = ranks;
    }

    /** The ranks, null when the file holds one alone. Tracks of processes that name none belong to the first. */
    static @Nullable RanksInside of(List<Track> tracks, Map<String, String> metadata) {
        int[] rankOfTrack = new int[tracks.size()];
        TreeSet<Integer> found = new TreeSet<>();
        for (int i = 0; i < rankOfTrack.length; i++) {
            String name = tracks.get(i).processName();
            Matcher matcher = NAMED.matcher(name == null ? "" : name);
            rankOfTrack[i] = matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
            if (rankOfTrack[i] >= 0) {
                found.add(rankOfTrack[i]);
            }
        }
        if (found.size() < 2 && (found.isEmpty() || !metadata.containsKey(METADATA))) {
            return null;
        }
        List<Integer> ranks = List.copyOf(found);
        int[] parts = new int[rankOfTrack.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Math.max(0, ranks.indexOf(rankOfTrack[i]));
        }
        return new RanksInside(parts, ranks);
    }

    /** What the file of a rank said beside its events: key to JSON text. */
    static Map<String, String> metadataOf(int rank, Map<String, String> all) {
        Map<String, String> own = new TreeMap<>();
        String text = all.get(METADATA);
        if (text == null) {
            return own;
        }
        try (JsonParser parser = Json.UNLIMITED.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return own;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = parser.currentName().equals(Integer.toString(rank));
                parser.nextToken();
                if (wanted) {
                    members(parser, text, own);
                } else {
                    parser.skipChildren();
                }
            }
        } catch (IOException e) {
            own.clear(); // damaged metadata are no reason to lose the events
        }
        return own;
    }

    private static void members(JsonParser parser, String text, Map<String, String> into) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            parser.nextToken();
            int from = (int) parser.currentTokenLocation().getCharOffset();
            parser.skipChildren();
            if (parser.currentToken() == JsonToken.VALUE_STRING) {
                parser.getText();
            }
            int to = (int) parser.currentLocation().getCharOffset();
            into.put(key, text.substring(from, to));
        }
    }

    @Override
    public String toString() {
        return ranks + " on " + Arrays.toString(partOfTrack);
    }
}
