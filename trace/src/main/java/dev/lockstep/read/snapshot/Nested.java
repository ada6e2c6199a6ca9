// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.snapshot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** How deep lists and dictionaries lie within each other. Each is looked at once, however often it stands. */
final class Nested {
    private static final int UNDER_WAY = -1;

    /** A container that is being looked at. */
    private static final class Open {
        private final Object container;
        private final Iterator<?> parts;
        private int height = 1;

        Open(Object container, Iterator<?> parts) {
            this.container = container;
            this.parts = parts;
        }
    }

    private Nested() {}

    /** Levels of the value, 0 when it is no container; -1 when one holds itself. */
    static int levels(Object value) {
        if (!isContainer(value)) {
            return 0;
        }
        IdentityHashMap<Object, Integer> heights = new IdentityHashMap<>();
        Deque<Open> open = new ArrayDeque<>();
        open.push(open(value, heights));
        while (true) {
            Open top = open.peek();
            if (top == null) {
                return -1;
            }
            if (top.parts.hasNext()) {
                Object part = top.parts.next();
                if (!isContainer(part)) {
                    continue;
                }
                Integer known = heights.get(part);
                if (known == null) {
                    open.push(open(part, heights));
                } else if (known == UNDER_WAY) {
                    return -1;
                } else {
                    top.height = Math.max(top.height, known + 1);
                }
                continue;
            }
            open.pop();
            heights.put(top.container, top.height);
            Open above = open.peek();
            if (above == null) {
                return top.height;
            }
            above.height = Math.max(above.height, top.height + 1);
        }
    }

    private static boolean isContainer(Object value) {
        return value instanceof Collection || value instanceof Map;
    }

    private static Open open(Object container, IdentityHashMap<Object, Integer> heights) {
        heights.put(container, UNDER_WAY);
        Collection<?> parts = container instanceof Map<?, ?> map ? map.values() : (Collection<?>) container;
        List<Object> containers = new ArrayList<>();
        for (Object part : parts) {
            if (isContainer(part)) {
                containers.add(part);
            }
        }
        return new Open(container, containers.iterator());
    }
}
