// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.analyze.time.IdleAccount.Drain;
import dev.lockstep.analyze.time.IdleAccount.Row;
import dev.lockstep.analyze.time.IdleAccount.Where;
import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.analyze.trust.PassedOver;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Notable;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is said of the time in which no device did anything: what filled it, and what emptied the queue before. */
final class IdleFindings {
    private static final double MUCH = 0.10;
    private static final double NOTABLE = 0.03;
    private static final int MOST_CAUSES = 3;

    private final Trace trace;
    private final IdleAccount account;
    private final List<Finding> findings = new ArrayList<>();

    private IdleFindings(Trace trace, IdleAccount account) {
        this.trace = trace;
        this.account = account;
    }

    static List<Finding> of(Trace trace, IdleAccount account) {
        IdleFindings f = new IdleFindings(trace, account);
        f.causes();
        f.start();
        f.drains();
        return f.findings;
    }

    /** The time of one cause, in all gaps that are meant. */
    private static final class Share {
        private long gaps;
        private long time;
        private long longest;

        private void add(IdleAccount.Sum sum) {
            gaps += sum.gaps();
            time += sum.time();
            longest = Math.max(longest, sum.longest());
        }
    }

    /** Of steps all idle time; without steps that between activities, since what lies before is start-up. */
    private boolean isMeant(Where where) {
        return account.hasSteps() || where == Where.BETWEEN;
    }

    private void causes() {
        long time = account.hasSteps() ? account.time() : account.time(Where.BETWEEN);
        long whole = account.hasSteps()
                ? account.length()
                : account.length() - account.time(Where.BEFORE) - account.time(Where.BEHIND);
        if (!Notable.is(time, NOTABLE, whole)) {
            return;
        }
        Map<IdleCause, Share> shares = shares(this::isMeant);
        List<IdleCause> sorted = sorted(shares);
        StringBuilder text = new StringBuilder();
        if (sorted.getFirst() == IdleCause.NO_HOST) {
            text.append("Why the device was idle is unknown: the CPU was not recorded.")
                    .append(RecordingTool.of(trace).host())
                    .append(idleBefore(time));
        } else {
            text.append(listed("the idle time", sorted, shares, time, this::isMeant));
            long outside = time - account.time(Where.BETWEEN);
            if (outside >= time * MUCH) {
                text.append(' ')
                        .append(Words.time(outside))
                        .append(" of the idle time lies before the first or after the last device work.");
            }
        }
        IdleCause first = sorted.getFirst();
        if (first == IdleCause.UNRECORDED || first == IdleCause.ANNOTATION) {
            text.append(HostHints.more(trace));
            String unread = PassedOver.unread(PassedOver.ofHost(trace));
            text.append(unread.isEmpty() ? "" : " Not read: " + unread + ".");
        }
        findings.add(new Finding(
                        time >= whole * MUCH ? Severity.PROBLEM : Severity.NOTICE,
                        "idle_cause",
                        text.toString(),
                        "idle_causes")
                .on(
                        Evidence.Rows.of("idle_causes", account.rows(), r -> isMeant(r.where()) && r.cause() == first),
                        gapsOf(first)));
    }

    /** In a trace without steps, what comes before the first work of a device. */
    private void start() {
        long time = account.time(Where.BEFORE);
        if (account.hasSteps() || !Notable.is(time, NOTABLE, account.length())) {
            return;
        }
        Predicate<Where> before = Where.BEFORE::equals;
        Map<IdleCause, Share> shares = shares(before);
        findings.add(new Finding(
                        time >= account.length() * MUCH ? Severity.NOTICE : Severity.INFO,
                        "late_start",
                        "The device starts work " + Words.time(time) + " after the trace begins ("
                                + Words.share(time, account.length()) + " of " + Words.time(account.length()) + "). "
                                + listed("that time", sorted(shares), shares, time, before),
                        "idle_causes")
                .on(evidence(row -> row.where() == Where.BEFORE)));
    }

    private void drains() {
        long time = account.drains().stream().mapToLong(Drain::time).sum();
        if (!Notable.is(time, NOTABLE, account.length())) {
            return;
        }
        Drain most = account.drains().getFirst();
        long times = account.drains().stream().mapToLong(Drain::gaps).sum();
        findings.add(new Finding(
                        Severity.NOTICE,
                        "queue_emptied",
                        "The launch queue runs dry " + Words.count(times, "time", "times")
                                + " while the CPU waits for the device, "
                                + (most.gaps() == times ? "" : most.time() * 2 > time ? "mostly " : "most often ")
                                + "in " + Words.name(most.call()) + ". Up to " + Words.time(time)
                                + " of idle time follows ("
                                + Words.share(time, account.length()) + " of "
                                + Words.time(account.length()) + ").",
                        "idle_causes: queue emptied by")
                .on(evidence(row -> most.call().equals(row.emptiedBy()))));
    }

    private Map<IdleCause, Share> shares(Predicate<Where> meant) {
        Map<IdleCause, Share> shares = new EnumMap<>(IdleCause.class);
        account.sums().stream()
                .filter(sum -> meant.test(sum.where()))
                .forEach(sum ->
                        shares.computeIfAbsent(sum.cause(), c -> new Share()).add(sum));
        return shares;
    }

