// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineLinks;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Chart.TimelineSide;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ComparedTimelineTest {
    private static final List<Trace> TRACES = new ArrayList<>();
    private static Timeline timeline;

    @BeforeAll
    static void draw() {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2).withPythonStacks(true);
        TRACES.add(SyntheticTraces.synthetic(recipe.withSteps(2), 0));
        TRACES.add(SyntheticTraces.synthetic(recipe.withSteps(3).withStraggler(0, 1.3), 0));
        timeline = (Timeline) Objects.requireNonNull(ComparedTimeline.of(
                        new DerivedCache(TRACES.getFirst()),
                        new DerivedCache(TRACES.getLast()),
                        AnalysisRules.standard()))
                .chart();
    }

    private static TimelineSide side(TimelineRow row) {
        return Objects.requireNonNull(row.head().side());
    }

    private static int number(TimelineRow row) {
        return side(row).label().equals("A") ? 0 : 1;
    }

    /** Name, start and end in the trace's own time of everything that a trace holds. */
    private static Set<String> slices(Trace trace) {
        Set<String> slices = new HashSet<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            slices.add(trace.name(i) + " " + trace.slices().ts(i) + " "
                    + trace.slices().end(i));
        }
        return slices;
    }

    @Test
    void everySliceStandsAtTheTimeOfItsRecording() {
        List<Set<String>> known =
                TRACES.stream().map(ComparedTimelineTest::slices).toList();
        int[] seen = new int[2];
        for (TimelineRow row : timeline.rows()) {
            if (row.links() == null) {
                continue;
            }
            for (int i = 0; i < row.start().length; i++) {
                long start = side(row).originNs() + row.start()[i];
                assertThat(known.get(number(row)))
                        .contains(timeline.texts().names().get(row.name()[i]) + " " + start + " "
                                + (start + row.duration()[i]));
                seen[number(row)]++;
                assertThat(row.start()[i] + row.duration()[i]).isBetween(0L, timeline.endNs());
            }
        }
        assertThat(seen[1]).isGreaterThan(seen[0]);
    }

    @Test
    void kernelsAreLinkedToLaunchesOfTheirOwnRecording() {
        List<TimelineRow> rowOf = new ArrayList<>();
        List<String> nameOf = new ArrayList<>();
        for (TimelineRow row : timeline.rows()) {
            for (int name : row.name()) {
                rowOf.add(row);
                nameOf.add(timeline.texts().names().get(name));
            }
        }
        int linked = 0;
        for (TimelineRow row : timeline.rows()) {
            TimelineLinks links = row.links();
            for (int cause : links == null ? new int[0] : links.cause()) {
                if (cause >= 0) {
                    linked++;
                    assertThat(nameOf.get(cause)).matches("(cuda|hip|cu)[A-Z].*");
                    assertThat(side(rowOf.get(cause))).isEqualTo(side(row));
                }
            }
        }
        assertThat(linked).isGreaterThan(100);
    }

    @Test
    void whatIsComparedStandsTogetherFromOneMomentOn() {
        List<String> labels = timeline.rows().stream()
                .map(TimelineRow::label)
                .filter(label -> !label.isEmpty())
                .toList();
        assertThat(labels).contains("A · steps", "B · steps");
        for (int i = 0; i < labels.size() - 1; i++) {
            if (labels.get(i).startsWith("A · ")) {
                assertThat(labels.get(i + 1)).isEqualTo("B" + labels.get(i).substring(1));
            }
        }
        List<TimelineRow> steps = timeline.rows().stream()
                .filter(row -> row.head().group().equals("steps"))
                .toList();
        assertThat(steps.getFirst().start()[0]).isEqualTo(steps.getLast().start()[0]);
    }
}
