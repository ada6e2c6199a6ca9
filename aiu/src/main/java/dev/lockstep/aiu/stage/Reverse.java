// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code mp_calc_bw} where the sizes of transfers are not known: it yields no counter, and gives the events in reversed
 * order.
 */
final class Reverse implements Stage {
    private final List<AiuEvent> held = new ArrayList<>();

    @Override
    public String name() {
        return "mp_calc_bw";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        held.add(event);
    }

    @Override
    public void drain(Next next) {
        for (int i = held.size() - 1; i >= 0; i--) {
            next.accept(held.remove(i));
        }
    }
}
