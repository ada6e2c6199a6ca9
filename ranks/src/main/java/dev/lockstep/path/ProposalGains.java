// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What changes of the program gain, each alone and all together, by replays of the graph.
 *
 * @param rows by gain, the largest first; only what gains a part of the time worth mentioning
 * @param together what all rows gain at once, in ns
 * @param of the time of the recorded steps of which gains are a part, in ns: the recording without what was launched before it
 * @param waits the gain if the host never waited for the device, in ns
 */
public record ProposalGains(List<Row> rows, long together, long of, long waits) {
    /** What gains less than this part of the time is not offered. */
    private static final int LEAST_PART = 100;

    /** Nothing is known. */
    static final ProposalGains NONE = new ProposalGains(List.of(), 0, 0, 0);

    /**
     * One change.
     *
     * @param id of the proposal
     * @param gain what is expected, in ns
     * @param low the least, in ns; may be negative
     * @param high the most, in ns
     */
    public record Row(String id, long gain, long low, long high) {}

    /** Copies the rows. */
    public ProposalGains {
        rows = List.copyOf(rows);
    }

    /**
     * Tries proposals.
     *
     * @param of the time of which gains are a part, in ns
     */
    static ProposalGains of(
            List<Proposal> proposals, TraceEdits edits, Scenarios scenarios, PathWindow window, long of) {
        Scenarios.Replays replays = scenarios.new Replays();
        List<Row> rows = new ArrayList<>();
        List<Proposal> offered = new ArrayList<>();
        for (Proposal proposal : proposals) {
            long gain = gain(replays, edits, window, proposal.likely());
            if (gain * LEAST_PART >= of && gain > 0) {
                long low = other(replays, edits, window, proposal, proposal.least(), gain);
                long high = other(replays, edits, window, proposal, proposal.most(), gain);
                rows.add(new Row(proposal.id(), gain, Math.min(low, gain), Math.max(high, gain)));
                offered.add(proposal);
            }
        }
        Changes all = new Changes();
        offered.forEach(proposal -> all.addAll(proposal.likely()));
        long together =
                rows.size() == 1 ? rows.getFirst().gain() : rows.isEmpty() ? 0 : gain(replays, edits, window, all);
        rows.sort(Comparator.comparingLong((Row row) -> -row.gain).thenComparing(Row::id));
        return new ProposalGains(rows, together, of, Math.max(0, gain(replays, edits.withoutWaits("*"), window)));
    }

    private static long other(
            Scenarios.Replays replays,
            TraceEdits edits,
            PathWindow window,
            Proposal proposal,
            Changes changes,
            long likely) {
        return changes == proposal.likely() ? likely : gain(replays, edits, window, changes);
    }

    private static long gain(Scenarios.Replays replays, TraceEdits edits, PathWindow window, Changes changes) {
        return gain(replays, edits.of(changes), window);
    }

    private static long gain(Scenarios.Replays replays, Edit edit, PathWindow window) {
        replays.edit(List.of(edit));
        return window.length() - replays.length();
    }
}
