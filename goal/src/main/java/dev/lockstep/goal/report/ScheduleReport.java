// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.report;

import dev.lockstep.goal.check.ScheduleCounting;
import dev.lockstep.goal.generate.CollectiveTable;
import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulationRules;
import dev.lockstep.goal.simulate.BusyTimeline;
import dev.lockstep.goal.simulate.Simulation;
import dev.lockstep.goal.stored.StoredSchedule;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.words.Words;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.List;

/** What a schedule moves, and how it would run: between whom, which collectives, who is busy when. */
public final class ScheduleReport {
    private static final int INTERVALS = 4_000;

    private ScheduleReport() {}

    /**
     * What the tables beside a schedule say.
     *
     * @param collectives what it was made of; empty when nobody says so
     * @param recorded when its ranks worked in the recording; empty likewise
     */
    public record Beside(List<CollectiveTable.Row> collectives, List<RecordedSpan> recorded) {
        public Beside {
            collectives = List.copyOf(collectives);
            recorded = List.copyOf(recorded);
        }
    }

    /**
     * The report of a schedule whose lines are all right.
     *
     * @param source what it was read from
     * @param beside what is known of its recording
     */
    public static Report of(StoredSchedule schedule, String source, Beside beside, Network network) {
        List<CollectiveTable.Row> collectives = beside.collectives();
        ScheduleCounts counts = ScheduleCounting.of(schedule);
        BusyTimeline timeline = new BusyTimeline(schedule.ranks().size(), INTERVALS);
        SimulatedTimes times = Simulation.run(schedule, network, SimulationRules.OWN, timeline);
        ScheduleFacts facts = new ScheduleFacts(counts, times, timeline, beside.recorded());
        List<Section> sections = new ArrayList<>();
        sections.add(new FactsSection("Schedule", facts(schedule, counts, times, network)));
        sections.add(new FindingsSection("Findings", facts.findings()));
        sections.add(new ChartSection(ScheduleCharts.timeline(times, timeline)));
        sections.add(new ChartSection(ScheduleCharts.parts(times, timeline)));
        if (!counts.pairs().isEmpty()) {
            sections.add(new ChartSection(ScheduleCharts.pairs(counts)));
        }
        if (collectives.isEmpty()) {
            sections.add(new NotApplicable(
                    ScheduleSheets.COLLECTIVES, "there is no " + CollectiveTable.NAME + " beside the schedule"));
        } else {
            sections.add(new ChartSection(ScheduleCharts.collectives(collectives)));
            sections.add(new TableSection(ScheduleSheets.collectives(collectives)));
        }
        sections.add(new TableSection(ScheduleSheets.ranks(counts, times, timeline, beside.recorded())));
        sections.add(new TableSection(ScheduleSheets.pairs(counts)));
        return new Report("Schedule of " + schedule.ranks().size() + " ranks", source, sections);
    }

    private static List<Fact> facts(
            StoredSchedule schedule, ScheduleCounts counts, SimulatedTimes times, Network network) {
        return List.of(
                new Fact(
                        "Ranks",
                        Words.count(schedule.ranks().size()),
                        "Processes that calculate and exchange messages."),
                new Fact("Operations", Words.count(schedule.operations()), "Calculations, sends and receives."),
                new Fact(
                        "Dependencies", Words.count(schedule.dependencies()), "What must wait for what within a rank."),
                new Fact("Messages", Words.count(counts.messages()), "Sends of all ranks."),
                new Fact(
                        "Data",
                        ScheduleCharts.data(counts.bytes()),
                        "Bytes of all messages; what stays within a node may be a calculation instead."),
                new Fact(
                        "Makespan",
                        Words.time(times.makespanNs()),
                        "When the last rank is done on a network without congestion."),
                new Fact(
                        "Network",
                        "L " + network.latency() + " o " + network.overhead() + " g " + network.gap() + " O "
                                + network.overheadPerByte() + " G " + Numbers.plain(network.gapPerByte()) + " S "
                                + network.eager(),
                        "Parameters of LogGOPS in nanoseconds, S in bytes."));
    }
}
