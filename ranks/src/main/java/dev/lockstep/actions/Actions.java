// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.path.Proposal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All actions that are known, as proposals for one recording after the other. Remembers the last one and its offers. Confined to
 * one thread.
 */
public final class Actions implements Proposal.Proposer {
    /** In the order in which they are tried, which leaves no mark: what one kernel is changed by, no later one changes. */
    private static final List<Action> ALL = List.of(
            new FusedAttention(),
            new FusedOptimizer(),
            new FusePointwise(),
            new LowerPrecision(),
            new CudaGraphs(),
            new LargerBatch(),
            new LoadAhead(),
            new NoSync(),
            new HostPause(),
            new PinMemory(),
            new KeepMemory());

    private final WorkRules rules;
    private final Map<String, Offer> offers = new LinkedHashMap<>();
    private @Nullable ActionTrace last;

    /**
     * Actions by these definitions.
     *
     * @param rules definitions; with a device, times follow from what it can do
     */
    public Actions(WorkRules rules) {
        this.rules = rules;
    }

    @Override
    public List<Proposal> of(DerivedCache cache) {
        offers.clear();
        ActionTrace trace = new ActionTrace(cache, rules);
        last = trace;
        List<Proposal> proposals = new ArrayList<>();
        for (Action action : ALL) {
            Offer offer = action.in(trace);
            if (offer != null && !offer.likely().isEmpty()) {
                offers.put(action.id(), offer);
                proposals.add(new Proposal(action.id(), offer.likely(), offer.least(), offer.most()));
            }
        }
        return proposals;
    }

    /** The last recording. */
    ActionTrace trace() {
        return Objects.requireNonNull(last);
    }

    /** What was offered, by id. */
    Map<String, Offer> offers() {
        return offers;
    }
}
