// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.goal.stored.Flaws.Flaw;
import dev.lockstep.goal.stored.Flaws.Place;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where operations stand in a file: line and label. Nobody keeps these while a schedule is read; those few that are
 * named in a message are looked up afterwards, by reading the file again.
 */
public final class Places {
    private final Set<Place> wanted;
    private final Map<Place, String> found = new HashMap<>();

    private Places(Collection<Place> wanted) {
        this.wanted = new HashSet<>(wanted);
    }

    /** Looks up the places of flaws. */
    public static Places of(GoalFile file, List<Flaw> flaws) throws IOException {
        return find(file, flaws.stream().flatMap(flaw -> flaw.places().stream()).toList());
    }

    /** Looks up places. */
    public static Places find(GoalFile file, Collection<Place> wanted) throws IOException {
        Places places = new Places(wanted);
        if (!places.wanted.isEmpty()) {
            file.locate(places);
        }
        return places;
    }

    /** The operation in words: rank, and line with label or else number. */
    public String of(Place place) {
        return found.getOrDefault(place, "rank " + place.rank() + " operation " + place.operation());
    }

    boolean wants(int rank, int operation) {
        return wanted.contains(new Place(rank, operation));
    }

    void put(int rank, int operation, long line, String label) {
        found.put(
                new Place(rank, operation),
                "rank " + rank + " line " + line + (label.isEmpty() ? "" : " (" + label + ")"));
    }
}
