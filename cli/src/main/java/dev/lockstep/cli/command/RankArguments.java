// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.session.Session;
import dev.lockstep.session.Soundness;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The argument RANKS that all commands on several ranks share, with the options that say which traces are meant. */
final class RankArguments {
    private List<String> inputs = List.of();
    private final TraceChoice choice = new TraceChoice();

    void declare(Arguments arguments) {
        arguments.arguments(
                "RANKS", "Traces of the ranks of one run: files, a directory, or a pattern.", given -> inputs = given);
        choice.declare(arguments);
    }

    /** The files that may be traces, in order. */
    List<Path> files() throws IOException {
        return TraceFiles.of(inputs);
    }

    /** What the user named. */
    List<String> inputs() {
        return inputs;
    }

    /**
     * Reads the ranks.
     *
     * @param keep takes from a trace what is needed after it; called by several threads at a time
     */
    <T> RankSet<T> read(Session session, GlobalOptions global, Progress progress, Function<Trace, T> keep)
            throws IOException {
        List<Path> files = files();
        return sound(
                RankSet.read(session, files, choice.selection(), demanding(global, keep), progress.reading(files)),
                global);
    }

    /**
     * Reads the ranks one after the other, with everything that their files say.
     *
     * @param keep what the traces shall hold
     * @param take takes a trace, on the calling thread, before the next is read
     */
    <T> RankSet<T> readInOrder(
            Session session, GlobalOptions global, Progress progress, Keep keep, Function<Trace, T> take)
            throws IOException {
        List<Path> files = files();
        return sound(
                RankSet.readInOrder(
                        session, files, choice.selection(), keep, demanding(global, take), progress.reading(files)),
                global);
    }

    private static <T> Function<Trace, T> demanding(GlobalOptions global, Function<Trace, T> keep) {
        return trace -> {
            try {
                Inputs.demandSound(trace, global);
            } catch (TraceFormatException e) {
                throw new UncheckedIOException(e);
            }
            return keep.apply(trace);
        };
    }

    private static <T> RankSet<T> sound(RankSet<T> ranks, GlobalOptions global) throws TraceFormatException {
        if (global.strict()) {
            Soundness.demand(ranks);
        }
        return ranks;
    }

    /** Whether nothing that was asked for is missing: where files are named, other ranks of their run are not asked for. */
    boolean isAnsweredBy(RankSet<?> read) {
        boolean named = inputs.stream().allMatch(input -> Files.isRegularFile(Path.of(input)));
        return read.members().stream()
                .allMatch(member -> member.isWhole() || (named && member.status() == Status.MISSING));
    }

    /** One line for each rank that is not whole or about which there is something to say, one for all that are missing. */
    static void report(RankSet<?> ranks, PrintWriter err) {
        List<Integer> missing = new ArrayList<>();
        for (Member<?> member : ranks.members()) {
            if (member.status() == Status.MISSING) {
                missing.add(member.rank());
            } else if (!member.note().isEmpty()) {
                String who = member.rank() < 0 ? "" : "rank " + member.rank() + ": ";
                String where = member.note().startsWith(member.source()) ? "" : member.source() + ": ";
                err.println(who + where + member.note());
            }
        }
        if (!missing.isEmpty()) {
            err.println("no file for " + (missing.size() == 1 ? "rank " : "ranks ") + MergeText.ranges(missing) + " of "
                    + ranks.worldSize());
        }
    }
}
