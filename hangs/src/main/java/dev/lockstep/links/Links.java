// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which link is slow, as records of NCCL's Inspector say.
 *
 * @param report what they say
 * @param problems what could not be read, a sentence each
 */
public record Links(Report report, List<String> problems) {
    private static final String HINT =
            "The Inspector writes HOST-pidN.log into nccl-inspector-JOB: NCCL_PROFILER_PLUGIN and NCCL_INSPECTOR_ENABLE=1 turn it on.";
    private static final Pattern SIGNS = Pattern.compile("\"(coll_perf|p2p_perf|dump_stats)\"");

    /** Copies the list. */
    public Links {
        problems = List.copyOf(problems);
    }

    /**
     * The logs that arguments name: files, patterns, and all logs in folders, told by their content.
     *
     * @throws UserException where a folder holds none
     */
    public static List<Path> files(List<String> arguments) throws IOException {
        return TraceFiles.of(arguments, Links::isLog, "log of NCCL's Inspector", HINT);
    }

    /** Whether a file looks like a log, by its first bytes. */
    private static boolean isLog(Path file) {
        try (PrefixedSource source = TraceInput.of(file).open(new Diagnostics())) {
            String head = new String(source.head(), StandardCharsets.ISO_8859_1);
            return head.stripLeading().startsWith("{") && SIGNS.matcher(head).find();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reads logs one after the other and says what they say.
     *
     * @param source what they are called together
     * @throws UserException where they hold no operation
     */
    public static Links of(List<Path> files, String source) throws IOException {
        Traffic traffic = new Traffic();
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            TraceInput input = TraceInput.of(file);
            try (PrefixedSource in = input.open(new Diagnostics())) {
                long damaged = new InspectorReader(traffic::add).read(in);
                if (damaged > 0) {
                    problems.add(input.name() + ": " + damaged + " damaged records were left out");
                }
            }
        }
        if (traffic.operations() == 0) {
            throw new UserException(
                    ErrorCode.FORMAT_UNKNOWN, source + ": no operation of NCCL's Inspector in it", HINT);
        }
        if (traffic.unusable() > 0) {
            problems.add(traffic.unusable() + " records lack rank, size or time and were left out");
        }
        return new Links(new LinkReport(traffic, source).report(), problems);
    }
}
