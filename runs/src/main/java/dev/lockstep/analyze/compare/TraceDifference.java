// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.Table;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What sets a candidate apart from a baseline. The time from the first to the last device activity is the sum of all
 * durations, less what activities had in common by running at the same time, plus the time without any. Each device activity
 * counts for one {@link Cause}, each moment of idle time for what filled it by the {@link IdleAccount}, so that the
 * contributions add up, to the nanosecond, to the difference of the two times.
 *
 * <p>Traces of other hardware, with kernels of other names, are compared by the operators that ran them.
 *
 * @param rules definitions; Python frames need not be in the call tree
 */
public record TraceDifference(AnalysisRules rules) {
    /**
     * How one trace spends the time from its first to its last device activity, in ns.
     *
     * @param work sum of the durations of all activities
     * @param overlap how much of that passed while another activity ran, too
     * @param idle time without any activity
     */
    public record Totals(long work, long overlap, long idle) {
        /** Time in which anything ran. */
        public long busy() {
            return work - overlap;
        }

        /** From the first start to the last end. */
        public long span() {
            return busy() + idle;
        }
    }

    /**
     * A cause, and the operator or activity that it is about.
     *
     * @param subject name of the operator; of the activity where its launch is unknown; for {@link Cause#IDLE} what filled it,
     *     as {@link IdleCause#id} spells it; null for {@link Cause#OVERLAP} and
     *     {@link Cause#LAUNCHED_BEFORE}
     * @param baselineNs what the baseline spends on it
     * @param candidateNs what the candidate spends on it
     * @param baselineCount number of its activities, or gaps, in the baseline
     * @param candidateCount the same in the candidate
     */
    public record CauseRow(
            Cause cause,
            @Nullable String subject,
            long baselineNs,
            long candidateNs,
            int baselineCount,
            int candidateCount) {
        /** What the cause adds to the candidate's time; negative when it saves time. */
        public long contributionNs() {
            return cause == Cause.OVERLAP ? baselineNs - candidateNs : candidateNs - baselineNs;
        }

        boolean isDifferent() {
            return baselineNs != candidateNs || baselineCount != candidateCount;
        }
    }

    /**
     * Operators of one name that launched device work themselves.
     *
     * @param op null for device work without a known launch
     * @param matched how many of the candidate's have a counterpart in the baseline
     */
    public record OpRow(
            @Nullable String op,
            int baselineCalls,
            int candidateCalls,
            int matched,
            long baselineNs,
            long candidateNs) {
        /** Candidate less baseline. */
        public long differenceNs() {
            return candidateNs - baselineNs;
        }
    }

    /**
     * Idle time that one thing filled.
     *
     * @param name of the slice of the host; null where there is none
     * @param frame the annotation or Python frame to which it belongs; null where there is none
     * @param baselineCalls how often the host did this in the baseline, whether a device was idle or not
     * @param candidateCalls the same in the candidate
     * @param baselineGaps number of gaps of the baseline of which it filled a part
     * @param candidateGaps the same in the candidate
     */
    public record IdleRow(
            IdleCause cause,
            @Nullable String name,
            @Nullable String frame,
            long baselineNs,
            long candidateNs,
            int baselineCalls,
            int candidateCalls,
            int baselineGaps,
            int candidateGaps) {
        /** Candidate less baseline. */
        public long differenceNs() {
            return candidateNs - baselineNs;
        }

        /** Whether the host did it another number of times: one side half as often again, or more. */
        public boolean isCounted() {
            return 2L * Math.max(baselineCalls, candidateCalls) >= 3L * Math.min(baselineCalls, candidateCalls)
                    && baselineCalls != candidateCalls;
        }
    }

    /** Device activity of one name. */
    public record KernelRow(String name, int baselineCount, int candidateCount, long baselineNs, long candidateNs) {
        /** Candidate less baseline. */
        public long differenceNs() {
            return candidateNs - baselineNs;
        }
    }

    /**
     * Pairs of operators with inputs of the same shapes.
     *
     * @param baselineKernels what the first of them launched, each name once
     * @param pairs how many pairs there are
     */
    public record PairRow(
            String op,
            @Nullable String baselineDims,
            @Nullable String candidateDims,
            int pairs,
            long baselineNs,
            long candidateNs,
            List<String> baselineKernels,
            List<String> candidateKernels) {
        public PairRow {
            baselineKernels = List.copyOf(baselineKernels);
            candidateKernels = List.copyOf(candidateKernels);
        }

        /** Candidate less baseline. */
        public long differenceNs() {
            return candidateNs - baselineNs;
        }
    }

    /**
     * The difference; causes that contribute nothing are left out, the others stand by the size of what they contribute.
     *
     * @param pace how long the host takes for the same operators
     */
    public record Result(
            Totals baseline,
            Totals candidate,
            List<CauseRow> causes,
            List<IdleRow> idle,
            List<OpRow> ops,
            List<KernelRow> kernels,
            List<PairRow> pairs,
            HostPace pace,
            Counterparts counterparts)
            implements AnalysisResult {
        public Result {
            causes = List.copyOf(causes);
            idle = List.copyOf(idle);
            ops = List.copyOf(ops);
            kernels = List.copyOf(kernels);
            pairs = List.copyOf(pairs);
        }

        /** Whether nothing sets the two apart. */
        public boolean isEmpty() {
            return causes.isEmpty() && baseline.equals(candidate);
        }

        @Override
        public List<Table> tables() {
            return DifferenceSheets.of(this);
        }

        @Override
        public List<Evidence> places(String sheet) {
            return counterparts.places(this, sheet);
        }

        @Override
        public @Nullable String notApplicable() {
            return ops.isEmpty() ? "neither trace has device activity" : null;
        }
    }

    static final Comparator<CauseRow> BY_SIZE = Comparator.comparingLong((CauseRow r) -> Math.abs(r.contributionNs()))
            .reversed()
            .thenComparing(CauseRow::cause)
            .thenComparing(CauseRow::subject, Comparator.nullsFirst(Comparator.naturalOrder()));

    /** Whether both traces have frames of Python; of one alone they set nothing apart. */
    public static boolean haveFrames(DerivedCache baseline, DerivedCache candidate) {
        return hasFrames(baseline.trace().slices())
                && hasFrames(candidate.trace().slices());
    }

    private static boolean hasFrames(Slices slices) {
        int slice = 0;
        while (slice < slices.size() && slices.kind(slice) != SliceKind.PYTHON) {
            slice++;
        }
        return slice < slices.size();
    }

    /** Compares two traces. */
    public Result run(DerivedCache baseline, DerivedCache candidate) {
        SharedNames names = new SharedNames();
        IntTuples signatures = new IntTuples();
        AnalysisRules withoutFrames = rules.withPython(false);
        OpForest one = new OpForest(baseline, withoutFrames, names, signatures);
        OpForest two = new OpForest(candidate, withoutFrames, names, signatures);
        OpAlignment alignment = new OpAlignment(one, two);
        Attribution attribution = new Attribution(one, two, alignment, names);
        IdleAccount.Key idle = new IdleAccount.Key(rules, null, haveFrames(baseline, candidate));
        MatchedTraces traces =
                new MatchedTraces(one, two, alignment, attribution, names, baseline.get(idle), candidate.get(idle));
        return new Sums(traces).result(HostPace.of(baseline, candidate, traces));
    }
}
