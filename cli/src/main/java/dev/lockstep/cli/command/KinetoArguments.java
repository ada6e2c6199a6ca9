// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.kineto.Connections;
import dev.lockstep.goal.kineto.KinetoRank;
import dev.lockstep.goal.kineto.KinetoRecording;
import dev.lockstep.goal.kineto.KinetoRules;
import dev.lockstep.goal.nccl.Algorithm;
import dev.lockstep.goal.nccl.Protocol;
import dev.lockstep.goal.nccl.Recording;
import dev.lockstep.model.Trace;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.session.Session;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The options that say what traces of PyTorch's profiler do not, and the reading of such traces for schedules. */
final class KinetoArguments {
    private final TraceChoice choice = new TraceChoice();
    private int gpusPerNode = -1;
    private int channels = -1;
    private @Nullable Protocol protocol;
    private @Nullable Algorithm allReduce;
    private @Nullable Path topology;

    void declare(Arguments arguments) {
        choice.declare(arguments);
        arguments.option(
                "--gpus-per-node",
                "N",
                Integer.class,
                "Kineto: ranks of a node (default: by host names, else by the devices that the traces list).",
                given -> gpusPerNode = atLeastOne("--gpus-per-node", given));
        arguments.option(
                "--channels",
                "N",
                Integer.class,
                "Kineto: channels of every collective (default: as their kernels were launched).",
                given -> channels = atLeastOne("--channels", given));
        arguments.option(
                "--protocol",
                "NAME",
                String.class,
                "Kineto: protocol of every collective, LL, LL128 or Simple (default: by size).",
                given -> protocol = protocol(given));
        arguments.option(
                "--all-reduce",
                "NAME",
                String.class,
                "Kineto: algorithm of all-reduces, ring, tree or nvls (default: as their kernels are named).",
                given -> allReduce = algorithm(given));
        arguments.option(
                "--topology",
                "FILE",
                Path.class,
                "Kineto: rings and trees, a line for each channel (default: made from the nodes).",
                given -> topology = given);
    }

    /** Reads the ranks below a path, or of a pattern. */
    Recording read(String input, GlobalOptions global) throws IOException {
        KinetoRules rules = new KinetoRules(
                gpusPerNode, channels, protocol, allReduce, topology == null ? null : Connections.read(topology));
        List<Path> files = TraceFiles.of(List.of(input));
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            RankSet<KinetoRank> ranks = RankSet.read(
                    session, files, choice.selection(), trace -> take(trace, global), progress.reading(files));
            List<KinetoRank> present = new ArrayList<>();
            for (Member<KinetoRank> member : ranks.present()) {
                present.add(Objects.requireNonNull(member.kept()).withInfo(Objects.requireNonNull(member.info())));
            }
            if (present.stream().allMatch(rank -> rank.collectives().size() == 0)) {
                throw new UserException(
                        ErrorCode.NOTHING_TO_DO,
                        input + ": no rank has a communication kernel",
                        "Were device activities recorded?");
            }
            Recording recording = KinetoRecording.of(present, rules);
            noteMissing(ranks, recording);
            return recording;
        }
    }

    private static KinetoRank take(Trace trace, GlobalOptions global) {
        try {
            Inputs.demandSound(trace, global);
        } catch (TraceFormatException e) {
            throw new UncheckedIOException(e);
        }
        return KinetoRank.of(trace);
    }

    private static void noteMissing(RankSet<KinetoRank> ranks, Recording recording) {
        for (Member<KinetoRank> member : ranks.members()) {
            if (!member.isWhole()) {
                String what = member.status() == Status.MISSING
                        ? "there is no trace of it"
                        : member.source() + ": " + member.note();
                recording.notes().lost("rank_incomplete", "rank " + member.rank() + ": " + what);
            }
        }
    }

    private static int atLeastOne(String option, int given) {
        if (given < 1) {
            throw invalid(option + " wants a number of at least 1", null);
        }
        return given;
    }

    private static Protocol protocol(String given) {
        for (Protocol known : Protocol.values()) {
            if (known.name().equalsIgnoreCase(given)) {
                return known;
            }
        }
        throw invalid("--protocol does not know '" + given + "'", "known: LL, LL128, Simple");
    }

    private static Algorithm algorithm(String given) {
        return switch (given.toLowerCase(Locale.ROOT)) {
            case "ring" -> Algorithm.RING;
            case "tree" -> Algorithm.TREE;
            case "nvls" -> Algorithm.NVLS_TREE;
            default -> throw invalid("--all-reduce does not know '" + given + "'", "known: ring, tree, nvls");
        };
    }

    private static UserException invalid(String message, @Nullable String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }
}
