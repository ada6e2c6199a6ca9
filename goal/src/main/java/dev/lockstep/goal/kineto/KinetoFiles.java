// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.model.Trace;
import dev.lockstep.session.FileRanks;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import dev.lockstep.session.Session;
import dev.lockstep.session.Soundness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.LongConsumer;

/**
 * Reads the ranks of a run from traces of PyTorch's profiler.
 *
 * @param session what reads
 * @param selection which traces are meant where there are several of a rank
 * @param strict whether damage is a failure
 */
public record KinetoFiles(Session session, RankSelection selection, boolean strict) {
    /**
     * Reads files.
     *
     * @param name what messages call them
     * @param progress is told how many bytes were read so far
     * @throws UserException when no rank has a communication kernel
     */
    public RecordedRun read(String name, List<Path> files, KinetoRules rules, LongConsumer progress)
            throws IOException {
        RankSet<KinetoRank> ranks = RankSet.read(session, files, selection, this::take, progress);
        List<KinetoRank> present = new ArrayList<>();
        for (Member<KinetoRank> member : ranks.present()) {
            present.add(Objects.requireNonNull(member.kept()).withInfo(Objects.requireNonNull(member.info())));
        }
        if (present.stream().allMatch(rank -> rank.collectives().size() == 0)) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    name + ": no rank has a communication kernel",
                    "Schedules are made from collectives of devices. Those of the host (gloo) are left out. Where there are"
                            + " some on devices, record these, too: ProfilerActivity.CUDA among the activities of the"
                            + " profiler.");
        }
        RecordedRun run = KinetoRecording.of(present, rules);
        noteMissing(ranks, run);
        return run;
    }

    private KinetoRank take(Trace trace) {
        if (strict) {
            try {
                Soundness.demand(trace);
            } catch (TraceFormatException e) {
                throw new UncheckedIOException(e);
            }
        }
        return KinetoRank.of(trace);
    }

    private static void noteMissing(RankSet<KinetoRank> ranks, RecordedRun run) {
        StringJoiner lost = new StringJoiner("; ");
        List<Integer> missing = new ArrayList<>();
        for (Member<KinetoRank> member : ranks.members()) {
            if (member.status() == Status.SET_ASIDE) {
                run.notes().besides(member.source());
            } else if (member.status() == Status.MISSING) {
                missing.add(member.rank());
            } else if (!member.isWhole()) {
                String who = member.rank() < 0 ? "" : "rank " + member.rank() + ": ";
                String where = member.note().startsWith(member.source()) ? "" : member.source() + ": ";
                lost.add(who + where + member.note());
            }
        }
        if (!missing.isEmpty()) {
            lost.add((missing.size() == 1 ? "rank " : "ranks ") + FileRanks.ranges(missing) + ": there is no trace");
        }
        if (lost.length() > 0) {
            run.notes().lost("rank_incomplete", lost.toString());
        }
    }
}
