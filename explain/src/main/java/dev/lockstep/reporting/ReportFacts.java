// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.Observations;
import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.options.Device;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a report was made from, and what could not be used of it. */
final class ReportFacts {
    private ReportFacts() {}

    static FactsSection of(Trace trace, GpuTimeline.Result timeline, @Nullable Device device) {
        TraceInfo info = trace.info();
        List<Fact> facts = new ArrayList<>();
        String world = info.worldSize() > 0 ? " of " + info.worldSize() : "";
        facts.add(new Fact(
                "Rank",
                info.rank().index() + world,
                "Known from the " + info.rank().origin().name().toLowerCase(Locale.ROOT) + ".",
                info.rank().index(),
                Unit.ID));
        String part = Observations.partOf(info);
        if (part != null) {
            facts.add(new Fact("Filter", part, "All else of the trace is left out, and counts nowhere."));
        }
        facts.add(new Fact("Devices", devices(info), "The accelerators that the recording process could see."));
        if (device != null) {
            facts.add(new Fact(
                    "Measured against",
                    device.name(),
                    "Work is compared with the peaks of this device. " + device.source()));
        }
        facts.add(counted("Events", trace.counts().events(), "All events of the file."));
        facts.add(counted("Device activities", trace.counts().device(), "Kernels, copies and fills."));
        facts.add(new Fact(
                "Device span",
                Words.time(timeline.total()),
                "From the first start to the last end of device activity.",
                timeline.total(),
                Unit.NANOSECONDS));
        return new FactsSection("Trace", facts);
    }

    /** A number of things as a fact. */
    static Fact counted(String label, long number, String doc) {
        return new Fact(label, Words.count(number), doc, number, Unit.COUNT);
    }

    /**
     * What is wrong with the input, and what it lacks.
     *
     * @param stepAnnotation what marks steps, null to find what does
     */
    static Table coverage(DerivedCache cache, @Nullable String stepAnnotation) {
        List<Entry> rows = new ArrayList<>(cache.trace().diagnostics().problems());
        rows.addAll(Observations.of(cache, stepAnnotation));
        return new Fields<Entry>()
                .add(
                        ColumnSpec.text(
                                "weight",
                                "loss: something is certainly missing; repaired: damage that was mended or cost"
                                        + " single events; observation: no damage, but worth knowing."),
                        e -> e.weight().name().toLowerCase(Locale.ROOT))
                .add(ColumnSpec.text("code", "Stable word for the kind."), Entry::code)
                .add(ColumnSpec.count("count", "Number of events or values."), Entry::count)
                .add(ColumnSpec.text("meaning", "What it means, with the first example."), Entry::message)
                .add(
                        ColumnSpec.id("byte", "Place of the first in the unpacked file; may be missing."),
                        e -> e.position() < 0 ? null : e.position())
                .table("coverage", "Coverage", rows);
    }

    /** The devices by name, with their number. */
    static String devices(TraceInfo info) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        info.devices().forEach(d -> counts.merge(d.shownName(), 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        counts.forEach((name, count) -> parts.add(count > 1 ? count + " × " + name : name));
        return parts.isEmpty() ? "not recorded" : String.join(", ", parts);
    }
}
