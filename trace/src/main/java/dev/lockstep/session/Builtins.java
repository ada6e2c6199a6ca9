// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.read.TraceReader;
import dev.lockstep.read.chakra.ChakraReader;
import dev.lockstep.read.flex.FlexReader;
import dev.lockstep.read.memorytimeline.MemoryTimelineReader;
import dev.lockstep.read.perfetto.PerfettoReader;
import dev.lockstep.read.rocprof.RocprofReader;
import dev.lockstep.read.rocprofv1.RocprofV1Reader;
import dev.lockstep.read.snapshot.SnapshotReader;
import dev.lockstep.read.torch.TorchTraceReader;
import dev.lockstep.read.xplane.XPlaneReader;
import dev.lockstep.tabular.CsvFolder;
import dev.lockstep.tabular.SheetFormat;
import dev.lockstep.timeline.ChromeJsonWriter;
import dev.lockstep.timeline.TraceWriter;
import dev.lockstep.timeline.perfetto.PerfettoWriter;
import dev.lockstep.write.CsvWriter;
import dev.lockstep.write.HtmlWriter;
import dev.lockstep.write.JsonReportWriter;
import dev.lockstep.write.ReportWriter;
import java.util.List;

/**
 * What comes with the program, one line each. Other modules add to it through {@link java.util.ServiceLoader}.
 *
 * @hidden for the program's own modules
 */
@SuppressWarnings("exports")
public final class Builtins {
    /** Readers in the order in which they are asked whether they recognise a file; the most general one last. */
    public static final List<TraceReader> READERS = List.of(
            new SnapshotReader(),
            new MemoryTimelineReader(),
            new XPlaneReader(),
            new PerfettoReader(),
            new ChakraReader(),
            new RocprofReader(),
            new RocprofV1Reader(),
            new FlexReader(),
            new TorchTraceReader());

    /** Writers of reports. */
    public static final List<ReportWriter> REPORT_WRITERS =
            List.of(new CsvWriter(), new HtmlWriter(), new JsonReportWriter());

    /** Writers of traces. */
    public static final List<TraceWriter> TRACE_WRITERS = List.of(new ChromeJsonWriter(), new PerfettoWriter());

    /** Ways in which finished reports lie on the disk. */
    public static final List<SheetFormat> SHEET_FORMATS = List.of(new CsvFolder());

    private Builtins() {}
}
