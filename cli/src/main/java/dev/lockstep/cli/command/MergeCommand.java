// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.engine.Session;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.Merge;
import dev.lockstep.merge.MergeFilter;
import dev.lockstep.merge.MergeFilter.Condition;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.merge.MergeSummary;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.read.TraceInput;
import dev.lockstep.write.Output;
import dev.lockstep.write.TimelineOutput;
import dev.lockstep.write.TraceWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code lockstep merge RANKS -o FILE}: one timeline of all ranks. */
public final class MergeCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> arguments = List.of();

    @SuppressWarnings("NullAway.Init") // a required option
    private Path target;

    private final List<Condition> conditions = new ArrayList<>();
    private boolean deviceOnly;
    private boolean rankInNames;
    private String align = "none";
    private @Nullable String compat;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.arguments(
                "RANKS",
                "The traces of the ranks: files, directories, patterns in quotes.",
                given -> this.arguments = given);
        arguments.required(
                "-o,--output",
                "FILE",
                Path.class,
                "Where the merged trace goes; its ending chooses the format.",
                given -> target = given);
        arguments.option(
                "--filter", "WHAT", String[].class, "Keep only what matches; may be repeated.", given -> add(given, true));
        arguments.option(
                "--drop", "WHAT", String[].class, "Leave out what matches; may be repeated.", given -> add(given, false));
        arguments.flag("--gpu-only", "Keep only what ran on devices.", () -> deviceOnly = true);
        arguments.flag("--rank-in-names", "Begin each name with its rank: [R3] gemm.", () -> rankInNames = true);
        arguments.option("--align", "HOW", String.class, "Clocks of the ranks: none.", given -> align = given);
        arguments.option("--compat", "TOOL", String.class, "Reproduce another tool: aorta.", given -> compat = given);
    }

    private void add(String[] given, boolean keep) {
        for (String text : given) {
            Condition condition = MergeFilter.parse(text, keep);
            if (!conditions.contains(condition)) {
                conditions.add(condition);
            }
        }
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        MergeFilter filter = new MergeFilter(conditions, deviceOnly);
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            TraceWriter writer = session.registry().traceWriterFor(target);
            List<Path> files = TraceFiles.of(arguments);
            for (Path file : files) {
                if (Files.exists(target) && Files.isSameFile(target, file)) {
                    throw new UserException(
                            ErrorCode.OPTION_INVALID, target + " is an input; an output never overwrites it", null);
                }
            }
            boolean packed = target.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
            MergeSummary summary;
            try (Output output = new Output()) {
                try (TimelineOutput timelines = writer.open(
                        output.file(target), new TraceWriter.Options(packed, session.pool(), session.jobs()))) {
                    Merge merge = new Merge(timelines, new MergeOptions(filter, rankInNames), Alignment.none());
                    for (Path file : files) {
                        TraceInput input = TraceInput.of(file);
                        for (Trace trace : session.read(input, progress.reading(input), Keep.EVERYTHING)) {
                            merge.add(trace);
                        }
                    }
                    summary = merge.finish();
                }
                output.commit();
            } catch (FileSystemException e) {
                throw new UserException(
                        ErrorCode.OUTPUT_FAILED,
                        "cannot write " + e.getFile() + ": " + Objects.requireNonNullElse(e.getReason(), "refused"),
                        "Nothing was written.",
                        e);
            }
            progress.close();
            if (!global.quiet()) {
                out.println(summary.slices() + " " + summary.leftOut() + " " + summary.unusable());
            }
            return 0;
        }
    }
}
