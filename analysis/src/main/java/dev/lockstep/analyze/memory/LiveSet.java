// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.analyze.memory.AllocationOwners.Owner;
import dev.lockstep.analyze.memory.AllocationOwners.Pass;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.model.Slices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that are allocated at a moment, by owner and lifetime. What was allocated before the trace began is an owner of
 * its own, and so is what recorded totals hold beyond that: the bytes of all rows are the total of the moment.
 */
final class LiveSet {
    /** What was allocated before the trace began. */
    static final String BASELINE = "baseline";
    /** What recorded totals hold and no block explains. */
    static final String UNEXPLAINED = "(not explained by blocks)";

    /**
     * Blocks of one owner and lifetime.
     *
     * @param blocks how many, -1 when not known
     */
    record Row(Owner owner, Lifetime lifetime, long blocks, long bytes) {}

    private record Place(int owner, Lifetime lifetime) {}

    private final AllocatorLog log;
    private final AllocationOwners owners;
    private final Slices slices;
    private final List<Step> steps;

    LiveSet(AllocatorLog log, AllocationOwners owners, Slices slices, List<Step> steps) {
        this.log = log;
        this.owners = owners;
        this.slices = slices;
        this.steps = steps;
    }

    /** The rows after an event, the largest first; -1 for the moment before the first event. */
    List<Row> after(int event) {
        Map<Place, long[]> sums = new HashMap<>();
        long baseline = log.baseline();
        long known = 0;
        for (int i = 0; i <= event; i++) {
            int row = log.row(i);
            if (!log.hasAddresses()) {
                known += add(sums, new Place(owners.number(row), Lifetime.UNKNOWN), log.bytes(i));
            } else if (!log.givesOut(i)) {
                baseline += log.isMatched(i) ? 0 : log.bytes(i);
            } else if (log.end(i) > event) {
                known += add(sums, new Place(owners.number(row), lifetime(i)), log.bytes(i));
            }
        }
        List<Row> rows = new ArrayList<>();
        sums.forEach((place, sum) ->
                rows.add(new Row(owners.owner(place.owner), place.lifetime, log.hasAddresses() ? sum[0] : -1, sum[1])));
        long level = log.before(event + 1);
        if (baseline != 0 || log.hasTotals()) {
            rows.add(new Row(plain(BASELINE), Lifetime.BASELINE, -1, baseline));
        }
        if (level != baseline + known) {
            rows.add(new Row(plain(UNEXPLAINED), Lifetime.UNEXPLAINED, -1, level - baseline - known));
        }
        rows.sort(Comparator.comparingLong((Row row) -> -row.bytes)
                .thenComparing(row -> row.owner.name())
                .thenComparing(row -> text(row.owner.module()))
                .thenComparing(row -> text(row.owner.dims()))
                .thenComparing(Row::lifetime));
        return rows;
    }

    private static long add(Map<Place, long[]> sums, Place place, long bytes) {
        long[] sum = sums.computeIfAbsent(place, p -> new long[2]);
        sum[0]++;
        sum[1] += bytes;
        return bytes;
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Owner plain(String name) {
        return new Owner(name, null, null, null);
    }

    /** For how long the block lives that an event allocates. */
    Lifetime lifetime(int event) {
        int end = log.end(event);
        int row = log.row(event);
        if (end == AllocatorLog.NEVER || log.givesOut(end)) {
            return spans(log.time(event)) ? Lifetime.PERSISTENT : Lifetime.STEP;
        }
        int operator = owners.operator(row);
        int endRow = log.row(end);
        if (operator >= 0
                && log.time(end) < slices.end(operator)
                && owners.operator(endRow) >= 0
                && slices.track(owners.operator(endRow)) == slices.track(operator)) {
            return Lifetime.WORKSPACE;
        }
        Pass begun = owners.pass(row);
        Pass ended = owners.pass(endRow);
        if (begun == Pass.FORWARD && ended == Pass.BACKWARD) {
            return Lifetime.ACTIVATION;
        }
        return begun == Pass.BACKWARD && ended == Pass.OPTIMIZER ? Lifetime.GRADIENT : Lifetime.STEP;
    }

    /** Whether what begins at this time and never ends lives in two steps at least. */
    private boolean spans(long from) {
        long seen = steps.stream().filter(step -> step.end() > from).count();
        return steps.isEmpty() || seen >= 2;
    }
}
