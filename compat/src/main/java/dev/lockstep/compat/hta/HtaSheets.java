// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.reporting.CompanionSheets;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * The sheets, in order.
 *
 * @param asHta whether times are whole microseconds and the place in the file decides ties, as HTA has them
 */
record HtaSheets(boolean asHta) implements CompanionSheets {
    /** Name of the sheet of sheets without rows. */
    static final String REASONS = "hta_not_applicable";

    private static final Schema REASONS_SCHEMA = Schema.of(
            ColumnSpec.text("sheet", "Name of a sheet without rows."), ColumnSpec.text("reason", "Why it has none."));

    private static List<HtaSheet> of(ReportOptions.Launches options) {
        List<HtaSheet> sheets = new ArrayList<>(List.of(
                new TemporalBreakdown(),
                new CommunicationOverlap(),
                new IdleByStream(),
                new KernelTypeBreakdown(),
                new KernelBreakdown(),
                new AnnotationBreakdown(SliceKind.ANNOTATION),
                new AnnotationBreakdown(SliceKind.DEVICE_ANNOTATION),
                new LaunchStatistics(),
                new QueueLength(),
                new QueueBlocked(options.queueLimit()),
                new CopyBandwidth(),
                new OperatorDelay(),
                new RangeCounterSheet()));
        String operator = options.sequencesOf();
        if (operator != null) {
            sheets.add(new KernelSequences(operator, options.leastKernels()));
        }
        return sheets;
    }

    /** The sheet of sheets without rows, without any. */
    static TableBuilder reasons() {
        return new TableBuilder(REASONS, "Sheets without rows", REASONS_SCHEMA);
    }

    @Override
    public void writeRun(SortedMap<Integer, Path> ranks, Path folder) throws IOException {
        new SheetsOfRun(ranks, folder).write();
    }

    @Override
    public Sheets of(Trace trace, ReportOptions options) {
        HtaEvents events = new HtaEvents(trace, asHta);
        List<Table> tables = new ArrayList<>();
        List<String> said = new ArrayList<>();
        TableBuilder reasons = reasons();
        for (HtaSheet sheet : of(options.launches())) {
            Table table = sheet.table(events);
            tables.add(table);
            if (table.rows() == 0) {
                reasons.row(table.name(), sheet.whyEmpty(events));
            }
            String line = sheet.said(events, table);
            if (line != null) {
                said.add(line);
            }
        }
        String window = options.paths().window();
        if (window != null) {
            HtaPath path = HtaPath.of(events, window);
            tables.addAll(HtaPathSheets.of(events, path));
            if (path == null) {
                String reason = "no annotation " + window + " takes part; of several steps the last is left out";
                reasons.row(HtaPathSheets.SUMMARY, reason);
                reasons.row(HtaPathSheets.PATH, reason);
            } else {
                said.addAll(HtaPathSheets.said(path));
            }
        }
        tables.add(reasons.build());
        if (events.steps().cuts() && !said.isEmpty()) {
            said.add("These lines, like the sheets hta_*, leave the last step out, as HTA does.");
        }
        return new Sheets(tables, said);
    }

    @Override
    public Sheets difference(Trace baseline, Trace candidate) {
        Table table = HtaDifference.of(new HtaEvents(baseline, asHta), new HtaEvents(candidate, asHta));
        return new Sheets(List.of(table), List.of());
    }
}