    private static List<IdleCause> sorted(Map<IdleCause, Share> shares) {
        return shares.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<IdleCause, Share> e) -> -e.getValue().time))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The largest causes and their shares. */
    private String listed(
            String what, List<IdleCause> sorted, Map<IdleCause, Share> shares, long whole, Predicate<Where> meant) {
        List<String> parts = new ArrayList<>();
        for (IdleCause cause : sorted.subList(0, Math.min(MOST_CAUSES, sorted.size()))) {
            Share share = Objects.requireNonNull(shares.get(cause));
            if (parts.isEmpty() || share.time >= whole * MUCH) {
                parts.add(cause.causes() + " " + Words.share(share.time, whole) + (parts.isEmpty() ? " of " + what : "")
                        + ": " + gaps(share) + "." + where(cause, share.time, meant));
            }
        }
        return String.join(" ", parts);
    }

    /** Lengths that are about equal are said once. */
    private static String gaps(Share share) {
        long mean = share.time / share.gaps;
        return Words.count(share.gaps, "gap", "gaps")
                + (share.longest * 4 <= mean * 5
                        ? " of " + Words.time(mean)
                        : ", up to " + Words.time(share.longest) + " each");
    }

    /** What of a cause stands out: a name, else a frame that has most of it, else the largest name. */
    private String where(IdleCause cause, long time, Predicate<Where> meant) {
        List<Row> rows = account.rows().stream()
                .filter(row -> row.cause() == cause && meant.test(row.where()))
                .toList();
        Map.Entry<String, Long> name = largest(rows, Row::name);
        if (cause.isLaunched() || name == null) {
            return "";
        }
        if (name.getValue() * 2 > time) {
            return (name.getValue() == time ? " All of it is in " : " Most of it is in ") + Words.name(name.getKey())
                    + inFrame(rows, name) + ".";
        }
        String frame = cause == IdleCause.PYTHON ? account.frame(meant) : mostly(rows, time);
        return frame != null
                ? " Most of it is in " + Words.name(frame) + "."
                : " The largest part, " + Words.share(name.getValue(), time) + ", is in " + Words.name(name.getKey())
                        + inFrame(rows, name) + ".";
    }

    /** The frame in which more than half of a time lies, or null. */
    private static @Nullable String mostly(List<Row> rows, long time) {
        Map.Entry<String, Long> frame = largest(rows, Row::frame);
        return frame == null || frame.getValue() * 2 <= time ? null : frame.getKey();
    }

    /** The frame in which most of the time of a name lies, if that is another. */
    private static String inFrame(List<Row> rows, Map.Entry<String, Long> name) {
        String frame = mostly(
                rows.stream().filter(row -> name.getKey().equals(row.name())).toList(), name.getValue());
        return frame == null || frame.equals(name.getKey()) ? "" : " in " + Words.name(frame);
    }

    /** The text with the most time, of several the first in their order. */
    private static Map.@Nullable Entry<String, Long> largest(List<Row> rows, Function<Row, @Nullable String> text) {
        Map<String, Long> times = new TreeMap<>();
        for (Row row : rows) {
            String key = text.apply(row);
            if (key != null) {
                times.merge(key, row.time(), Long::sum);
            }
        }
        return times.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.<String, Long>comparingByKey().reversed()))
                .orElse(null);
    }

    private String idleBefore(long idle) {
        Row largest = account.rows().stream()
                .filter(row -> isMeant(row.where()))
                .findFirst()
                .orElseThrow();
        return " " + Words.share(largest.time(), idle) + " of the idle time ends with "
                + Words.name(String.valueOf(largest.name())) + " (" + Words.count(largest.gaps(), "gap", "gaps")
                + ", up to " + Words.time(largest.longest()) + " each).";
    }

    /** The gaps of which a cause filled most, and what it filled before and behind all activity, longest first. */
    private Evidence gapsOf(IdleCause cause) {
        DeviceGaps gaps = account.gaps();
        List<Evidence.Place> places = new ArrayList<>();
        for (IdleAccount.Sum sum : account.sums()) {
            if (sum.cause() == cause && sum.where() != Where.BETWEEN && isMeant(sum.where())) {
                places.add(new Evidence.Place(cause.words(), sum.start(), sum.end()));
            }
        }
        for (int gap = 0; gap < gaps.size(); gap++) {
            if (account.mostOf(gap) == cause) {
                places.add(new Evidence.Place(cause.words(), gaps.start(gap), gaps.end(gap)));
            }
        }
        return DevicePlaces.longestFirst(places);
    }

    /** These rows, and the gap in which each filled most. */
    private Evidence[] evidence(Predicate<Row> meant) {
        List<Integer> lines = new ArrayList<>();
        List<Evidence.Place> places = new ArrayList<>();
        for (int line = 0; line < account.rows().size(); line++) {
            Row row = account.rows().get(line);
            if (meant.test(row)) {
                lines.add(line);
                places.add(new Evidence.Place(row.cause().words(), row.start(), row.end()));
            }
        }
        return new Evidence[] {new Evidence.Rows("idle_causes", lines), DevicePlaces.longestFirst(places)};
    }
}
