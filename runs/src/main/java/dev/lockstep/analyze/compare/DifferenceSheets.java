// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.analyze.compare.TraceDifference.CauseRow;
import dev.lockstep.analyze.compare.TraceDifference.IdleRow;
import dev.lockstep.analyze.compare.TraceDifference.KernelRow;
import dev.lockstep.analyze.compare.TraceDifference.OpRow;
import dev.lockstep.analyze.compare.TraceDifference.PairRow;
import dev.lockstep.analyze.compare.TraceDifference.Totals;
import dev.lockstep.codec.JsonText;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;
import java.util.function.ToLongFunction;

/** The difference of two traces as sheets. */
final class DifferenceSheets {
    /** One time of both traces. */
    private record Total(String name, long baselineNs, long candidateNs) {}

    private DifferenceSheets() {}

    static List<Table> of(TraceDifference.Result result) {
        return List.of(
                totals(result),
                causes(result),
                idle(result),
                ops(result),
                pairs(result),
                kernels(result),
                host(result));
    }

    private static Table totals(TraceDifference.Result result) {
        return new Fields<Total>()
                .add(
                        ColumnSpec.text(
                                "type",
                                "total_time: from the first to the last device activity; busy_time: with any activity;"
                                        + " idle_time: without; work_time: sum of all durations; overlap_time: how much of"
                                        + " that passed while another activity ran. work - overlap = busy, busy + idle ="
                                        + " total."),
                        Total::name)
                .add(micros("baseline us", "The time in the baseline."), Total::baselineNs)
                .add(micros("candidate us", "The time in the candidate."), Total::candidateNs)
                .add(micros("difference us", "Candidate less baseline."), t -> t.candidateNs - t.baselineNs)
                .add(change(), t -> change(t.baselineNs, t.candidateNs))
                .table(
                        TableNames.DIFF_TOTALS,
                        "Times of both traces",
                        List.of(
                                total(TimelinePartNames.TOTAL_TIME, result, Totals::span),
                                total(TimelinePartNames.BUSY_TIME, result, Totals::busy),
                                total(TimelinePartNames.IDLE_TIME, result, Totals::idle),
                                total("work_time", result, Totals::work),
                                total("overlap_time", result, Totals::overlap)));
    }

    private static Total total(String name, TraceDifference.Result result, ToLongFunction<Totals> time) {
        return new Total(name, time.applyAsLong(result.baseline()), time.applyAsLong(result.candidate()));
    }

    private static Table causes(TraceDifference.Result result) {
        long all = result.candidate().span() - result.baseline().span();
        return new Fields<CauseRow>()
                .add(
                        ColumnSpec.text(
                                "cause",
                                "same_kernel, other_kernels, kernel_count, call_count, only_baseline, only_candidate,"
                                        + " launched_before, unlinked: of device work; overlap; idle. Each device activity and each gap"
                                        + " counts for one."),
                        r -> r.cause().id())
                .add(
                        ColumnSpec.text(
                                "subject",
                                "The operator; the activity where its launch is not in the trace; of idle time the"
                                        + " cause as in idle_causes; missing for overlap and launched_before."),
                        CauseRow::subject)
                .add(
                        micros(
                                "contribution us",
                                "What this adds to the candidate's total time. All contributions add up to the"
                                        + " difference of total_time; those of device work to that of work_time."),
                        CauseRow::contributionNs)
                .add(
                        ColumnSpec.percent(
                                ColumnNames.SHARE_PERCENT,
                                "Share of the difference of total_time; missing when that is 0."),
                        r -> all == 0 ? Double.NaN : 100.0 * r.contributionNs() / all)
                .add(micros("baseline us", "What the baseline spends on it."), CauseRow::baselineNs)
                .add(micros("candidate us", "What the candidate spends on it."), CauseRow::candidateNs)
                .add(
                        ColumnSpec.count(ColumnNames.BASELINE_COUNT, "Number of activities or gaps in the baseline."),
                        CauseRow::baselineCount)
                .add(ColumnSpec.count("candidate count", "The same in the candidate."), CauseRow::candidateCount)
                .add(
                        ColumnSpec.text("meaning", "The cause in words."),
                        r -> r.cause().meaning())
                .table(TableNames.DIFF_CAUSES, "Causes by what they contribute", result.causes());
    }

    private static Table idle(TraceDifference.Result result) {
        return new Fields<IdleRow>()
                .add(
                        ColumnSpec.text("cause", "What filled the idle time, as in idle_causes."),
                        r -> r.cause().id())
                .add(
                        ColumnSpec.text(
                                "name", "The innermost slice of the host; missing for launched work and unrecorded."),
                        IdleRow::name)
                .add(
                        ColumnSpec.text("frame or annotation", "The Python frame or annotation, as in idle_causes."),
                        IdleRow::frame)
                .add(micros("baseline us", "Idle time between activities that it filled."), IdleRow::baselineNs)
                .add(micros("candidate us", "The same in the candidate."), IdleRow::candidateNs)
                .add(
                        micros(
                                "difference us",
                                "Candidate less baseline. All rows add up to the difference of idle_time."),
                        IdleRow::differenceNs)
                .add(
                        ColumnSpec.count(
                                "baseline calls",
                                "How often the host did what has this name, whether a device was idle or not."),
                        IdleRow::baselineCalls)
                .add(ColumnSpec.count("candidate calls", "The same in the candidate."), IdleRow::candidateCalls)
                .add(ColumnSpec.count("baseline gaps", "Gaps of which it filled a part."), IdleRow::baselineGaps)
                .add(ColumnSpec.count("candidate gaps", "The same in the candidate."), IdleRow::candidateGaps)
                .table("diff_idle", "Idle time of both traces by cause", result.idle());
    }

