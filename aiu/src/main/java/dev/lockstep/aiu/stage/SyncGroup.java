// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Transfers that synchronise with one another: complete when everyone who shall have the data has it. */
final class SyncGroup {
    private final Set<Long> partners = new HashSet<>();
    private boolean multicast;
    private int opened;
    private int closed;

    /** Takes a helper; returns whether the group is complete now. */
    boolean add(AiuEvent helper) {
        List<?> peers = FlowHelper.peers(helper);
        partners.add(helper.pid);
        for (Object peer : peers) {
            if (peer instanceof Long number) {
                partners.add(number);
            }
        }
        multicast |= partners.size() > 2;
        long type = FlowHelper.type(helper);
        if (type == FlowHelper.BROADCAST_LIST) {
            opened += peers.size();
            multicast = true;
        } else if (type == FlowHelper.MULTICAST) {
            opened++;
            multicast = true;
        } else if (type == FlowHelper.SEND) {
            opened++;
        } else if (type == FlowHelper.DONE) {
            closed++;
        }
        return isComplete();
    }

    boolean isComplete() {
        int count = partners.size();
        boolean received = count > 1 && closed > 0 && closed == count - 1;
        return received && (multicast ? opened == 2 * count - 1 : opened > 0);
    }
}
