// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.goal.kineto.ProcessGroups;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What ranks exchange, by rank and by the place of a kernel in its file. */
final class Exchanges {
    private record Pair(int from, int to) {}

    private final CollectiveMatch match;
    private final ProcessGroups groups;
    private final RecordingNotes notes;
    private final List<LongIntMap> byEvent = new ArrayList<>();
    private final List<Communication> all = new ArrayList<>();
    private final Map<Pair, Integer> messages = new HashMap<>();

    Exchanges(CollectiveMatch match, RecordingNotes notes) {
        this.match = match;
        this.notes = notes;
        groups = new ProcessGroups(match, notes);
        match.ranks().forEach(rank -> byEvent.add(new LongIntMap(256)));
        for (int i = 0; i < match.size(); i++) {
            instance(i);
        }
    }

    /** What a rank, by its place, exchanges in a kernel; null where it does not, or where it is not known what. */
    @Nullable
    Communication of(int rank, int event) {
        int found = event < 0 ? -1 : byEvent.get(rank).get(event);
        return found < 0 ? null : all.get(found);
    }

    /** The process groups, whose places are their numbers. */
    List<ProcessGroups.Members> groups() {
        return groups.all();
    }

    private void instance(int i) {
        int number = groups.of(match.group(i));
        ProcessGroups.Members group = groups.all().get(number);
        Pair pair = match.call(i).kind().pointToPoint() ? pair(i, group) : null;
        int tag = pair == null ? -1 : messages.merge(pair, 1, Integer::sum) - 1;
        for (int m = 0; m < match.members(i); m++) {
            CollectiveCall call = match.call(i, m);
            int kind = Communication.numberOf(call.kind());
            long bytes = call.kind() == CollectiveKind.BARRIER
                    ? 0
                    : Communication.bytes(call, group.ranks().size());
            if (pair == null && kind < 0) {
                left(call, "with whom it exchanges what is not on record");
            } else if (bytes < 0) {
                left(call, "its size or element type is not on record");
            } else {
                byEvent.get(match.rank(i, m))
                        .put(match.ranks().get(match.rank(i, m)).index(match.row(i, m)), all.size());
                all.add(
                        pair == null
                                ? Communication.collective(kind, bytes, number)
                                : Communication.message(
                                        call.kind() == CollectiveKind.SEND, bytes, number, pair.from, pair.to, tag));
            }
        }
    }

    private void left(CollectiveCall call, String why) {
        notes.lost("communication_unknown", call.name() + " is written as a computation: " + why);
    }

    /** The ranks of a message; null where one of them is not known. */
    private @Nullable Pair pair(int i, ProcessGroups.Members group) {
        Group match = this.match.groups().get(this.match.group(i));
        int size = group.ranks().size();
        if (match.from() < 0 || match.from() >= size || match.to() < 0 || match.to() >= size) {
            return null;
        }
        return new Pair(group.ranks().get((int) match.from()), group.ranks().get((int) match.to()));
    }
}
