// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A collective while its events arrive. Whether it is complete is known at any time. */
final class FlowGroup {
    final String name;
    final long number;
    final List<AiuEvent> helpers = new ArrayList<>();
    final TreeSet<Long> peers = new TreeSet<>();
    private final Map<String, SyncGroup> syncs = new HashMap<>();
    private int complete;
    double latest;
    private double first;

    FlowGroup(String name, long number) {
        this.name = name;
        this.number = number;
    }

    void add(AiuEvent helper) {
        helpers.add(helper);
        latest = Math.max(latest, helper.end());
        if (Math.abs(first) <= 1e-9) {
            first = helper.ts;
        } else if (FlowHelper.type(helper) == FlowHelper.SEND) {
            first = Math.min(first, helper.ts);
        }
        for (Object peer : FlowHelper.peers(helper)) {
            if (peer instanceof Long peerNumber) {
                peers.add(peerNumber);
            }
        }
        SyncGroup sync = syncs.computeIfAbsent(FlowHelper.sync(helper), key -> new SyncGroup());
        boolean before = sync.isComplete();
        boolean after = sync.add(helper);
        complete += (after ? 1 : 0) - (before ? 1 : 0);
    }

    /** Whether all of at least two synchronisations are complete. */
    boolean isComplete() {
        return syncs.size() > 1 && complete == syncs.size();
    }

    /** When nobody waits for the rest any more. */
    double deadline(double atLeast) {
        return latest + 4 * Math.max(latest - first, atLeast);
    }
}
