// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.LateKernels;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.OfRank;
import dev.lockstep.report.Evidence.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** In which rows, and where in the time of which rank, lies what a finding says of collectives. */
final class CollectiveEvidence {
    private final Collectives collectives;
    private final List<LateKernels> kernels;

    CollectiveEvidence(Collectives collectives, List<LateKernels> kernels) {
        this.collectives = collectives;
        this.kernels = kernels;
    }

    /**
     * A rank, and the longest time in which others waited because it came last: from the first start of the others to the
     * end of its own kernel, on its own clock. A rank that never came last, as a whole.
     */
    OfRank place(int rank) {
        Collective longest = longest(c -> c.last() == rank);
        return new OfRank(rank, longest == null ? null : place(longest, rank));
    }

    /** Where others waited longest among some collectives, on the page of the rank that they waited for; else nothing. */
    Evidence[] place(Predicate<Collective> wanted) {
        Collective longest = longest(wanted);
        return longest == null
                ? new Evidence[0]
                : new Evidence[] {new OfRank(longest.last(), place(longest, longest.last()))};
    }

    private @Nullable Collective longest(Predicate<Collective> wanted) {
        Collective longest = null;
        for (Collective c : collectives.all()) {
            if (c.waits() && wanted.test(c) && c.startSkew() > (longest == null ? 0 : longest.startSkew())) {
                longest = c;
            }
        }
        return longest;
    }

    private Place place(Collective c, int rank) {
        for (int m = 0; m < c.present(); m++) {
            RankCollectives one = collectives.rank(collectives.match().rank(c.instance(), m));
            if (one.rank() == rank) {
                int row = collectives.match().row(c.instance(), m);
                return new Place("others wait in " + c.id(), one.ts(row) - c.startSkew(), one.end(row));
            }
        }
        throw new IllegalStateException("a rank that came last took part");
    }

    /** The rows of {@code straggler_kernels} about a rank. */
    Evidence kernels(int rank) {
        List<Integer> lines = new ArrayList<>();
        int line = 0;
        for (LateKernels one : kernels) {
            for (int row = 0; row < one.rows().size(); row++) {
                if (one.rank() == rank) {
                    lines.add(line);
                }
                line++;
            }
        }
        return new Evidence.Rows(TableNames.STRAGGLER_KERNELS, lines);
    }

    /** The rows of {@code nccl_implicit_sync} for some collectives. */
    Evidence collectives(Predicate<Collective> wanted) {
        List<Integer> lines = new ArrayList<>();
        int line = 0;
        for (Collective c : collectives.all()) {
            if (c.call().kind().synchronising()) {
                if (wanted.test(c)) {
                    lines.add(line);
                }
                line++;
            }
        }
        return new Evidence.Rows(TableNames.NCCL_IMPLICIT_SYNC, lines);
    }
}
