// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.TraceFolder;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says what of a run's traces was there. */
public final class RunCoverage {
    private static final String NO_TRACE = "no trace in its folder";

    private RunCoverage() {}

    /** A run without a single trace. */
    public static Coverage absent(Configuration configuration, TraceFolder traces) {
        String note = !traces.isEmpty()
                ? "none of its " + traces.files().size() + " traces is among those that were asked for"
                : Files.isDirectory(traces.folder())
                        ? "no traces in " + traces.folder().getFileName() + broken(traces.broken())
                        : Files.isDirectory(configuration.folder())
                                ? "there is no folder " + traces.folder().getFileName() + ": did the run fail?"
                                : "there is no folder for this combination";
        return Coverage.absent(configuration, note);
    }

    /** A run of which something was found. */
    public static Coverage of(Configuration configuration, TraceFolder traces, RankSet<?> ranks) {
        List<Part> parts = new ArrayList<>();
        Set<Integer> known = new HashSet<>();
        for (Member<?> member : ranks.members()) {
            known.add(member.rank());
            boolean missing = member.status() == Status.MISSING;
            parts.add(new Part(
                    configuration.label(),
                    member.rank(),
                    state(member.status()),
                    member.source(),
                    missing ? missing(traces, member) : member.note()));
        }
        for (int rank : traces.rankFolders()) {
            if (known.add(rank)) {
                parts.add(new Part(configuration.label(), rank, State.MISSING, "", NO_TRACE));
            }
        }
        parts.sort(Comparator.comparingInt(part -> part.rank() < 0 ? Integer.MAX_VALUE : part.rank()));
        return new Coverage(parts);
    }

    private static String missing(TraceFolder traces, Member<?> member) {
        return traces.rankFolders().contains(member.rank()) ? NO_TRACE : member.note();
    }

    private static String broken(List<Path> links) {
        return links.isEmpty() ? "" : "; a link that leads nowhere: " + links.getFirst();
    }

    private static State state(Status status) {
        return switch (status) {
            case READ -> State.COMPLETE;
            case PARTIAL -> State.PARTIAL;
            case UNREADABLE -> State.UNREADABLE;
            case MISSING -> State.MISSING;
            case SET_ASIDE -> State.SET_ASIDE;
        };
    }
}
