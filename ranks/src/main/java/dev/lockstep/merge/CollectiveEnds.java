// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.table.IntList;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The matched collectives that nobody can leave before all have come, as far as clocks are told from them: one point for
 * each member. Of very many, evenly chosen ones of each group of ranks.
 */
final class CollectiveEnds {
    private static final int ENOUGH_POINTS = 400_000;
    private static final int FEWEST_OF_GROUP = 64;

    /** Number of ranks. */
    final int ranks;

    /** Number of collectives. */
    final int instances;

    /** By collective: its first point; its points lie one behind the other. */
    final int[] firstPoint;

    /** By collective: a number that those of the same ranks have in common. */
    final int[] group;

    /** By point. */
    final int[] rank;

    /** By point. */
    final int[] instance;

    /** By point: begin and end as the rank's clock showed them, counted from the origin of all clocks. */
    final long[] start;

    final long[] end;

    /** By rank. */
    final int[][] pointsOf;

    private CollectiveEnds(CollectiveMatch match, int[] chosen) {
        ranks = match.ranks().size();
        instances = chosen.length;
        firstPoint = new int[instances + 1];
        group = new int[instances];
        for (int c = 0; c < instances; c++) {
            firstPoint[c + 1] = firstPoint[c] + match.members(chosen[c]);
        }
        int points = firstPoint[instances];
        rank = new int[points];
        instance = new int[points];
        start = new long[points];
        end = new long[points];
        IntList[] of = new IntList[ranks];
        Arrays.setAll(of, r -> new IntList(16));
        Map<IntBuffer, Integer> groups = new HashMap<>();
        for (int c = 0; c < instances; c++) {
            int instanceOf = chosen[c];
            int[] members = IntStream.range(0, match.members(instanceOf))
                    .map(m -> match.rank(instanceOf, m))
                    .toArray();
            Integer known = groups.putIfAbsent(IntBuffer.wrap(members), groups.size());
            group[c] = known == null ? groups.size() - 1 : known;
            for (int m = 0; m < members.length; m++) {
                int point = firstPoint[c] + m;
                RankCollectives kernels = match.ranks().get(match.rank(chosen[c], m));
                int row = match.row(chosen[c], m);
                rank[point] = match.rank(chosen[c], m);
                instance[point] = c;
                start[point] = kernels.ts(row) + kernels.info().originNs();
                end[point] = kernels.end(row) + kernels.info().originNs();
                of[rank[point]].add(point);
            }
        }
        pointsOf = new int[ranks][];
        Arrays.setAll(pointsOf, r -> of[r].toArray());
    }

    static CollectiveEnds of(List<RankCollectives> ranks) {
        CollectiveMatch match = CollectiveMatch.of(ranks);
        IntList usable = new IntList(256);
        int[] ofGroup = new int[match.groups().size()];
        for (int i = 0; i < match.size(); i++) {
            if (match.members(i) > 1 && match.call(i).kind().synchronising()) {
                usable.add(i);
                ofGroup[match.group(i)]++;
            }
        }
        long groups = Math.max(1, Arrays.stream(ofGroup).filter(n -> n > 0).count());
        int[] seen = new int[ofGroup.length];
        IntList chosen = new IntList(usable.size());
        for (int i = 0; i < usable.size(); i++) {
            int group = match.group(usable.get(i));
            long wanted = Math.max(FEWEST_OF_GROUP, ENOUGH_POINTS / groups / match.members(usable.get(i)));
            if (seen[group]++ % Math.max(1, ofGroup[group] / wanted) == 0) {
                chosen.add(usable.get(i));
            }
        }
        return new CollectiveEnds(match, chosen.toArray());
    }

    /** By rank: a number that ranks have in common which share collectives, directly or through others. */
    int[] components() {
        int[] root = new int[ranks];
        Arrays.setAll(root, i -> i);
        for (int c = 0; c < instances; c++) {
            int first = find(root, rank[firstPoint[c]]);
            for (int p = firstPoint[c] + 1; p < firstPoint[c + 1]; p++) {
                int other = find(root, rank[p]);
                root[Math.max(first, other)] = Math.min(first, other);
                first = Math.min(first, other);
            }
        }
        int[] component = new int[ranks];
        Arrays.setAll(component, i -> find(root, i));
        return component;
    }

    private static int find(int[] root, int of) {
        int at = of;
        while (root[at] != at) {
            root[at] = root[root[at]];
            at = root[at];
        }
        return at;
    }
}
