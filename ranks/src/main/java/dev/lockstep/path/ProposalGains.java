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
 * @param of the time of the steps of which gains are a part, in ns: the trace without what was launched before it, and without what the
 *     profiler cost
 * @param profiler what the profiler cost these steps, in ns, as far as the user said so
 * @param ofEvent what it cost for each event of the host, in ns
 * @param waits the gain if the host never waited for the device, in ns
 */
public record ProposalGains(List<Row> rows, long together, long of, long profiler, long ofEvent, long waits) {
    /** What gains less than this part of the time is not offered. */
    private static final int LEAST_PART = 100;

    /** No profiler spends as much on one event, in ns. */
    private static final long MOST_OF_EVENT = 1 << 20;

    /** Nothing is known. */
    static final ProposalGains NONE = new ProposalGains(List.of(), 0, 0, 0, 0, 0);

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
     * @param recorded the time of the recorded steps, in ns
     * @param wanted what they take without the profiler, in ns; 0 where nobody said
     */
    static ProposalGains of(
            List<Proposal> proposals,
            TraceEdits edits,
            Scenarios scenarios,
            PathWindow window,
            long recorded,
            long wanted) {
        Tries tries = new Tries(scenarios.new Replays(), edits, window);
        long profiler = wanted == 0 ? 0 : tries.takeProfilerOff(recorded - wanted);
        long of = recorded - profiler;
        List<Row> rows = new ArrayList<>();
        List<Proposal> offered = new ArrayList<>();
        for (Proposal proposal : proposals) {
            long gain = tries.gain(proposal.likely());
            if (gain * LEAST_PART >= of && gain > 0) {
                long low = tries.gain(proposal.least(), proposal, gain);
                long high = tries.gain(proposal.most(), proposal, gain);
                rows.add(new Row(proposal.id(), gain, Math.min(low, gain), Math.max(high, gain)));
                offered.add(proposal);
            }
        }
        Changes all = new Changes();
        offered.forEach(proposal -> all.addAll(proposal.likely()));
        long together = rows.size() == 1 ? rows.getFirst().gain() : rows.isEmpty() ? 0 : tries.gain(all);
        rows.sort(Comparator.comparingLong((Row row) -> -row.gain).thenComparing(Row::id));
        return new ProposalGains(
                rows, together, of, profiler, tries.ofEvent, Math.max(0, tries.gain(edits.withoutWaits("*"))));
    }

    /** Replays of one trace, with the host as fast as it is without the profiler. Confined to one thread. */
    private static final class Tries {
        private final Scenarios.Replays replays;
        private final TraceEdits edits;
        private List<Edit> profiler = List.of();
        private long length;
        private long ofEvent;

        private Tries(Scenarios.Replays replays, TraceEdits edits, PathWindow window) {
            this.replays = replays;
            this.edits = edits;
            length = window.length();
        }

        /**
         * Takes the same time off each event of the host until the trace is so much shorter.
         *
         * @param wanted how much shorter, in ns
         * @return how much shorter it now is, in ns: no more than where events take no time
         */
        private long takeProfilerOff(long wanted) {
            long recorded = length;
            long low = 0;
            long high = MOST_OF_EVENT;
            while (wanted > 0 && high - low > 1) {
                long middle = (low + high) / 2;
                if (recorded - length(List.of(edits.withoutProfiler(middle))) < wanted) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            if (wanted > 0) {
                ofEvent = high;
                profiler = List.of(edits.withoutProfiler(high));
                length = length(profiler);
            }
            return recorded - length;
        }

        private long gain(Changes changes) {
            return gain(edits.of(changes));
        }

        /** The same for the least or the most of a proposal of which the likely gain is known. */
        private long gain(Changes changes, Proposal proposal, long likely) {
            return changes == proposal.likely() ? likely : gain(changes);
        }

        private long gain(Edit edit) {
            List<Edit> all = new ArrayList<>(profiler);
            all.add(edit);
            return length - length(all);
        }

        private long length(List<Edit> all) {
            replays.edit(all);
            return replays.length();
        }
    }
}
