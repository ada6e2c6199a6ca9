// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Args;
import java.util.List;

/** Members of the helper events that flow detection lives on. */
final class FlowHelper {
    static final String SYNC = "sync";
    static final String PEERS = "Peers";
    static final String TYPE = "Type";
    static final String BYTES = "bytes";

    static final long NONE = 0;
    static final long BROADCAST_LIST = 1;
    static final long SEND = 2;
    static final long MULTICAST = 3;
    static final long DONE = 4;

    private FlowHelper() {}

    static String sync(AiuEvent helper) {
        String sync = members(helper).text(SYNC);
        return sync == null ? "" : sync;
    }

    static long type(AiuEvent helper) {
        double type = members(helper).number(TYPE);
        return Double.isNaN(type) ? NONE : (long) type;
    }

    static List<?> peers(AiuEvent helper) {
        return members(helper).get(PEERS) instanceof List<?> peers ? peers : List.of();
    }

    static Args members(AiuEvent helper) {
        return helper.other == null ? new Args() : helper.other;
    }
}
