// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.IdleAccount;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.Steps;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineHead;
import dev.lockstep.report.Chart.TimelineLinks;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Chart.TimelineSide;
import dev.lockstep.report.Chart.TimelineTexts;
import dev.lockstep.report.Section.ChartSection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Two recordings over one scale of time, for a page: rows of a kind stand together, those of the baseline above those of
 * the candidate. Their first step begins at the same place, without steps their first device activity.
 */
final class ComparedTimeline {
    private static final Set<String> THREADS = Set.of("annotations", "host");

    private final Map<String, Integer> names = new LinkedHashMap<>();
    private final Map<String, Integer> details = new LinkedHashMap<>();
    private final List<Source> rows = new ArrayList<>();

    /** A row, the recording it is of, and the number that its first slice has there. */
    private record Source(int side, int first, TimelineRow row) {}

    /** A row with the further lanes beneath it. */
    private record Lead(String label, List<Source> lanes) {}

    /** Of the texts of one recording the places among those of both. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Texts(int[] names, int[] details) {}

    /** The chart of two traces; null where there is nothing to show. */
    static @Nullable ChartSection of(DerivedCache baseline, DerivedCache candidate, AnalysisRules rules) {
        List<DerivedCache> traces = List.of(baseline, candidate);
        List<ChartSection> charts = new ArrayList<>();
        for (DerivedCache trace : traces) {
            ChartSection chart = TimelineChart.of(trace, rules, new IdleAccount.Key(rules, null), List.of());
            if (chart != null) {
                charts.add(chart);
            }
        }
        return charts.size() < traces.size()
                ? null
                : new ChartSection(() -> new ComparedTimeline().joined(traces, rules, charts), true);
    }

    private Timeline joined(List<DerivedCache> traces, AnalysisRules rules, List<ChartSection> charts) {
        List<Timeline> lines =
                charts.stream().map(chart -> (Timeline) chart.chart()).toList();
        long[] start = starts(traces, rules);
        long before = 0;
        long after = 0;
        for (int side = 0; side < 2; side++) {
            Timeline line = lines.get(side);
            before = Math.max(before, start[side] - line.startNs());
            after = Math.max(after, line.endNs() - start[side]);
        }
        List<TimelineSide> sides = new ArrayList<>();
        for (int side = 0; side < 2; side++) {
            sides.add(new TimelineSide(
                    side == 0 ? "A" : "B", traces.get(side).trace().info().source(), start[side] - before));
        }
        arrange(lines);
        int[][] numbers = numbers(lines);
        List<Texts> texts = lines.stream()
                .map(line -> new Texts(
                        places(line.texts().names(), names), places(line.texts().details(), details)))
                .toList();
        List<TimelineRow> moved = new ArrayList<>();
        for (Source row : rows) {
            moved.add(moved(row.row, sides.get(row.side), lines.get(row.side), numbers[row.side], texts.get(row.side)));
        }
        String doc = "A is the baseline, B the candidate, from the same moment on: of their first common step, without"
                + " one of their first device activity. A link to a place in both moves B so that the two places begin"
                + " together. "
                + lines.getLast().doc();
        return new Timeline(
                "Timeline: A baseline, B candidate",
                doc,
                0,
                before + after,
                lines.getFirst().classes(),
                new TimelineTexts(List.copyOf(names.keySet()), List.copyOf(details.keySet())),
                moved);
    }

    /** The moments that are laid upon each other, in each trace's own time. */
    private static long[] starts(List<DerivedCache> traces, AnalysisRules rules) {
        List<Step> one = traces.getFirst().get(new Steps.Key(null)).steps();
        List<Step> two = traces.getLast().get(new Steps.Key(null)).steps();
        for (Step step : one) {
            for (Step other : two) {
                if (step.number() == other.number()) {
                    return new long[] {step.start(), other.start()};
                }
            }
        }
        return traces.stream()
                .mapToLong(trace -> {
                    DeviceActivity activity = trace.get(rules.activity());
                    return activity.size() == 0
                            ? trace.trace().slices().ts(0)
                            : trace.trace().slices().ts(activity.slice(0));
                })
                .toArray();
    }