    private static Table ops(TraceDifference.Result result) {
        return new Fields<OpRow>()
                .add(
                        ColumnSpec.text("name", "The operator; missing for device work without a known launch."),
                        OpRow::op)
                .add(
                        ColumnSpec.count("baseline calls", "Calls in the baseline that launched device work."),
                        OpRow::baselineCalls)
                .add(ColumnSpec.count("candidate calls", "The same in the candidate."), OpRow::candidateCalls)
                .add(
                        ColumnSpec.count("matched calls", "The candidate's calls that have a counterpart."),
                        OpRow::matched)
                .add(micros("baseline us", "Sum of the durations of what they launched."), OpRow::baselineNs)
                .add(micros("candidate us", "The same in the candidate."), OpRow::candidateNs)
                .add(micros("difference us", "Candidate less baseline."), OpRow::differenceNs)
                .add(change(), r -> change(r.baselineNs(), r.candidateNs()))
                .table("diff_ops", "Operators", result.ops());
    }

    private static Table pairs(TraceDifference.Result result) {
        return new Fields<PairRow>()
                .add(ColumnSpec.text("name", "The operator, in both traces."), PairRow::op)
                .add(
                        ColumnSpec.arguments("baseline input dims", "Shapes of its inputs in the baseline."),
                        PairRow::baselineDims)
                .add(ColumnSpec.arguments("candidate input dims", "The same in the candidate."), PairRow::candidateDims)
                .add(ColumnSpec.count("pairs", "Number of calls that are each other's counterparts."), PairRow::pairs)
                .add(
                        micros(
                                "baseline us",
                                "Sum of the durations of what the baseline's calls launched, themselves or in operators"
                                        + " without a counterpart."),
                        PairRow::baselineNs)
                .add(micros("candidate us", "The same in the candidate."), PairRow::candidateNs)
                .add(micros("difference us", "Candidate less baseline."), PairRow::differenceNs)
                .add(change(), r -> change(r.baselineNs(), r.candidateNs()))
                .add(
                        ColumnSpec.json("baseline kernels", "Names of what the first of these calls launched."),
                        r -> json(r.baselineKernels()))
                .add(
                        ColumnSpec.json("candidate kernels", "The same in the candidate."),
                        r -> json(r.candidateKernels()))
                .table(TableNames.DIFF_MATCHED_OPS, "Operators of both traces side by side", result.pairs());
    }

    private static Table kernels(TraceDifference.Result result) {
        return new Fields<KernelRow>()
                .add(ColumnSpec.text("name", "Name of the device activity."), KernelRow::name)
                .add(
                        ColumnSpec.count(ColumnNames.BASELINE_COUNT, "How often it ran in the baseline."),
                        KernelRow::baselineCount)
                .add(ColumnSpec.count("candidate count", "The same in the candidate."), KernelRow::candidateCount)
                .add(micros("baseline us", "Sum of its durations in the baseline."), KernelRow::baselineNs)
                .add(micros("candidate us", "The same in the candidate."), KernelRow::candidateNs)
                .add(micros("difference us", "Candidate less baseline."), KernelRow::differenceNs)
                .add(change(), r -> change(r.baselineNs(), r.candidateNs()))
                .table(TableNames.DIFF_KERNELS, "Device activity by name", result.kernels());
    }

    private static Table host(TraceDifference.Result result) {
        return new Fields<HostPace.Kind>()
                .add(ColumnSpec.text("name", "The operator, in both traces."), HostPace.Kind::op)
                .add(ColumnSpec.count("pairs", "Number of calls with a counterpart."), HostPace.Kind::pairs)
                .add(
                        micros(
                                "baseline us",
                                "Time on the host of the operators themselves: without calls of the vendor's library,"
                                        + " and without operators inside that have counterparts."),
                        HostPace.Kind::baselineNs)
                .add(micros("candidate us", "The same in the candidate."), HostPace.Kind::candidateNs)
                .add(
                        ColumnSpec.real(
                                "factor",
                                Unit.NONE,
                                Unit.NONE,
                                "How many times as long the candidate's take: the median of all pairs, weighted by the"
                                        + " shorter of their two times."),
                        HostPace.Kind::factor)
                .table("diff_host", "CPU operators, side by side", result.pace().kinds());
    }

    private static ColumnSpec change() {
        return ColumnSpec.percent("change %", "Difference over baseline; missing when the baseline has none.");
    }

    private static double change(long baseline, long candidate) {
        return baseline == 0 ? Double.NaN : 100.0 * (candidate - baseline) / baseline;
    }

    private static String json(List<String> texts) {
        StringBuilder out = new StringBuilder("[");
        for (String text : texts) {
            out.append(out.length() > 1 ? ", " : "");
            JsonText.quote(text, out);
        }
        return out.append(']').toString();
    }
}
