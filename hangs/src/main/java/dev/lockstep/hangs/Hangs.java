// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.hangs.dump.DumpReader;
import dev.lockstep.hangs.dump.DumpedJob;
import dev.lockstep.hangs.dump.RankDump;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.session.TraceFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * Why a job does not go on.
 *
 * @param report what the dumps say
 * @param hang whether a rank waits for something that does not come
 * @param problems dumps that cannot be read, a sentence each
 */
public record Hangs(Report report, boolean hang, List<String> problems) {
    /** Copies the list. */
    public Hangs {
        problems = List.copyOf(problems);
    }

    /**
     * The dumps that arguments name: files, patterns, and all dumps in folders, told by their content.
     *
     * @throws UserException where a folder holds none
     */
    public static List<Path> files(List<String> arguments) throws IOException {
        return TraceFiles.of(arguments, DumpReader::isDump, "dump of Flight Recorder", DumpReader.HINT);
    }

    /** Traces that lie beside dumps, in the folders among arguments: those whose names say their ranks. */
    public static List<Path> tracesBeside(List<String> arguments, List<Path> dumps) throws IOException {
        TraceFormats formats = new TraceFormats();
        List<Path> found = new ArrayList<>();
        for (String argument : arguments) {
            Path path = FileNames.path(argument);
            if (Files.isDirectory(path)) {
                found.addAll(TraceFiles.below(
                        path,
                        file -> formats.isOfRun(file)
                                && !dumps.contains(file)
                                && RankNames.rankOf(file).isPresent()));
            }
        }
        return found;
    }

    /**
     * Reads dumps, several at a time, and says what they say.
     *
     * @param files one for each rank
     * @param traces of the same ranks, told by their names; of culprits and of a rank that waits they are read
     * @param source what they are called together
     * @param strict whether a dump that cannot be read is a failure
     * @param progress told how many files were read
     */
    public static Hangs of(
            List<Path> files, List<Path> traces, String source, boolean strict, Session session, IntConsumer progress)
            throws IOException {
        DumpReader reader = new DumpReader();
        List<Future<RankDump>> reading = new ArrayList<>();
        files.forEach(file -> reading.add(session.pool().submit(() -> reader.read(file))));
        List<RankDump> dumps = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Future<RankDump> one : reading) {
            try {
                dumps.add(one.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while reading dumps", e);
            } catch (ExecutionException e) {
                problems.add(problem(Objects.requireNonNullElse(e.getCause(), e), strict || files.size() == 1));
            }
            progress.accept(dumps.size() + problems.size());
        }
        if (dumps.isEmpty()) {
            throw new UserException(ErrorCode.FORMAT_UNKNOWN, "no dump can be read: " + problems.getFirst(), null);
        }
        DumpedJob job = DumpedJob.of(dumps);
        HangReport report = new HangReport(job, source);
        List<BeforeHang> before = new ArrayList<>();
        for (int rank : traces.isEmpty() ? List.<Integer>of() : report.looked()) {
            for (Path trace : traces) {
                if (RankNames.rankOf(trace).orElse(-1) == rank) {
                    try {
                        before.add(BeforeHang.of(
                                session.readOne(TraceInput.of(trace), -1, bytes -> {}), rank, job.lastCall(rank)));
                        break;
                    } catch (TraceFormatException e) {
                        problems.add(problem(e, strict));
                    }
                }
            }
        }
        return new Hangs(report.report(before), report.isHang(), problems);
    }

    private static String problem(Throwable cause, boolean fails) throws IOException {
        return switch (cause) {
            case TraceFormatException e when !fails -> String.valueOf(e.getMessage());
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IOException(cause);
        };
    }
}
