// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.Arrays;

/**
 * Which recorded calls are run again, and which run again inside them. A unit is the outermost call that works itself: a
 * leaf, a call that launched device work, one that is known to work, or one that calls nothing but bookkeeping. What is
 * inside a unit that cannot be run is looked at by itself.
 */
final class Units {
    /** Calls in an order in which each stands behind the one around it. */
    interface Calls {
        int size();

        /** The call around it, or -1. */
        int parent(int call);

        String name(int call);

        /** Whether the call itself launched device work. */
        boolean launches(int call);

        /** Whether arguments were recorded. */
        boolean hasInputs(int call);

        /** Whether the recorded arguments are of no use. */
        boolean isBlocked(int call);
    }

    /** What became of a call. */
    enum Role {
        /** Run again. */
        UNIT,
        /** Runs again inside a unit. */
        INSIDE,
        /** Only calls others, which are units. */
        CONTAINER,
        /** A mark without work. */
        MARK
    }

    private final Calls calls;
    private final OperatorNames names;
    private final int[] children;
    private final boolean[] echo;
    private final boolean[] onlyBookkeepingBelow;
    private final boolean[] launchesBelow;
    private final int[] unit;
    private final boolean[] blocked;
    private final Role[] roles;

    Units(Calls calls, OperatorNames names) {
        this.calls = calls;
        this.names = names;
        int n = calls.size();
        children = new int[n];
        echo = new boolean[n];
        onlyBookkeepingBelow = new boolean[n];
        launchesBelow = new boolean[n];
        unit = new int[n];
        blocked = new boolean[n];
        roles = new Role[n];
        Arrays.fill(onlyBookkeepingBelow, true);
        Arrays.fill(unit, -1);
        lookBelow();
        for (int call = 0; call < n; call++) {
            roles[call] = role(call);
        }
    }

    private void lookBelow() {
        for (int call = calls.size() - 1; call >= 0; call--) {
            int parent = calls.parent(call);
            if (parent < 0) {
                continue;
            }
            echo[call] = children[call] == 0 && OperatorNames.isEcho(calls.name(call), calls.name(parent));
            if (!echo[call]) {
                children[parent]++;
                launchesBelow[parent] |= launchesBelow[call] || calls.launches(call);
                onlyBookkeepingBelow[parent] &=
                        onlyBookkeepingBelow[call] && names.isBookkeeping(calls.name(call)) && !calls.launches(call);
            }
        }
    }

    private Role role(int call) {
        int parent = calls.parent(call);
        int around = parent < 0 ? -1 : unit[parent];
        if (around >= 0 && !blocked[around]) {
            unit[call] = around;
            return Role.INSIDE;
        }
        String name = calls.name(call);
        boolean leaf = children[call] == 0;
        boolean works = names.isCollective(name)
                || (names.isOperator(name)
                        ? leaf || worksItself(call, name)
                        : leaf && !names.isWrapper(name) && (calls.launches(call) || calls.hasInputs(call)));
        if (works) {
            unit[call] = call;
            blocked[call] = !leaf && !names.isCollective(name) && calls.isBlocked(call);
            return Role.UNIT;
        }
        return leaf ? Role.MARK : Role.CONTAINER;
    }

    /** Where device work was launched below an operator and not by it, others did its work. */
    private boolean worksItself(int call, String name) {
        return calls.launches(call)
                || names.hasSubstitute(name)
                || names.isWorking(name) && !launchesBelow[call]
                || onlyBookkeepingBelow[call] && !names.isBookkeeping(name);
    }

    /** The unit that the call is or belongs to, or -1. */
    int unit(int call) {
        return unit[call];
    }

    Role roleOf(int call) {
        return roles[call];
    }

    /** Whether the call is a recorded operator that calls none. */
    boolean isLeafOperator(int call) {
        return children[call] == 0 && !echo[call] && names.isOperator(calls.name(call));
    }
}
