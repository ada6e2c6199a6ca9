// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one account of the time in which no device did anything: every such moment of the steps and between the first and the last
 * device activity counts once, for what filled it. Whoever says why a device was idle asks here.
 *
 * <p>Its rows add up to the idle time of the timeline, and what steps have before its first and behind its last activity; causes
 * of a step and the times of devices in it add up to the step.
 */
public final class IdleAccount {
    /**
     * The account of a trace.
     *
     * @param rules definitions
     * @param annotation what marks steps, null to find what does
     * @param frames whether frames of Python count; without them their time belongs to what was not recorded, as in a trace that
     *     has none
     */
    public record Key(AnalysisRules rules, @Nullable String annotation, boolean frames)
            implements Derived<IdleAccount> {
        /** With frames of Python. */
        public Key(AnalysisRules rules, @Nullable String annotation) {
            this(rules, annotation, true);
        }

        @Override
        public IdleAccount derive(Trace trace, DerivedCache cache) {
            return new IdleAccount(cache, this);
        }
    }

    /** Where idle time lies. */
    public enum Where {
        /** Before the first device activity, in a step or in a recording without steps. */
        BEFORE,
        /** Between the first and the last: idle time of the timeline. */
        BETWEEN,
        /** Behind the last, in a step or in a recording without steps. */
        BEHIND;

        /** As sheets spell it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** A number for these places, below the number of sets of them. */
        static int set(Predicate<Where> meant) {
            int set = 0;
            for (Where where : values()) {
                set |= meant.test(where) ? 1 << where.ordinal() : 0;
            }
            return set;
        }
    }

    private static final IdleCause[] CAUSES = IdleCause.values();

    /**
     * What of the idle time was filled by one thing.
     *
     * @param kind of the slice; null where there is none
     * @param name of the slice; for launched work, of the activity that had not begun; null where there is neither
     * @param frame the annotation or Python frame to which it belongs; null where there is none
     * @param emptiedBy the call in which the host waited when the device ran dry; null where it did not
     * @param gaps number of gaps of which it filled a part
     * @param time in all of them in ns
     * @param longest the largest part of one gap in ns
     * @param start begin of that gap in ns
     * @param end its end in ns
     */
    public record Row(
            IdleCause cause,
            @Nullable SliceKind kind,
            @Nullable String name,
            @Nullable String frame,
            Where where,
            @Nullable String emptiedBy,
            long gaps,
            long time,
            long longest,
            long start,
            long end) {}

    /**
     * Gaps that began while the host waited in one call.
     *
     * @param call the call, and the operator around it
     * @param gaps how many
     * @param time their idle time in ns; of each no more than the host had waited by then, by which it could have been ahead
     * @param longest the longest of these times in ns
     * @param start begin of that gap in ns
     * @param end its end in ns
     */
    public record Drain(String call, long gaps, long time, long longest, long start, long end) {}

    /**
     * The time of one cause at one place.
     *
     * @param gaps number of gaps of which it filled a part
     * @param time in all of them in ns
     * @param longest the largest part of one gap in ns
     * @param start begin of that gap in ns
     * @param end its end in ns
     */
    public record Sum(IdleCause cause, Where where, long gaps, long time, long longest, long start, long end) {}

    private final StepWindows windows;
    private final DeviceGaps gaps;
    private final long length;
    private final List<Row> rows;
    private final List<Sum> sums;
    private final List<Drain> drains;
    private final long[][] byWindow;
    private final IntList mostOf;
    private final List<@Nullable String> frames;

    private IdleAccount(DerivedCache cache, Key key) {
        windows = cache.get(new StepWindows.Key(key.rules, key.annotation));
        gaps = cache.get(new DeviceGaps.Key(key.rules.activity()));
        IdleLedger ledger = new IdleWalk(cache, key, windows, gaps).booked();
        length = isEmpty()
                ? 0
                : Math.max(gaps.spanEnd(), windows.end(windows.size() - 1))
                        - Math.min(gaps.spanStart(), windows.start(0));
        rows = ledger.rows();
        sums = ledger.causes();
        drains = ledger.drains();
        byWindow = ledger.byWindow();
        mostOf = ledger.mostOf();
        frames = ledger.frames();
    }

    /** Whether there is no device activity that takes time. */
    public boolean isEmpty() {
        return gaps.first() < 0;
    }

    /** The steps, or the recording where there are none. */
    StepWindows windows() {
        return windows;
    }

    /** Whether steps are known, so that time before and behind all activity belongs to them. */
    public boolean hasSteps() {
        return windows.areSteps();
    }

    /** From the begin of the first to the end of the last step, or of activity where that is more, in ns. */
    public long length() {
        return length;
    }

    /** By time, longest first. */
    public List<Row> rows() {
        return rows;
    }

    /** The same by cause and place. */
    public List<Sum> sums() {
        return sums;
    }

    /** What emptied queues, by the idle time that followed, longest first. */
    public List<Drain> drains() {
        return drains;
    }

    /** Idle time of a window by cause in ns, in their order. */
    long[] ofWindow(int window) {
        return byWindow[window].clone();
    }

    /** Idle time of a cause in each step in ns, in order of time; empty without steps. */
    public double[] bySteps(IdleCause cause) {
        double[] times = new double[hasSteps() ? byWindow.length : 0];
        Arrays.setAll(times, step -> byWindow[step][cause.ordinal()]);
        return times;
    }

    /** The gaps between activities, in order of time. */
    public DeviceGaps gaps() {
        return gaps;
    }

    /** What filled most of a gap between activities. */
    public IdleCause mostOf(int gap) {
        return CAUSES[mostOf.get(gap)];
    }

    /** The innermost frame that, with what it calls, holds more than half of the idle time in Python at these places; or null. */
    public @Nullable String frame(Predicate<Where> meant) {
        return frames.get(Where.set(meant));
    }

    /** Idle time in ns at a place. */
    public long time(Where where) {
        return sums().stream()
                .filter(sum -> sum.where == where)
                .mapToLong(Sum::time)
                .sum();
    }

    /** All idle time in ns. */
    public long time() {
        return sums().stream().mapToLong(Sum::time).sum();
    }
}
