// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.iterations.EventOwners;
import dev.lockstep.iterations.SplitPart;
import dev.lockstep.iterations.SplitPlan;
import dev.lockstep.iterations.TraceSplitter;
import dev.lockstep.iterations.Window;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;

/** What was cut: the iterations of a trace, the files that were made of them, and what is in none. */
public final class SplitReport {
    /** What the devices did for an iteration. */
    private record Work(long activities, long busy, long span) {}

    /** An iteration and its number. */
    private record Row(int number, Window window, Work work, long events) {}

    private SplitReport() {}

    /** The index of a split. */
    public static Report of(
            Trace trace, SplitPlan plan, EventOwners owners, List<SplitPart> parts, TraceSplitter.Copied copied) {
        List<Work> work = work(trace, owners, plan.windows().size());
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < work.size(); i++) {
            rows.add(new Row(i, plan.windows().get(i), work.get(i), copied.events()[i]));
        }
        List<Section> sections = List.of(
                facts(plan, copied),
                new TableSection(iterations(rows)),
                new TableSection(files(parts, rows, copied.everywhere())));
        return new Report("Iterations", trace.info().source(), sections);
    }

    private static FactsSection facts(SplitPlan plan, TraceSplitter.Copied copied) {
        long inside = copied.all() - copied.outside() - copied.everywhere();
        List<Fact> facts = new ArrayList<>(List.of(
                new Fact(
                        "Iterations",
                        Words.count(plan.windows().size()) + " by "
                                + plan.source().words(),
                        "How iterations were found."),
                new Fact("Events", Words.count(copied.all()), "All entries of the file."),
                new Fact("in iterations", Words.count(inside), "Each in one."),
                new Fact(
                        "outside",
                        Words.count(copied.outside()),
                        "Before the first iteration, behind the last, or around several."),
                new Fact(
                        "in every file",
                        Words.count(copied.everywhere()),
                        "Without a time: names of processes and threads.")));
        if (copied.withheld() > 0) {
            facts.add(new Fact(
                    "secrets left out",
                    Words.count(copied.withheld()),
                    "Values of environment variables and other secrets in the metadata are in no file."));
        }
        return new FactsSection("Events", facts);
    }

    private static List<Work> work(Trace trace, EventOwners owners, int iterations) {
        Slices slices = trace.slices();
        long[] count = new long[iterations];
        List<IntervalSet.Builder> busy = new ArrayList<>();
        for (int i = 0; i < iterations; i++) {
            busy.add(new IntervalSet.Builder());
        }
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isDeviceActivity()) {
                int owner = owners.ofSlice(slices.index(i), slices.ts(i));
                if (owner >= 0) {
                    count[owner]++;
                    busy.get(owner).add(slices.ts(i), slices.end(i));
                }
            }
        }
        List<Work> work = new ArrayList<>();
        for (int i = 0; i < iterations; i++) {
            IntervalSet set = busy.get(i).build();
            work.add(new Work(count[i], set.total(), set.isEmpty() ? 0 : set.span()));
        }
        return work;
    }

    private static Table iterations(List<Row> rows) {
        return new Fields<Row>()
                .add(ColumnSpec.id("iteration", "Number in order of time, from 0."), Row::number)
                .add(ColumnSpec.text("name", "Name of its annotation, or how it is known."), r -> r.window.name())
                .add(
                        ColumnSpec.text("phase", "prefill, decode, mixed, diffusion, idle; missing when unknown."),
                        r -> r.window.phase().isEmpty() ? null : r.window.phase())
                .add(
                        ColumnSpec.count("requests", "Requests in the batch; missing when unknown."),
                        r -> r.window.annotation() == null ? null : (Long) r.window.requests())
                .add(micros(ColumnNames.START_US, "Begin on the host, as ts in the file."), r -> r.window.start())
                .add(millis("host time ms", "Duration on the host."), r -> r.window.hostEnd() - r.window.start())
                .add(
                        millis(
                                "period ms",
                                "From its begin to that of the next one; what happens between belongs to it."),
                        r -> r.window.end() - r.window.start())
                .add(ColumnSpec.count("events", "Events of the file that belong to it."), Row::events)
                .add(
                        ColumnSpec.count(ColumnNames.DEVICE_ACTIVITIES, "Kernels, copies and fills that it launched."),
                        r -> r.work.activities)
                .add(millis(ColumnNames.BUSY_MS, "Time in which any of them runs."), r -> r.work.busy)
                .add(millis("device span ms", "From the first start to the last end of them."), r -> r.work.span)
                .table("iterations", "Iterations", rows);
    }

    private static Table files(List<SplitPart> parts, List<Row> rows, long everywhere) {
        return new Fields<SplitPart>()
                .add(ColumnSpec.text("file", "Path below the folder of outputs."), SplitPart::path)
                .add(ColumnSpec.text("what", "What the file is for."), SplitPart::what)
                .add(ColumnSpec.id("first", "First iteration in it."), SplitPart::from)
                .add(ColumnSpec.id("last", "Last iteration in it."), p -> p.to() - 1)
                .add(ColumnSpec.count("iterations", "How many."), p -> p.to() - p.from())
                .add(
                        ColumnSpec.count("with prefill", "Iterations that read prompts."),
                        p -> own(p, rows).stream()
                                .filter(r -> r.window.hasPrefill())
                                .count())
                .add(
                        ColumnSpec.count("decode only", "Iterations that only produce tokens."),
                        p -> own(p, rows).stream()
                                .filter(r -> r.window.isDecodeOnly())
                                .count())
                .add(
                        ColumnSpec.real("mean requests", Unit.NONE, Unit.NONE, "Mean size of the batches in requests."),
                        p -> own(p, rows).stream()
                                .mapToLong(r -> r.window.requests())
                                .average()
                                .orElse(0))
                .add(
                        ColumnSpec.count("events", "Events in the file, those of every file included."),
                        p -> everywhere
                                + own(p, rows).stream().mapToLong(Row::events).sum())
                .add(
                        ColumnSpec.count(ColumnNames.DEVICE_ACTIVITIES, "Kernels, copies and fills in the file."),
                        p -> own(p, rows).stream()
                                .mapToLong(r -> r.work.activities)
                                .sum())
                .table("files", "Files", parts);
    }

    private static List<Row> own(SplitPart part, List<Row> rows) {
        return rows.subList(part.from(), part.to());
    }
}
