// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.codec.Glob;
import dev.lockstep.derive.NameTest;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Turns what is said of the slices of one rank into edits of its graph: changes by proposals, and by patterns of names. */
final class TraceEdits {
    private final Trace trace;
    private final RankGraph rank;
    private final DependencyGraph graph;
    private final List<Proposal> proposals;
    private @Nullable ProfilerEdit profiler;

    TraceEdits(Trace trace, RankGraph rank, DependencyGraph graph, List<Proposal> proposals) {
        this.trace = trace;
        this.rank = rank;
        this.graph = graph;
        this.proposals = List.copyOf(proposals);
    }

    /** The edit that makes these changes. */
    Edit of(Changes changes) {
        return Edit.changes(new TraceEdit(rank, trace.slices(), graph, changes));
    }

    /** The edit that takes so many ns off each event of the host. */
    Edit withoutProfiler(long each) {
        return Edit.withoutProfiler(profiler(), each);
    }

    /** What an event costs, of a stretch of a track of the graph, in ns. */
    long profilerOf(int track, long from, long to, long each) {
        return profiler().cost(track, from, to, each);
    }

    private ProfilerEdit profiler() {
        ProfilerEdit known = profiler;
        if (known == null) {
            known = new ProfilerEdit(rank, trace.slices(), graph.tracks.size());
            profiler = known;
        }
        return known;
    }

    /** What a proposal of this id is expected to change. */
    Edit action(String id) {
        Proposal found = proposals.stream()
                .filter(proposal -> proposal.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.OPTION_INVALID,
                        "nothing in the trace calls for action '" + id + "'",
                        proposals.isEmpty()
                                ? "It calls for none."
                                : "It calls for: "
                                        + String.join(
                                                ", ",
                                                proposals.stream()
                                                        .map(Proposal::id)
                                                        .toList()) + "."));
        return of(found.likely());
    }

    /** Ranges, operators and frames of the host of these names take a part of their time. */
    Edit ranges(String pattern, double part) {
        return of(host(pattern, part, kind -> !kind.isLaunchCall()));
    }

    /** Calls of vendors' libraries of these names take a part of their time; where that is nothing, they wait for nothing, either. */
    Edit calls(String pattern, double part) {
        return of(host(pattern, part, SliceKind::isLaunchCall));
    }

    /** The host waits for no device in calls, operators or ranges of these names. */
    Edit withoutWaits(String pattern) {
        Changes changes = new Changes();
        Slices slices = trace.slices();
        NameTest names = new NameTest(trace, new Glob(pattern)::matches);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isHost() && names.isMeant(i)) {
                changes.doesNotWait(i);
            }
        }
        return of(changes);
    }

    private Changes host(String pattern, double part, Predicate<SliceKind> meant) {
        Changes changes = new Changes();
        Slices slices = trace.slices();
        NameTest names = new NameTest(trace, new Glob(pattern)::matches);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isHost() && meant.test(slices.kind(i)) && names.isMeant(i)) {
                changes.host(i, part);
                if (part == 0) {
                    changes.doesNotWait(i);
                }
            }
        }
        return changes;
    }
}
