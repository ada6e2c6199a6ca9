// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
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
import java.util.function.BiFunction;
import java.util.function.Function;
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
        RecordingNotes missing = new RecordingNotes();
        List<KinetoRank> present = present(files, KinetoRank::of, KinetoRank::withInfo, missing, progress);
        if (present.stream().allMatch(rank -> rank.collectives().size() == 0)) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    name + ": no rank has a communication kernel",
                    "Schedules are made from collectives of devices. Those of the host (gloo) are left out. Where there are"
                            + " some on devices, record these, too: ProfilerActivity.CUDA among the activities of the"
                            + " profiler.");
        }
        RecordedRun run = KinetoRecording.of(present, rules);
        run.notes().addAll(missing);
        return run;
    }

    /**
     * What is kept of each rank that can be read, in order of rank.
     *
     * @param take what of a trace
     * @param under the same under what is known of the trace beside the others
     * @param notes are told what is missing
     */
    public <T> List<T> present(
            List<Path> files,
            Function<Trace, T> take,
            BiFunction<T, TraceInfo, T> under,
            RecordingNotes notes,
            LongConsumer progress)
            throws IOException {
        Function<Trace, T> sound = trace -> take.apply(sound(trace));
        RankSet<T> ranks = RankSet.read(session, files, selection, sound, progress);
        List<T> present = new ArrayList<>();
        for (Member<T> member : ranks.present()) {
            present.add(under.apply(Objects.requireNonNull(member.kept()), Objects.requireNonNull(member.info())));
        }
        noteMissing(ranks, notes);
        return present;
    }

    private Trace sound(Trace trace) {
        if (strict) {
            try {
                Soundness.demand(trace);
            } catch (TraceFormatException e) {
                throw new UncheckedIOException(e);
            }
        }
        return trace;
    }

    private static <T> void noteMissing(RankSet<T> ranks, RecordingNotes notes) {
        StringJoiner lost = new StringJoiner("; ");
        List<Integer> missing = new ArrayList<>();
        for (Member<T> member : ranks.members()) {
            if (member.status() == Status.SET_ASIDE) {
                notes.besides(member.source());
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
            notes.lost("rank_incomplete", lost.toString());
        }
    }
}
