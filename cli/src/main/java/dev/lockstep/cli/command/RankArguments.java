// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Run;
import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetRun;
import dev.lockstep.session.FileRanks;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.write.Unicode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The argument RANKS that all commands on several ranks share, with the options that say which traces are meant. */
final class RankArguments {
    private static final int MOST_RANKS = 1_000_000;
    private static final String MEANING = "Traces of the ranks of one run: files, a directory, or a pattern.";

    private List<String> inputs = List.of();
    private final TraceChoice choice = new TraceChoice();
    private int count;

    void declare(Arguments arguments) {
        arguments.arguments("RANKS", MEANING, given -> inputs = given);
        choice.declare(arguments);
    }

    /** As above for commands that take something else, too: there may be none. */
    void declareOptional(Arguments arguments) {
        arguments.words("[RANKS...]", MEANING, given -> inputs = given);
        choice.declare(arguments);
    }

    /** The option that asks for the first ranks of a run only. */
    void declareCount(Arguments arguments) {
        arguments.option(
                "-n,--num-ranks",
                "N",
                Integer.class,
                "Take ranks 0 to N - 1 alone (default: all that there are).",
                given -> count = counted(given));
    }

    private static int counted(int given) {
        if (given < 1 || given > MOST_RANKS) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--num-ranks wants a number from 1 to " + MOST_RANKS, null);
        }
        return given;
    }

    /** What was asked for of what was read. */
    <T> RankSet<T> asked(RankSet<T> read) {
        return count == 0 ? read : read.first(count);
    }

    /** The files that may be traces, in order. */
    List<Path> files() throws IOException {
        return TraceFiles.of(inputs);
    }

    /** What the user named. */
    List<String> inputs() {
        return inputs;
    }

    /** Which traces are meant where there are several of a rank. */
    RankSelection selection() {
        return choice.selection();
    }

    /** The options that say which traces are meant, as another program is told. */
    List<String> words() {
        return choice.words();
    }

    /** The name of the folder in which the first trace lies. */
    String runName() throws IOException {
        return nameOf(files());
    }

    /** The name of the folder in which the first of some files lies. */
    static String nameOf(List<Path> files) {
        Path parent = files.getFirst().toAbsolutePath().normalize().getParent();
        return parent == null || parent.getFileName() == null
                ? "run"
                : FileNames.text(parent.getFileName().toString());
    }

    /** The run that is meant. */
    Run run(Lockstep lockstep, Progress progress) throws IOException {
        Run run = lockstep.read(count == 0 ? inputs : first(), choice.selection());
        return run.withProgress(progress.reading(run.files()));
    }

    /** The files of the first ranks, as far as beginnings and names tell whose they are; else what the user named. */
    private List<String> first() throws IOException {
        Map<Integer, Path> numbered = RankSet.numbered(files(), choice.selection());
        List<String> first = numbered.entrySet().stream()
                .filter(file -> file.getKey() < count)
                .sorted(Map.Entry.comparingByKey())
                .map(file -> file.getValue().toString())
                .toList();
        return first.isEmpty() ? inputs : first;
    }

    /** The run with the latest trace of each rank. */
    Run latest(Lockstep lockstep, Progress progress) throws IOException {
        Run run = lockstep.read(inputs, new RankSelection(-1, null, true));
        return run.withProgress(progress.reading(run.files()));
    }

    /** Whether nothing that was asked for is missing: where files are named, other ranks of their run are not asked for. */
    boolean isAnsweredBy(RankSet<?> read) {
        boolean named = inputs.stream().allMatch(input -> Files.isRegularFile(FileNames.path(input)));
        return read.members().stream()
                .allMatch(member -> member.isWhole() || (named && member.status() == Status.MISSING));
    }

    /** One line for each rank that is not whole or about which there is something to say, one for all that are missing. */
    static void report(RankSet<?> ranks, PrintWriter err) {
        report(
                ranks.members().stream()
                        .map(member -> new Said(member.rank(), member.status(), member.source(), member.note()))
                        .toList(),
                ranks.worldSize(),
                err);
    }

    /** The same of ranks that were read elsewhere, or are those of a dataset. */
    static void report(FleetRun run, PrintWriter err) {
        List<Said> said = new ArrayList<>();
        int world = 0;
        for (FleetRun.Member member : run.ranks()) {
            Status status = Arrays.stream(Status.values())
                    .filter(one -> one.name().equalsIgnoreCase(member.status()))
                    .findFirst()
                    .orElse(null);
            if (status != null) {
                world = Math.max(world, member.rank() + 1);
                said.add(new Said(
                        member.rank(),
                        status,
                        Objects.requireNonNullElse(member.file(), ""),
                        Objects.requireNonNullElse(member.note(), "")));
            }
        }
        report(said, world, err);
    }

    /** What is to be said of a rank, or of a file that belongs to none. */
    private record Said(int rank, Status status, String source, String note) {}

    private static void report(List<Said> ranks, int world, PrintWriter err) {
        List<Integer> missing = new ArrayList<>();
        Map<String, List<Integer>> said = new LinkedHashMap<>();
        boolean unplaced = false;
        for (Said one : ranks) {
            unplaced |= one.rank < 0 && one.status == Status.UNREADABLE;
            if (one.status == Status.MISSING) {
                missing.add(one.rank);
            } else if (!one.note.isEmpty()) {
                String where = one.note.startsWith(one.source) ? "" : one.source + ": ";
                List<Integer> who = said.computeIfAbsent(where + one.note, line -> new ArrayList<>());
                if (one.rank >= 0) {
                    who.add(one.rank);
                }
            }
        }
        said.forEach((what, who) -> err.println(Unicode.line(who.isEmpty() ? what : named(who) + ": " + what)));
        if (!missing.isEmpty()) {
            err.println(
                    (unplaced ? "no file that can be read for " : "no file for ") + named(missing) + " of " + world);
        }
    }

    private static String named(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ") + FileRanks.ranges(ranks);
    }

    /** What is done with what was read. */
    interface Step<R> {
        R take() throws IOException;
    }

    /** Says what is wrong with the ranks also where nothing can be done with them. */
    static <R> R orReport(RankSet<?> ranks, PrintWriter err, Step<R> step) throws IOException {
        try {
            return step.take();
        } catch (UserException e) {
            report(ranks, err);
            throw e;
        }
    }
}
