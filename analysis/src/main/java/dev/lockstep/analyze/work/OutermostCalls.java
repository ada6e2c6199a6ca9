// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.derive.CallTree;
import java.util.Arrays;

/** Tells calls that lie in no other call of their group, so that the time of a group counts once. Calls come in the order of the tree. */
final class OutermostCalls {
    private final CallTree tree;
    private int[] leftAt = new int[64];

    OutermostCalls(CallTree tree) {
        this.tree = tree;
    }

    /**
     * Whether no call of the group that came before holds this one.
     *
     * @param call slice of the next call
     * @param group a number from 0 on
     */
    boolean isOne(int call, int group) {
        if (group >= leftAt.length) {
            leftAt = Arrays.copyOf(leftAt, Math.max(group + 1, 2 * leftAt.length));
        }
        boolean outermost = tree.enter(call) >= leftAt[group];
        leftAt[group] = outermost ? tree.exit(call) : leftAt[group];
        return outermost;
    }
}