    /** Puts what both recordings have together, part by part: rows of one name, then the first that are left, and so on. */
    private void arrange(List<Timeline> lines) {
        Map<String, List<Lead>> one = parts(0, lines.getFirst());
        Map<String, List<Lead>> two = parts(1, lines.getLast());
        Set<String> all = new LinkedHashSet<>(one.keySet());
        all.addAll(two.keySet());
        for (String part : all) {
            List<Lead> first = one.getOrDefault(part, List.of());
            Map<String, ArrayDeque<Lead>> byLabel = new HashMap<>();
            for (Lead lead : two.getOrDefault(part, List.of())) {
                byLabel.computeIfAbsent(lead.label, label -> new ArrayDeque<>()).add(lead);
            }
            List<@Nullable Lead> partners = new ArrayList<>();
            for (Lead lead : first) {
                partners.add(
                        byLabel.getOrDefault(lead.label, new ArrayDeque<>()).poll());
            }
            Set<Lead> left = Collections.newSetFromMap(new IdentityHashMap<>());
            byLabel.values().forEach(left::addAll);
            Deque<Lead> second = new ArrayDeque<>(two.getOrDefault(part, List.of()));
            second.removeIf(lead -> !left.contains(lead));
            for (int i = 0; i < first.size(); i++) {
                rows.addAll(first.get(i).lanes);
                Lead partner = partners.get(i);
                if (partner == null && !second.isEmpty()) {
                    partner = second.removeFirst();
                }
                if (partner != null) {
                    rows.addAll(partner.lanes);
                }
            }
            second.forEach(lead -> rows.addAll(lead.lanes));
        }
    }

    private Map<String, List<Lead>> parts(int side, Timeline line) {
        line.texts().names().forEach(name -> names.putIfAbsent(name, names.size()));
        line.texts().details().forEach(detail -> details.putIfAbsent(detail, details.size()));
        Map<String, List<Lead>> parts = new LinkedHashMap<>();
        int first = 0;
        for (TimelineRow row : line.rows()) {
            String group = row.head().group();
            List<Lead> leads =
                    parts.computeIfAbsent(THREADS.contains(group) ? "threads" : group, p -> new ArrayList<>());
            if (leads.isEmpty() || !row.label().isEmpty()) {
                leads.add(new Lead(row.label(), new ArrayList<>()));
            }
            leads.getLast().lanes.add(new Source(side, first, row));
            first += row.start().length;
        }
        return parts;
    }

    /** For each side the numbers that its slices have among those of both. */
    private int[][] numbers(List<Timeline> lines) {
        int[][] numbers = new int[lines.size()][];
        for (int side = 0; side < numbers.length; side++) {
            int slices = 0;
            for (TimelineRow row : lines.get(side).rows()) {
                slices += row.start().length;
            }
            numbers[side] = new int[slices];
        }
        int next = 0;
        for (Source source : rows) {
            for (int i = 0; i < source.row.start().length; i++) {
                numbers[source.side][source.first + i] = next++;
            }
        }
        return numbers;
    }

    private static TimelineRow moved(TimelineRow row, TimelineSide side, Timeline line, int[] numbers, Texts texts) {
        long shift = line.startNs() - side.originNs();
        long[] start = Arrays.stream(row.start()).map(time -> time + shift).toArray();
        int[] name = renumbered(row.name(), texts.names);
        TimelineLinks links = row.links();
        TimelineLinks moved = links == null
                ? null
                : new TimelineLinks(
                        renumbered(links.details(), texts.details),
                        Arrays.stream(links.cause())
                                .map(cause -> cause < 0 ? -1 : numbers[cause])
                                .toArray());
        TimelineHead head = row.head().of(side);
        return new TimelineRow(head, start, row.duration(), row.kind(), name, row.joined(), moved);
    }

    private static int[] places(List<String> texts, Map<String, Integer> known) {
        return texts.stream().mapToInt(text -> known.getOrDefault(text, -1)).toArray();
    }

    private static int[] renumbered(int[] of, int[] numbers) {
        return Arrays.stream(of).map(i -> i < 0 ? -1 : numbers[i]).toArray();
    }
}
