// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.RunReport;
import dev.lockstep.cli.Arguments;
import dev.lockstep.dialect.Dialects;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.PerfettoCopy;
import dev.lockstep.model.Packing;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.reporting.CompanionSheets;
import dev.lockstep.reporting.TraceOverlay;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CsvWriter;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sheets of other tools beside the CSV files of a report, and the options that they have. */
final class CompanionArguments {
    private static final String CRITICAL = "critical";

    private int queueLimit = ReportOptions.Launches.DEFAULT_LIMIT;
    private @Nullable String sequencesOf;
    private int leastKernels = ReportOptions.Launches.DEFAULT_LEAST;
    private @Nullable Path overlay;
    private @Nullable String overlayOnly;
    private final Set<String> said = new LinkedHashSet<>();

    void declare(Arguments arguments) {
        arguments.number(
                "--queue-limit",
                "N",
                1,
                "Launches that fill the queue of a stream (default 1024).",
                given -> queueLimit = given);
        arguments.option(
                "--kernel-sequences",
                "OP[,MIN]",
                String.class,
                "List the sequences of MIN kernels or more (default 3) of operators whose name contains OP.",
                this::sequences);
        arguments.option(
                "--overlay",
                "FILE",
                Path.class,
                "Write the trace again (.json or .pftrace, .gz) with launch queues, copy bandwidth and "
                        + "the critical path.",
                given -> overlay = given);
        arguments.writes("--overlay");
        arguments.option(
                "--overlay-only",
                "critical",
                String.class,
                "In --overlay leave out what is not on the critical path, but for annotations and Python frames.",
                given -> overlayOnly = given);
    }

    private void sequences(String given) {
        int comma = given.lastIndexOf(',');
        String digits = comma < 0 ? "" : given.substring(comma + 1).strip();
        boolean numbered = digits.matches("\\d{1,9}");
        sequencesOf = numbered ? given.substring(0, comma) : given;
        leastKernels = numbered ? Integer.parseInt(digits) : ReportOptions.Launches.DEFAULT_LEAST;
        if (sequencesOf.isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--kernel-sequences wants a part of an operator's name", null);
        }
    }

    /** The options of a report with these. */
    ReportOptions onto(ReportOptions options) {
        return options.with(launches(options.paths().window()));
    }

    private ReportOptions.Launches launches(@Nullable String criticalPath) {
        demandUsable(criticalPath);
        return new ReportOptions.Launches(queueLimit, sequencesOf, leastKernels);
    }

    /** Whether the trace shall be written again with what was found. */
    boolean overlays() {
        return overlay != null;
    }

    /** Writes the sheets of one rank into the folder of its CSV files. */
    void write(Trace trace, ReportOptions options, Path folder) throws IOException {
        write(tool -> tool.of(trace, options), folder);
    }

    /**
     * The sheets of a run; what they say of single ranks is not kept.
     *
     * @param options of the report
     * @param tools whose sheets
     */
    record OfRanks(ReportOptions options, List<CompanionSheets> tools) implements RunReport.RankSheets {
        @Override
        public void write(Trace trace, Path folder) throws IOException {
            for (int tool = 0; tool < tools.size(); tool++) {
                Path own = Files.createDirectory(of(folder, tool));
                CompanionArguments.write(tools.get(tool).of(trace, options), own);
            }
        }

        @Override
        public void writeRun(SortedMap<Integer, Path> ranks, Path folder) throws IOException {
            for (int tool = 0; tool < tools.size(); tool++) {
                SortedMap<Integer, Path> own = new TreeMap<>(ranks);
                int number = tool;
                own.replaceAll((rank, all) -> of(all, number));
                tools.get(tool).writeRun(own, folder);
            }
        }

        private static Path of(Path folder, int tool) {
            return folder.resolve(Integer.toString(tool));
        }
    }

    /** Writes the sheets that compare two traces. */
    void writeDifference(Trace baseline, Trace candidate, Path folder) throws IOException {
        write(tool -> tool.difference(baseline, candidate), folder);
    }

    private void write(Function<CompanionSheets, CompanionSheets.Sheets> sheets, Path folder) throws IOException {
        for (CompanionSheets tool : Dialects.parts(CompanionSheets.class)) {
            CompanionSheets.Sheets written = sheets.apply(tool);
            write(written, folder);
            said.addAll(written.said());
        }
    }

    private static void write(CompanionSheets.Sheets sheets, Path folder) throws IOException {
        List<Section> sections =
                sheets.tables().stream().<Section>map(Section.TableSection::new).toList();
        new CsvWriter().write(new Report("", "", sections), folder, CellStyle.PLAIN);
    }

    private void demandUsable(@Nullable String criticalPath) {
        if (overlay == null && overlayOnly != null) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--overlay-only belongs to --overlay FILE", null);
        }
        if (overlayOnly != null && !overlayOnly.equals(CRITICAL)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--overlay-only knows nothing but critical", "found: " + overlayOnly);
        }
        if (overlayOnly != null && criticalPath == null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--overlay-only critical needs a critical path",
                    "Add --critical-path=ANNOTATION#N, or --critical-path=all");
        }
    }

    /**
     * Writes the trace with what was found in it, where that was asked for.
     *
     * @param inputs what must not be overwritten
     * @param output takes the file
     */
    void writeOverlay(Trace trace, TraceInput input, @Nullable String criticalPath, List<Path> inputs, Output output)
            throws IOException {
        if (overlay == null) {
            return;
        }
        boolean perfetto = PerfettoCopy.isAskedBy(overlay.toString());
        boolean packed = Packing.GZIP.packs(overlay.toString());
        if (!perfetto && !Packing.GZIP.removedFrom(overlay.toString()).endsWith(".json")) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    overlay + ": nothing writes overlays with this ending",
                    "Known endings: .json, .json.gz, .pftrace, .pftrace.gz");
        }
        Output.demandNoInput(overlay, inputs);
        Path staged = output.file(overlay);
        Path json = perfetto ? output.scratch(overlay) : staged;
        TraceOverlay.Options options = new TraceOverlay.Options(criticalPath, overlayOnly != null);
        for (TraceOverlay tool : Dialects.parts(TraceOverlay.class)) {
            said.addAll(tool.write(trace, input, options, new TraceOverlay.Target(json, packed && !perfetto)));
        }
        if (perfetto) {
            PerfettoCopy.write(json, overlay.toString(), staged);
        }
    }

    /** What is worth saying about the sheets that were written. */
    List<String> said() {
        return List.copyOf(said);
    }
}
